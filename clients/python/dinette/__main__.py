"""`python -m dinette ARGUMENTS` runs the program: the one that start() would, with its options. Not every wheel has one."""

import os
import shutil
import sys

from dinette import _default_program


def main():
    wanted = _default_program()
    program = shutil.which(wanted)
    if program is not None:
        os.execv(program, [program, *sys.argv[1:]])
    if wanted == os.environ.get("DINETTE_PROGRAM"):
        sys.exit(f"dinette: DINETTE_PROGRAM is {wanted}, which is not a program")
    sys.exit("dinette: there is no program here. The wheels for Linux on x64 and arm64 have it, this one has only the library. Install "
             "one of those, or set DINETTE_PROGRAM to the path of a program. A server that runs elsewhere needs none: "
             "dinette.connect(URL), and for pytest DINETTE_ENDPOINT=URL; the container image is such a server")


if __name__ == "__main__":
    main()
