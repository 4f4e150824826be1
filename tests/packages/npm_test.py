"""The npm packages: that npm installs them, and that one has the program of the other."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "protocol"), str(ROOT / "scripts/lib")]

from commands import output_of  # noqa: E402
from release import npm  # noqa: E402
from release.platforms import PLATFORMS  # noqa: E402
from server import Server  # noqa: E402

BUILD = pathlib.Path(os.environ["DINETTE_PROGRAM"]).parent
X64 = PLATFORMS["x64"]  # whose place this machine takes

EXAMPLE = re.compile(r"<!-- example -->\n```js\n(.*?)^```\n+prints\n+```text\n(.*?)^```$", re.S | re.M)


class NpmPackage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        # Neither npm's nor Dinette's settings of this machine.
        cls.environment = {"PATH": os.environ["PATH"], "HOME": folder.name}
        npm.pack(X64, BUILD, cls.folder)
        npm.pack_all(cls.folder)
        cls.packages = sorted(cls.folder.glob("*.tgz"))
        cls.project = cls.folder / "project"
        cls.project.mkdir()
        (cls.project / "package.json").write_text("{}", encoding="utf-8")
        cls.run_in_project("npm", "install", "--offline", "--no-audit", "--no-fund", *map(str, cls.packages))
        cls.installed = cls.project / "node_modules/dinette"
        cls.program = cls.project / "node_modules/@dinette/linux-x64"

    @classmethod
    def run_in_project(cls, *command):
        return output_of(*command, cwd=cls.project, env=cls.environment)

    def test_both_have_their_licence_and_that_of_the_program_the_notices(self):
        for package in (self.installed, self.program):
            self.assertIn("Apache License", (package / "LICENSE").read_text(encoding="utf-8"))
            described = json.loads((package / "package.json").read_text(encoding="utf-8"))
            self.assertEqual(described["license"], "Apache-2.0")
        self.assertIn("\nlibrocksdb-dev\n", (self.program / "THIRD-PARTY-NOTICES").read_text(encoding="utf-8"))

    def test_npm_chooses_the_program_for_the_platform(self):
        described = json.loads((self.installed / "package.json").read_text(encoding="utf-8"))
        self.assertEqual(described["optionalDependencies"],
                         {f"@dinette/linux-{name}": described["version"] for name in ("arm64", "x64")})
        described = json.loads((self.program / "package.json").read_text(encoding="utf-8"))
        self.assertEqual([described[field] for field in ("os", "cpu", "libc")], [["linux"], ["x64"], ["glibc"]])

    def test_it_has_what_it_exports(self):
        def files(exported):
            return [exported] if isinstance(exported, str) else [file for value in exported.values() for file in files(value)]

        exported = json.loads((self.installed / "package.json").read_text(encoding="utf-8"))["exports"]
        for file in files(exported):
            self.assertTrue((self.installed / file).is_file(), file)

    def test_npx_runs_the_program(self):
        version = json.loads((self.installed / "package.json").read_text(encoding="utf-8"))["version"]
        self.assertEqual(self.run_in_project("npx", "--offline", "dinette", "--version"), f"dinette {version}\n")

    def test_a_project_starts_it_as_dynalite(self):
        (code, prints), = EXAMPLE.findall((ROOT / "docs/installing.md").read_text(encoding="utf-8"))
        self.assertEqual(self.run_in_project("node", "-e", code.replace("4567", "0")), prints)
        self.assertTrue((self.project / "data").is_dir())

    def test_its_java_starts_as_dynamodb_local_does(self):
        java = str(self.installed / "java/java")
        with Server("-Djava.library.path=./DynamoDBLocal_lib", "-jar", "DynamoDBLocal.jar", "-inMemory", called_as=java,
                    env=self.environment) as server:
            self.assertEqual(server.first_lines[0], "Initializing DynamoDB Local with the following configuration:\n")

    def test_they_have_the_names_that_their_page_says(self):
        page = (ROOT / "docs/installing.md").read_text(encoding="utf-8")
        names = " ".join(f"./build/release-files/{package.name}" for package in self.packages)
        self.assertIn(f"npm install --save-dev {names}\n", page)

    def test_the_package_without_a_program_says_so(self):
        ended = subprocess.run([ROOT / "clients/js/bin/dinette"], capture_output=True, text=True,
                               env={"PATH": os.environ["PATH"]})
        self.assertEqual((ended.returncode, ended.stderr), (
            1, "dinette: there is no package with the program for this machine; npm install @dinette/linux-x64 or "
               "@dinette/linux-arm64 installs it, or set DINETTE_PROGRAM to its path\n"))


if __name__ == "__main__":
    unittest.main()
