"""The npm packages in src/page/third_party are what the page's bundle consists of, in the versions of the lock file. What is
written from the specifications is up to date, and the page is small."""

import gzip
import json
import subprocess
import sys
import unittest

from repository import ROOT, read

sys.path.insert(0, str(ROOT / "src/page"))

import build_page  # noqa: E402
import copy_packages  # noqa: E402

PACKAGES = ROOT / "src/page/third_party"


def describes(file):
    return file.name == "package.json" or file.name.startswith("LICENSE")


class ThirdParty(unittest.TestCase):
    def test_it_is_what_the_bundle_consists_of(self):
        code = {file.relative_to(PACKAGES).as_posix() for file in PACKAGES.rglob("*") if file.is_file() and not describes(file)}
        self.assertEqual(code, copy_packages.bundled_files())

    def test_each_package_has_the_version_of_the_lock_file_and_a_licence(self):
        locked = {name.removeprefix("node_modules/"): package["version"]
                  for name, package in json.loads(read("src/page/package-lock.json"))["packages"].items() if name}
        described = {file.parent.relative_to(PACKAGES).as_posix(): json.loads(file.read_text(encoding="utf-8"))["version"]
                     for file in PACKAGES.rglob("package.json")}
        self.assertEqual(described, locked)
        for package in locked:
            self.assertTrue(list((PACKAGES / package).glob("LICENSE*")), package)


class Page(unittest.TestCase):
    def test_the_shapes_of_requests_are_those_of_the_specifications(self):
        done = subprocess.run([sys.executable, ROOT / "scripts/gen_page_shapes.py", "--check"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_all_of_it_is_at_most_250_kb_on_the_wire(self):
        files = [(build_page.FOLDER / name).read_bytes() for name in ("index.html", "icon.svg")]
        bundles = [build_page.bundle("esbuild", entry) for entry in build_page.ENTRIES]
        size = sum(len(gzip.compress(content, 9)) for content in files + bundles)
        self.assertLessEqual(size, 250_000)


if __name__ == "__main__":
    unittest.main()
