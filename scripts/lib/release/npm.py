"""The npm packages: `dinette`, which is clients/js, and for each platform one with the programs, of which npm installs the one that
fits."""

import json
import os
import shutil
import tempfile
from pathlib import Path

from commands import output_of
from release.platforms import PLATFORMS, ROOT
from release.programs import gunzip, install, version


def name_of(platform):
    return f"@dinette/linux-{platform.name}"


def _npm_pack(package, output, cache):
    output_of("npm", "pack", "--silent", "--offline", "--pack-destination", str(output.resolve()), cwd=package,
              env={**os.environ, "npm_config_cache": str(cache)})


def _write(package, described):
    (package / "package.json").write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")


def pack(platform, build, output):
    """Packs the programs of a platform."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "package")
        install(build, Path(folder, "installed"))
        for part in ("bin", "libexec"):
            shutil.copytree(Path(folder, "installed", part), package / part)
        shutil.copy(ROOT / "LICENSE", package)
        notices = gunzip(Path(folder, "installed/share/doc/dinette/THIRD-PARTY-NOTICES.gz"))
        (package / "THIRD-PARTY-NOTICES").write_text(notices, encoding="utf-8")
        (package / "README.md").write_text(f"The program of [dinette](https://www.npmjs.com/package/dinette) for Linux on "
                                           f"{platform.name}, with glibc 2.31 or later.\n", encoding="utf-8")
        _write(package, {
            "name": name_of(platform), "version": version(), "license": "Apache-2.0",
            "description": f"The program of dinette for Linux on {platform.name}",
            "os": ["linux"], "cpu": [platform.name], "libc": ["glibc"], "preferUnplugged": True,
            "files": ["bin", "libexec", "THIRD-PARTY-NOTICES"]})
        _npm_pack(package, output, Path(folder, "cache"))


def pack_all(output):
    """Packs the package that is installed by name."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, "dinette")
        shutil.copytree(ROOT / "clients/js", package)
        shutil.copy(ROOT / "LICENSE", package)
        described = json.loads((package / "package.json").read_text(encoding="utf-8"))
        _write(package, described | {"optionalDependencies": {name_of(platform): version() for platform in PLATFORMS.values()}})
        _npm_pack(package, output, Path(folder, "cache"))
