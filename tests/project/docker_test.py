"""Everything that the Dockerfile names exists: files, packages, presets, the program's options. Needs no container
engine."""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "packages"))

from bare_debian import closure  # noqa: E402
from repository import ROOT, output_of, packages, program, read  # noqa: E402

# What clients download: the goal is 40,000,000, today it is 40,500,000. The second
# is what debian:12-slim has for amd64; no test can ask for it.
MOST_COMPRESSED_BYTES = 40_800_000
BASE_COMPRESSED_BYTES = 28_300_000

# Part of every Debian installation.
IN_EVERY_DEBIAN = {"libc6", "libgcc-s1"}


def instructions():
    """Returns (NAME, arguments) of each instruction, with continued lines joined."""
    joined = re.sub(r"\\\n\s*", " ", read("Dockerfile"))
    for line in joined.splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, arguments = line.partition(" ")
            yield name, arguments.strip()


def arguments_of(instruction):
    return [arguments for name, arguments in instructions() if name == instruction]


def candidate(package):
    found = re.search(r"Candidate: (.*)", output_of("apt-cache", "policy", package))
    return found[1] if found else "(none)"


class Dockerfile(unittest.TestCase):
    def test_every_file_that_it_copies_exists(self):
        copied = [words.split()[:-1] for words in arguments_of("COPY") if not words.startswith("--from")]
        self.assertTrue(copied)
        for source in (word for words in copied for word in words if not word.startswith("--")):
            self.assertTrue((ROOT / source).exists(), source)

    def test_every_package_that_it_installs_exists(self):
        installed = [names for run in arguments_of("RUN") for names in re.findall(r"scripts/setup ([\w ]+\w)", run)]
        self.assertEqual(installed, ["build page", "runtime"])
        for package in (package for group in ("build", "node", "runtime") for package in packages(group)):
            self.assertNotEqual(candidate(package), "(none)", package)

    def test_packages_are_installed_by_setup_alone(self):
        for run in arguments_of("RUN"):
            self.assertNotIn("apt-get install", run)

    def test_every_preset_that_it_uses_exists(self):
        presets = {preset["name"] for preset in json.loads(read("CMakePresets.json"))["configurePresets"]}
        used = re.findall(r"--preset (\w+)", " ".join(arguments_of("RUN")))
        self.assertTrue(used)
        self.assertLessEqual(set(used), presets)

    def test_java_is_a_link_to_the_program(self):
        self.assertIn("ln -s dinette /usr/local/bin/java", " ".join(arguments_of("RUN")))

    def test_the_program_is_taken_from_where_the_preset_puts_it(self):
        copied = [words.split()[1] for words in arguments_of("COPY") if words.startswith("--from")]
        self.assertEqual(copied, ["/src/build/release/dinette", "/src/build/release/dinette-durable"])

    def test_the_program_for_data_folders_is_where_the_other_looks_for_it(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for words in arguments_of("COPY"):
                if words.startswith("--from"):
                    source, target = words.split()[1:]
                    installed = root / target.removeprefix("/")
                    installed.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(pathlib.Path(program()).parent / pathlib.Path(source).name, installed)
            said = output_of(str(root / "usr/local/bin/dinette"), "check", "--help")
            self.assertIn("dinette check DIR", said)
            data = root / "data"
            data.mkdir()
            said = output_of(str(root / "usr/local/bin/dinette"), "check", str(data))
            self.assertIn("all is well", said)

    def test_every_library_of_the_program_is_in_the_runtime_packages(self):
        for executable in (program(), program() + "-durable"):
            needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output_of("readelf", "-d", executable))
            paths = dict(re.findall(r"(\S+) => (\S+)", output_of("ldd", executable)))
            self.assertTrue(needed)
            for library in needed:
                owner = owner_of(paths[library])
                self.assertIn(owner, IN_EVERY_DEBIAN | set(packages("runtime")), library)

    def test_the_image_is_small(self):
        """By its parts, each compressed as layers are: the base, what setup adds to it, and the programs."""
        added = set(closure(packages("runtime"))) - set(closure(["apt"]))
        self.assertIn("libssl3", added)
        libraries = [name for package in sorted(added) for name in files_of(package)]
        with tempfile.TemporaryDirectory() as folder:
            stripped = []
            for executable in (program(), program() + "-durable"):
                stripped.append(str(pathlib.Path(folder, pathlib.Path(executable).name)))
                output_of("strip", "-o", stripped[-1], executable)
            compressed = compressed_bytes(libraries) + compressed_bytes(stripped)
        self.assertLess(BASE_COMPRESSED_BYTES + compressed, MOST_COMPRESSED_BYTES)

    def test_it_runs_as_somebody_else_than_root(self):
        self.assertEqual(len(arguments_of("USER")), 1)
        self.assertNotIn(arguments_of("USER")[0], ("root", "0"))

    def test_it_checks_health_by_the_program_itself(self):
        (check,) = arguments_of("HEALTHCHECK")
        command = json.loads(check[check.index("["):])
        self.assertEqual(command[:2], ["dinette", "healthcheck"])

    def test_data_is_a_volume(self):
        self.assertEqual(arguments_of("VOLUME"), ['["/data"]'])

    def test_the_program_understands_its_arguments(self):
        (entry,) = arguments_of("ENTRYPOINT")
        compose = ["-Djava.library.path=./DynamoDBLocal_lib", "-jar", "DynamoDBLocal.jar", "-inMemory", "-sharedDb"]
        command = [program(), *json.loads(entry)[1:], *compose, "--version"]
        self.assertTrue(output_of(*command).startswith("dinette "))

    def test_what_is_built_here_stays_out_of_the_image(self):
        ignored = read(".dockerignore").splitlines()
        for name in ("build", ".git", "**/node_modules"):
            self.assertIn(name, ignored)


def files_of(package):
    listed = output_of("dpkg-query", "-L", package).splitlines()
    return [name for name in listed if pathlib.Path(name).is_file() and not name.startswith("/usr/share/")]


def compressed_bytes(names):
    """Returns the size of the files in a compressed archive."""
    archive = subprocess.run(["tar", "--create", "--gzip", "--absolute-names", *names], check=True, capture_output=True)
    return len(archive.stdout)


def owner_of(library):
    """Returns the package of a library. dpkg may list it in /lib or in /usr/lib, which are the same folder."""
    real = str(pathlib.Path(library).resolve())
    for name in (library, real, real.removeprefix("/usr")):
        found = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    return f"no package owns {library}"


if __name__ == "__main__":
    unittest.main()
