#!/usr/bin/env python3
"""Copies what the page's bundle has of npm packages to third_party, with their descriptions and licences.

For a newer version: cd src/page && npm install --ignore-scripts preact@VERSION && ./copy_packages.py

It needs Debian's esbuild. A test compares third_party with the lock file and with the bundle."""

import json
import pathlib
import shutil

from build_page import FOLDER, PACKAGES, Page

MODULES = FOLDER / "node_modules"


def bundled_files():
    """Returns the files of npm packages of which the page consists, as paths below node_modules or third_party."""
    inputs = (name.partition("/") for name in Page("esbuild").inputs)
    return {below for place, _, below in inputs if place in (MODULES.name, PACKAGES.name)}


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
