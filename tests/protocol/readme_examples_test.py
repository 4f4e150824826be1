"""Runs the examples of README.md and of pages in docs/ unchanged; their output must be what the page says.

Only the address changes: the server of the test is on a port of its own."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest
from dataclasses import dataclass

from server import Server, program

HERE = pathlib.Path(__file__).resolve().parent
README = HERE.parents[1] / "README.md"
THROTTLING = HERE.parents[1] / "docs/throttling.md"
PAGES = [README, *(HERE.parents[1] / "docs" / f"{page}.md"
                  for page in ("backups", "bulk-writes", "coming-from", "doctor", "exports", "faults", "imports", "mcp", "observing",
                               "s3", "tables")), THROTTLING]
OPTIONS = {THROTTLING: ["--throttle", "service"]}
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


def examples(page):
    return [Example(*found) for found in EXAMPLE.findall(page.read_text(encoding="utf-8"))]


def run(example, endpoint):
    """Returns what the example prints, run in a folder with only the npm packages."""
    name, command = COMMANDS[example.language]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, name)
        file.write_text(example.code.replace(ADDRESS, endpoint), encoding="utf-8")
        os.symlink(HERE / "node_modules", pathlib.Path(folder, "node_modules"))
        # Ignores the SDK's warning about Debian's old Node.js.
        environment = {"PATH": f"/usr/bin:/bin:{os.environ['PATH']}:{pathlib.Path(program()).parent}", "HOME": folder, "LANG": "C.UTF-8",
                       "NODE_NO_WARNINGS": "1"}
        return subprocess.run([*command, name], cwd=folder, env=environment, capture_output=True, text=True)


class Examples(unittest.TestCase):
    def test_there_is_one_for_each_client(self):
        self.assertEqual([example.language for example in examples(README)], ["js", "python", "sh", "sh", "sh"])
        for word in ("client-dynamodb", "boto3", "aws dynamodb", "curl"):
            self.assertTrue(any(word in example.code for example in examples(README)), word)

    def test_none_is_overlooked(self):
        for page in PAGES:
            marked = page.read_text(encoding="utf-8").count("<!-- example -->")
            self.assertEqual((marked > 0, len(examples(page))), (True, marked), page.name)

    def test_each_prints_what_its_page_says(self):
        for page in PAGES:
            with Server(*OPTIONS.get(page, [])) as server:
                self.run_all(page, server)

    def run_all(self, page, server):
        for example in examples(page):
            with self.subTest(page=page.name, language=example.language):
                self.assertIn(ADDRESS, example.code)
                ended = run(example, server.endpoint)
                self.assertEqual((ended.returncode, ended.stderr), (0, ""))
                self.assertEqual(ended.stdout.rstrip("\n"), example.prints.rstrip("\n"))


if __name__ == "__main__":
    unittest.main()
