"""scripts/clients checks its arguments, reads every kind of report, and says what failed and what was skipped. No network."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

from repository import ROOT, read

sys.path.insert(0, str(ROOT / "scripts/lib"))
from clients.cases import Case, from_cargo, from_go, from_jest, from_junit  # noqa: E402
from clients.examples import Go  # noqa: E402
from clients.outcome import broken, judged, read_known, skipped, table, total  # noqa: E402
from clients.workshop import Broken  # noqa: E402

SCRIPT = ROOT / "scripts/clients"


def run(*arguments, **environment):
    return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, env={**os.environ, **environment})


class Arguments(unittest.TestCase):
    def test_it_explains_itself(self):
        ended = run("--help")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        for word in ("--tree", "NAME=FOLDER", "electrodb", "boto3", "rust", "dynamodb-admin", "testcontainers-go", "terraform"):
            self.assertIn(word, ended.stdout)

    def test_it_refuses_unknown_clients_and_trees(self):
        for arguments, message in ((("nobody",), "there is no client nobody"),
                                   (("--tree", "nobody=/"), "'nobody=/' is not NAME=FOLDER"),
                                   (("--tree", "electrodb"), "'electrodb' is not NAME=FOLDER"),
                                   (("--tree", "electrodb=/missing"), "'/missing' is no folder")):
            ended = run(*arguments)
            self.assertEqual(ended.returncode, 2)
            self.assertIn(message, ended.stderr)

    def test_a_suite_without_a_tree_is_skipped_with_the_reason(self):
        ended = run("onetable", "pynamodb")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("onetable: skipped: all of it: no source tree; give it with --tree onetable=FOLDER", ended.stdout)
        self.assertEqual(ended.stdout.splitlines()[-1], "0 passed, 0 failed")

    def test_a_client_without_its_toolchain_is_skipped_with_the_reason(self):
        with tempfile.TemporaryDirectory() as empty:
            for name in ("bash", "dirname", "python3"):
                os.symlink(f"/usr/bin/{name}", f"{empty}/{name}")
            ended = run("go", "java", "rust", "testcontainers-java", "terraform", PATH=empty)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        for client, command in (("go", "go"), ("java", "mvn"), ("rust", "cargo"), ("testcontainers-java", "mvn"),
                                ("terraform", "terraform")):
            self.assertIn(f"{client}: skipped: all of it: the command {command} is missing", ended.stdout)


class Reports(unittest.TestCase):
    def test_junit(self):
        report = """<testsuites><testsuite><testcase classname="a.B" name="c"/>
            <testcase classname="" name="d"><failure message="">no
            good</failure></testcase><testcase classname="test" name="e"><skipped message="slow"/></testcase>
            </testsuite></testsuites>"""
        self.assertEqual(list(from_junit(report)),
                         [Case("a.B > c", "passed"), Case("d", "failed", "no"), Case("e", "skipped", "slow")])

    def test_jest(self):
        report = """{"testResults": [{"name": "/x/a.ts", "message": "", "assertionResults": [
            {"fullName": "b", "status": "passed", "failureMessages": []},
            {"fullName": "c", "status": "failed", "failureMessages": ["no\\ngood"]},
            {"fullName": "d", "status": "pending", "failureMessages": []}]},
            {"name": "/x/e.ts", "message": "does not compile", "assertionResults": []}]}"""
        self.assertEqual(list(from_jest(report)), [
            Case("a.ts > b", "passed"), Case("a.ts > c", "failed", "no"), Case("a.ts > d", "skipped"),
            Case("e.ts", "failed", "does not compile")])

    def test_go(self):
        report = "\n".join((
            '{"Action": "run", "Test": "A"}', '{"Action": "output", "Test": "A", "Output": "=== RUN   A\\n"}',
            '{"Action": "output", "Test": "A", "Output": "    x_test.go:1: no\\n"}', '{"Action": "fail", "Test": "A"}',
            '{"Action": "pass", "Test": "B"}', '{"Action": "fail"}'))
        self.assertEqual(list(from_go(report)), [Case("A", "failed", "x_test.go:1: no"), Case("B", "passed")])

    def test_cargo(self):
        report = ("test a ... ok\ntest b ... FAILED\ntest c ... ignored, slow\n\nfailures:\n\n---- b stdout ----\n"
                  "thread 'b' panicked at x.rs:1:\nno\n\nfailures:\n    b\n")
        self.assertEqual(list(from_cargo(report)), [Case("a", "passed"), Case("b", "failed", "no"), Case("c", "skipped", "slow")])


class Judgement(unittest.TestCase):
    def test_what_is_known_to_fail_is_no_failure_and_is_listed_with_its_reason(self):
        cases = [Case("a", "passed"), Case("b", "failed", "no"), Case("c", "skipped", "slow")]
        outcome = judged("x", "1", cases, {"b": "outside"})
        self.assertEqual(total([outcome]), (1, 0))
        self.assertEqual(outcome.notes, ["known: b: outside", "skipped: c: slow"])
        self.assertEqual(total([judged("x", "1", cases, {})]), (1, 1))

    def test_what_is_known_to_fail_must_run_and_fail(self):
        outcome = judged("x", "1", [Case("a", "passed")], {"a": "outside", "b": "outside"})
        self.assertEqual(total([outcome]), (0, 2))

    def test_a_run_without_cases_has_failed(self):
        self.assertEqual(total([judged("x", "1", [], {})]), (0, 1))
        self.assertEqual(total([broken("x", "hung")]), (0, 1))

    def test_the_table_lists_every_client(self):
        lines = list(table([judged("x", "1.2", [Case("a", "passed")], {}), skipped("y", "no npm")]))
        self.assertEqual(lines[1].split(), ["x", "1.2", "1", "0", "0", "0"])
        self.assertEqual(lines[-1], "y: skipped: all of it: no npm")


class Shop:
    """Stands for the folder in which a client runs."""

    def run(self, *command):
        if subprocess.run(command, capture_output=True).returncode != 0:
            raise Broken(f"{command[0]} failed")


class Containers(unittest.TestCase):
    """Of an example with Testcontainers, with other commands in place of docker and go."""

    def outcome(self, docker, go="exit 0"):
        with tempfile.TemporaryDirectory() as folder:
            for name, script in (("docker", docker), ("go", go)):
                file = pathlib.Path(folder, name)
                file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
                file.chmod(0o755)
            example = Go()
            example.build = lambda shop: "v1"
            with unittest.mock.patch.dict(os.environ, PATH=folder):
                return judged(example.name, *example.run(Shop()), {})

    def test_without_an_image_no_container_is_started_and_it_says_so(self):
        outcome = self.outcome(docker="exit 1")
        self.assertEqual(total([outcome]), (1, 0))
        self.assertEqual(outcome.notes, ["skipped: it reads an item in a container: no container was started, the example is only "
                                         "built: no Docker engine with an image dinette runs"])

    def test_with_the_image_it_must_run(self):
        self.assertEqual(total([self.outcome(docker="exit 0")]), (2, 0))
        self.assertEqual(total([self.outcome(docker="exit 0", go="exit 1")]), (1, 1))


class Known(unittest.TestCase):
    def test_every_known_failure_has_a_reason(self):
        known = read_known()
        self.assertTrue(known)
        for client, reasons in known.items():
            for case, reason in reasons.items():
                self.assertGreater(len(reason), 20, f"{client}: {case}")

    def test_contributing_names_the_file(self):
        self.assertIn("scripts/lib/clients/known.json", read("docs/contributing.md"))


if __name__ == "__main__":
    unittest.main()
