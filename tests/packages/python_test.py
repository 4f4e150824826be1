"""The wheel of the Python library: built without setuptools, and what pip relies on in it."""

import base64
import csv
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

from bare_debian import output_of

CLIENT = pathlib.Path(__file__).resolve().parents[2] / "clients/python"
sys.path.insert(0, str(CLIENT))
import wheel_builder  # noqa: E402

VERSION = re.search(r'^version = "(.*)"$', (CLIENT / "pyproject.toml").read_text(encoding="utf-8"), re.M)[1]
BUILD = "import sys, wheel_builder; print(wheel_builder.build_{}(sys.argv[1]))"
SAYS = """import dinette, importlib.metadata as metadata
print(dinette.__file__, metadata.version("dinette"),
      *(entry.value for entry in metadata.entry_points(group="pytest11") if entry.name == "dinette"))"""


class Wheel(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def build(self, kind):
        # -S: without any installed package.
        name = output_of(sys.executable, "-B", "-S", "-c", BUILD.format(kind), self.folder, cwd=CLIENT).strip()
        return os.path.join(self.folder, name)

    def build_with_program(self):
        """Builds the wheel of a platform, with short texts in place of the programs."""
        programs = [pathlib.Path(self.folder, name) for name in ("short", "long")]
        for program in programs:
            program.write_text(program.name)
        return pathlib.Path(self.folder, wheel_builder.build_platform_wheel(
            self.folder, "manylinux_2_31_x86_64", *programs, "thanks"))

    def test_it_has_the_name_that_its_page_says(self):
        page = (CLIENT.parents[1] / "docs/installing.md").read_text(encoding="utf-8")
        self.assertIn(f"`{os.path.basename(self.build('wheel'))}`", page)
        self.assertIn(f"pip install ./build/release-files/{self.build_with_program().name}\n", page)

    def test_the_wheel_of_a_platform_has_the_programs(self):
        with zipfile.ZipFile(self.build_with_program()) as archive:
            name = f"dinette-{VERSION}"
            for path, content in ((f"{name}.data/scripts/dinette", b"short"),
                                  (f"{name}.data/data/libexec/dinette-full", b"long")):
                self.assertEqual(archive.read(path), content)
                self.assertEqual(archive.getinfo(path).external_attr >> 16, 0o100755)
            self.assertEqual(archive.read(f"{name}.dist-info/THIRD-PARTY-NOTICES"), b"thanks")
            described = archive.read(f"{name}.dist-info/WHEEL").decode()
            self.assertIn("Root-Is-Purelib: false\nTag: py3-none-manylinux_2_31_x86_64\n", described)

    def test_python_imports_it_and_pytest_finds_its_plugin(self):
        wheel = self.build("wheel")
        said = output_of(sys.executable, "-B", "-c", SAYS, cwd="/", env={"PYTHONPATH": wheel, "PATH": os.environ["PATH"]})
        self.assertEqual(said, f"{wheel}/dinette/__init__.py {VERSION} dinette.pytest_plugin\n")

    def test_its_record_lists_every_file_with_its_hash(self):
        with zipfile.ZipFile(self.build("wheel")) as archive:
            rows = list(csv.reader(io.StringIO(archive.read(f"dinette-{VERSION}.dist-info/RECORD").decode())))
            self.assertEqual(sorted(row[0] for row in rows), sorted(archive.namelist()))
            self.assertEqual(rows.pop()[1:], ["", ""])
            for path, digest, size in rows:
                content = archive.read(path)
                hashed = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                self.assertEqual((digest, int(size)), (f"sha256={hashed}", len(content)), path)

    def run_as_module(self, *arguments, **environment):
        """Runs the wheel without a program as a module, by a Python that has nothing installed."""
        output_of(sys.executable, "-m", "venv", "--without-pip", f"{self.folder}/venv")
        return subprocess.run([f"{self.folder}/venv/bin/python", "-B", "-m", "dinette", *arguments], capture_output=True, text=True,
                              cwd="/", env={"PYTHONPATH": self.build("wheel"), "HOME": self.folder, "PATH": self.folder, **environment})

    def test_as_a_module_it_runs_the_program_that_it_finds(self):
        program = pathlib.Path(self.folder, "dinette")
        program.write_text("#!/bin/sh\necho \"$@\"\nexit 7\n")
        program.chmod(0o755)
        for environment in ({}, {"DINETTE_PROGRAM": str(program), "PATH": ""}):
            ended = self.run_as_module("--port", "0", **environment)
            self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (7, "--port 0\n", ""))

    def test_as_a_module_it_says_what_to_do_if_there_is_no_program(self):
        ended = self.run_as_module()
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertTrue(ended.stderr.startswith("dinette: there is no program here. The wheels for Linux on x64 and arm64 have it"))
        self.assertIn("or set DINETTE_PROGRAM to the path", ended.stderr)
        ended = self.run_as_module(DINETTE_PROGRAM="/nothing")
        self.assertEqual((ended.returncode, ended.stderr), (1, "dinette: DINETTE_PROGRAM is /nothing, which is not a program\n"))

    def test_an_editable_install_leads_to_the_sources(self):
        with zipfile.ZipFile(self.build("editable")) as archive:
            self.assertEqual(archive.read("dinette.pth").decode(), f"{CLIENT}\n")
            self.assertNotIn("dinette/__init__.py", archive.namelist())


if __name__ == "__main__":
    unittest.main()
