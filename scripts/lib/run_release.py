"""Builds the programs of each platform, and packs them. Used by scripts/release."""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys

from building import ROOT, build
from commands import output_of
from release import deb, image, npm, sbom, sysroot, tarball, wheel
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


def configured(platform, **settings):
    output_of("cmake", "--preset", platform.preset, *(f"-D{name}={value}" for name, value in settings.items()), cwd=ROOT)
    if not build(platform.preset, "installable"):
        raise SystemExit(1)


def build_programs(platform, quick):
    """Builds the programs of a platform; with a profile, if this machine can execute them as it would others."""
    sysroot.ensure(platform)
    say(f"building for {platform.preset}")
    if quick or platform.emulator:
        configured(platform, DINETTE_PROFILE="")
        return
    notes = platform.build / "profile"
    shutil.rmtree(notes, ignore_errors=True)
    configured(platform, DINETTE_PROFILE="record")
    subprocess.run([sys.executable, str(ROOT / "scripts/lib/record_profile.py")], check=True, stdout=sys.stderr,
                   env={**os.environ, "DINETTE_PROGRAM": str(platform.build / "dinette")})
    if not notes.is_dir():
        raise SystemExit(f"release: the programs noted nothing in {notes}")
    configured(platform, DINETTE_PROFILE="use")


def pack(kinds, platforms):
    shutil.rmtree(OUTPUT, ignore_errors=True)
    OUTPUT.mkdir(parents=True)
    for kind in kinds:
        for platform in platforms:
            KINDS[kind].pack(platform, platform.build, OUTPUT)
        # What does not belong to a platform.
        if hasattr(KINDS[kind], "pack_all"):
            KINDS[kind].pack_all(platforms, OUTPUT)


def describe(platforms):
    """Writes the bill of materials and the checksums of all that there is."""
    files = sorted(OUTPUT.iterdir())
    bill = OUTPUT / f"dinette-{version()}.spdx.json"
    bill.write_text(json.dumps(sbom.bill(platforms, files), indent=1) + "\n", encoding="utf-8")
    sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in sorted([*files, bill]))
    (OUTPUT / "SHA256SUMS").write_text(sums, encoding="ascii")


def main():
    arguments = parse_arguments()
    platforms = [PLATFORMS[name] for name in arguments.platform or PLATFORMS]
    for platform in platforms:
        build_programs(platform, arguments.quick)
    pack(arguments.kinds or list(KINDS), platforms)
    describe(platforms)
    for file in sorted(OUTPUT.iterdir()):
        print(file.relative_to(ROOT))


if __name__ == "__main__":
    main()
