""".github/actions/dinette: its steps, run by bash as GitHub's runner runs them. npm installs clients/js as the package,
whose `dinette` runs the program that is tested."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

import yaml

from example import ROOT, not_run, output_of

FILE = ROOT / ".github/actions/dinette/action.yml"
ACTION = yaml.safe_load(FILE.read_text(encoding="utf-8"))
# What the runner starts for `shell: bash`.
BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
INPUT = re.compile(r"\$\{\{ inputs\.(\w+) \}\}")
PATIENCE_SECONDS = 120
not_run("GitHub's runner, and the package of npm's registry: bash runs the steps, with the package from this repository")

LIST = """
const { DynamoDBClient, ListTablesCommand } = require("@aws-sdk/client-dynamodb");
const { DynamoDBStreamsClient, ListStreamsCommand } = require("@aws-sdk/client-dynamodb-streams");
Promise.all([new DynamoDBClient({}).send(new ListTablesCommand({})),
             new DynamoDBStreamsClient({}).send(new ListStreamsCommand({}))])
  .then(([{ TableNames }, { Streams }]) => console.log(JSON.stringify([TableNames, Streams])));
"""


def pairs(file):
    return dict(line.split("=", 1) for line in file.read_text(encoding="utf-8").splitlines())


class Job:
    """The files and the environment of a job, and the steps of the action in it."""

    def __init__(self, folder, environment):
        self.temporary = folder / "temp"
        self.temporary.mkdir()
        self.files = {name: folder / name.lower() for name in ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH")}
        for file in self.files.values():
            file.touch()
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "DINETTE_PROGRAM": os.environ["DINETTE_PROGRAM"],
                            "RUNNER_TEMP": str(self.temporary), "npm_config_offline": "true", "NODE_NO_WARNINGS": "1",
                            **{name: str(file) for name, file in self.files.items()}, **environment}
        self.groups = []

    def seen(self):
        """Returns the environment of the next step."""
        paths = self.files["GITHUB_PATH"].read_text(encoding="utf-8").splitlines()
        return {**self.environment, **pairs(self.files["GITHUB_ENV"]), "PATH": ":".join([*paths, self.environment["PATH"]])}

    def run(self, **inputs):
        """Runs the steps up to the first that fails, and returns its exit code and what it said as errors."""
        inputs = {**{name: described["default"] for name, described in ACTION["inputs"].items()}, **inputs}
        for step in ACTION["runs"]["steps"]:
            settings = {name: INPUT.sub(lambda found: inputs[found[1]], value) for name, value in step["env"].items()}
            process = subprocess.Popen([*BASH, step["run"]], env={**self.seen(), **settings}, start_new_session=True, text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.groups.append(process.pid)
            try:
                said, _ = process.communicate(timeout=PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                self.end()
                process.communicate()
                raise
            if process.returncode != 0:
                return process.returncode, said
        return 0, ""

    def end(self):
        """Ends what the steps left running, as the runner does after the job."""
        for group in self.groups:
            try:
                os.killpg(group, signal.SIGTERM)
            except ProcessLookupError:
                pass


class Steps(unittest.TestCase):
    def job(self, **environment):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        job = Job(pathlib.Path(folder.name), environment)
        self.addCleanup(job.end)
        return job

    def test_the_next_step_finds_a_healthy_server_by_its_environment(self):
        job = self.job()
        self.assertEqual(job.run(package=str(ROOT / "clients/js"), port="0", arguments="--account 123456789012"), (0, ""))
        endpoint = pairs(job.files["GITHUB_OUTPUT"])["endpoint"]
        exported = pairs(job.files["GITHUB_ENV"])
        for name in ("AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_DYNAMODB_STREAMS", "DINETTE_ENDPOINT"):
            self.assertEqual(exported[name], endpoint)
        self.assertIn("is healthy", output_of("dinette", "healthcheck", endpoint, env=job.seen()))
        listed = subprocess.run(["node", "-e", LIST], cwd=ROOT / "tests/protocol", env=job.seen(), capture_output=True, text=True)
        self.assertEqual((listed.stdout, listed.stderr), ("[[],[]]\n", ""))

    def test_keys_and_region_of_the_job_stay(self):
        mine = {"AWS_ACCESS_KEY_ID": "mine", "AWS_SECRET_ACCESS_KEY": "too", "AWS_REGION": "eu-west-1"}
        job = self.job(**mine)
        self.assertEqual(job.run(package=str(ROOT / "clients/js"), port="0"), (0, ""))
        self.assertEqual({name: job.seen()[name] for name in mine}, mine)

    def test_a_server_that_does_not_start_fails_the_step_with_its_message(self):
        code, said = self.job().run(package=str(ROOT / "clients/js"), port="0", arguments="--nonsense")
        self.assertEqual(code, 1)
        self.assertIn("--nonsense", said)
        self.assertIn("::error::Dinette did not start", said)

    def test_without_a_package_the_version_is_installed(self):
        code, said = self.job().run(version="0.0.0")
        self.assertNotEqual(code, 0)
        self.assertIn("dinette", said)
        self.assertRegex(said, "ENOTCACHED|only-if-cached|offline")


class File(unittest.TestCase):
    def test_it_is_a_composite_action_whose_steps_name_their_shell(self):
        self.assertEqual(ACTION["runs"]["using"], "composite")
        for step in ACTION["runs"]["steps"]:
            self.assertEqual(step["shell"], "bash")
            self.assertNotIn("${{", step["run"], "an input in a script could be any code")

    def test_every_input_is_used_and_described(self):
        used = set(INPUT.findall(FILE.read_text(encoding="utf-8")))
        self.assertEqual(used, set(ACTION["inputs"]))
        for described in ACTION["inputs"].values():
            self.assertIn("description", described)


if __name__ == "__main__":
    unittest.main()
