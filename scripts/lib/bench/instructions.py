"""Instructions per request of our code and its libraries, counted by callgrind over a socket, without the kernel's. The
count depends neither on the machine nor on its load."""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from bench.compare import check
from bench.report import table
from bench.servers import ENGINES, Server, fail
from bench.workloads import WORKLOADS, Scale, prepare

# Small, since everything takes fifty times as long.
SCALE = Scale(items=1_500, partitions=10, requests=300)
WARM_UP = 100
IN_INSTRUCTIONS = ("GetItem", "PutItem", "UpdateItem", "Query", "BatchWriteItem", "Scan")
TOTAL = re.compile(r"^(?:totals|summary): (\d+)", re.M)


def require():
    if shutil.which("callgrind_control") is None:
        fail("valgrind is missing, which counts instructions; scripts/setup installs it")


def _control(server, *what):
    subprocess.run(["callgrind_control", *what, str(server.process.pid)], check=True, capture_output=True)


def _count(folder, server, requests):
    """Returns the instructions per request."""
    _control(server, "--zero")
    for request in requests:
        server.call(*request)
    known = set(folder.iterdir())
    _control(server, "--dump")
    dumped, = set(folder.iterdir()) - known
    return round(int(TOTAL.search(dumped.read_text())[1]) / len(requests))


def counted(name, workload, reply_bytes=0, scale=SCALE):
    """Returns the instructions per request of an engine, and the size of its responses."""
    with tempfile.TemporaryDirectory(prefix="dinette-bench-") as folder:
        wrapper = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", "--quiet"]
        with Server(ENGINES[name], reply_bytes=reply_bytes, wrapper=wrapper) as server:
            requests = workload.requests(scale)
            if server.engine.has_tables:
                prepare(server, workload.table, scale)
                reply_bytes = check(server, workload, requests)
            for request in requests[:WARM_UP]:
                server.call(*request)
            return _count(Path(folder), server, requests), reply_bytes


def instructions(options):
    """Instructions per request in user space, and those of our HTTP layer alone; the same on every machine."""
    found = []
    for name in options.workloads or IN_INSTRUCTIONS:
        options.progress(f"instructions of {name}")
        whole, reply_bytes = counted("dinette", WORKLOADS[name])
        http, _ = counted("fixed", WORKLOADS[name], reply_bytes)
        found.append({"workload": name, "instructions": whole, "http": http, "beyond_http": whole - http})
    rows = [[f["workload"], *(f"{f[part]:,}" for part in ("instructions", "http", "beyond_http"))] for f in found]
    return found, table(["", "instructions", "of HTTP", "beyond HTTP"], rows)
