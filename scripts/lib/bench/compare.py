"""Compares engines: the same requests to each, in turn (A B A B ...), so that disturbances affect all of them."""

import itertools
import statistics
from contextlib import ExitStack
from dataclasses import dataclass

from bench.load import Requests, run
from bench.servers import ENGINES, Server, fail
from bench.workloads import Scale, prepare

SAMPLES = 20


@dataclass(frozen=True)
class Plan:
    """The number and length of rounds, and the amount of data."""

    rounds: int = 5
    seconds: int = 2
    scale: Scale = Scale()


def median(rounds):
    """The medians of a server's rounds, and the first round, since some servers start slowly."""
    return {
        "cpu_us": round(statistics.median(r.cpu_us for r in rounds), 2),
        "first_cpu_us": round(rounds[0].cpu_us, 2),
        "requests_per_second": round(statistics.median(r.rate for r in rounds)),
        "p50_us": statistics.median(r.p50_us for r in rounds),
        "p99_us": statistics.median(r.p99_us for r in rounds),
    }


def ratio(rounds, of, to):
    """Returns the CPU time of `of` divided by that of `to`: the median over the rounds."""
    return round(statistics.median(a.cpu_us / b.cpu_us for a, b in zip(rounds[of], rounds[to])), 2)


def check(server, workload, requests):
    """Checks that the workload does what it says. Returns the mean size of the responses."""
    replies = [server.call(*request) for request in requests[:SAMPLES]]
    for text, reply in itertools.product(workload.expected, replies):
        if text not in reply.replace('": ', '":'):
            fail(f"{server.engine.name} answered {workload.name} without {text}: {reply[:500]}")
    return round(statistics.mean(len(reply.encode(errors="surrogateescape")) for reply in replies))


def compare(workload, setting, engines, plan):
    """Returns the rounds of each engine by name, and the size of the responses. Dinette comes first, since the
    fixed-answer servers send as many bytes as it does."""
    requests = workload.requests(plan.scale)
    reply_bytes = 0
    with ExitStack() as stack:
        servers = []
        for name in engines:
            server = stack.enter_context(Server(ENGINES[name], setting, reply_bytes))
            servers.append(server)
            if server.engine.has_tables:
                prepare(server, workload.table, plan.scale)
                size = check(server, workload, requests)
                reply_bytes = reply_bytes or size
        file = stack.enter_context(Requests(requests))
        rounds = {name: [] for name in engines}
        for _ in range(plan.rounds):
            for name, server in zip(engines, servers):
                rounds[name].append(run(server, file, plan.seconds))
    return rounds, reply_bytes


def result(workload, setting, engines, plan):
    """Returns one row of a table."""
    rounds, reply_bytes = compare(workload, setting, engines, plan)
    found = {
        "workload": workload.name,
        "setting": setting.name,
        "connections": setting.connections,
        "threads": setting.threads,
        "reply_bytes": reply_bytes,
        "engines": {name: median(of) for name, of in rounds.items()},
        "ratios": {name: ratio(rounds, "dinette", name) for name in engines if name != "dinette"},
    }
    if workload.scanned_bytes:
        found["scanned_mb_per_cpu_second"] = round(workload.scanned_bytes / found["engines"]["dinette"]["cpu_us"])
    return found
