"""The installed files of a build, which every kind of package has in it."""

import os
import pathlib
import re
import subprocess

from commands import output_of
from release.platforms import ROOT


def version():
    """Returns the version that CMakeLists.txt has."""
    return re.search(r"^project\(dinette VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)[1]


def released_at():
    """Returns the time that all files of a release have, in seconds since 1970: that of the commit, so that the same commit
    gives the same bytes."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return int(given or output_of("git", "-C", str(ROOT), "log", "-1", "--format=%ct"))


def install(build, folder):
    """Installs the programs of a build folder, with manual page, completions and notices, as they are below /usr/local."""
    for component in ("runtime", "elsewhere"):
        output_of("cmake", "--install", str(build), "--prefix", str(folder), "--component", component, "--strip")


def files_of(folder):
    """Returns the files below a folder, in an order that does not depend on the file system."""
    return sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file())


def gunzip(file):
    return subprocess.run(["gzip", "-dc", str(file)], check=True, capture_output=True, text=True).stdout
