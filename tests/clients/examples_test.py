"""Runs the examples of the client libraries' READMEs unchanged."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

CLIENTS = pathlib.Path(__file__).resolve().parents[2] / "clients"
EXAMPLE = re.compile(r"<!-- example -->\n```\w+\n(.*?)^```\n+prints\n+```text\n(.*?)^```$", re.S | re.M)
TEST = re.compile(r"<!-- test -->\n```\w+\n(.*?)^```$", re.S | re.M)


def readme(client):
    return (CLIENTS / client / "README.md").read_text(encoding="utf-8")


def run(command, name, code, **environment):
    """Runs code as a file in an empty folder, with the JavaScript library as an npm package of it."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, name).write_text(code, encoding="utf-8")
        os.mkdir(pathlib.Path(folder, "node_modules"))
        os.symlink(CLIENTS / "js", pathlib.Path(folder, "node_modules/dinette"))
        return subprocess.run([*command, name], cwd=folder, env={**os.environ, **environment}, capture_output=True,
                              text=True)


class Examples(unittest.TestCase):
    def check(self, client, *run_with, **environment):
        (code, prints), = EXAMPLE.findall(readme(client))
        self.assertEqual(len(code.splitlines()), 5)
        ended = run(*run_with, code, **environment)
        self.assertEqual((ended.returncode, ended.stderr, ended.stdout), (0, "", prints))

    def test_javascript(self):
        self.check("js", ["node"], "example.mjs")

    def test_python(self):
        self.check("python", ["/usr/bin/python3", "-B"], "example.py", PYTHONPATH=str(CLIENTS / "python"))

    def test_pytest(self):
        code, = TEST.findall(readme("python"))
        command = ["/usr/bin/python3", "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "dinette.pytest_plugin"]
        ended = run(command, "test_example.py", code, PYTHONPATH=str(CLIENTS / "python"))
        self.assertEqual((ended.returncode, ended.stderr), (0, ""), ended.stdout)
        self.assertIn("1 passed", ended.stdout)


if __name__ == "__main__":
    unittest.main()
