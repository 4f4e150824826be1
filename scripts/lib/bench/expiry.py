"""What it costs to delete items whose time to live is over, and what other requests notice of it."""

import http.client
import json
import threading
import time

from bench.load import Requests, run
from bench.report import figure, table
from bench.servers import ENGINES, Server
from bench.workloads import WORKLOADS, batches, create, key, prepare, puts, Table

ITEMS = 1_000_000
EXPIRING = Table("Expiring", {"pk": "S"}, None)
HOUR = 3600


def expiring_items(count):
    ends = {"N": str(int(time.time()) + HOUR // 2)}
    return ({**key(number), "ends": ends} for number in range(count))


def fill(server, count):
    create(server, EXPIRING)
    server.call("UpdateTimeToLive", {
        "TableName": EXPIRING.name, "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ends"}})
    for batch in batches(expiring_items(count)):
        server.call(*puts(EXPIRING, batch))


def advance(server):
    """Moves the clock by an hour; what expires on the way is gone when this returns."""
    connection = http.client.HTTPConnection(server.address.removeprefix("http://").rstrip("/"), timeout=600)
    connection.request("PUT", "/_dinette/clock", json.dumps({"advance": HOUR}))
    response = connection.getresponse()
    assert response.status == 200, response.read()


def swept(server, file, seconds):
    """Returns the load's rounds while items are deleted, and the server's CPU time meanwhile."""
    sweep = threading.Thread(target=advance, args=[server])
    before = server.cpu_seconds()
    sweep.start()
    rounds = []
    while not rounds or sweep.is_alive():
        rounds.append(run(server, file, seconds))
    sweep.join()
    return rounds, server.cpu_seconds() - before


def expiry(options):
    """A million items expire at once, while others are read."""
    options.progress("expiry")
    workload = WORKLOADS["GetItem"]
    with Server(ENGINES["dinette"]) as server, Requests(workload.requests(options.plan.scale)) as file:
        prepare(server, workload.table, options.plan.scale)
        fill(server, ITEMS)
        quiet = run(server, file, options.plan.seconds)
        rounds, cpu = swept(server, file, 1)
    reads = sum(one.requests for one in rounds) * quiet.cpu_us / 1e6
    found = {"items": ITEMS, "items_per_cpu_second": round(ITEMS / (cpu - reads)),
             "quiet_p99_us": round(quiet.p99_us), "p99_us": round(max(one.p99_us for one in rounds))}
    return found, table(["", ""], [
        ["expired items deleted per second of CPU time", f"{found['items_per_cpu_second']:,}"],
        ["p99 of GetItem, 16 connections, before", figure(found["quiet_p99_us"]) + " us"],
        ["... while a million items are deleted", figure(found["p99_us"]) + " us"],
    ])
