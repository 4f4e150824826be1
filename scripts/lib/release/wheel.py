"""The wheels: for each platform one with the programs, and one without, for all others."""

import sys
import tempfile
from pathlib import Path

from release.platforms import ROOT
from release.programs import files_of, gunzip, install

sys.path.insert(0, str(ROOT / "clients/python"))
import wheel_builder  # noqa: E402


def pack(platform, build, output):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        install(build, root)
        notices = gunzip(root / "share/doc/dinette/THIRD-PARTY-NOTICES.gz")
        wheel_builder.build_platform_wheel(
            output, platform.wheel_platform, root / "bin/dinette", root / "libexec/dinette-full", notices)


def pack_all(output):
    wheel_builder.build_wheel(output)
