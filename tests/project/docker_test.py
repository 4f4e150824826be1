"""Everything that the Dockerfile names exists: files, packages, presets, the program's options; and the file system of
the image, put together as it does that, is small and runs. Needs no container engine."""

import json
import os
import pathlib
import platform
import re
import shlex
import socket
import subprocess
import sys
import tempfile
import unittest

for folder in ("packages", "protocol"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / folder))

from bare_debian import command_in  # noqa: E402
from repository import ROOT, output_of, packages, program, read  # noqa: E402
from server import Server, loopback_addresses  # noqa: E402

# What clients download, of one architecture, if the image is made as the Dockerfile does, on Debian 12. The libraries of later
# releases, above all OpenSSL and RocksDB, are larger.
MOST_COMPRESSED_BYTES = 24_000_000 if platform.freedesktop_os_release().get("VERSION_ID") == "12" else 26_000_000

# Part of every Debian installation.
IN_EVERY_DEBIAN = {"libc6", "libgcc-s1"}


def instructions():
    """Returns (NAME, arguments) of each instruction, with continued lines joined."""
    joined = re.sub(r"\\\n\s*", " ", read("Dockerfile"))
    for line in joined.splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, arguments = line.partition(" ")
            yield name, arguments.strip()


def arguments_of(instruction):
    return [arguments for name, arguments in instructions() if name == instruction]


def candidate(package):
    found = re.search(r"Candidate: (.*)", output_of("apt-cache", "policy", package, env={**os.environ, "LC_ALL": "C"}))
    return found[1] if found else "(none)"


class Dockerfile(unittest.TestCase):
    def test_every_file_that_it_copies_exists(self):
        copied = [words.split()[:-1] for words in arguments_of("COPY") if not words.startswith("--from")]
        self.assertTrue(copied)
        for source in (word for words in copied for word in words if not word.startswith("--")):
            self.assertTrue((ROOT / source).exists(), source)

    def test_every_package_that_it_installs_exists(self):
        installed = [names for run in arguments_of("RUN") for names in re.findall(r"scripts/setup ([\w ]+\w)", run)]
        self.assertEqual(installed, ["build image"])
        for choices in (choices for group in ("build", "image") for choices in packages(group)):
            self.assertTrue(any(candidate(package) != "(none)" for package in choices), choices)

    def test_packages_are_installed_by_setup_alone(self):
        for run in arguments_of("RUN"):
            self.assertNotIn("apt-get install", run)

    def test_every_preset_that_it_uses_exists(self):
        presets = {preset["name"] for preset in json.loads(read("CMakePresets.json"))["configurePresets"]}
        used = re.findall(r"--preset (\w+)", " ".join(arguments_of("RUN")))
        self.assertTrue(used)
        self.assertLessEqual(set(used), presets)

    def test_the_image_is_what_a_script_puts_together(self):
        self.assertRegex(arguments_of("RUN")[-1], r"--preset release .*scripts/image_root build/release /image$")
        self.assertEqual(arguments_of("COPY")[-2:],
                         ["--from=build /image /", "--from=build --chown=999:999 /image/data /data"])

    def test_every_library_of_the_program_is_in_the_runtime_packages(self):
        listed = IN_EVERY_DEBIAN.union(*packages("runtime"))
        for executable in (program(), program() + "-full"):
            needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output_of("readelf", "-d", executable))
            paths = dict(re.findall(r"(\S+) => (\S+)", output_of("ldd", executable)))
            self.assertTrue(needed)
            for library in needed:
                self.assertIn(owner_of(paths[library]), listed, library)

    def test_it_runs_as_somebody_else_than_root(self):
        self.assertEqual(len(arguments_of("USER")), 1)
        self.assertNotIn(arguments_of("USER")[0], ("root", "0"))

    def test_it_checks_health_by_the_program_itself(self):
        (check,) = arguments_of("HEALTHCHECK")
        command = json.loads(check[check.index("["):])
        self.assertEqual(command[:2], ["dinette", "healthcheck"])

    def test_data_is_a_volume(self):
        self.assertEqual(arguments_of("VOLUME"), ['["/data"]'])

    def test_the_program_understands_its_arguments(self):
        (entry,) = arguments_of("ENTRYPOINT")
        compose = ["-Djava.library.path=./DynamoDBLocal_lib", "-jar", "DynamoDBLocal.jar", "-inMemory", "-sharedDb"]
        command = [program(), *json.loads(entry)[1:], *compose, "--version"]
        self.assertTrue(output_of(*command).startswith("dinette "))

    def test_it_serves_every_network_of_both_families(self):
        """An IPv6-only network reaches nothing else (localstack/localstack#11600)."""
        (entry,) = arguments_of("ENTRYPOINT")
        with Server(*json.loads(entry)[1:]) as server:
            for address in loopback_addresses():
                socket.create_connection((address, server.port), timeout=60).close()

    def test_what_is_built_here_stays_out_of_the_image(self):
        ignored = read(".dockerignore").splitlines()
        for name in ("build", ".git", "**/node_modules"):
            self.assertIn(name, ignored)


class Image(unittest.TestCase):
    """The file system of the image, as the whole file system of what runs in it."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name, "image")
        output_of(str(ROOT / "scripts/image_root"), str(pathlib.Path(program()).parent), str(cls.root))
        cls.compressed = subprocess.run(["tar", "--create", "--gzip", f"--directory={cls.root}", "."], check=True,
                                        capture_output=True).stdout
        cls.called = pathlib.Path(folder.name, "called")

    def said(self, *command):
        return output_of(*command_in(self.root, *command), env={"PATH": "/usr/sbin:/usr/bin:/bin"})

    def server(self, *arguments):
        command = shlex.join(command_in(self.root, "/usr/local/bin/dinette"))
        self.called.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
        self.called.chmod(0o755)
        return Server(*arguments, called_as=str(self.called))

    def test_it_is_small(self):
        self.assertLess(len(self.compressed), MOST_COMPRESSED_BYTES)

    def test_it_serves(self):
        with self.server() as server:
            self.assertEqual(self.said("/usr/local/bin/dinette", "healthcheck", "--port", str(server.port)),
                             f"dinette: the server at localhost:{server.port} is healthy\n")
            self.assertIn("healthy", self.said("/bin/sh", "-c", f"wget -q -O - http://127.0.0.1:{server.port}"))

    def test_it_keeps_data(self):
        with self.server("--data", "/data") as server:
            self.assertIn("healthy", self.said("/bin/wget", "-q", "-O", "-", f"http://localhost:{server.port}"))
        self.assertIn("all is well", self.said("/usr/local/bin/dinette", "check", "/data"))

    def test_java_is_the_program(self):
        said = self.said("/usr/local/bin/java", "-jar", "DynamoDBLocal.jar", "-inMemory", "--version")
        self.assertTrue(said.startswith("dinette "), said)

    def test_its_user_is_known(self):
        self.assertEqual(self.said("/bin/busybox", "sh", "-c", "grep 999:999 /etc/passwd | cut -d: -f1"), "dinette\n")
        self.assertEqual(arguments_of("USER"), ["999:999"])

    def test_licences_of_everything_are_in_it(self):
        documented = {folder.name for folder in (self.root / "usr/share/doc").iterdir()}
        libraries = [file for file in (self.root / "lib").rglob("*.so*")]
        self.assertGreater(len(libraries), 8)
        self.assertLessEqual({owner_of("/" + str(file.relative_to(self.root))) for file in libraries}, documented)

    def test_it_knows_certificates(self):
        self.assertIn("BEGIN CERTIFICATE", (self.root / "etc/ssl/certs/ca-certificates.crt").read_text())
        where = re.search(r'OPENSSLDIR: "(.*)"', output_of("openssl", "version", "-d"))[1]
        self.assertEqual(os.readlink(self.root / where[1:] / "cert.pem"), "/etc/ssl/certs/ca-certificates.crt")


def owner_of(library):
    """Returns the package of a library. dpkg may list it in /lib or in /usr/lib, which are the same folder."""
    real = str(pathlib.Path(library).resolve())
    for name in (library, real, real.removeprefix("/usr")):
        found = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    return f"no package owns {library}"


if __name__ == "__main__":
    unittest.main()
