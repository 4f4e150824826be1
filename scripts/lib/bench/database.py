"""Servers that keep their data in one PostgreSQL: requests per second, of one, two and four of them."""

import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
from contextlib import ExitStack

from building import ROOT

from bench import load
from bench.durable import kept
from bench.report import table, times
from bench.servers import Engine, Server, dinette, fail
from bench.settings import Setting
from bench.workloads import WORKLOADS, prepare

CONNECTIONS = 16
FLEETS = (1, 2, 4)
IN_DATABASE = ("GetItem", "Query", "PutItem of a change", "UpdateItem", "BatchWriteItem")
# The same by hand: a row is found by its key, or found and replaced if it is still the same.
BY_HAND_TABLE = """
create table by_hand (key bytea primary key, version int8 not null, value bytea not null);
insert into by_hand select int8send(i), 0, decode(repeat(md5(i::text), 32), 'hex') from generate_series(1, {items}) i;
"""
READ = """
\\set id random(1, {items})
select version, value from by_hand where key = int8send(:id);
"""
REPLACE = """
\\set id random(1, {items})
select version as v from by_hand where key = int8send(:id) \\gset
update by_hand set version = :v + 1, value = decode(repeat(md5(:id::text), 32), 'hex') where key = int8send(:id) and version = :v;
"""
BY_HAND = {"GetItem": READ, "PutItem of a change": REPLACE, "UpdateItem": REPLACE}
HEAD = ["", "--data, requests/s", "one server", *[f"{count} servers to one" for count in FLEETS[1:]], "--data to one", "by hand in SQL to one"]


def _cluster():
    sys.path.insert(0, str(ROOT / "tests/protocol"))
    from postgres_cluster import PostgresCluster
    return PostgresCluster()


def _fleet(stack, engine, count):
    setting = Setting(f"{count} servers", connections=CONNECTIONS // count, load_beside=False)
    return [stack.enter_context(Server(engine, setting, anywhere=True)) for _ in range(count)]


def _rate(servers, file, seconds):
    """Requests per second of all servers together, each with its share of the connections."""
    running = [subprocess.Popen(load.command(server, file, seconds), stdout=subprocess.PIPE, text=True) for server in servers]
    rate = 0
    for one, server in zip(running, servers):
        lines = one.communicate()[0].splitlines()
        summary = json.loads(lines[-1]) if one.returncode == 0 and lines else {"failed": "all"}
        if summary["failed"]:
            fail(f"{server.engine.name} failed under load: {lines}")
        rate += summary["requests"] / (summary["microseconds"] / 1e6)
    return rate


class ByHand:
    """pgbench with as many connections."""

    def __init__(self, cluster, items):
        cluster.sql("create database by_hand", "postgres")
        cluster.sql(BY_HAND_TABLE.format(items=items), "by_hand")
        self.url, self.items = cluster.url_of("by_hand"), items
        self.program = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/pgbench"))[-1]

    def rate(self, script, seconds):
        with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
            file.write(script.format(items=self.items))
            file.flush()
            done = subprocess.run([self.program, "-n", "-M", "prepared", "-c", str(CONNECTIONS), "-T", str(seconds), "-f", file.name, self.url],
                                  capture_output=True, text=True, check=True)
        return float(re.search(r"tps = ([0-9.]+)", done.stdout)[1])


def _measure(workload, cluster, by_hand, plan):
    requests = workload.requests(plan.scale)
    store = Engine("store", lambda setting, size: [*dinette(setting, size), "--store", cluster.url], has_tables=True)
    rates = {"data": [], "hand": [], **{count: [] for count in FLEETS}}
    with ExitStack() as stack:
        fleets = {count: _fleet(stack, store, count) for count in FLEETS}
        fleets["data"] = _fleet(stack, kept("kept"), 1)
        for servers in (fleets["data"], fleets[1]):
            prepare(servers[0], workload.table, plan.scale)
        file = stack.enter_context(load.Requests(requests))
        for _ in range(plan.rounds):
            for name, servers in fleets.items():
                rates[name].append(_rate(servers, file, plan.seconds))
            if workload.name in BY_HAND:
                rates["hand"].append(by_hand.rate(BY_HAND[workload.name], plan.seconds))
        fleets[1][0].call("DeleteTable", {"TableName": workload.table.name})
    return rates


def _ratio(rates, of):
    return round(statistics.median(a / b for a, b in zip(rates[of], rates[1])), 2) if rates[of] else None


def database(options):
    """Data in PostgreSQL (without fsync) next to --data; one, two and four servers; the same work by hand in SQL."""
    found, rows = [], []
    with _cluster() as cluster:
        by_hand = ByHand(cluster, options.plan.scale.items)
        for name in options.workloads or IN_DATABASE:
            options.progress(name)
            rates = _measure(WORKLOADS[name], cluster, by_hand, options.plan)
            one = {"workload": name, "rates": {str(of): statistics.median(all_) for of, all_ in rates.items() if all_},
                   "ratios": {str(of): _ratio(rates, of) for of in rates if rates[of]}}
            found.append(one)
            rows.append([name, f"{one['rates']['data']:,.0f}", f"{one['rates']['1']:,.0f}",
                         *[times(one["ratios"][str(count)]) for count in FLEETS[1:]], times(one["ratios"]["data"]),
                         times(one["ratios"]["hand"]) if "hand" in one["ratios"] else ""])
    return found, table(HEAD, rows)
