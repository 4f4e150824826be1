"""The durable engine next to the one in memory: CPU time per request."""

import atexit
import itertools
import os
import shutil
import tempfile

from bench.compare import compare, median, ratio
from bench.report import figure, table, times
from bench.servers import ENGINES, Engine, dinette, earlier
from bench.settings import Setting
from bench.workloads import WORKLOADS

IN_DURABLE = ("GetItem", "PutItem of a change", "UpdateItem", "Query", "BatchWriteItem", "TransactWriteItems of 4")
SETTINGS = (Setting("1 connection", connections=1), Setting("16 connections"), Setting("64 connections", connections=64))
# At most so many times the CPU time of the memory engine, without sync.
GOALS = {"GetItem": 1.5, "PutItem of a change": 2, "UpdateItem": 2, "Query": 2, "BatchWriteItem": 2,
         "TransactWriteItems of 4": 2}
HEAD = ["", "memory, us", "kept, us", "ratio to memory", "goal", "read from disk", "sync, us", "sync, p50 us", "p50 us"]


def bench_folder():
    """Returns a folder that is removed at the end, in DINETTE_BENCH_FOLDER if that is set."""
    folder = tempfile.mkdtemp(prefix="dinette-bench-", dir=os.environ.get("DINETTE_BENCH_FOLDER"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def kept(name, *options):
    """Dinette with a data folder of its own."""
    return Engine(name, lambda setting, size: [*dinette(setting, size), "--data", bench_folder(), *options], has_tables=True)


def _kept_before(program):
    """The same by an earlier build of Dinette."""
    command = earlier(program).command
    return Engine("before", lambda *of: [*command(*of), "--data", bench_folder()], has_tables=True)


def _engines(before):
    engines = [ENGINES["dinette"], kept("kept")]
    if before:
        engines.append(_kept_before(before))  # next to what it is compared with: a sync disturbs what follows
    engines += [kept("disk", "--memory", "16M"), kept("sync", "--durability", "sync")]
    return engines


def _row(found):
    engines = found["engines"]
    row = [f"{found['workload']}, {found['setting']}", figure(engines["dinette"]["cpu_us"]),
           figure(engines["kept"]["cpu_us"]), times(found["ratios"]["kept"]),
           f"{GOALS[found['workload']]} x" if found["workload"] in GOALS else "", times(found["ratios"]["disk"]),
           figure(engines["sync"]["cpu_us"]), figure(engines["sync"]["p50_us"]), figure(engines["kept"]["p50_us"])]
    if "before" in engines:
        row.append(times(found["kept_to_before"]))
    return row


def durable(options):
    """Data in a folder next to data in memory, with and without sync, on 1, 16 and 64 connections."""
    chosen = {engine.name: engine for engine in _engines(options.before)}
    ENGINES.update(chosen)
    found = []
    for workload, setting in itertools.product(options.workloads or IN_DURABLE, SETTINGS):
        options.progress(f"{workload}, {setting.name}")
        rounds, _ = compare(WORKLOADS[workload], setting, list(chosen), options.plan)
        found.append({"workload": workload, "setting": setting.name,
                      "engines": {name: median(of) for name, of in rounds.items()},
                      "ratios": {name: ratio(rounds, name, "dinette") for name in chosen},
                      "kept_to_before": ratio(rounds, "kept", "before") if options.before else None})
    head = HEAD + (["kept, now to before"] if options.before else [])
    return found, table(head, [_row(one) for one in found])
