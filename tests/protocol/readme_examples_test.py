"""Runs the examples of README.md unchanged; their output must be what README.md says.

Only the address changes: the server of the test is on a port of its own."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest
from dataclasses import dataclass

from server import Server

HERE = pathlib.Path(__file__).resolve().parent
README = HERE.parents[1] / "README.md"
EXAMPLE = re.compile(r"<!-- example -->\n```(\w+)\n(.*?)^```\n+prints\n+```text\n(.*?)^```$", re.S | re.M)
ADDRESS = "http://127.0.0.1:8000"
COMMANDS = {
    "js": ("tour.mjs", ["node"]),
    "python": ("tour.py", ["/usr/bin/python3"]),
    "sh": ("tour.sh", ["bash", "-eu"]),
}


@dataclass(frozen=True)
class Example:
    language: str
    code: str
    prints: str


def examples():
    return [Example(*found) for found in EXAMPLE.findall(README.read_text(encoding="utf-8"))]


def run(example, endpoint):
    """Returns what the example prints, run in a folder with only the npm packages."""
    name, command = COMMANDS[example.language]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, name)
        file.write_text(example.code.replace(ADDRESS, endpoint), encoding="utf-8")
        os.symlink(HERE / "node_modules", pathlib.Path(folder, "node_modules"))
        # Ignores the SDK's warning about Debian's old Node.js.
        environment = {"PATH": f"/usr/bin:/bin:{os.environ['PATH']}", "HOME": folder, "LANG": "C.UTF-8",
                       "NODE_NO_WARNINGS": "1"}
        return subprocess.run([*command, name], cwd=folder, env=environment, capture_output=True, text=True)


class ReadmeExamples(unittest.TestCase):
    def test_there_is_one_for_each_client(self):
        self.assertEqual([example.language for example in examples()], ["js", "python", "sh", "sh", "sh"])
        self.assertEqual(README.read_text(encoding="utf-8").count("<!-- example -->"), len(examples()))
        for word in ("client-dynamodb", "boto3", "aws dynamodb", "curl"):
            self.assertTrue(any(word in example.code for example in examples()), word)

    def test_each_prints_what_the_readme_says(self):
        with Server() as server:
            for example in examples():
                with self.subTest(example.language):
                    self.assertIn(ADDRESS, example.code)
                    ended = run(example, server.endpoint)
                    self.assertEqual((ended.returncode, ended.stderr), (0, ""))
                    self.assertEqual(ended.stdout.rstrip("\n"), example.prints.rstrip("\n"))


if __name__ == "__main__":
    unittest.main()
