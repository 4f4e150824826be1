"""The npm package: that npm installs it, and that it runs without this machine's libraries."""

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
sys.path.insert(0, str(HERE.parent / "protocol"))

from bare_debian import BareDebian, output_of  # noqa: E402
from server import Server  # noqa: E402

BUILD = pathlib.Path(os.environ["DINETTE_PROGRAM"]).parent

EXAMPLE = re.compile(r"<!-- example -->\n```js\n(.*?)^```\n+prints\n+```text\n(.*?)^```$", re.S | re.M)


class NpmPackage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        # Neither npm's nor Dinette's settings of this machine.
        cls.environment = {"PATH": os.environ["PATH"], "HOME": folder.name}
        output_of("/usr/bin/python3", "-B", str(ROOT / "scripts/lib/package_npm.py"), str(BUILD), str(cls.folder))
        package, = cls.folder.glob("*.tgz")
        cls.project = cls.folder / "project"
        cls.project.mkdir()
        (cls.project / "package.json").write_text("{}", encoding="utf-8")
        cls.run_in_project("npm", "install", "--offline", "--no-audit", "--no-fund", str(package))
        cls.installed = cls.project / "node_modules/dinette"

    @classmethod
    def run_in_project(cls, *command):
        return output_of(*command, cwd=cls.project, env=cls.environment)

    def test_it_has_its_licence_and_the_notices_of_the_libraries_in_it(self):
        self.assertIn("Apache License", (self.installed / "LICENSE").read_text(encoding="utf-8"))
        self.assertEqual(json.loads((self.installed / "package.json").read_text(encoding="utf-8"))["license"], "Apache-2.0")
        noticed = (self.installed / "linux-x64/THIRD-PARTY-NOTICES").read_text(encoding="utf-8")
        for library in (self.installed / "linux-x64/lib").iterdir():
            owner = output_of("sh", "-c", f"dpkg-query -S '*/{library.name}'").split(":")[0]
            self.assertIn(f"\n{owner}\n", noticed)

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

    def test_both_programs_need_nothing_but_glibc(self):
        root = self.folder / "bare"
        root.mkdir()
        debian = BareDebian(root, "libc6")
        for needless in root.rglob("lib*.so*"):  # of coreutils and dpkg
            if not any(name in needless.name for name in ("libc.", "libm.")):
                needless.unlink()
        subprocess.run(["cp", "-r", str(self.installed), str(root / "opt")], check=True)
        (root / "data").mkdir()
        run = debian.command("/opt/linux-x64/bin/dinette")
        environment = {**self.environment, "LD_LIBRARY_PATH": "/opt/linux-x64/lib"}
        self.assertIn("dinette ", output_of(*run, "--version", env=environment))
        checked = subprocess.run([*run, "check", "/data"], env=environment, capture_output=True, text=True)
        self.assertEqual((checked.returncode, checked.stderr), (1, "dinette: /data is empty: it is not a data folder\n"))

    def test_it_has_the_name_that_its_page_says(self):
        package, = self.folder.glob("*.tgz")
        page = (ROOT / "docs/installing.md").read_text(encoding="utf-8")
        self.assertIn(f"npm install --save-dev ./build/packages/{package.name}\n", page)

    def test_the_package_without_a_program_says_so(self):
        ended = subprocess.run([ROOT / "clients/js/bin/dinette"], capture_output=True, text=True,
                               env={"PATH": os.environ["PATH"]})
        self.assertEqual((ended.returncode, ended.stderr), (1, "dinette: this package holds no program for this machine; set "
                                                               "DINETTE_PROGRAM to its path\n"))


if __name__ == "__main__":
    unittest.main()
