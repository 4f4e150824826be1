"""Makes the npm package: clients/js, and in it the program with the libraries that it is linked with.

usage: package_npm.py BUILD-FOLDER OUTPUT-FOLDER"""

import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

from commands import output_of
from notices import notices

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Every Linux with glibc has these, and they fit only its own loader.
OF_GLIBC = re.compile(r"(libc|libm|ld-linux-x86-64|libpthread|libdl|librt)\.so")


def libraries_of(program):
    """Yields the files of the shared libraries of a program, except glibc's."""
    for name, path in re.findall(r"(\S+) => (\S+)", output_of("ldd", str(program))):
        if not OF_GLIBC.match(name):
            yield pathlib.Path(path)


def add_program(build, package):
    """Adds bin, libexec and lib below package/linux-x64, and the notices of all that is in them."""
    libraries = {}
    place = package / "linux-x64"
    for program in ("bin/dinette", "libexec/dinette-durable"):
        built, installed = build / pathlib.Path(program).name, place / program
        installed.parent.mkdir(parents=True)
        output_of("strip", "-o", str(installed), str(built))
        (place / "lib").mkdir(exist_ok=True)
        for library in libraries_of(built):
            shutil.copy(library, place / "lib" / library.name)
            libraries[library.name] = library
    (place / "THIRD-PARTY-NOTICES").write_text(notices(libraries.values()), encoding="utf-8")


def pack(build, output):
    with tempfile.TemporaryDirectory() as folder:
        package = pathlib.Path(folder, "dinette")
        shutil.copytree(ROOT / "clients/js", package)
        shutil.copy(ROOT / "LICENSE", package)
        add_program(build, package)
        described = json.loads((package / "package.json").read_text(encoding="utf-8"))
        described |= {"os": ["linux"], "cpu": ["x64"], "libc": ["glibc"]}
        described["files"].append("linux-x64")
        (package / "package.json").write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")
        output.mkdir(parents=True, exist_ok=True)
        output_of("npm", "pack", "--silent", "--offline", "--pack-destination", str(output), cwd=package,
                  env={**os.environ, "npm_config_cache": str(pathlib.Path(folder, "cache"))})


if __name__ == "__main__":
    pack(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve())
