"""examples/devcontainer: the feature installs the files of a release, which this makes from the program that is tested, into
a folder instead of /usr/local."""

import contextlib
import hashlib
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tarfile
import tempfile
import threading
import time
import unittest

from example import EXAMPLES, not_run, output_of, program, read

FOLDER = EXAMPLES / "devcontainer/.devcontainer"
DESCRIBED = json.loads((FOLDER / "dinette/devcontainer-feature.json").read_text(encoding="utf-8"))
SETTINGS = json.loads((FOLDER / "devcontainer.json").read_text(encoding="utf-8"))
VERSION = DESCRIBED["options"]["version"]["default"]
MACHINES = {"x86_64": "x64", "aarch64": "arm64"}
PATIENCE_SECONDS = 60
not_run("a build of the dev container: its feature is installed into a folder of this machine")


def tarball_of(machine):
    return f"dinette-{VERSION}-linux-{MACHINES[machine]}.tar.gz"


def text_of(file):
    return file.read_text(encoding="utf-8") if file.exists() else ""


@contextlib.contextmanager
def served(folder):
    """Serves a folder over HTTP, as a release page would."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=folder)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Feature(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.release = pathlib.Path(folder.name)
        cls.tarball = tarball_of(os.uname().machine)
        inside = cls.tarball.removesuffix(".tar.gz")
        with tarfile.open(cls.release / cls.tarball, "w:gz", compresslevel=1) as archive:
            archive.add(program(), f"{inside}/bin/dinette")
            archive.add(f"{program()}-full", f"{inside}/libexec/dinette-full")
        cls.sum = hashlib.sha256((cls.release / cls.tarball).read_bytes()).hexdigest()
        (cls.release / "SHA256SUMS").write_text(f"{'0' * 64}  another.tar.gz\n{cls.sum}  {cls.tarball}\n", encoding="utf-8")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.feature = shutil.copytree(FOLDER / "dinette", self.folder / "dinette")
        self.prefix = self.folder / "prefix"
        self.prefix.mkdir()
        self.environment = {"PATH": "/usr/bin:/bin", "TMPDIR": str(self.folder), "PREFIX": str(self.prefix)}

    def install(self, **options):
        """Runs install.sh as a tool does, with each option in capitals."""
        environment = {**self.environment, **{name.upper(): value for name, value in options.items()}}
        ended = subprocess.run(["./install.sh"], cwd=self.feature, env=environment, capture_output=True, text=True,
                               timeout=PATIENCE_SECONDS)
        return ended.returncode, ended.stdout + ended.stderr

    def pretend_to_be(self, machine):
        others = self.folder / "bin"
        others.mkdir()
        (others / "uname").write_text(f"#!/bin/sh\necho {machine}\n", encoding="utf-8")
        (others / "uname").chmod(0o755)
        self.environment["PATH"] = f"{others}:{self.environment['PATH']}"

    def test_it_installs_a_release_from_its_own_folder(self):
        for name in (self.tarball, "SHA256SUMS"):
            shutil.copy(self.release / name, self.feature)
        self.assertEqual(self.install(), (0, f"dinette {VERSION}\n"))

    def test_it_installs_a_release_from_another_folder_or_address(self):
        with served(self.release) as address:
            for url in (str(self.release), address):
                shutil.rmtree(self.prefix)
                self.prefix.mkdir()
                self.assertEqual(self.install(url=url, version=VERSION), (0, f"dinette {VERSION}\n"))

    def test_the_server_starts_with_the_container(self):
        code, said = self.install(url=str(self.release), arguments=f"--port 0 --data {self.folder}/data")
        self.assertEqual(code, 0, said)
        # A tool runs the scripts of all features one after the other: they must end.
        script = self.prefix / "share/dinette/start-in-container"
        # The server keeps one end of a pipe as long as it runs.
        read_end, write_end = os.pipe()
        started = subprocess.Popen([script], env=self.environment, start_new_session=True, pass_fds=[write_end])
        os.close(write_end)
        self.addCleanup(os.close, read_end)
        self.addCleanup(os.read, read_end, 1)
        self.addCleanup(os.killpg, started.pid, signal.SIGTERM)
        self.assertEqual(started.wait(PATIENCE_SECONDS), 0)
        address = self.address_in(self.folder / "dinette.log")
        self.assertIn("is healthy", output_of(str(self.prefix / "bin/dinette"), "healthcheck", address))
        self.assertTrue(any((self.folder / "data").iterdir()))

    def address_in(self, log):
        deadline = time.monotonic() + PATIENCE_SECONDS
        # The script does not wait for the server, which may not even have begun its log.
        while not (ready := re.search(r"^dinette: ready on (\S+)$", text_of(log), re.M)):
            self.assertLess(time.monotonic(), deadline, text_of(log))
        return ready[1]

    def test_a_damaged_file_is_not_installed(self):
        shutil.copy(self.release / "SHA256SUMS", self.feature)
        (self.feature / self.tarball).write_bytes((self.release / self.tarball).read_bytes() + b"more")
        code, said = self.install()
        self.assertEqual((code, said), (1, f"dinette: {self.tarball} is damaged: its checksum is not that of SHA256SUMS\n"))
        self.assertEqual(list(self.prefix.iterdir()), [])

    def test_a_file_without_checksum_is_not_installed(self):
        shutil.copy(self.release / self.tarball, self.feature)
        (self.feature / "SHA256SUMS").write_text(f"{self.sum}  {self.tarball}.old\n", encoding="utf-8")
        self.assertEqual(self.install(), (1, f"dinette: SHA256SUMS does not list {self.tarball}\n"))
        (self.feature / "SHA256SUMS").unlink()
        code, said = self.install()
        self.assertEqual(code, 1)
        self.assertIn("there is no SHA256SUMS in .", said)

    def test_a_release_that_is_not_there_is_an_error(self):
        with served(self.folder) as address:
            for url in (".", address):
                code, said = self.install(url=url)
                self.assertEqual(code, 1)
                self.assertIn(f"dinette: there is no {self.tarball} in {url}", said)

    def test_the_file_is_that_of_the_machine(self):
        self.pretend_to_be("aarch64")
        self.assertIn(f"there is no {tarball_of('aarch64')} in .", self.install()[1])

    def test_another_machine_is_refused(self):
        self.pretend_to_be("riscv64")
        self.assertEqual(self.install(), (1, "dinette: there is no release for riscv64\n"))


class Files(unittest.TestCase):
    def test_the_feature_is_where_tools_look_for_a_local_one(self):
        (name,) = SETTINGS["features"]
        self.assertEqual((FOLDER / name).name, DESCRIBED["id"])
        self.assertTrue(os.access(FOLDER / name / "install.sh", os.X_OK))

    def test_its_version_is_the_projects(self):
        self.assertEqual(VERSION, json.loads(read("clients/js/package.json"))["version"])
        self.assertEqual(DESCRIBED["version"], VERSION)
        self.assertIn(f"${{VERSION:-{VERSION}}}", (FOLDER / "dinette/install.sh").read_text(encoding="utf-8"))

    def test_the_container_runs_what_is_installed(self):
        script = (FOLDER / "dinette/install.sh").read_text(encoding="utf-8")
        prefix = re.search(r"\$\{PREFIX:-(.*)\}", script)[1]
        self.assertIn(f"$prefix/{DESCRIBED['entrypoint'].removeprefix(prefix + '/')}", script)

    def test_programs_in_the_container_find_it(self):
        self.assertEqual(SETTINGS["containerEnv"]["AWS_ENDPOINT_URL_DYNAMODB"], "http://127.0.0.1:8000")


if __name__ == "__main__":
    unittest.main()
