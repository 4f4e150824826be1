"""examples/jest, vitest and pytest: each is run by its test runner, with the library as it is installed. npm's packages are
those of the protocol tests."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.request
import zipfile

from example import EXAMPLES, ROOT, not_run, output_of
from server import Server

INSTALLED = ROOT / "tests/protocol/node_modules"
not_run("npm install and pip install: the libraries are copied from clients/")


class Copies(unittest.TestCase):
    def test_an_example_names_nothing_outside_of_its_folder(self):
        for example in sorted(path for path in EXAMPLES.iterdir() if path.is_dir()):
            for file in (path for path in example.rglob("*") if path.is_file()):
                for named in re.findall(r"(?:\.\./)+[\w./-]*", file.read_text(encoding="utf-8")):
                    self.assertTrue((file.parent / named).resolve().is_relative_to(example), f"{file}: {named}")


class TestRunners(unittest.TestCase):
    def project(self, name):
        """Returns a copy of an example in an empty folder."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return pathlib.Path(shutil.copytree(EXAMPLES / name, pathlib.Path(folder.name, name)))

    def javascript_project(self, name, *packages):
        project = self.project(name)
        (project / "node_modules").mkdir()
        shutil.copytree(ROOT / "clients/js", project / "node_modules/dinette")
        for package in ("@aws-sdk", *packages):
            os.symlink(INSTALLED / package, project / "node_modules" / package)
        return project

    def run_in(self, project, *command, **environment):
        ended = subprocess.run(command, cwd=project, env={**os.environ, "NO_COLOR": "1", "NODE_NO_WARNINGS": "1", **environment},
                               capture_output=True, text=True)
        said = ended.stdout + ended.stderr
        self.assertEqual(ended.returncode, 0, said)
        return said

    def run_jest(self, **environment):
        project = self.javascript_project("jest", "jest")
        said = self.run_in(project, "node", "node_modules/jest/bin/jest.js", "--cacheDirectory", str(project / "cache"),
                           **environment)
        self.assertRegex(said, r"Tests: +3 passed, 3 total")

    def run_vitest(self, **environment):
        project = self.javascript_project("vitest", "vitest")
        said = self.run_in(project, "node", "node_modules/vitest/vitest.mjs", "run", **environment)
        self.assertRegex(said, r"Tests +3 passed \(3\)")

    def test_jest(self):
        self.run_jest()

    def test_vitest(self):
        self.run_vitest()

    def test_worlds_of_a_server_that_runs_already_are_dropped_after_each_file(self):
        for run in (self.run_jest, self.run_vitest):
            with Server() as server:
                run(DINETTE_ENDPOINT=server.endpoint)
                with urllib.request.urlopen(f"{server.endpoint}/_dinette/worlds") as answer:
                    self.assertEqual([world["name"] for world in json.load(answer)["worlds"]], ["default"])

    def test_pytest_finds_the_fixtures_of_the_installed_package(self):
        project = self.project("pytest")
        output_of(sys.executable, "-B", "-c", f"import sys; sys.path.insert(0, '{ROOT}/clients/python'); "
                                              f"import wheel_builder; wheel_builder.build_wheel('{project}')")
        (wheel,) = project.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(project / "site")
        said = self.run_in(project, sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider",
                           PYTHONPATH=str(project / "site"))
        self.assertIn("2 passed", said)


if __name__ == "__main__":
    unittest.main()
