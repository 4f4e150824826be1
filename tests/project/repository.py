"""The repository's files, for the tests of this folder."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKIPPED_FOLDERS = {"build", "node_modules", ".git", "__pycache__"}


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
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT, **options).stdout


def packages(group):
    """Returns the Debian packages of scripts/packages/<group>.txt."""
    lines = (line.split("#")[0].strip() for line in read(f"scripts/packages/{group}.txt").splitlines())
    return [line for line in lines if line]


def program():
    return os.environ["DINETTE_PROGRAM"]
