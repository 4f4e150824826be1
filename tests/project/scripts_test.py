"""The scripts are executable, pass the shell linter, and refuse unknown arguments."""

import json
import os
import re
import subprocess
import unittest

from repository import ROOT, packages, read

SHELL = ("scripts/bare", "scripts/clients", "scripts/crash", "scripts/setup", "scripts/run", "scripts/test", "scripts/fuzz",
         "scripts/bench", "scripts/release", "scripts/try_release", "scripts/screenshots", "scripts/lib/bare.sh", ".ci/run")
PYTHON = ("scripts/image_root", "scripts/check_layers.py", "scripts/gen_admin_docs.py", "scripts/gen_api.py")
GROUPS = ("build", "test", "node", "runtime", "image", "release", "bare", "try")


class Scripts(unittest.TestCase):
    def test_they_are_executable(self):
        for name in SHELL + PYTHON:
            self.assertTrue(os.access(ROOT / name, os.X_OK), name)

    def test_the_shell_reads_them(self):
        for name in SHELL:
            subprocess.run(["bash", "-n", ROOT / name], check=True)

    def test_continuous_integration_runs_the_tests(self):
        self.assertIn("/../scripts/test", read(".ci/run"))

    def test_setup_refuses_an_unknown_group(self):
        ended = subprocess.run([ROOT / "scripts/setup", "rum"], capture_output=True, text=True)
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("'rum' is no group of packages", ended.stderr)

    def test_setup_explains_itself(self):
        ended = subprocess.run([ROOT / "scripts/setup", "--help"], capture_output=True, text=True, check=True)
        self.assertTrue(ended.stdout.startswith("Installs what Dinette needs"), ended.stdout)
        self.assertNotIn("set -euo", ended.stdout)

    def test_setup_finds_nothing_to_do_once_done(self):
        ended = subprocess.run([ROOT / "scripts/setup"], capture_output=True, text=True, check=True)
        self.assertEqual(ended.stdout + ended.stderr, "")

    def test_no_package_is_listed_twice(self):
        listed = [package for group in GROUPS for choices in packages(group) for package in choices if package != "none"]
        self.assertEqual(sorted(listed), sorted(set(listed)))


class NpmPackages(unittest.TestCase):
    def setUp(self):
        self.packages = [
            (name, package) for folder in ("tests/protocol", "src/page")
            for name, package in json.loads(read(f"{folder}/package-lock.json"))["packages"].items()]

    def test_the_lock_files_name_no_registry(self):
        for name, package in self.packages:
            if not package.get("link"):  # to a folder of this repository
                self.assertNotIn("resolved", package, name)

    def test_every_package_is_locked_by_its_hash(self):
        for name, package in self.packages:
            if name.startswith("node_modules/") and not package.get("link"):
                self.assertIn("integrity", package, name)

    def test_npm_9_reads_the_overrides(self):
        # It takes both an override and what it replaces for ranges of versions, and fails with "Invalid comparator" otherwise.
        for name in ("tests/protocol/package.json", "src/page/package.json"):
            described = json.loads(read(name))
            files = {package for kind in ("dependencies", "devDependencies")
                     for package, wanted in described.get(kind, {}).items() if ":" in wanted}
            for package, wanted in described.get("overrides", {}).items():
                self.assertNotIn(package, files)
                for replacement in [wanted] if isinstance(wanted, str) else wanted.values():
                    self.assertNotIn(":", replacement)
                    self.assertNotIn(replacement.removeprefix("$"), files)

    def test_debians_node_runs_them_all(self):
        for name, package in self.packages:
            wanted = package.get("engines", {}).get("node", "*")
            least = 0 if wanted == "*" else int(re.search(r"\d+", wanted)[0])
            self.assertLessEqual(least, 18, name)


if __name__ == "__main__":
    unittest.main()
