"""The tarball of a platform: its bin/dinette runs wherever it is unpacked."""

import shutil
import tempfile
from pathlib import Path

from release.archives import add_tree, open_tar, zipped
from release.platforms import ROOT
from release.programs import install, version


def pack(platform, build, output):
    name = f"dinette-{version()}-linux-{platform.name}"
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, name)
        install(build, root)
        for document in ("LICENSE", "CHANGELOG.md"):
            shutil.copy(ROOT / document, root)
        packed = output / f"{name}.tar"
        with open_tar(packed) as archive:
            add_tree(archive, Path(folder))
        zipped(packed)
