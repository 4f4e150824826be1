"""examples/compose: its services run as the file says, here without containers."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request

import yaml

from example import EXAMPLES, ROOT, not_run, output_of, program
from docker_test import arguments_of
from server import Server

FILE = EXAMPLES / "compose/compose.yaml"
TOKEN = "of-the-test"
HAS_COMPOSE = shutil.which("docker") and subprocess.run(["docker", "compose", "version"], capture_output=True).returncode == 0
not_run("docker compose up: no container is started, the programs of the containers are")
if not HAS_COMPOSE:
    not_run("docker compose config: this machine has no docker compose")


def status_of(url, **headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as answer:
            return answer.status
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code


class Compose(unittest.TestCase):
    def setUp(self):
        self.file = yaml.safe_load(FILE.read_text(encoding="utf-8"))
        self.dinette, self.app = (self.file["services"][name] for name in ("dinette", "app"))
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = folder.name

    def server(self):
        """Starts what the service's container would, with another folder and port."""
        (entry,) = arguments_of("ENTRYPOINT")
        command = [self.data if word == "/data" else word for word in self.dinette["command"]]
        environment = {name: value.replace("${DINETTE_ADMIN_TOKEN:-secret}", TOKEN)
                       for name, value in self.dinette["environment"].items()}
        return Server(*json.loads(entry)[1:], *command, env={**os.environ, **environment})

    def run_app(self, server, *command):
        """Runs the application's command against the server. Debian's AWS CLI is too old for AWS_ENDPOINT_URL_DYNAMODB."""
        environment = {name: value.replace("dinette:8000", f"127.0.0.1:{server.port}")
                       for name, value in self.app["environment"].items()}
        return output_of("/usr/bin/aws", *command, "--endpoint-url", environment["AWS_ENDPOINT_URL_DYNAMODB"],
                         env={"PATH": "/usr/bin:/bin", "HOME": self.data, **environment})

    @unittest.skipUnless(HAS_COMPOSE, "there is no docker compose")
    def test_docker_reads_it(self):
        output_of("docker", "compose", "--file", str(FILE), "config", "--quiet")

    def test_the_application_finds_the_server_and_the_data_stay(self):
        with self.server() as server:
            self.assertEqual(json.loads(self.run_app(server, *self.app["command"])), {"TableNames": []})
            self.run_app(server, "dynamodb", "create-table", "--table-name", "Albums", "--billing-mode", "PAY_PER_REQUEST",
                         "--attribute-definitions", "AttributeName=artist,AttributeType=S",
                         "--key-schema", "AttributeName=artist,KeyType=HASH")
        with self.server() as server:
            self.assertEqual(json.loads(self.run_app(server, *self.app["command"])), {"TableNames": ["Albums"]})

    def test_the_health_check_is_a_command_of_the_program(self):
        kind, name, *arguments = self.dinette["healthcheck"]["test"]
        self.assertEqual((kind, name), ("CMD", "dinette"))
        with self.server() as server:
            output_of(program(), *arguments, "--port", str(server.port))
        ended = subprocess.run([program(), *arguments, "--port", str(server.port)], capture_output=True)
        self.assertEqual(ended.returncode, 1)

    def test_the_token_administrates(self):
        with self.server() as server:
            worlds = f"{server.endpoint}/_dinette/worlds"
            self.assertEqual(status_of(worlds, **{"X-Dinette-Admin-Token": TOKEN}), 200)
            self.assertIn(status_of(worlds), (401, 403))

    def test_the_services_agree_with_each_other_and_with_the_image(self):
        address = urllib.parse.urlsplit(self.app["environment"]["AWS_ENDPOINT_URL_DYNAMODB"])
        self.assertEqual(self.app["depends_on"], {address.hostname: {"condition": "service_healthy"}})
        self.assertEqual(self.file["services"][address.hostname], self.dinette)
        self.assertEqual(arguments_of("EXPOSE"), [str(address.port)])
        self.assertTrue(all(port.endswith(f":{address.port}") for port in self.dinette["ports"]))
        (volume,) = self.dinette["volumes"]
        name, place = volume.split(":")
        self.assertIn(name, self.file["volumes"])
        self.assertEqual(arguments_of("VOLUME"), [json.dumps([place])])

    def test_the_image_is_built_as_it_says(self):
        self.assertIn(f"docker build -t {self.dinette['image']} .", FILE.read_text(encoding="utf-8"))
        self.assertTrue((ROOT / "Dockerfile").exists())


if __name__ == "__main__":
    unittest.main()
