"""The scripts are executable, pass the shell linter, and refuse unknown arguments."""

import io
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

from repository import ROOT, packages, read

import building

SHELL = ("scripts/bare", "scripts/clients", "scripts/crash", "scripts/setup", "scripts/run", "scripts/test", "scripts/fuzz",
         "scripts/bench", "scripts/release", "scripts/try_release", "scripts/screenshots", "scripts/pull_kills", "scripts/lib/bare.sh",
         "scripts/lib/build.sh", ".ci/run")
PYTHON = ("scripts/image_root", "scripts/check_layers.py", "scripts/gen_admin_docs.py", "scripts/gen_api.py",
          "scripts/gen_page_shapes.py")
GROUPS = ("build", "test", "node", "runtime", "image", "package", "release", "bare", "try")


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


CMAKE = """#!/usr/bin/env bash
echo "$*" >>calls
[ "$1" = --build ] || { touch build/release/build.ninja && exit 0; }
echo "[1/2] one" && echo "a warning" && echo "[2/2] two"
[ ! -e broken ] || { echo "an error" >&2 && exit 1; }
printf '#!/bin/sh\necho "served $*"\n' >build/release/dinette
chmod +x build/release/dinette
"""


class Run(unittest.TestCase):
    """scripts/run in a folder without sources, with a CMake that says what it was called with."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name, text in (("scripts/setup", "#!/bin/sh\n"), ("bin/cmake", CMAKE), ("scripts/run", read("scripts/run")),
                           ("scripts/lib/build.sh", read("scripts/lib/build.sh"))):
            file = self.folder / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
            file.chmod(0o755)

    def run_it(self, *arguments, stderr=subprocess.PIPE):
        environment = dict(os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}")
        return subprocess.run([self.folder / "scripts/run", *arguments], env=environment, stdout=subprocess.PIPE, stderr=stderr,
                              text=True)

    def calls(self):
        return (self.folder / "calls").read_text().splitlines()

    def test_it_serves_with_its_arguments(self):
        self.assertEqual(self.run_it("--port", "1").stdout, "served --port 1\n")

    def test_a_first_build_says_so_in_one_line(self):
        self.assertRegex(self.run_it().stderr, r"\Arun: building, once: about \d+ min on \d+ processors\n\Z")

    def test_later_it_says_nothing(self):
        self.run_it()
        self.assertEqual(self.run_it().stderr, "")

    def test_a_terminal_shows_the_last_step(self):
        terminal, other_end = pty.openpty()
        self.run_it(stderr=other_end)
        os.close(other_end)
        with open(terminal, "rb", buffering=0) as shown:
            self.assertIn(b"run: step 2 of 2", shown.read(10_000))

    def test_a_first_build_compiles_many_sources_at_once(self):
        self.run_it()
        self.assertIn("-DDINETTE_TOGETHER=ON", self.calls()[0])

    def test_a_folder_that_is_configured_stays_so(self):
        (self.folder / "build/release").mkdir(parents=True)
        (self.folder / "build/release/build.ninja").touch()
        self.run_it()
        self.assertEqual(self.calls(), ["--build --preset release --target dinette"])

    def test_commands_data_folders_and_tables_need_the_second_program(self):
        for arguments in (("--data", "folder"), ("--data=folder",), ("-dbPath", "folder"), ("check", "folder"),
                          ("--tables", "template.yaml"), ("serve", "--load=folder"), ("doctor",)):
            self.run_it(*arguments)
            self.assertEqual(self.calls()[-1], "--build --preset release --target dinette dinette-full")

    def test_a_server_in_memory_needs_only_the_first_program(self):
        for arguments in (("--port", "9000"), ("serve",), ("healthcheck", "--port", "9000"), ("version",)):
            self.run_it(*arguments)
            self.assertEqual(self.calls()[-1], "--build --preset release --target dinette")

    def test_the_second_program_stays_as_new_as_the_first(self):
        self.run_it()
        (self.folder / "build/release/dinette-full").touch(0o755)
        self.run_it()
        self.assertEqual(self.calls()[-1], "--build --preset release --target dinette dinette-full")

    def test_a_failed_build_shows_its_output(self):
        (self.folder / "broken").touch()
        ended = self.run_it()
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertIn("an error", ended.stderr)
        self.assertIn("run: the build failed", ended.stderr)


class Build(unittest.TestCase):
    """How scripts/test and others build, with a CMake that says what it was called with."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        cmake = self.folder / "bin/cmake"
        cmake.parent.mkdir()
        cmake.write_text('#!/bin/sh\necho "$*" >>calls\n[ ! -e broken ] || exit 1\n')
        cmake.chmod(0o755)

    def build(self, *arguments, **settings):
        with mock.patch.object(building, "ROOT", self.folder), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()), \
                mock.patch.dict(os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}"):
            return building.build(*arguments, **settings)

    def calls(self):
        return (self.folder / "calls").read_text().splitlines()

    def configured(self, cache=None, **settings):
        """Returns how a folder is configured that has this cache, or is new."""
        folder = self.folder / "build/release"
        folder.mkdir(parents=True, exist_ok=True)
        if cache:
            (folder / "CMakeCache.txt").write_text(cache)
        (self.folder / "calls").unlink(missing_ok=True)
        self.assertTrue(self.build("release", "dinette", **settings))
        configuring, building_it = self.calls()
        self.assertEqual(building_it, "--build --preset release --target dinette")
        return configuring

    def test_a_new_folder_compiles_many_sources_at_once(self):
        self.assertEqual(self.configured(), "--preset release -DDINETTE_TOGETHER=ON")

    def test_a_folder_that_is_configured_compiles_as_before_and_is_otherwise_as_its_preset_says(self):
        (self.folder / "build/release").mkdir(parents=True)
        (self.folder / "build/release/build.ninja").touch()  # by scripts/run
        for value in ("ON", "OFF"):
            self.assertEqual(self.configured(f"A:STRING=b\nDINETTE_TOGETHER:BOOL={value}\n"), f"--preset release -DDINETTE_TOGETHER={value}")

    def test_what_the_caller_sets_counts(self):
        self.assertEqual(self.configured("DINETTE_TOGETHER:BOOL=OFF\n", ANSWER=42, DINETTE_TOGETHER="ON"),
                         "--preset release -DDINETTE_TOGETHER=ON -DANSWER=42")

    def test_the_preset_compiles_each_source_by_itself(self):
        (release,) = [preset for preset in json.loads(read("CMakePresets.json"))["configurePresets"] if preset["name"] == "release"]
        self.assertEqual(release["cacheVariables"]["DINETTE_TOGETHER"], "OFF")

    def test_nothing_is_built_that_cannot_be_configured(self):
        (self.folder / "broken").touch()
        self.assertFalse(self.build("release"))
        self.assertEqual(self.calls(), ["--preset release -DDINETTE_TOGETHER=ON"])


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
