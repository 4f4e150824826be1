"""Scaling with threads: over sockets, where wrk also needs a processor, and in process, where nothing else does."""

import statistics
import subprocess

from bench.load import Requests
from bench.report import figure, table, times
from bench.servers import fail, program
from bench.settings import Setting
from bench.speed import results
from bench.workloads import WORKLOADS, prepare

ON_THREADS = ("GetItem", "PutItem", "UpdateItem", "Query", "Scan")
COUNTS = (1, 2)


class Recorder:
    """Records requests instead of a server."""

    def __init__(self):
        self.tables = set()
        self.requests = []

    def call(self, *request):
        self.requests.append(request)
        return "ACTIVE"


def over_sockets(workloads, options):
    settings = [Setting(f"threads {n}", threads=n, load_beside=False) for n in COUNTS]
    found = list(results(workloads, settings, ["dinette"], options))
    rows = []
    for one, two in zip(found[::2], found[1::2]):
        a, b = one["engines"]["dinette"], two["engines"]["dinette"]
        rows.append([one["workload"], figure(a["cpu_us"]), figure(b["cpu_us"]), f"{a['requests_per_second']:,}",
                     f"{b['requests_per_second']:,}", times(b["requests_per_second"] / a["requests_per_second"])])
    return found, table(["", "us, 1 thread", "us, 2 threads", "requests/s, 1", "requests/s, 2", "growth"], rows)


def growth_in_process(workload, plan):
    """Returns requests per second of one thread and of two, in turn."""
    recorder = Recorder()
    prepare(recorder, workload.table, plan.scale)
    with Requests(recorder.requests) as preparation, Requests(workload.requests(plan.scale)) as load:
        ended = subprocess.run(
            [program("bin/threads_bench"), preparation, load, str(plan.seconds), *map(str, COUNTS * plan.rounds)],
            capture_output=True, text=True)
    if ended.returncode != 0:
        fail(f"threads_bench failed\n{ended.stderr}")
    rates = [int(line) for line in ended.stdout.split()]
    one, two = rates[::2], rates[1::2]
    return {
        "workload": workload.name,
        "requests_per_second": {1: statistics.median(one), 2: statistics.median(two)},
        "growth": round(statistics.median(b / a for a, b in zip(one, two)), 2),
    }


def in_process(workloads, options):
    found = []
    for name in workloads:
        options.progress(f"{name}, threads in process")
        found.append(growth_in_process(WORKLOADS[name], options.plan))
    rows = [[f["workload"], *(f"{rate:,.0f}" for rate in f["requests_per_second"].values()), times(f["growth"])]
            for f in found]
    return found, table(["in process", "requests/s, 1 thread", "requests/s, 2 threads", "growth"], rows)


def threads(options):
    """One thread against two: over sockets, where wrk also needs a processor, and in process."""
    workloads = options.workloads or ON_THREADS
    sockets, sockets_table = over_sockets(workloads, options)
    within, within_table = in_process(workloads, options)
    return {"sockets": sockets, "in_process": within}, sockets_table + "\n" + within_table
