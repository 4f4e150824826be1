#!/usr/bin/env python3
"""Prints the notices of the libraries that are in the programs, with their licences, as Debian and npm packages have them.

usage: notices.py [SYSROOT BUILD]

Without arguments: of what a build for this Debian compiles in. SYSROOT: what programs for all distributions are linked with
(scripts/lib/release/sysroot.py), statically, in the build folder BUILD."""

import json
import pathlib
import sys

from commands import output_of
from release.linked import linked_packages

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE_PACKAGES = ROOT / "src/page/third_party"

# A file of each Debian package that is compiled into the programs. A test compares this with what is linked.
COMPILED_IN = ("include/boost/version.hpp", "include/nlohmann/json.hpp", "lib/librocksdb.a", "lib/libexpat.a", "lib/libsqlite3.a",
               "lib/libyaml-cpp.a")
# The library of the compiler, which is linked statically as well.
OF_THE_COMPILER = "libstdc++-12-dev"


def place_of(file):
    """Returns where a file of COMPILED_IN is: archives are in a folder per architecture."""
    folder, name = file.split("/", 1)
    if folder == "include":
        return pathlib.Path("/usr", file)
    return next(pathlib.Path("/usr/lib").glob(f"*-linux-gnu/{name}"))


def package_of(file):
    """Returns the Debian package of a file, which dpkg may know by its name before /lib became /usr/lib."""
    real = str(pathlib.Path(file).resolve())
    for name in (str(file), real, real.removeprefix("/usr")):
        try:
            found = output_of("dpkg-query", "-S", name)
        except RuntimeError:  # it does not know the name
            continue
        owners = [line for line in found.splitlines() if not line.startswith("diversion ")]
        if owners:
            return owners[0].split(":")[0]
    raise SystemExit(f"notices: no Debian package has {file}")


def debian_notice(package, root="/"):
    return package, pathlib.Path(root, "usr/share/doc", package, "copyright").read_text(encoding="utf-8")


def debian_notices(sysroot, build):
    """Yields name and licence of each Debian package that is compiled in."""
    if sysroot is None:
        yield from map(debian_notice, sorted({package_of(place_of(file)) for file in COMPILED_IN}))
        return
    for package in linked_packages(sysroot, build):
        yield debian_notice(package, sysroot)
    yield debian_notice(OF_THE_COMPILER)


def bundled_licences():
    """Yields the licence file of each npm package in the page."""
    yield from sorted(PAGE_PACKAGES.glob("**/LICENSE*"))


def bundled_packages():
    """Yields the description of each npm package in the page."""
    for licence in bundled_licences():
        yield json.loads((licence.parent / "package.json").read_text(encoding="utf-8"))


def page_notices():
    """Yields name and licence of each npm package in the page."""
    for licence in bundled_licences():
        name = licence.parent.relative_to(PAGE_PACKAGES).as_posix()
        yield f"{name} (npm)", licence.read_text(encoding="utf-8")


def notices(sysroot=None, build=None):
    """Returns the notices of what is compiled in, as one text. `sysroot`, `build`: see above."""
    text = "The programs of Dinette contain the following libraries. The licence of Dinette itself is Apache-2.0.\n"
    for name, notice in [*debian_notices(sysroot, build), *page_notices()]:
        text += f"\n{'=' * 100}\n{name}\n{'=' * 100}\n\n{notice.strip()}\n"
    return text


if __name__ == "__main__":
    sys.stdout.write(notices(*sys.argv[1:]))
