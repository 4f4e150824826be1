"""The wheel of the Python library: built without setuptools, and what pip relies on in it."""

import base64
import csv
import hashlib
import io
import os
import pathlib
import sys
import tempfile
import unittest
import zipfile

from bare_debian import output_of

CLIENT = pathlib.Path(__file__).resolve().parents[2] / "clients/python"
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

    def test_it_has_the_name_that_its_page_says(self):
        page = (CLIENT.parents[1] / "docs/installing.md").read_text(encoding="utf-8")
        self.assertIn(f"pip install ./build/packages/{os.path.basename(self.build('wheel'))}\n", page)

    def test_python_imports_it_and_pytest_finds_its_plugin(self):
        wheel = self.build("wheel")
        said = output_of(sys.executable, "-B", "-c", SAYS, cwd="/", env={"PYTHONPATH": wheel, "PATH": os.environ["PATH"]})
        self.assertEqual(said, f"{wheel}/dinette/__init__.py 0.1.0 dinette.pytest_plugin\n")

    def test_its_record_lists_every_file_with_its_hash(self):
        with zipfile.ZipFile(self.build("wheel")) as archive:
            rows = list(csv.reader(io.StringIO(archive.read("dinette-0.1.0.dist-info/RECORD").decode())))
            self.assertEqual(sorted(row[0] for row in rows), sorted(archive.namelist()))
            self.assertEqual(rows.pop()[1:], ["", ""])
            for path, digest, size in rows:
                content = archive.read(path)
                hashed = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                self.assertEqual((digest, int(size)), (f"sha256={hashed}", len(content)), path)

    def test_an_editable_install_leads_to_the_sources(self):
        with zipfile.ZipFile(self.build("editable")) as archive:
            self.assertEqual(archive.read("dinette.pth").decode(), f"{CLIENT}\n")
            self.assertNotIn("dinette/__init__.py", archive.namelist())


if __name__ == "__main__":
    unittest.main()
