"""Builds the programs of each platform, and packs them. Used by scripts/release."""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

from building import ROOT, build
from release import deb, image, npm, sbom, sysroot, tarball, wheel
from release.linked import is_built
from release.platforms import PLATFORMS
from release.programs import version

OUTPUT = ROOT / "build/release-files"
KINDS = {"tarball": tarball, "deb": deb, "npm": npm, "python": wheel, "image": image}


def say(text):
    print(f"release: {text}", file=sys.stderr, flush=True)


def parse_arguments():
    parser = argparse.ArgumentParser(prog="scripts/release", allow_abbrev=False,
                                     description="Makes all that a release consists of, in build/release-files.")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"what to make, of: {' '.join(KINDS)}; default: all")
    parser.add_argument("--platform", action="append", choices=PLATFORMS, help="may be repeated; default: all")
    parser.add_argument("--quick", action="store_true", help="without a profile, in half the time")
    arguments = parser.parse_args()
    unknown = [kind for kind in arguments.kinds if kind not in KINDS]
    if unknown:
        parser.error(f"'{unknown[0]}' is no kind of package; there are: {' '.join(KINDS)}")
    return arguments


def build_with(platform, profile):
    if not build(platform.preset, "installable", DINETTE_PROFILE=profile):
        raise SystemExit(1)


def build_programs(platform, quick):
    """Builds the programs of a platform; with a profile, if this machine can execute them as it would others."""
    sysroot.ensure(platform)
    say(f"building for {platform.preset}")
    if quick or platform.emulator:
        build_with(platform, profile="")
        return
    notes = platform.build / "profile"
    shutil.rmtree(notes, ignore_errors=True)
    build_with(platform, profile="record")
    subprocess.run([sys.executable, str(ROOT / "scripts/lib/record_profile.py")], check=True, stdout=sys.stderr,
                   env={**os.environ, "DINETTE_PROGRAM": str(platform.build / "dinette")})
    if not notes.is_dir():
        raise SystemExit(f"release: the programs noted nothing in {notes}")
    build_with(platform, profile="use")


def remove_other_versions():
    """Removes files of another version. Those of this version stay until they are made again."""
    for file in OUTPUT.iterdir():
        if not re.search(rf"[-_]{re.escape(version())}[-_.]", file.name):
            file.unlink()


def pack(kinds, platforms):
    OUTPUT.mkdir(parents=True, exist_ok=True)
    remove_other_versions()
    for kind in kinds:
        for platform in platforms:
            KINDS[kind].pack(platform, platform.build, OUTPUT)
        # What does not belong to a platform.
        if hasattr(KINDS[kind], "pack_all"):
            KINDS[kind].pack_all(OUTPUT)


def describe():
    """Writes the bill of materials and the checksums of all that there is, also of what was made earlier."""
    bill = OUTPUT / f"dinette-{version()}.spdx.json"
    sums = OUTPUT / "SHA256SUMS"
    files = sorted(set(OUTPUT.iterdir()) - {bill, sums})
    built = [platform for platform in PLATFORMS.values() if is_built(platform)]
    bill.write_text(json.dumps(sbom.bill(built, files), indent=1) + "\n", encoding="utf-8")
    lines = (f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted([*files, bill]))
    sums.write_text("".join(lines), encoding="ascii")


def main():
    arguments = parse_arguments()
    platforms = [PLATFORMS[name] for name in arguments.platform or PLATFORMS]
    for platform in platforms:
        build_programs(platform, arguments.quick)
    pack(arguments.kinds or list(KINDS), platforms)
    describe()
    for file in sorted(OUTPUT.iterdir()):
        print(file.relative_to(ROOT))


if __name__ == "__main__":
    main()
