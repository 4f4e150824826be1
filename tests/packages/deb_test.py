"""The Debian package: what is in it, and that it installs, runs and goes away on a bare Debian of this release."""

import gzip
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "protocol"))

from bare_debian import BareDebian, output_of  # noqa: E402
from server import Server  # noqa: E402

BUILD = pathlib.Path(os.environ["DINETTE_PROGRAM"]).parent


def call(endpoint, operation, **request):
    headers = {"X-Amz-Target": f"DynamoDB_20120810.{operation}", "Content-Type": "application/x-amz-json-1.0"}
    with urllib.request.urlopen(urllib.request.Request(endpoint, json.dumps(request).encode(), headers)) as reply:
        return json.load(reply)


def compiled_in():
    """Returns the Debian packages of the archives that the programs are linked with, and of headers without a library."""
    commands = output_of("ninja", "-C", str(BUILD), "-t", "commands", "dinette", "dinette-full")
    files = set(re.findall(r" (/usr/lib/\S+\.a)\b", commands)) | {"/usr/include/boost/version.hpp", "/usr/include/nlohmann/json.hpp"}
    return {output_of("dpkg-query", "-S", file).split(":")[0] for file in files}


class DebianPackage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        made = pathlib.Path(cls.folder.name, "made")
        output_of("cpack", "-G", "DEB", "-B", str(made), cwd=BUILD)
        cls.package, = made.glob("*.deb")
        cls.unpacked = pathlib.Path(cls.folder.name, "unpacked")
        output_of("dpkg-deb", "-x", str(cls.package), str(cls.unpacked))
        os.mkdir(pathlib.Path(cls.folder.name, "root"))
        cls.debian = BareDebian(pathlib.Path(cls.folder.name, "root"), cls.field("Depends"))
        cls.debian.dpkg("--install", str(cls.package))
        cls.installed = pathlib.Path(cls.folder.name, "dinette")
        cls.installed.write_text(f"#!/bin/sh\nexec {shlex.join(cls.debian.command('/usr/bin/dinette'))} \"$@\"\n")
        cls.installed.chmod(0o755)

    @classmethod
    def field(cls, name):
        return output_of("dpkg-deb", "-f", str(cls.package), name).strip()

    def server(self, *arguments):
        return Server(*arguments, called_as=str(self.installed))

    def test_it_is_of_the_programs_version(self):
        self.assertEqual(output_of(str(self.installed), "--version"), f"dinette {self.field('Version')}\n")

    def test_it_has_the_name_that_its_page_says(self):
        page = (HERE.parents[1] / "docs/installing.md").read_text(encoding="utf-8")
        self.assertIn(f"sudo apt install ./build/release-files/{self.package.name}\n", page)

    def test_it_has_the_notices_of_what_is_compiled_in(self):
        place = self.unpacked / "usr/share/doc/dinette"
        noticed = gzip.decompress((place / "THIRD-PARTY-NOTICES.gz").read_bytes()).decode()
        titles = set(re.findall(r"^=+\n(.+)\n=+$", noticed, re.M))
        self.assertLessEqual(set(compiled_in()), titles)
        for licence in ("Boost Software License", "Permission is hereby granted", "Apache License"):
            self.assertIn(licence, noticed)
        self.assertIn("License: Apache-2.0", (place / "copyright").read_text(encoding="utf-8"))

    def test_it_depends_on_no_more_than_libraries(self):
        for clause in self.field("Depends").split(", "):
            self.assertRegex(clause, r"^(lib|zlib)\S+( \(>= \S+\))?$")

    def test_it_serves(self):
        with self.server() as server:
            self.assertEqual(call(server.endpoint, "ListTables"), {"TableNames": []})
            self.assertEqual(output_of(str(self.installed), "healthcheck", "--port", str(server.port)),
                             f"dinette: the server at localhost:{server.port} is healthy\n")

    def test_it_keeps_data(self):
        table = {"TableName": "Albums", "BillingMode": "PAY_PER_REQUEST",
                 "KeySchema": [{"AttributeName": "artist", "KeyType": "HASH"}],
                 "AttributeDefinitions": [{"AttributeName": "artist", "AttributeType": "S"}]}
        with self.server("--data", "/var/lib/dinette") as server:
            call(server.endpoint, "CreateTable", **table)
        with self.server("--data", "/var/lib/dinette") as server:
            self.assertEqual(call(server.endpoint, "ListTables"), {"TableNames": ["Albums"]})
        self.assertIn("all is well", output_of(str(self.installed), "check", "/var/lib/dinette"))

    def test_it_comes_with_a_manual_page(self):
        page = self.unpacked / "usr/share/man/man1/dinette.1.gz"
        shown = output_of("man", "--warnings", "-E", "UTF-8", "-l", str(page), env={**os.environ, "MANWIDTH": "80"})
        self.assertIn("--durability MODE", shown)
        self.assertIn("dinette export URL|DIR --to FOLDER", shown)

    def test_bash_completes_the_command_line(self):
        script = self.unpacked / "usr/share/bash-completion/completions/dinette"
        for words, expected in ((["--dura"], "--durability"), (["--durability", ""], "process sync"), (["ex"], "export"),
                                (["export", "--t"], "--table --to"), (["check", "--p"], "")):
            line = " ".join(f"'{word}'" for word in ["dinette", *words])
            asked = f"source {script}; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _dinette; echo \"${{COMPREPLY[*]}}\""
            said = output_of("bash", "-u", "-c", asked, cwd=self.unpacked / "usr")
            self.assertEqual(sorted(said.split()), sorted(expected.split()), words)

    def test_zsh_finds_its_completions_where_debian_has_those_of_packages(self):
        self.assertEqual([str(file.relative_to(self.unpacked)) for file in self.unpacked.rglob("_dinette")],
                         ["usr/share/zsh/vendor-completions/_dinette"])

    def test_systemd_understands_the_service(self):
        unit = self.unpacked / "usr/lib/systemd/system/dinette.service"
        rated = subprocess.run(["systemd-analyze", "security", "--offline=yes", "--threshold=15", str(unit)],
                               capture_output=True, text=True)
        self.assertEqual(rated.returncode, 0, rated.stdout + rated.stderr)
        self.assertEqual(rated.stderr, "")

    def test_the_service_runs_the_program_as_it_is_installed(self):
        unit = (self.unpacked / "usr/lib/systemd/system/dinette.service").read_text(encoding="utf-8")
        program, *arguments = re.search(r"^ExecStart=(.*)$", unit, re.M)[1].replace(" $DINETTE_OPTIONS", "").split()
        state, = re.findall(r"^StateDirectory=(.*)$", unit, re.M)
        self.assertEqual(arguments, ["--data", f"/var/lib/{state}"])
        self.assertTrue(os.access(self.unpacked / program[1:], os.X_OK))
        settings = re.search(r"^EnvironmentFile=-(.*)$", unit, re.M)[1]
        self.assertTrue((self.unpacked / settings[1:]).exists())

    def test_what_the_administrator_edits_is_kept(self):
        kept = output_of("dpkg-deb", "-I", str(self.package), "conffiles").splitlines()
        installed = [f"/{file.relative_to(self.unpacked)}" for file in (self.unpacked / "etc").rglob("*") if file.is_file()]
        self.assertEqual(kept, installed)

    def test_purging_it_leaves_nothing(self):
        root = pathlib.Path(self.folder.name, "purged")
        root.mkdir()
        debian = BareDebian(root, self.field("Depends"))
        before = everything_in(root)
        debian.dpkg("--install", str(self.package))
        (root / "var/lib/private/dinette").mkdir(parents=True)
        debian.dpkg("--purge", "dinette")
        (root / "var/lib/private").rmdir()
        self.assertEqual(everything_in(root) - before, set())


def everything_in(root):
    return {str(path) for path in root.rglob("*") if "var/lib/dpkg" not in str(path)}


if __name__ == "__main__":
    unittest.main()
