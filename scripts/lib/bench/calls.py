"""CPU time and system calls of our HTTP layer and of a bare epoll loop. perf counts the calls in the kernel; strace
would stop the server at each and so change their number."""

import re
import shutil
import subprocess
import tempfile
from dataclasses import replace

from bench.compare import compare, median, ratio
from bench.load import Requests, run
from bench.report import figure, table, times
from bench.servers import ENGINES, Server, fail
from bench.settings import PLAIN
from bench.workloads import WORKLOADS

WORKLOAD = WORKLOADS["GetItem"]
ALL = "raw_syscalls:sys_enter"
NAMED = ("epoll_wait", "epoll_ctl", "futex", "read", "readv", "recvfrom", "recvmsg", "sendmsg", "sendto", "write",
         "writev")
EVENTS = ",".join([ALL, *(f"syscalls:sys_enter_{name}" for name in NAMED)])
COUNT = re.compile(r"^(\d+),,\w+:sys_enter_?(\w*),", re.M)


def require():
    if shutil.which("perf") is None:
        fail("perf is missing, which counts system calls; as root: apt-get install linux-perf")
    if subprocess.run(["perf", "stat", "-e", ALL, "true"], capture_output=True).returncode != 0:
        fail("perf may not count system calls; be root, or name the parts that you want, without `calls`")


def counted(engine, setting, plan):
    """Returns calls per request by name; the total has an empty name."""
    with Server(ENGINES[engine], setting) as server, Requests(WORKLOAD.requests(plan.scale)) as file, \
            tempfile.NamedTemporaryFile("r") as counts:
        perf = ["perf", "stat", "-x,", "-e", EVENTS, "-p", str(server.process.pid), "-o", counts.name, "--"]
        requests = run(server, file, plan.seconds, perf).requests
        calls = {name: int(count) / requests for count, name in COUNT.findall(counts.read())}
    return {name: round(count, 2) for name, count in calls.items() if count >= 0.01}


def calls(options):
    """CPU time and system calls per request of our HTTP layer, next to a bare epoll loop."""
    options.progress("fixed answer and bare loop")
    rounds, _ = compare(WORKLOAD, PLAIN, ["dinette", "fixed", "bare"], options.plan)
    found = {name: {**median(rounds[name]), "calls": {}} for name in ("fixed", "bare")}
    for connections in (1, 16):
        for name in ("fixed", "bare"):
            options.progress(f"system calls of {name}, connections: {connections}")
            setting = replace(PLAIN, connections=connections)
            found[name]["calls"][connections] = counted(name, setting, options.plan)
    found["ratio"] = ratio(rounds, "fixed", "bare")

    def words(name, connections):
        made = dict(found[name]["calls"][connections])
        total = made.pop("")
        return f"{total:.2f}: " + ", ".join(f"{call} {count:.2f}" for call, count in sorted(made.items()))

    rows = [[title, figure(found[name]["cpu_us"]), words(name, 1), words(name, 16)]
            for name, title in (("fixed", "our HTTP layer"), ("bare", "bare epoll loop"))]
    text = table(["", "us", "calls, 1 connection", "calls, 16 connections"], rows)
    return found, text + f"\nOur HTTP layer takes {times(found['ratio'])} the CPU time of the bare loop.\n"
