"""The npm packages in src/page/third_party are what the page's bundle consists of, in the versions of the lock file. What is
written from the specifications is up to date, and the page is small."""

import gzip
import json
import re
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

    @classmethod
    def setUpClass(cls):
        cls.page = build_page.Page("esbuild")

    def modules_of(self, entry):
        return {name for script in self.page.needed_by(entry) for name in self.page.scripts[script]["inputs"]}

    def size_of(self, entry):
        return sum(len(self.page.files[f"page/{script}"]) for script in self.page.needed_by(entry))

    def test_all_of_it_is_at_most_250_kb_on_the_wire(self):
        self.assertLessEqual(sum(len(gzip.compress(content, 9)) for content in self.page.files.values()), 250_000)

    def test_the_first_view_runs_only_what_it_shows(self):
        self.assertLessEqual(self.size_of(build_page.SCRIPT), 60_000)
        views = {name for name in self.modules_of(build_page.SCRIPT) if name.startswith(("views/", "lib/code/", "editor/"))}
        self.assertEqual(views, {"views/tables.jsx", "views/views.js"})
        packages = {name.split("/")[1] for name in self.modules_of(build_page.SCRIPT) if name.startswith(("node_modules/", "third_party/"))}
        self.assertEqual(packages, {"preact", "@preact"})

    def test_no_view_waits_for_what_it_may_never_need(self):
        for entry in (build_page.TABLES, build_page.OTHERS):
            heavy = {name for name in self.modules_of(entry) if "uplot" in name or "codemirror" in name or name.startswith("lib/code/")}
            self.assertEqual(heavy, set(), entry)

    def test_a_view_needs_few_files(self):
        for entry in (build_page.SCRIPT, build_page.TABLES, build_page.OTHERS):
            self.assertLessEqual(len(self.page.needed_by(entry)), 5, entry)
        loaded_before = self.page.scripts[self.page.names[build_page.SCRIPT]]["imports"]
        self.assertEqual(len(loaded_before), 1, "what scripts share with the first view is one file")

    def test_names_of_scripts_and_styles_say_their_content(self):
        named = {name for name in self.page.files if name.endswith((".js", ".css"))}
        for name in named:
            self.assertRegex(name, r"^page/[\w.]+-[A-Z0-9]{8}\.(js|css)$")
        self.assertEqual(set(self.page.files) - named, {"", "page/icon.svg"})

    def test_the_document_names_files_that_are_there(self):
        named = set(re.findall(r"page/[\w.-]+", self.page.files[""].decode()))
        self.assertEqual(named - set(self.page.files), set())


if __name__ == "__main__":
    unittest.main()
