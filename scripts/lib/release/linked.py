"""Which Debian packages are in the programs for all distributions: their static libraries by what the linker has used, which its maps
say, and libraries that are headers alone."""

import json
import os
import pathlib
import re

from release.sysroot import LIBRARY_PACKAGES

PROGRAMS = ("dinette", "dinette-full")
# Compiled in wherever it is included.
HEADERS = ("/usr/include/boost/version.hpp", "/usr/include/nlohmann/json.hpp")
# GCC's, which are linked statically as well; the last one only while a profile is recorded. Their package is notices.OF_THE_COMPILER.
OF_THE_COMPILER = {"libstdc++.a", "libgcc.a", "libgcc_eh.a", "libgcov.a"}
# The parts of glibc that are in every program: their licence allows that without a notice.
OF_GLIBC = {"libc_nonshared.a", "libpthread_nonshared.a"}
# An archive and its member, in the maps of GNU ld and of mold. Dinette's own archives have relative paths.
ARCHIVE = re.compile(r"(?:^|\s)(/\S+\.a)\(", re.M)


def described_packages(sysroot):
    """Returns `version` and `files` of each package in a sysroot, by its name."""
    return json.loads(pathlib.Path(sysroot, LIBRARY_PACKAGES).read_text(encoding="utf-8"))


def map_of(build, program):
    return pathlib.Path(build, f"{program}.map")


def is_built(platform):
    return all(map_of(platform.build, program).exists() for program in PROGRAMS)


def archives(build):
    """Returns the paths of the static libraries of which something is in the programs."""
    found = set()
    for program in PROGRAMS:
        found |= set(ARCHIVE.findall(map_of(build, program).read_text(encoding="utf-8", errors="replace")))
    if not found:
        raise SystemExit(f"linked: the maps in {build} name no library")
    return {os.path.realpath(archive) for archive in found}


def owners(sysroot):
    """Returns the package of each file in a sysroot that is not glibc's, by its path below it."""
    return {file: name for name, described in described_packages(sysroot).items() for file in described["files"]}


def linked_packages(sysroot, build):
    """Returns the names of the packages that are in the programs of a build folder, except the compiler's."""
    root, owner_of = os.path.realpath(sysroot), owners(sysroot)
    free = OF_THE_COMPILER | OF_GLIBC
    paths = {archive.removeprefix(root) for archive in archives(build) if os.path.basename(archive) not in free}
    unknown = sorted(path for path in paths if path not in owner_of)
    if unknown:
        raise SystemExit(f"linked: no package in {sysroot} has {unknown[0]}")
    return sorted({owner_of[path] for path in [*paths, *HEADERS]})
