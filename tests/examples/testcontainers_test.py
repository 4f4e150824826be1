"""examples/testcontainers: the files can be parsed, and say of the image what is true. scripts/clients compiles them with the
libraries."""

import shutil
import subprocess
import unittest
import urllib.request

from example import EXAMPLES, not_run, output_of
from docker_test import arguments_of
from server import Server

FOLDER = EXAMPLES / "testcontainers"
SOURCES = {"node": "albums.test.mjs", "python": "test_albums.py", "go": "albums_test.go", "java": "src/test/java/albums/AlbumsTest.java"}
HAS_GO = shutil.which("gofmt") is not None
not_run("Testcontainers: no container is started, and the libraries are not there; scripts/clients testcontainers-node, "
        "-python, -java and -go compile the examples with them")
not_run("the example for Java: nothing here parses it without its libraries")
if not HAS_GO:
    not_run("the example for Go is not parsed: this machine has no gofmt")


class Testcontainers(unittest.TestCase):
    def test_node_parses_its_example(self):
        output_of("node", "--check", str(FOLDER / "node" / SOURCES["node"]))

    def test_python_parses_its_example(self):
        compile((FOLDER / "python" / SOURCES["python"]).read_text(encoding="utf-8"), SOURCES["python"], "exec")

    @unittest.skipUnless(HAS_GO, "there is no gofmt")
    def test_go_parses_and_formats_its_example(self):
        ended = subprocess.run(["gofmt", "-l", str(FOLDER / "go" / SOURCES["go"])], capture_output=True, text=True)
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "", ""))

    def test_each_starts_the_image_at_the_port_that_it_exposes(self):
        (port,) = arguments_of("EXPOSE")
        for language, source in SOURCES.items():
            text = (FOLDER / language / source).read_text(encoding="utf-8")
            self.assertIn('"dinette"', text, source)
            self.assertIn(port, text, source)

    def test_what_they_wait_for_is_a_successful_answer_at_the_root(self):
        with Server() as server, urllib.request.urlopen(f"{server.endpoint}/") as answer:
            self.assertEqual(answer.status, 200)


if __name__ == "__main__":
    unittest.main()
