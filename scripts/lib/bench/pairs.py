"""Two ways to do the same: what one costs, by what the other does. CPU time and instructions per request."""

import statistics
from contextlib import ExitStack
from dataclasses import dataclass

from bench.compare import check
from bench.instructions import counted
from bench.load import Requests, run
from bench.report import figure, table, times
from bench.servers import ENGINES, Server
from bench.workloads import BATCH, TRANSACTION, WORKLOADS, prepare


@dataclass(frozen=True)
class Pair:
    of: str
    to: str
    count: int = 1  # of the second workload's requests, which do as much as one of the first's
    goal: float = None
    engine: str = "dinette"

    @property
    def name(self):
        return f"{self.of} : {f'{self.count} x ' if self.count > 1 else ''}{self.to}"


PAIRS = (
    Pair("TransactWriteItems of 4", "BatchWriteItem of 4", goal=1.3),
    Pair("TransactWriteItems of 100", "BatchWriteItem", TRANSACTION // BATCH),
    Pair("TransactGetItems of 4", "BatchGetItem of 4"),
    Pair("ExecuteStatement", "GetItem", goal=1.3),
    Pair("PutItem with a stream", "PutItem of a change", goal=1.35),
    Pair("PutItem with a Kinesis destination", "PutItem of a change", goal=1.35),
    Pair("PutItem with two replicas", "PutItem of a change", goal=1.35, engine="regions"),
    Pair("PutItem with a trigger", "PutItem with a stream", goal=1.2),
    Pair("PutItem with recovery", "PutItem of a change", goal=1.3),
    Pair("GetItem in CBOR", "GetItem"),
    Pair("PutItem in CBOR", "PutItem"),
    Pair("GetRow", "GetItem", goal=1.2),
    Pair("PutRow", "PutItem", goal=1.2),
    Pair("GetRange", "Query", goal=1.2),
)


def _cpu_us(pair, plan):
    """Returns the CPU time of each, and its ratio, as medians over rounds in turn on one server."""
    workloads = [WORKLOADS[pair.of], WORKLOADS[pair.to]]
    with ExitStack() as stack:
        server = stack.enter_context(Server(ENGINES[pair.engine]))
        files = []
        for workload in workloads:
            prepare(server, workload.table, plan.scale)
            requests = workload.requests(plan.scale)
            check(server, workload, requests)
            files.append(stack.enter_context(Requests(requests)))
        rounds = [[run(server, file, plan.seconds).cpu_us for file in files] for _ in range(plan.rounds)]
    of, to = (statistics.median(times_of) for times_of in zip(*rounds))
    return of, to, statistics.median(a / (b * pair.count) for a, b in rounds)


def measured(pair, plan):
    of, to = (counted(pair.engine, WORKLOADS[name])[0] for name in (pair.of, pair.to))
    of_us, to_us, ratio = _cpu_us(pair, plan)
    return {"of": pair.of, "to": pair.to, "count": pair.count, "goal": pair.goal,
            "instructions": {"of": of, "to": to, "ratio": round(of / (to * pair.count), 3)},
            "cpu_us": {"of": round(of_us, 2), "to": round(to_us, 2), "ratio": round(ratio, 3)}}


def _row(pair, found):
    instructions, cpu = found["instructions"], found["cpu_us"]
    return [pair.name, f"{instructions['of']:,}", f"{instructions['to']:,}", times(instructions["ratio"]),
            figure(cpu["of"]), figure(cpu["to"]), times(cpu["ratio"]), f"{pair.goal} x" if pair.goal else ""]


HEAD = ["", "instructions", "of the other", "ratio", "us", "of the other, us", "ratio", "goal"]


def pairs(options):
    """Transactions, statements, CBOR and rows of Tablestore next to the requests that do the same without them."""
    rows, figures = [], []
    for pair in PAIRS:
        if options.workloads and pair.of not in options.workloads:
            continue
        options.progress(pair.name)
        figures.append(measured(pair, options.plan))
        rows.append(_row(pair, figures[-1]))
    return figures, table(HEAD, rows)
