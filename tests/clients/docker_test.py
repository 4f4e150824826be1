"""clients/js/docker: programs that run the image of DynamoDB Local get Dinette, and docker the rest."""

import json
import os
import pathlib
import socket
import subprocess
import tempfile
import unittest
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "clients/js/docker"
PATIENCE_SECONDS = 60


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


def tables(port):
    request = urllib.request.Request(f"http://localhost:{port}/", b"{}", {
        "X-Amz-Target": "DynamoDB_20120810.ListTables", "Content-Type": "application/x-amz-json-1.0"})
    with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
        return json.load(answer)["TableNames"]


class Docker(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.others = self.folder / "bin"
        self.others.mkdir()
        self.environment = {"PATH": f"{FOLDER}:{self.others}:/usr/bin:/bin", "TMPDIR": str(self.folder),
                            "DINETTE_PROGRAM": os.environ["DINETTE_PROGRAM"]}

    def make_real(self, name="docker"):
        """Puts a docker behind it that prints how it is called, and ends with 3."""
        (self.others / name).write_text('#!/bin/sh\necho "real $*"\nexit 3\n')
        (self.others / name).chmod(0o755)

    def said(self, *command, code=0):
        ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECONDS, env=self.environment)
        self.assertEqual(ended.returncode, code, ended.stderr)
        return ended.stdout

    def test_a_container_in_the_background(self):
        for image in ("amazon/dynamodb-local", "amazon/dynamodb-local:2.5.2",
                      "public.ecr.aws/aws-dynamodb-local/aws-dynamodb-local:latest"):
            port = free_port()
            self.assertEqual(self.said("docker", "run", "-d", "--name", "albums", "-p", f"127.0.0.1:{port}:8000", "-v", "a:/b",
                                       "-e", "A=b", image, "-jar", "DynamoDBLocal.jar", "-sharedDb", "-dbPath", "/b"),
                             "albums\n")
            self.assertEqual(tables(port), [])
            self.assertEqual(self.said("docker", "ps", "-q", "-f", "name=albums"), "albums\n")
            self.assertIn("Initializing DynamoDB Local", self.said("docker", "logs", "albums"))
            self.assertEqual(self.said("docker", "stop", "albums"), "albums\n")
            with self.assertRaises(OSError):
                tables(port)
            self.assertEqual(self.said("docker", "rm", "albums"), "albums\n")
            self.assertEqual(self.said("docker", "ps"), "")

    def test_a_container_in_the_foreground_ends_by_signal_and_by_name(self):
        for name in ("docker", "podman"):
            for end in (lambda process: process.terminate(), lambda _: self.said(name, "stop", "films")):
                port = free_port()
                process = subprocess.Popen([name, "run", "--rm", "--name=films", f"-p{port}:8000", "amazon/dynamodb-local"],
                                           stdout=subprocess.PIPE, text=True, env=self.environment)
                for line in process.stdout:
                    if line.startswith("dinette: ready on "):
                        break
                self.assertEqual(tables(port), [])
                end(process)
                self.assertEqual(process.wait(PATIENCE_SECONDS), 0)
                process.stdout.close()

    def test_a_port_in_use_fails_as_docker_does(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            self.said("docker", "run", "-d", "-p", f"{taken.getsockname()[1]}:8000", "amazon/dynamodb-local", code=125)

    def test_everything_else_is_for_docker(self):
        self.said("docker", "run", "postgres", code=127)
        self.assertEqual(self.said("docker", "info"), "Dinette\n")
        for name in ("docker", "podman"):
            self.make_real(name)
            self.assertEqual(self.said(name, "run", "-p", "1:1", "postgres", code=3), "real run -p 1:1 postgres\n")
            self.assertEqual(self.said(name, "stop", "database", code=3), "real stop database\n")
            self.assertEqual(self.said(name, "build", ".", code=3), "real build .\n")
            self.assertEqual(self.said(name, "pull", "amazon/dynamodb-local"), "")

    def test_two_copies_in_the_path_find_docker(self):
        copy = self.folder / "copy"
        subprocess.run(["cp", "-r", FOLDER, copy], check=True)
        self.environment["PATH"] = f"{copy}:{self.environment['PATH']}"
        self.said("docker", "build", ".", code=127)
        self.make_real()
        self.assertEqual(self.said("docker", "build", ".", code=3), "real build .\n")


if __name__ == "__main__":
    unittest.main()
