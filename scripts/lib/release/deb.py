"""The Debian package, by CPack. It fits every Debian and Ubuntu with glibc 2.31 or later."""

import shutil
import tempfile
from pathlib import Path

from commands import output_of


def pack(platform, build, output):
    with tempfile.TemporaryDirectory() as folder:
        output_of("cpack", "-G", "DEB", "-B", folder, cwd=build)
        package, = Path(folder).glob("*.deb")
        shutil.move(package, output / package.name)
