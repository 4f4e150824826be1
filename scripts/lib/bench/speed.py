"""CPU time per request: every workload, then some workloads under other settings."""

from bench.compare import result
from bench.report import figure, table, times
from bench.servers import ENGINES, earlier
from bench.settings import PLAIN, SETTINGS
from bench.workloads import WORKLOADS

# The rest is for `pairs`.
IN_SPEED = ("GetItem", "PutItem", "UpdateItem", "Query", "BatchWriteItem", "Scan", "Mix")
IN_SETTINGS = ("GetItem", "PutItem")


def results(workloads, settings, engines, options):
    for workload in workloads:
        for setting in settings:
            options.progress(f"{workload}, {setting.name}")
            yield result(WORKLOADS[workload], setting, engines, options.plan)


def _cells(found):
    mine = found["engines"]["dinette"]
    return [figure(mine["cpu_us"]), figure(found["engines"]["fixed"]["cpu_us"]), times(found["ratios"]["fixed"]),
            f"{mine['requests_per_second']:,}", figure(mine["p50_us"]), figure(mine["p99_us"])]


HEAD = ["", "dinette, us", "fixed answer, us", "ratio", "requests/s", "p50, us", "p99, us"]


BEFORE_HEAD = ["", "before, us", "now, us", "now to before"]


def _with_before(found):
    before, now = found["engines"]["before"], found["engines"]["dinette"]
    return [found["workload"], figure(before["cpu_us"]), figure(now["cpu_us"]), times(found["ratios"]["before"])]


def _engines(options):
    if options.before:
        ENGINES["before"] = earlier(options.before)
    return ["dinette", *(["before"] if options.before else []), "fixed"]


def speed(options):
    """The workloads on 16 connections, next to a fixed answer of the same size."""
    found = list(results(options.workloads or IN_SPEED, [PLAIN], _engines(options), options))
    text = table(HEAD, [[f["workload"], *_cells(f)] for f in found])
    for f in found:
        if "scanned_mb_per_cpu_second" in f:
            text += f"\n{f['workload']} reads {f['scanned_mb_per_cpu_second']:,} MB per second of CPU time.\n"
    text += "\n" + "".join(f"- {f['workload']}: {WORKLOADS[f['workload']].what}\n" for f in found)
    if options.before:
        text += "\n" + table(BEFORE_HEAD, [_with_before(f) for f in found])
    return found, text


def settings(options):
    """GetItem and PutItem on 1, 16 and 256 connections, with TLS, with signatures verified."""
    chosen = [SETTINGS[name] for name in options.settings] or SETTINGS.values()
    found = list(results(options.workloads or IN_SETTINGS, chosen, ["dinette", "fixed"], options))
    return found, table(HEAD, [[f"{f['workload']}, {f['setting']}", *_cells(f)] for f in found])
