"""A folder for one client below build/clients, and the commands that run there."""

import os
import re
import shutil
import subprocess

from building import ROOT

FOLDER = ROOT / "build/clients"
# Only reached if a client hangs.
PATIENCE_SECONDS = 1800


class Missing(Exception):
    """The machine lacks something that a client needs, which therefore is skipped."""


class Broken(Exception):
    """A client's run ended without a report."""


def require(needs):
    """Raises Missing if a command is missing, or if its major version is too low. `needs`: the least version, or 0, by
    command."""
    for tool, least in needs.items():
        if shutil.which(tool) is None:
            raise Missing(f"the command {tool} is missing")
        if least:
            printed = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
            found = int(re.search(r"\d+", printed)[0])
            if found < least:
                raise Missing(f"{tool} {least} is needed, and this is {found}")


def _environment(server):
    """Returns the caller's environment without settings of AWS, except those that lead to the server and nowhere else."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    leading = {
        "AWS_ENDPOINT_URL": server.endpoint, "AWS_REGION": "us-east-1", "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any", "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": os.devnull, "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_SDK_JS_SUPPRESS_MAINTENANCE_MODE_MESSAGE": "1", "NO_PROXY": "*"}
    return {**kept, **leading}


class Workshop:
    """`source` is copied into the folder, which is emptied first."""

    def __init__(self, name, server, source):
        self.path, self.source = FOLDER / name, source
        self.server = server
        self.log = FOLDER / f"{name}.log"
        shutil.rmtree(self.path, ignore_errors=True)
        shutil.copytree(source, self.path, ignore=shutil.ignore_patterns(".git", "node_modules", "target"))
        self.log.unlink(missing_ok=True)

    def _call(self, command, under, **environment):
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"$ {' '.join(map(str, command))}\n")
            log.flush()
            variables = {**_environment(self.server), **{key: str(value) for key, value in environment.items()}}
            try:
                ended = subprocess.run([str(part) for part in command], cwd=self.path / under, env=variables,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True,
                                       errors="replace", timeout=PATIENCE_SECONDS)
            except subprocess.TimeoutExpired:
                raise Broken(f"{command[0]} did not end within {PATIENCE_SECONDS} s; see {self.log}") from None
            log.write(ended.stdout)
            return ended

    def commit(self):
        """Returns the commit of the source tree, if it is one of git's."""
        ended = subprocess.run(["git", "-C", self.source, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
        return ended.stdout.strip() or "unknown"

    def fetch(self, *command, under="."):
        """Runs a command that gets packages from a registry. Raises Missing if it fails."""
        ended = self._call(command, under)
        if ended.returncode != 0:
            raise Missing(f"packages could not be installed: {' '.join(map(str, command))} ended with "
                          f"{ended.returncode}; see {self.log}")
        return ended.stdout

    def run(self, *command, under=".", **environment):
        """Runs a command that must succeed, and returns its output."""
        ended = self._call(command, under, **environment)
        if ended.returncode != 0:
            raise Broken(f"{' '.join(map(str, command))} ended with {ended.returncode}; see {self.log}")
        return ended.stdout

    def test(self, *command, under=".", **environment):
        """Runs a command that ends with an error if a case fails, and returns its output."""
        return self._call(command, under, **environment).stdout

    def read(self, name):
        """Returns a report that a command wrote."""
        file = self.path / name
        if not file.exists():
            raise Broken(f"the run wrote no report; see {self.log}")
        return file.read_text(encoding="utf-8")
