"""The platforms that releases are made for."""

import os
import pathlib
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Platform:
    """`name` as Node.js and our files have it, the rest as Debian, the compilers, Python and container images call it."""
    name: str
    debian: str
    machine: str

    @property
    def triplet(self):
        return f"{self.machine}-linux-gnu"

    @property
    def wheel_platform(self):
        return f"manylinux_2_31_{self.machine}"

    @property
    def sysroot(self):
        return ROOT / "build/sysroot" / self.name

    @property
    def preset(self):
        return f"linux-{self.name}"

    @property
    def emulator(self):
        """Returns the words in front of a command for the platform, which is a static program or has its libraries elsewhere."""
        return () if self.machine == os.uname().machine else (f"qemu-{self.machine}-static",)

    @property
    def build(self):
        return ROOT / "build" / self.preset


PLATFORMS = {platform.name: platform for platform in (
    Platform("x64", "amd64", "x86_64"),
    Platform("arm64", "arm64", "aarch64"))}
