"""A table exported to objects, imported and put from them, indexed, backed up, restored and dropped: what that takes, and what
readers notice of it."""

import contextlib
import http.client
import json
import math
import multiprocessing
import random
import re
import statistics
import time
import urllib.request

from bench.filling import FILLED, ITEM_BYTES, Client, filled, key_of
from bench.report import figure, megabytes, table
from bench.servers import ENGINES, Server
from bench.workloads import create

BUCKET = "copies"
POLL_SECONDS = 0.05
QUIET_SECONDS = 5


def read(port, items, ended, times):
    """Reads random items, one after the other; sends the times in microseconds."""
    client = Client(port)
    taken = []
    while not ended.is_set():
        key = {"pk": {"S": key_of(random.randrange(items))}}
        body = json.dumps({"TableName": FILLED.name, "Key": key}).encode()
        start = time.perf_counter()
        client.call("GetItem", body)
        taken.append((time.perf_counter() - start) * 1e6)
    times.send(taken)


@contextlib.contextmanager
def reader(server, items):
    """Reads meanwhile; the list gets the times at the end."""
    times, ended = [], multiprocessing.Event()
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=read, args=(server.port, items, ended, sender))
    process.start()
    try:
        yield times
    finally:
        ended.set()
        times.extend(receiver.recv())
        process.join()


def answer(server, operation, **members):
    return json.loads(Client(server.port).call(operation, json.dumps(members).encode()))


def completed(server, operation, description, kind, arn):
    """Waits until an export, import or bulk operation has ended. Returns its description and the most memory seen meanwhile."""
    most = 0
    while True:
        found = answer(server, operation, **{f"{kind}Arn": arn})[description]
        most = max(most, server.resident_bytes())
        if found[f"{kind}Status"] != "IN_PROGRESS":
            break
        time.sleep(POLL_SECONDS)
    if found[f"{kind}Status"] != "COMPLETED":
        raise RuntimeError(f"not completed: {found}")
    return found, most


def export(server, table_arn):
    begun = answer(server, "ExportTableToPointInTime", TableArn=table_arn, S3Bucket=BUCKET)["ExportDescription"]
    return completed(server, "DescribeExport", "ExportDescription", "Export", begun["ExportArn"])


def bring_in(server, prefix, name):
    begun = answer(server, "ImportTable", ClientToken=name, InputFormat="DYNAMODB_JSON", InputCompressionType="GZIP",
                   S3BucketSource={"S3Bucket": BUCKET, "S3KeyPrefix": prefix},
                   TableCreationParameters={
                       "TableName": name, "BillingMode": "PAY_PER_REQUEST",
                       "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                       "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]})
    arn = begun["ImportTableDescription"]["ImportArn"]
    return completed(server, "DescribeImport", "ImportTableDescription", "Import", arn)


def bulk_put(server, prefix, name):
    begun = answer(server, "StartBulkPutItems", TableName=name,
                   InputS3Configuration={"S3Bucket": BUCKET, "S3KeyPrefix": prefix, "InputFormat": "DYNAMODB_JSON",
                                         "InputCompressionType": "GZIP"},
                   OutputS3Configuration={"S3Bucket": BUCKET, "S3KeyPrefix": f"reports/{name}", "OutputType": ["ERROR"]})
    arn = begun["BulkOperationDescription"]["BulkOperationArn"]
    return completed(server, "DescribeBulkOperation", "BulkOperationDescription", "BulkOperation", arn)


def settled(server, name, is_so):
    """Waits until the description of a table is so. Returns it and the most memory seen meanwhile."""
    most = 0
    while True:
        described = answer(server, "DescribeTable", TableName=name)["Table"]
        most = max(most, server.resident_bytes())
        if is_so(described):
            return described, most
        time.sleep(POLL_SECONDS)


def index(server, name):
    answer(server, "UpdateTable", TableName=FILLED.name,
           AttributeDefinitions=[{"AttributeName": "payload", "AttributeType": "S"}, {"AttributeName": "pk", "AttributeType": "S"}],
           GlobalSecondaryIndexUpdates=[{"Create": {
               "IndexName": name, "Projection": {"ProjectionType": "KEYS_ONLY"},
               "KeySchema": [{"AttributeName": "payload", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}]}}])

    def is_built(table):
        return all(one["IndexStatus"] == "ACTIVE" for one in table["GlobalSecondaryIndexes"])

    return settled(server, FILLED.name, is_built)


def back_up(server, name):
    """Makes a backup, and a table of it."""
    backup = answer(server, "CreateBackup", TableName=FILLED.name, BackupName=name)["BackupDetails"]
    answer(server, "RestoreTableFromBackup", TargetTableName=name, BackupArn=backup["BackupArn"])
    return settled(server, name, lambda table: table["TableStatus"] == "ACTIVE")


def values(server):
    """Returns how many values the engine has."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics") as reply:
        return float(re.search(r"^dinette_engine_values ([\d.e+]+)$", reply.read().decode(), re.M)[1])


def drop(server, name):
    """Deletes a table, whose rows are erased after the answer, and waits until they are."""
    most = server.resident_bytes()
    answer(server, "DeleteTable", TableName=name)
    left = math.inf
    while left != (left := values(server)):
        time.sleep(POLL_SECONDS)
    return name, most


def measured(server, items, run):
    """Runs it twice: alone, for its CPU time and memory, and with a reader, for what that one notices."""
    before, start = server.cpu_seconds(), time.monotonic()
    resident = server.resident_bytes()
    described, most = run(0)
    found = {"seconds": time.monotonic() - start, "cpu_seconds": server.cpu_seconds() - before,
             "memory": most - resident}
    with reader(server, items) as times:
        run(1)
    return {**found, **percentiles(times)}, described


def percentiles(times):
    return {"p50_us": statistics.median(times), "p99_us": statistics.quantiles(times, n=100)[98]}


def undisturbed(server, items):
    with reader(server, items) as times:
        time.sleep(QUIET_SECONDS)
    return percentiles(times)


def rows_of(name, found, items):
    cpu = found["cpu_seconds"]
    return [
        [f"{name} of {items:,} items of 1 KB", f"{found['seconds']:.1f} s"],
        ["... items per second of the server's CPU time", f"{items / cpu:,.0f}"],
        ["... MB of items per second of CPU time", f"{items * ITEM_BYTES / cpu / 1e6:,.0f}"],
        ["... additional memory meanwhile", megabytes(found["memory"])],
        ["... GetItem meanwhile, p50 and p99", f"{figure(found['p50_us'])} us, {figure(found['p99_us'])} us"],
    ]


def copies(options):
    """A table (--items) of items of 1 KB exported, imported, indexed, backed up, restored and dropped, with a reader."""
    items = options.items
    options.progress(f"copies of {items:,} items")
    with Server(ENGINES["dinette"], anywhere=True) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        connection.request("PUT", f"/{BUCKET}")
        if connection.getresponse().status != 200:
            raise RuntimeError("the bucket could not be made")
        create(server, FILLED)
        filled(server, items)
        answer(server, "UpdateContinuousBackups", TableName=FILLED.name,
               PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        alone = undisturbed(server, items)
        arn = answer(server, "DescribeTable", TableName=FILLED.name)["Table"]["TableArn"]
        exported, described = measured(server, items, lambda _: export(server, arn))
        prefix = described["ExportManifest"].removesuffix("manifest-summary.json") + "data/"
        imported, _ = measured(server, items, lambda run: bring_in(server, prefix, f"Imported{run}"))
        put, _ = measured(server, items, lambda _: bulk_put(server, prefix, "Imported0"))
        indexed, _ = measured(server, items, lambda run: index(server, f"ByPayload{run}"))
        restored, _ = measured(server, items, lambda run: back_up(server, f"Restored{run}"))
        dropped, _ = measured(server, items, lambda run: drop(server, f"Imported{run}"))
    kinds = {"export": exported, "import": imported, "bulk write": put, "index": indexed, "backup and restore": restored,
             "drop": dropped}
    rows = [["GetItem without any of it, p50 and p99", f"{figure(alone['p50_us'])} us, {figure(alone['p99_us'])} us"]]
    rows += [row for name, found in kinds.items() for row in rows_of(name, found, items)]
    return {"items": items, "undisturbed": alone, **kinds}, table(["", ""], rows)
