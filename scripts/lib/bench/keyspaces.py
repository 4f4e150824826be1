"""What point reads and writes of Amazon Keyspaces cost next to those of DynamoDB."""

import re
import statistics
import subprocess

from bench.report import figure, table
from bench.servers import program

ROWS = 100_000
LINE = re.compile(r"(?P<name>\w[\w ]*?) +(?P<dynamodb>[\d.]+) us +(?P<keyspaces>[\d.]+) us +[\d.]+")
REQUESTS = {"replace a row": "PutItem, INSERT", "read a row": "GetItem, SELECT"}


def keyspaces(options):
    """Reads and writes of a row by prepared statements next to GetItem and PutItem: CPU time."""
    runs = {name: [] for name in REQUESTS}
    for number in range(options.plan.rounds):
        options.progress(f"keyspaces, round {number + 1}")
        printed = subprocess.run([program("bin/cql_bench"), str(ROWS)], check=True, capture_output=True, text=True).stdout
        for found in LINE.finditer(printed):
            runs[found["name"]].append((float(found["dynamodb"]), float(found["keyspaces"])))
    rows = []
    for name, requests in REQUESTS.items():
        dynamodb, own = (statistics.median(times) for times in zip(*runs[name]))
        ratio = statistics.median(second / first for first, second in runs[name])
        rows.append([requests, figure(dynamodb) + " us", figure(own) + " us", figure(ratio), "1.2"])
    return runs, table(["", "DynamoDB", "Keyspaces", "ratio", "goal"], rows)
