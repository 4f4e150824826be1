"""Checks that memory does not grow under constant load."""

import random
import statistics
import threading
import time

from bench.load import Requests, run
from bench.report import megabytes, table
from bench.servers import ENGINES, Server
from bench.workloads import ITEMS, PARTITIONS, get_item, key, prepare, query, scans, text, update_item

SAMPLES = 120
SHOWN = 12
LARGEST_NOTE = 8 * 1024


def churn(scale):
    """Reads and writes of every kind; items are created, deleted, grow and shrink."""
    draw = random.Random(4)

    def put(number):
        note = {"S": text(number, draw.randrange(LARGEST_NOTE))}
        return "PutItem", {"TableName": ITEMS.name, "Item": {**key(number), "active": {"BOOL": True},
                                                             "visits": {"N": "1"}, "note": note}}

    def delete(number):
        return "DeleteItem", {"TableName": ITEMS.name, "Key": key(number)}

    def upsert(number):
        operation, members = update_item(number)
        members["UpdateExpression"] = "SET visits = if_not_exists(visits, :one), active = :yes, #n = :name"
        members.pop("ConditionExpression")
        return operation, members

    pages = scans(scale)
    kinds = {
        put: 40, delete: 15, get_item: 25, upsert: 15,
        lambda number: query(number % scale.partitions): 4,
        lambda number: pages[number % len(pages)]: 1,
    }
    chosen = draw.choices(list(kinds), list(kinds.values()), k=scale.requests)
    return [kind(draw.randrange(scale.items)) for kind in chosen]


def sample(server, seconds, into):
    """Returns resident bytes at regular intervals, with the seconds since the start."""
    start = time.monotonic()
    for number in range(SAMPLES):
        time.sleep(max(0, start + number * seconds / SAMPLES - time.monotonic()))
        into.append((time.monotonic() - start, server.resident_bytes()))


def soak(options):
    """Resident memory under constant load of reads, writes and deletes."""
    found = []
    with Server(ENGINES["dinette"]) as server, Requests(churn(options.plan.scale)) as file:
        for table_ in (ITEMS, PARTITIONS):
            prepare(server, table_, options.plan.scale)
        options.progress(f"{options.duration} seconds of load")
        sampler = threading.Thread(target=sample, args=(server, options.duration, found))
        sampler.start()
        load = run(server, file, options.duration)
        sampler.join()
    # At first, tables grow to the sizes that the load gives them.
    settled = found[SAMPLES // 4:]
    slope = statistics.linear_regression(*zip(*settled)).slope * 3600
    rows = [[f"{seconds:.0f} s", megabytes(size)] for seconds, size in found[::SAMPLES // SHOWN]]
    data = {"seconds": load.seconds, "requests": load.requests, "cpu_us": round(load.cpu_us, 2),
            "rss": found, "growth_bytes_per_hour": round(slope)}
    trend = f"{load.requests:,} requests; the slope after the first quarter is {slope / 1e6:+.1f} MB per hour."
    return data, f"{table(['time', 'resident'], rows)}\n{trend}\n"
