"""Power that is lost while a world is forked, restored, reset or dropped, a table restored, or items put from objects.

The operation is repeated, and cut off at each of its requests to the disk, from the first to the last; the clean end of
it is the last case. After each cut the disk has only what it was asked to keep; or all names, but of the files only the
bytes that it was asked to keep; or everything, as if the server alone had been killed. A server must start with each of
them, complete what was answered, and find each world either as before or as after.
"""

import contextlib
import gzip
import http.client
import json
import os
import shutil
import signal
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "protocol"))

import boto3_clients  # noqa: E402
from recorded_disk import RecordedDisk  # noqa: E402
from server import Server  # noqa: E402

TABLE = {
    "TableName": "Items",
    "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
    "BillingMode": "PAY_PER_REQUEST",
}
# Whatever is put twice would be a failed condition the second time.
LINES = [{"Item": {"p": {"S": f"put {number}"}}, "ConditionExpression": "attribute_not_exists(p)"} for number in range(12)]
LINES[6:6] = [{"Item": {}}, LINES[2]]


class Client:
    """Of one server."""

    def __init__(self, server):
        self.http = http.client.HTTPConnection("127.0.0.1", server.port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http.close()

    def send(self, method, path, body, headers):
        self.http.request(method, path, json.dumps(body), headers)
        answer = self.http.getresponse()
        answer = answer.status, json.loads(answer.read())
        if answer[0] >= 300:
            raise AssertionError(f"{method} {path} failed with {answer}")
        return answer[1]

    def call(self, operation, world=None, **body):
        headers = {"X-Amz-Target": "DynamoDB_20120810." + operation, **({"X-Dinette-World": world} if world else {})}
        return self.send("POST", "/", body, headers)

    def administer(self, method, path, **body):
        return self.send(method, "/_dinette/" + path, body, {})

    def put(self, *keys, world=None):
        for key in keys:
            self.call("PutItem", world, TableName="Items", Item={"p": {"S": key}})

    def worlds(self):
        """Returns of each world what it holds, when all is done that was begun."""
        return {world["name"]: self.world(world["name"]) for world in self.administer("GET", "worlds")["worlds"]}

    def world(self, name):
        operations = [self.bulk_operation(one["BulkOperationArn"], name)
                      for one in self.call("ListBulkOperations", name)["BulkOperationsSummaryList"]]
        tables = {table: self.keys(table, name) for table in self.call("ListTables", name)["TableNames"]}
        return {**tables, **({"put from objects": operations} if operations else {})}

    def keys(self, table, world=None):
        while self.call("DescribeTable", world, TableName=table)["Table"]["TableStatus"] != "ACTIVE":
            pass
        return {item["p"]["S"] for item in self.call("Scan", world, TableName=table)["Items"]}

    def bulk_operation(self, arn, world=None):
        """Returns how it ended, and what its reports say."""
        while True:
            done = self.call("DescribeBulkOperation", world, BulkOperationArn=arn)["BulkOperationDescription"]
            if done["BulkOperationStatus"] != "IN_PROGRESS":
                break
        reports = [json.loads(line) for file in self.lines(f"AWSDynamoDB/{arn.rpartition('/')[2]}/manifest-files.json")
                   for line in gzip.decompress(self.object(json.loads(file)["dataFileS3Key"])).splitlines()]
        return (done["BulkOperationStatus"], done["ProcessedItemCount"], done["FailedItemCount"],
                [(report["outputType"], report["itemS3Pointer"]["itemIndex"]) for report in reports])

    def lines(self, key):
        return self.object(key).splitlines()

    def object(self, key):
        self.http.request("GET", "/bulk/" + key)
        return self.http.getresponse().read()


# Each operation returns when it was answered. Those that go on then return a function that waits for their end.


def fork(client):
    client.administer("POST", "worlds", name="new")


def drop(client):
    client.administer("DELETE", "worlds/old")


def reset(client):
    client.administer("POST", "reset", world="default")


def reset_all(client):
    client.administer("POST", "reset")


def restore(client):
    client.administer("POST", "snapshots/snapshot-1/restore")


def restore_table(client):
    (backup,) = client.call("ListBackups")["BackupSummaries"]
    client.call("RestoreTableFromBackup", TargetTableName="Restored", BackupArn=backup["BackupArn"])
    return lambda: client.keys("Restored")


def put_from_objects(client):
    place = {"S3Bucket": "bulk", "S3KeyPrefix": "in/", "InputFormat": "DYNAMODB_JSON"}
    reports = {"S3Bucket": "bulk", "OutputType": ["ERROR", "CONDITION_CHECK_FAILURE"]}
    begun = client.call("StartBulkPutItems", TableName="Items", InputS3Configuration=place, OutputS3Configuration=reports)
    return lambda: client.bulk_operation(begun["BulkOperationDescription"]["BulkOperationArn"])


ITEMS = {"a", "b", "c"}  # `c` is the last write before the operation
BEFORE = {"default": {"Items": ITEMS}, "old": {"Items": {"a", "b", "d"}}}
# After each operation: the worlds that it changes; None: the world is not there.
OPERATIONS = {
    fork: {"new": {"Items": ITEMS}},
    drop: {"old": None},
    reset: {"default": {}},
    reset_all: {"default": {}, "old": None},
    restore: {"default": {"Items": {"a", "b"}}},
    restore_table: {"default": {"Items": ITEMS, "Restored": {"a", "b"}}},
    put_from_objects: {"default": {"Items": ITEMS | {f"put {number}" for number in range(12)},
                                   "put from objects": [("COMPLETED_WITH_ERRORS", 14, 1,
                                                         [("ERROR", 6), ("CONDITION_CHECK_FAILURE", 7)])]}},
}
# What writes to a world alone, and so may be lost without --durability sync.
WRITES = (restore_table, put_from_objects)


class LostPower(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        cls.addClassCleanup(place.cleanup)
        cls.place = place.name
        cls.template = os.path.join(cls.place, "template")
        with Server("--data", cls.template) as server, Client(server) as client:
            client.call("CreateTable", **TABLE)
            client.put("a", "b")
            client.administer("POST", "worlds", name="old")
            client.put("d", world="old")
            client.call("CreateBackup", TableName="Items", BackupName="before")
            with contextlib.closing(boto3_clients.client(server.endpoint, service="s3")) as objects:
                objects.create_bucket(Bucket="bulk")
                objects.put_object(Bucket="bulk", Key="in/lines", Body="\n".join(map(json.dumps, LINES)).encode())

    def run_and_cut(self, operation, nth, *options):
        """Cuts an operation off; returns whether it was answered, whether it has ended, and the recorded disk."""
        folder = os.path.join(self.place, "data")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.template, folder)
        shutil.rmtree(os.path.join(self.place, "record"), ignore_errors=True)
        answered = ended = False
        with RecordedDisk(folder, os.path.join(self.place, "record")) as disk:
            server = Server("--data", folder, *options, env=disk.environment)
            with Client(server) as client:
                client.administer("POST", "snapshots")
                client.put("c")
                disk.cut_at(nth)
                with contextlib.suppress(OSError, http.client.HTTPException):
                    wait = operation(client)
                    answered = True
                    if wait:
                        wait()
                    ended = True
            server.stop(signal.SIGKILL)
            server.log.close()
            return answered, ended, disk

    def found(self, keep, *options):
        """Returns the worlds that a server finds on what the disk has kept."""
        folder = os.path.join(self.place, "kept")
        shutil.rmtree(folder, ignore_errors=True)
        keep(folder)
        with Server("--data", folder, *options) as server, Client(server) as client:
            return client.worlds()

    def check(self, operation, found, answered, may_lose_writes):
        after = OPERATIONS[operation]
        for name in BEFORE.keys() | after.keys():
            allowed = [after[name]] if name in after else []
            if name not in after or not answered or (may_lose_writes and operation in WRITES):
                allowed.append(BEFORE.get(name))
            if may_lose_writes:
                allowed += [{**one, "Items": one["Items"] - {"c"}} for one in allowed if one]
            self.assertIn(found.get(name), allowed, name)
        self.assertLessEqual(found.keys(), BEFORE.keys() | after.keys())

    def cut_everywhere(self, *options):
        for operation in OPERATIONS:
            nth, ended = 0, False
            while not ended:
                nth += 1
                answered, ended, disk = self.run_and_cut(operation, nth, *options)
                for keep in (disk.keep_what_was_asked_for, disk.keep_all_names, disk.keep_everything):
                    with self.subTest(operation=operation.__name__, nth=nth, answered=answered, kept=keep.__name__):
                        is_kept = bool(options) or keep == disk.keep_everything
                        self.check(operation, self.found(keep, *options), answered, not is_kept)
            print(f"{operation.__name__}: cut off {nth - 1} times", flush=True)

    def test_with_sync(self):
        self.cut_everywhere("--durability", "sync")

    def test_without(self):
        self.cut_everywhere()


if __name__ == "__main__":
    unittest.main()
