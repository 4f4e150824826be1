"""A hash of everything that a test result depends on: the tree, the installed packages and the build settings."""

import hashlib
import os
import subprocess

from building import ROOT

ENVIRONMENT = ("CXX", "CC", "CXXFLAGS", "LDFLAGS", "DINETTE_TEST_SEED", "DINETTE_TEST_FACTOR",
               "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")
TOOLS = (
    ["dpkg-query", "-W"], ["uname", "-r"], ["g++", "--version"], ["clang++", "--version"], ["node", "--version"],
    ["python3", "--version"])


def files():
    """Returns every file that git tracks or would track."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True).stdout
    return sorted(ROOT / os.fsdecode(name) for name in listed.split(b"\0") if name)


def fingerprint():
    digest = hashlib.sha256()

    def add(*parts):
        for part in parts:
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)

    for file in files():
        if file.is_file():
            add(os.fsencode(file), oct(file.stat().st_mode).encode(), file.read_bytes())
    for command in TOOLS:
        add(subprocess.run(command, capture_output=True).stdout)
    for name in ENVIRONMENT:
        add(name.encode(), os.environ.get(name, "").encode())
    return digest.hexdigest()
