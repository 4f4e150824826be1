#!/usr/bin/env python3
"""Copies what the page's bundle has of npm packages to third_party, with their descriptions and licences.

For a newer version: cd src/page && npm install --ignore-scripts preact@VERSION && ./copy_packages.py

It needs Debian's esbuild. A test compares third_party with the lock file and with the bundle."""

import json
import pathlib
import shutil
import tempfile

from build_page import ENTRIES, FOLDER, PACKAGES, bundle

MODULES = FOLDER / "node_modules"


def bundled_files():
    """Returns the files of npm packages of which the bundles consist, as paths below node_modules or third_party."""
    found = set()
    with tempfile.TemporaryDirectory() as folder:
        description = pathlib.Path(folder, "inputs.json")
        for entry in ENTRIES:
            bundle("esbuild", entry, f"--metafile={description}", f"--outfile={folder}/bundle")
            for name in json.loads(description.read_text())["inputs"]:
                place, _, below = name.partition("/")
                if place in (MODULES.name, PACKAGES.name):
                    found.add(below)
    return found


def describing_files(package):
    """Returns what tells of a package what it is, and under which licence."""
    files = [MODULES / package / "package.json", *(MODULES / package).glob("LICENSE*")]
    return {file.relative_to(MODULES).as_posix() for file in files}


def main():
    copied = bundled_files()
    for lock in json.loads((FOLDER / "package-lock.json").read_text())["packages"]:
        if lock:
            copied |= describing_files(lock.removeprefix("node_modules/"))
    shutil.rmtree(PACKAGES, ignore_errors=True)
    for name in sorted(copied):
        (PACKAGES / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(MODULES / name, PACKAGES / name)


if __name__ == "__main__":
    main()
