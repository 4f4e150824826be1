#!/usr/bin/env python3
"""Makes what programs for every Linux distribution are linked with: glibc of Debian 11, which is 2.31, and of Debian 12 static
libraries, of which two are compiled here, because Debian has only shared ones. Needs no root. Made once per platform.

usage: sysroot.py x64|arm64"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from commands import output_of  # noqa: E402
from release.platforms import PLATFORMS  # noqa: E402

KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg"
# Releases that have left the mirrors.
ARCHIVE = "http://archive.debian.org/debian/"
GLIBC = ("libc6", "libc6-dev", "libcrypt-dev")
# The compilers for other processors look at newer ones first.
HEADERS = ("libc6-dev", "linux-libc-dev")
# libbz2-1.0 has the licence of libbz2-dev. Which of them are in the programs says linked.py.
LIBRARIES = ("libboost1.81-dev", "libbz2-1.0", "libbz2-dev", "libdeflate-dev", "libexpat1-dev", "libisal-dev", "liblz4-dev",
             "librocksdb-dev", "libsimdjson-dev", "libsnappy-dev", "libsqlite3-dev", "libssl-dev", "libyaml-cpp-dev",
             "libzstd-dev", "nlohmann-json3-dev", "zlib1g-dev")
# Of these Debian has no static library. By source package: the library, and the package that has its headers.
SOURCES = {"libisal": ("libisal.a", "libisal-dev"), "simdjson": ("libsimdjson.a", "libsimdjson-dev")}
# What the container image has besides.
IMAGE = ("busybox-static", "ca-certificates", "libc6")
# Descriptions of LIBRARIES and of IMAGE by their names: `version`, and the paths of their `files`.
LIBRARY_PACKAGES, IMAGE_PACKAGES = "packages.json", "image-packages.json"


def mirror():
    """Returns the mirror that this machine's apt uses for Debian."""
    sites = output_of("apt-get", "indextargets", "--format", "$(REPO_URI)", "Identifier: Packages").split()
    return next((site for site in sites if re.search(r"/debian/?$", site)), "http://deb.debian.org/debian/")


class Apt:
    """apt for one release and architecture, with a state of its own in a folder: nothing is installed."""

    def __init__(self, folder, release, architecture):
        self.folder = pathlib.Path(folder, f"{release}-{architecture}")
        for part in ("state/lists/partial", "cache/archives/partial"):
            (self.folder / part).mkdir(parents=True, exist_ok=True)
        (self.folder / "status").touch()
        (self.folder / "apt.conf").write_text(
            f'APT::Architecture "{architecture}"; APT::Architectures "{architecture}";\n'
            f'Dir::State "{self.folder}/state"; Dir::State::status "{self.folder}/status"; Dir::Cache "{self.folder}/cache";\n'
            f'Dir::Etc::sourcelist "{self.folder}/sources.list"; Dir::Etc::sourceparts "-";\n'
            'Acquire::Languages "none"; Acquire::Check-Valid-Until "false"; APT::Sandbox::User "root";\n', encoding="utf-8")
        self._update(release)

    def _update(self, release):
        for site in (mirror(), ARCHIVE):
            (self.folder / "sources.list").write_text(
                "".join(f"{kind} [signed-by={KEYS}] {site} {release} main\n" for kind in ("deb", "deb-src")), encoding="utf-8")
            try:
                self("update", "--error-on=any")
                return
            except RuntimeError:
                if site == ARCHIVE:
                    raise

    def __call__(self, *arguments, cwd=None):
        return output_of("apt-get", "-q", *arguments, cwd=cwd, env={**os.environ, "APT_CONFIG": str(self.folder / "apt.conf")})

    def unpack(self, packages, root):
        """Unpacks packages into a folder, over what is there. Returns their descriptions by their names."""
        described = {}
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            self("download", *packages, cwd=folder)
            for package in sorted(pathlib.Path(folder).iterdir()):
                output_of("dpkg-deb", "-x", str(package), str(root))
                name, version = output_of("dpkg-deb", "--show", "--showformat=${Package} ${Version}", str(package)).split()
                described[name] = {"version": version, "files": files_in(package)}
        return described

    def unpack_headers(self, packages, root):
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            self.unpack(packages, folder)
            shutil.copytree(pathlib.Path(folder, "usr/include"), root / "usr/include", dirs_exist_ok=True)

    def source(self, package):
        """Returns the folder of an unpacked source package."""
        folder = self.folder / "sources" / package
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self("source", package, cwd=folder)
        return next(path for path in folder.iterdir() if path.is_dir())


def files_in(package):
    """Returns the paths of what a package file installs."""
    lines = output_of("dpkg-deb", "--contents", str(package)).splitlines()
    # -rw-r--r-- root/root 5 2022-09-18 12:00 ./usr/lib/x -> y
    return [line.split(maxsplit=5)[5].split(" -> ")[0].removeprefix(".") for line in lines if not line.startswith("d")]


def make_links_relative(root):
    """Makes links to absolute paths lead into the folder, as they do for who has it as the root."""
    for folder, folders, files in os.walk(root):
        for path in (pathlib.Path(folder, name) for name in (*folders, *files)):
            if path.is_symlink() and os.readlink(path).startswith("/"):
                target = pathlib.Path(str(root) + os.readlink(path))
                path.unlink()
                path.symlink_to(os.path.relpath(target, path.parent))


def compiler(platform, language):
    """Returns the compiler for a platform that Debian 12 has; also the one of CMakePresets.json."""
    return f"{platform.triplet}-{language}-12"


def build_isal(platform, source, library):
    architecture = ["arch=aarch64", "host_cpu=aarch64"] if platform.name == "arm64" else ["host_cpu=x86_64"]
    output_of("make", "-f", "Makefile.unx", f"-j{os.cpu_count()}", "lib", "units=crc igzip", "DEBUG=-fPIC", "DEBUG_nasm=",
              f"CC={compiler(platform, 'gcc')}", *architecture, cwd=source)
    shutil.copy(source / "bin/isa-l.a", library)


def build_simdjson(platform, source, library):
    folder = source / "singleheader"
    output_of(compiler(platform, "g++"), f"--sysroot={platform.sysroot}", "-std=c++17", "-O3", "-DNDEBUG", "-fPIC", "-c",
              "simdjson.cpp", cwd=folder)
    output_of("ar", "rcs", str(library), "simdjson.o", cwd=folder)


def build_glibc_additions(platform, library):
    output_of(compiler(platform, "gcc"), f"--sysroot={platform.sysroot}", "-O2", "-fPIC", "-Wall", "-Wextra", "-Werror", "-c",
              str(pathlib.Path(__file__).with_name("glibc_2_31.c")), "-o", str(library))


def make(platform):
    """Makes the sysroot of a platform."""
    root = platform.sysroot
    shutil.rmtree(root, ignore_errors=True)
    (root / "image").mkdir(parents=True)
    # Kept, because reading the lists of a release takes longer than all the rest.
    state = root.parent / "apt"
    bookworm, bullseye = (Apt(state, release, platform.debian) for release in ("bookworm", "bullseye"))
    packages = bookworm.unpack(LIBRARIES, root)
    bullseye.unpack(GLIBC, root)
    bookworm.unpack_headers(HEADERS, root)
    (root / IMAGE_PACKAGES).write_text(json.dumps(bookworm.unpack(IMAGE, root / "image")), encoding="utf-8")
    make_links_relative(root / "image")
    make_links_relative(root)
    libraries = root / "usr/lib" / platform.triplet
    build_glibc_additions(platform, libraries / "glibc_2_31.o")
    build = {"libisal": build_isal, "simdjson": build_simdjson}
    for name, (library, package) in SOURCES.items():
        build[name](platform, bookworm.source(name), libraries / library)
        packages[package]["files"].append(f"/usr/lib/{platform.triplet}/{library}")
    (root / LIBRARY_PACKAGES).write_text(json.dumps(packages), encoding="utf-8")


def recipe():
    """Returns what a sysroot was made by: it is made again when this changes."""
    parts = sorted(pathlib.Path(__file__).parent.glob("glibc_*.c"))
    return hashlib.sha256(b"".join(part.read_bytes() for part in (pathlib.Path(__file__), *parts))).hexdigest()


def ensure(platform):
    """Makes the sysroot of a platform unless it is there."""
    made = platform.sysroot / ".made"
    if made.exists() and made.read_text(encoding="utf-8") == recipe():
        return
    print(f"release: collecting what programs for {platform.preset} are linked with", file=sys.stderr, flush=True)
    make(platform)
    made.write_text(recipe(), encoding="utf-8")


if __name__ == "__main__":
    ensure(PLATFORMS[sys.argv[1]])
