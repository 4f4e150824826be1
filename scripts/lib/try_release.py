"""Tries packages of build/release-files in bare systems. Used by scripts/try_release."""

import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.request

from building import ROOT
from commands import output_of
from notices import OF_THE_COMPILER
from release import linked, sysroot
from release.image_root import USER_ID
from release.platforms import PLATFORMS
from release.programs import gunzip, version
from run_release import OUTPUT

sys.path[:0] = [str(ROOT / "tests" / part) for part in ("protocol", "packages")]
from bare_debian import command_in  # noqa: E402
from server import Server, loopback_addresses  # noqa: E402

X64, ARM64 = PLATFORMS["x64"], PLATFORMS["arm64"]
# Where a user's own files are in a system.
PLACE = "/opt/release"
TABLE = {"TableName": "Albums", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "artist", "KeyType": "HASH"}],
         "AttributeDefinitions": [{"AttributeName": "artist", "AttributeType": "S"}]}
ITEM = {"artist": {"S": "Nina Simone"}}
options = argparse.Namespace(folder="/var/tmp/dinette-try")


def in_shell(text, *arguments):
    """Returns a command that runs a text with the functions of bare.sh."""
    prelude = f"folder={shlex.quote(options.folder)}; cache=; source {shlex.quote(str(ROOT / 'scripts/lib/bare.sh'))}; "
    return ["bash", "-euo", "pipefail", "-c", prelude + text, "try_release", *map(str, arguments)]


def call(endpoint, operation, **request):
    headers = {"X-Amz-Target": f"DynamoDB_20120810.{operation}", "Content-Type": "application/x-amz-json-1.0"}
    with urllib.request.urlopen(urllib.request.Request(endpoint, json.dumps(request).encode(), headers)) as reply:
        return json.load(reply)


class System:
    """A bare system: a folder, in which commands see nothing else of this machine but its network."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def command(self, *command):
        return in_shell('tree=$1; shift; inside "$tree" HOME=/root "$@"', self.folder, *command)

    def says(self, *command):
        return output_of(*self.command(*command))

    def serving(self, program):
        """Returns a command that becomes the program, so that it gets signals."""
        return command_in(self.folder, program)

    def add(self, *names):
        """Copies files of the release to PLACE."""
        place = self.folder / PLACE[1:]
        place.mkdir(parents=True, exist_ok=True)
        for name in names:
            shutil.copy(OUTPUT / name, place)


class Files(System):
    """A folder in which nothing runs but a program, as a user."""

    def __init__(self, folder, user=0):
        super().__init__(folder)
        self.user = user

    def command(self, *command):
        chroot, root, *rest = command_in(self.folder, *command)
        return [chroot, f"--userspec={self.user}:{self.user}", root, *rest]

    serving = command


class Tries(unittest.TestCase):
    """Helpers for what is tried of every package. `system` is where, and `program` where the program is in it."""

    def server(self, system, program, *arguments):
        script = system.folder / "serve"
        script.write_text(f'#!/bin/sh\nexec {shlex.join(system.serving(program))} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
        return Server(*arguments, called_as=str(script))

    def try_program(self, system, program, data="/tmp/kept"):
        """The program says its version, serves, keeps data, and checks them."""
        self.assertEqual(system.says(program, "--version"), f"dinette {version()}\n")
        with self.server(system, program) as server:
            for address in loopback_addresses():
                host = f"[{address}]" if ":" in address else address
                self.assertEqual(call(f"http://{host}:{server.port}", "ListTables"), {"TableNames": []})
            self.assertIn("is healthy", system.says(program, "healthcheck", "--port", str(server.port)))
        with self.server(system, program, "--data", data) as server:
            call(server.endpoint, "CreateTable", **TABLE)
            call(server.endpoint, "PutItem", TableName="Albums", Item=ITEM)
        with self.server(system, program, "--data", data) as server:
            self.assertEqual(call(server.endpoint, "GetItem", TableName="Albums", Key=ITEM), {"Item": ITEM})
        self.assertIn("all is well", system.says(program, "check", data))
        for kept in (system.folder / data[1:]).iterdir():
            shutil.rmtree(kept) if kept.is_dir() else kept.unlink()


class Distribution:
    """A release of a distribution on x64: every package in it. `mirror`: unless it is Debian's."""
    suite = mirror = None

    @classmethod
    def setUpClass(cls):
        made = subprocess.run(in_shell('make_base "$@"', cls.suite, "python3-venv,ca-certificates", *filter(None, [cls.mirror])))
        if made.returncode != 0:
            raise unittest.SkipTest(f"debootstrap cannot make {cls.__name__} here; see {options.folder}/base-{cls.suite}.log")
        copied = output_of(*in_shell('copy_base "$1" x64; configure "$tree" "$tree/root"; echo "$tree"', cls.suite))
        cls.system = System(copied.strip())
        cls.addClassCleanup(shutil.rmtree, cls.system.folder)

    def test_debian_package(self):
        name = f"dinette_{version()}_amd64.deb"
        self.system.add(name)
        self.system.says("dpkg", "--install", f"{PLACE}/{name}")
        self.try_program(self.system, "/usr/bin/dinette")
        self.system.says("dpkg", "--purge", "dinette")
        self.assertFalse((self.system.folder / "usr/bin/dinette").exists())

    def test_tarball(self):
        name = f"dinette-{version()}-linux-x64"
        self.system.add(f"{name}.tar.gz")
        self.system.says("tar", "-xf", f"{PLACE}/{name}.tar.gz", "-C", "/opt")
        self.try_program(self.system, f"/opt/{name}/bin/dinette")
        self.system.says("sh", "-c", f"cp -r /opt/{name}/bin /opt/{name}/libexec /opt/{name}/share /usr/local")
        self.assertEqual(self.system.says("dinette", "--version"), f"dinette {version()}\n")

    def test_wheel(self):
        name = f"dinette-{version()}-py3-none-{X64.wheel_platform}.whl"
        self.system.add(name)
        self.system.says("python3", "-m", "venv", "/opt/venv")
        self.system.says("/opt/venv/bin/pip", "install", "--no-index", f"{PLACE}/{name}")
        self.try_program(self.system, "/opt/venv/bin/dinette")
        started = "import dinette; server = dinette.start(); print(server.world.describe()['name']); server.stop()"
        self.assertEqual(self.system.says("/opt/venv/bin/python", "-c", started), "default\n")


class Debian_11(Distribution, Tries):
    suite = "bullseye"


class Debian_12(Distribution, Tries):
    suite = "bookworm"

    def install_by_apt(self, *packages):
        self.system.says("apt-get", "-qq", "update")
        self.system.says("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "install", "--no-install-recommends", *packages)

    def test_zsh_completes_a_tarball_below_usr_local(self):
        name = f"dinette-{version()}-linux-x64"
        self.system.add(f"{name}.tar.gz")
        self.system.says("tar", "-xf", f"{PLACE}/{name}.tar.gz", "-C", "/opt")
        self.system.says("cp", "-r", f"/opt/{name}/share", "/usr/local")
        self.install_by_apt("zsh")
        said = self.system.says("zsh", "-fc", "autoload -U compinit && compinit -D -u && echo $_comps[dinette]")
        self.assertEqual(said, "_dinette\n")

    def test_npm_packages(self):
        names = [f"dinette-{version()}.tgz", f"dinette-linux-x64-{version()}.tgz"]
        self.system.add(*names)
        self.install_by_apt("nodejs", "npm")
        self.system.says("mkdir", "/opt/project")
        npm = "cd /opt/project && echo '{}' >package.json && npm install --offline --no-audit --no-fund "
        self.system.says("sh", "-c", npm + " ".join(f"{PLACE}/{name}" for name in names))
        said = self.system.says("sh", "-c", "cd /opt/project && npx --offline dinette --version")
        self.assertEqual(said, f"dinette {version()}\n")
        self.try_program(self.system, "/opt/project/node_modules/@dinette/linux-x64/bin/dinette")


class Debian_13(Distribution, Tries):
    suite = "trixie"


class Ubuntu_22_04(Distribution, Tries):
    suite, mirror = "jammy", "http://archive.ubuntu.com/ubuntu"


class Ubuntu_24_04(Distribution, Tries):
    suite, mirror = "noble", "http://archive.ubuntu.com/ubuntu"


def emulate():
    """Makes this machine run programs for arm64 by qemu, until it restarts."""
    place = pathlib.Path("/proc/sys/fs/binfmt_misc")
    if not (place / "register").exists():
        output_of("mount", "-t", "binfmt_misc", "none", str(place))
    if not (place / "qemu-aarch64").exists():
        (place / "register").write_text(pathlib.Path("/usr/lib/binfmt.d/qemu-aarch64.conf").read_text(encoding="ascii"))


class Arm64(Tries):
    """The packages for arm64, with glibc 2.31 and nothing else, emulated."""

    @classmethod
    def setUpClass(cls):
        emulate()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.name = f"dinette-{version()}-linux-arm64"
        cls.system = Files(folder.name)
        (cls.system.folder / "tmp").mkdir()
        shutil.copytree(ARM64.sysroot / "lib", cls.system.folder / "lib", symlinks=True)
        output_of("tar", "-xf", str(OUTPUT / f"{cls.name}.tar.gz"), "-C", folder.name)

    def test_tarball(self):
        self.try_program(self.system, f"/{self.name}/bin/dinette")

    def test_the_other_packages_have_the_same_programs(self):
        unpacked = self.system.folder / "unpacked"
        for kind in ("deb", "npm"):
            (unpacked / kind).mkdir(parents=True)
        output_of("dpkg-deb", "-x", str(OUTPUT / f"dinette_{version()}_arm64.deb"), str(unpacked / "deb"))
        output_of("tar", "-xf", str(OUTPUT / f"dinette-linux-arm64-{version()}.tgz"), "-C", str(unpacked / "npm"))
        wheel = OUTPUT / f"dinette-{version()}-py3-none-{ARM64.wheel_platform}.whl"
        output_of("unzip", "-q", str(wheel), "-d", str(unpacked / "wheel"))
        for program, in_wheel in (("bin/dinette", "scripts/dinette"), ("libexec/dinette-full",) * 2):
            expected = (self.system.folder / self.name / program).read_bytes()
            copies = {copy for name in (program, in_wheel) for copy in unpacked.rglob(name)}
            self.assertEqual(len(copies), 3, copies)
            for copy in copies:
                self.assertTrue(copy.read_bytes() == expected, copy)
                self.assertTrue(copy.stat().st_mode & 0o100, copy)


class Image(Tries):
    """The image of each platform, unpacked by other programs, and what is in it as the whole file system."""

    @classmethod
    def setUpClass(cls):
        emulate()
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def unpacked(self, platform):
        """Returns what umoci unpacks of what skopeo reads of the archive for a platform."""
        layout, bundle = self.folder / f"layout-{platform.name}", self.folder / f"bundle-{platform.name}"
        if not bundle.exists():
            archive = OUTPUT / f"dinette-{version()}-docker-{platform.debian}.tar"
            output_of("skopeo", "copy", f"docker-archive:{archive}", f"oci:{layout}:it")
            output_of("umoci", "unpack", "--image", f"{layout}:it", str(bundle))
        return bundle / "rootfs"

    def try_platform(self, platform):
        system = Files(self.unpacked(platform), user=USER_ID)
        self.assertEqual((system.folder / "data").stat().st_uid, USER_ID)
        self.try_program(system, "/usr/local/bin/dinette", data="/data")

    def test_x64(self):
        self.try_platform(X64)

    def test_arm64(self):
        self.try_platform(ARM64)

    def test_a_volume_of_root_is_refused_with_what_to_do(self):
        system = Files(self.unpacked(X64), user=USER_ID)
        os.chown(system.folder / "data", 0, 0)
        ended = subprocess.run(system.command("/usr/local/bin/dinette", "--data", "/data"), capture_output=True, text=True)
        os.chown(system.folder / "data", USER_ID, USER_ID)
        self.assertEqual(ended.returncode, 1)
        self.assertIn(f"chown -R {USER_ID}:{USER_ID} /data", ended.stderr)

    def test_the_layout_has_both_platforms_as_the_dockerfile_says(self):
        layout = f"oci-archive:{OUTPUT}/dinette-{version()}-oci.tar"
        for platform in (X64, ARM64):
            arguments = ("--override-os", "linux", "--override-arch", platform.debian, "inspect", "--config", layout)
            described = json.loads(output_of("skopeo", *arguments))
            self.assertEqual(described["architecture"], platform.debian)
            self.assertEqual(described["config"]["User"], f"{USER_ID}:{USER_ID}")
            self.assertEqual(described["config"]["Entrypoint"][0], "dinette")


def noticed(text):
    """Returns the Debian packages that a file of notices has the licences of."""
    return {title for title in re.findall(r"^=+\n(.+)\n=+$", text, re.M) if not title.endswith(" (npm)")}


class Notices(unittest.TestCase):
    """Every package has the notices of what the linker has put into its programs, and of the headers that they were compiled with."""

    def included(self, platform):
        """Returns the packages below the sysroot of which a header was included, except glibc's and Linux'."""
        recorded = set(re.findall(r"^ +(.+)$", output_of("ninja", "-C", str(platform.build), "-t", "deps"), re.M))
        # With a compiler cache they are relative to the build folder.
        headers = {os.path.join(os.path.realpath(platform.build), header) for header in recorded}
        root, owner_of = os.path.realpath(platform.sysroot), linked.owners(platform.sysroot)
        paths = {os.path.normpath(header).removeprefix(root) for header in headers}
        return {owner_of[path] for path in paths if path in owner_of}

    def texts(self, platform):
        """Yields the name of each package for a platform, and its notices."""
        tarball, wheel = f"dinette-{version()}-linux-{platform.name}", f"dinette-{version()}-py3-none-{platform.wheel_platform}.whl"
        place = "share/doc/dinette/THIRD-PARTY-NOTICES"
        with tempfile.TemporaryDirectory() as folder:
            output_of("dpkg-deb", "-x", str(OUTPUT / f"dinette_{version()}_{platform.debian}.deb"), folder)
            yield "deb", gunzip(pathlib.Path(folder, f"usr/{place}.gz"))
            output_of("tar", "-xf", str(OUTPUT / f"{tarball}.tar.gz"), "-C", folder)
            yield "tarball", gunzip(pathlib.Path(folder, tarball, f"{place}.gz"))
        yield "npm", output_of("tar", "-xOf", str(OUTPUT / f"dinette-linux-{platform.name}-{version()}.tgz"),
                               "package/THIRD-PARTY-NOTICES")
        yield "wheel", output_of("unzip", "-p", str(OUTPUT / wheel), "*/THIRD-PARTY-NOTICES")

    def test_they_are_those_of_what_is_in_the_programs(self):
        for platform in PLATFORMS.values():
            expected = {*linked.linked_packages(platform.sysroot, platform.build), OF_THE_COMPILER}
            included = self.included(platform)
            self.assertLessEqual(included, expected)
            self.assertLessEqual({"libboost1.81-dev", "nlohmann-json3-dev"}, included)
            self.assertIn("librocksdb-dev", expected)
            for kind, text in self.texts(platform):
                with self.subTest(f"{kind} for {platform.name}"):
                    self.assertEqual(noticed(text), expected)

    def test_the_bill_of_materials_lists_the_same_and_what_the_images_have(self):
        bill = json.loads((OUTPUT / f"dinette-{version()}.spdx.json").read_text(encoding="utf-8"))
        name_of = {each["SPDXID"]: each["name"] for each in bill["packages"]}
        file_of = {each["SPDXID"]: each["fileName"] for each in bill["files"]}
        static = {name_of[each["relatedSpdxElement"]] for each in bill["relationships"] if each["relationshipType"] == "STATIC_LINK"}
        expected = {name for each in PLATFORMS.values() for name in linked.linked_packages(each.sysroot, each.build)}
        self.assertEqual(static, expected | {OF_THE_COMPILER})
        for platform in PLATFORMS.values():
            image = f"./dinette-{version()}-docker-{platform.debian}.tar"
            self.assertEqual({name_of[each["relatedSpdxElement"]] for each in bill["relationships"]
                              if file_of.get(each["spdxElementId"]) == image and each["relationshipType"] == "CONTAINS"},
                             set(sysroot.IMAGE))


class Release(unittest.TestCase):
    """The files that belong to no platform."""

    def test_every_file_has_its_checksum(self):
        output_of("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=OUTPUT)
        listed = {line.split()[1] for line in (OUTPUT / "SHA256SUMS").read_text(encoding="ascii").splitlines()}
        self.assertEqual(listed | {"SHA256SUMS"}, {file.name for file in OUTPUT.iterdir()})

    def test_programs_need_nothing_but_glibc_2_31(self):
        for platform in PLATFORMS.values():
            for program in ("dinette", "dinette-full"):
                described = output_of("readelf", "--wide", "--dynamic", "--version-info", str(platform.build / program))
                needed = set(re.findall(r"\(NEEDED\).*\[(.*?)\.so", described))
                self.assertLessEqual(needed, {"libc", "libm", "libpthread", "libdl", "ld-linux-x86-64", "ld-linux-aarch64"})
                versions = {tuple(map(int, found.split("."))) for found in re.findall(r"GLIBC_([\d.]+)", described)}
                self.assertLessEqual(max(versions), (2, 31))


def main():
    parser = argparse.ArgumentParser(prog="scripts/try_release", allow_abbrev=False,
                                     description="Tries what scripts/release has made, in bare systems.")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--folder", default=options.folder)
    parsed = parser.parse_args()
    options.folder = parsed.folder
    os.makedirs(options.folder, exist_ok=True)
    if os.getuid() != 0:
        parser.error("this makes file systems, and has to be run as root")
    if not OUTPUT.is_dir():
        parser.error("there is nothing to try; run scripts/release first")
    unittest.main(argv=["try_release", "--verbose", *parsed.names])


if __name__ == "__main__":
    main()
