"""The npm packages in src/page/third_party are what the page's bundle consists of, in the versions of the lock file."""

import json
import sys
import unittest

from repository import ROOT, read

sys.path.insert(0, str(ROOT / "src/page"))

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


if __name__ == "__main__":
    unittest.main()
