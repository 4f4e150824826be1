"""The repository's files, for the tests of this folder."""

import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))

import commands  # noqa: E402

SKIPPED_FOLDERS = {"build", "node_modules", "third_party", ".git", "__pycache__"}


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def files(*suffixes):
    """Yields every file with one of the suffixes, except built and installed ones."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
        for name in sorted(names):
            if name.endswith(suffixes):
                yield pathlib.Path(folder, name)


def output_of(*command, **options):
    return commands.output_of(*command, cwd=ROOT, **options)


def packages(group):
    """Returns the lines of scripts/packages/<group>.txt: each a Debian package, or alternatives."""
    lines = (line.split("#")[0].strip() for line in read(f"scripts/packages/{group}.txt").splitlines())
    return [line.split(" | ") for line in lines if line]


def program():
    return os.environ["DINETTE_PROGRAM"]
