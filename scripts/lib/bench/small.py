"""How small the program is: its file, its start, its memory."""

import os
import statistics
import subprocess
import tempfile
import time

from bench.report import figure, megabytes, table
from bench.servers import ENGINES, Server, program
from bench.signing import body_of
from bench.workloads import ITEMS, PARTITIONS, Scale, batches, create, fill

STARTS = 50
# 100 MB of items of 1 KB, 20 MB of items of 200 bytes.
SCALE = Scale(items=100_000, partitions=1_000)


def stripped_bytes(name="dinette"):
    with tempfile.NamedTemporaryFile() as stripped:
        subprocess.run(["strip", "-o", stripped.name, program(name)], check=True)
        return os.path.getsize(stripped.name)


def cold_start_ms():
    """Returns the time from the start of the process to the end of its first response; the median of many."""
    def once():
        start = time.perf_counter()
        with Server(ENGINES["dinette"], anywhere=True) as server:
            server.health()
            return (time.perf_counter() - start) * 1e3

    return statistics.median(once() for _ in range(STARTS))


def delete_all(server, table_, scale):
    keys = ({name: item[name] for name in table_.keys} for item in table_.items(scale))
    for batch in batches(keys):
        server.call("BatchWriteItem", {"RequestItems": {table_.name: [{"DeleteRequest": {"Key": k}} for k in batch]}})


def memory(table_):
    """Returns a server's resident bytes before, with and after a table, and the overhead per item beyond its JSON."""
    sizes = [len(body_of(item)) for item in table_.items(SCALE)]
    with Server(ENGINES["dinette"]) as server:
        create(server, table_)
        empty = server.resident_bytes()
        fill(server, table_, SCALE)
        full = server.settled_resident_bytes()
        delete_all(server, table_, SCALE)
        deleted = server.settled_resident_bytes()
        fill(server, table_, SCALE)
        server.call("DeleteTable", {"TableName": table_.name})
        dropped = server.settled_resident_bytes()
    return {
        "json_bytes_per_item": round(statistics.mean(sizes)),
        "overhead_bytes_per_item": round((full - empty - sum(sizes)) / len(sizes)),
        "empty_rss": empty,
        "full_rss": full,
        "rss_after_deletes": deleted,
        "rss_after_drop": dropped,
    }


def idle_rss():
    with Server(ENGINES["dinette"], anywhere=True) as server:
        server.health()
        return server.resident_bytes()


def small(options):
    """Size of the program, cold start, resident memory."""
    options.progress("size and start")
    found = {"stripped_bytes": stripped_bytes(), "full_stripped_bytes": stripped_bytes("dinette-full"),
             "cold_start_ms": round(cold_start_ms(), 2), "idle_rss": idle_rss()}
    rows = [
        ["stripped program", megabytes(found["stripped_bytes"]), "8 MB"],
        ["... with data folders and commands", megabytes(found["full_stripped_bytes"]), ""],
        [f"cold start until the first response, median of {STARTS}", figure(found["cold_start_ms"]) + " ms", "10 ms"],
        ["resident when idle", megabytes(found["idle_rss"]), "8 MB"],
    ]
    for table_ in (ITEMS, PARTITIONS):
        options.progress(f"memory of the table {table_.name}")
        m = found[table_.name] = memory(table_)
        count = sum(1 for _ in table_.items(SCALE))
        rows += [
            [f"{count:,} items of {m['json_bytes_per_item']:,} bytes of JSON: overhead per item",
             f"{m['overhead_bytes_per_item']} bytes", "250 bytes"],
            ["... resident before and with them", f"{megabytes(m['empty_rss'])}, {megabytes(m['full_rss'])}", ""],
            ["... after all are deleted", megabytes(m["rss_after_deletes"]), "as before"],
            ["... after they are put again and their table is dropped", megabytes(m["rss_after_drop"]), "as before"],
        ]
    return found, table(["", "", "goal"], rows)
