"""Load by wrk: requests that are prepared before it starts, and the results."""

import json
import shutil
import subprocess
import tempfile
from dataclasses import dataclass

from building import ROOT

from bench.servers import fail
from bench.settings import pinned, processors_of_load
from bench.signing import http_request

SCRIPT = ROOT / "tests/bench/workload.lua"


@dataclass(frozen=True)
class Round:
    """The results of one round of load."""

    requests: int
    seconds: float
    p50_us: float
    p99_us: float
    cpu_us: float  # of the server, per request

    @property
    def rate(self):
        return self.requests / self.seconds


class Requests:
    """A file of requests for wrk, signed when it is created."""

    def __init__(self, requests):
        self.file = tempfile.NamedTemporaryFile(prefix="dinette-bench-")
        for operation, members in requests:
            request = http_request(operation, members)
            self.file.write(b"%d\n%b" % (len(request), request))
        self.file.flush()

    def __enter__(self):
        return self.file.name

    def __exit__(self, *_):
        self.file.close()


def require():
    for program in ("wrk", "chrt", "taskset"):
        if shutil.which(program) is None:
            fail(f"{program} is missing; scripts/setup installs wrk, the others are part of util-linux")


def command(server, file, seconds):
    threads = min(len(processors_of_load(server.setting)), server.setting.connections)
    # SCHED_BATCH: if both share a processor, neither is preempted as soon as the other has work. Slow servers may take
    # seconds for an answer that is waited for at 16 connections, which is no failure.
    return ["chrt", "--batch", "0", "wrk", "-t", str(threads), "-c", str(server.setting.connections),
            "-d", str(seconds), "--timeout", "60", "-s", str(SCRIPT), server.address, "--", file]


def run(server, file, seconds, watcher=()):
    """Sends the requests of `file` for some seconds; to a server that answers none meanwhile, ten times as long.
    `watcher` is a command that runs and observes another."""
    found = _run(server, file, seconds, watcher) or _run(server, file, 10 * seconds, watcher)
    return found or fail(f"{server.engine.name} answers nothing within {10 * seconds} s")


def _run(server, file, seconds, watcher):
    before = server.cpu_seconds()
    ended = subprocess.run(
        pinned(processors_of_load(server.setting), [*watcher, *command(server, file, seconds)]),
        capture_output=True, text=True)
    spent = server.cpu_seconds() - before
    lines = ended.stdout.splitlines()
    summary = json.loads(lines[-1]) if ended.returncode == 0 and lines else {"failed": "all", "requests": 0}
    if summary["failed"]:
        fail(f"{server.engine.name} failed under load\n{ended.stdout}{ended.stderr}")
    if not summary["requests"]:
        return None
    return Round(summary["requests"], summary["microseconds"] / 1e6, summary["p50"], summary["p99"],
                 spent / summary["requests"] * 1e6)
