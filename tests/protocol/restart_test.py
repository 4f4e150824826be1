"""What a server finds again that was stopped and started with the same data folder, and what it refuses to start with."""

import base64
import contextlib
import gzip
import http.client
import json
import os
import shutil
import signal
import subprocess
import tempfile
import unittest

import boto3_clients
from server import Server, program

IS_USER = os.getuid() != 0
WHY_NO_OTHER_USER = "only root can take on another user: files without rights are not tried"
TABLE = {
    "TableName": "Items",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "g", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "byG",
            "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    "BillingMode": "PAY_PER_REQUEST",
    "Tags": [{"Key": "team", "Value": "blue"}],
}


def files_of(folder):
    """All below the folder: bytes and when they changed."""
    found = {}
    for place, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(place, name)
            with open(path, "rb") if name in names else contextlib.nullcontext() as file:
                found[os.path.relpath(path, folder)] = (file and file.read(), os.stat(path).st_mtime_ns)
    return found


class Restarted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "data")
        self.server = None
        self.start()
        self.addCleanup(self.stop)

    def start(self, *options):
        self.server = Server("--data", self.folder, *options)
        self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port)

    def stop(self):
        if self.server:
            self.connection.close()
            with self.server:
                self.server = None

    def restart(self, *options):
        self.stop()
        self.start(*options)

    def kill_and_start(self):
        self.server.stop(signal.SIGKILL)
        self.server.log.close()
        self.connection.close()
        self.server = None
        self.start()

    def send(self, method, path, body, headers):
        self.connection.request(method, path, json.dumps(body), headers)
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read() or "{}")

    def call(self, operation, service="DynamoDB_20120810", **body):
        return self.send("POST", "/", body, {"X-Amz-Target": f"{service}.{operation}"})

    def ok(self, operation, **body):
        status, answer = self.call(operation, **body)
        self.assertEqual(status, 200, answer)
        return answer

    def streams(self, operation, **body):
        return self.ok(operation, service="DynamoDBStreams_20120810", **body)

    def administer(self, method, path, **body):
        status, answer = self.send(method, "/_dinette/" + path, body, {})
        self.assertLess(status, 300, answer)
        return answer

    def now(self):
        return self.administer("GET", "clock")["epochMilliseconds"] / 1000

    def put(self, pk, **more):
        self.ok("PutItem", TableName="Items", Item={"pk": {"S": pk}, "g": {"S": "one"}, **more})

    def read(self, pk):
        return self.ok("GetItem", TableName="Items", Key={"pk": {"S": pk}}).get("Item")

    def kinesis(self, operation, **body):
        return self.ok(operation, service="Kinesis_20131202", StreamName="clicks", **body)

    def read_shard(self, number):
        start = self.kinesis("GetShardIterator", ShardId=f"shardId-{number:012}", ShardIteratorType="TRIM_HORIZON")
        page = self.ok("GetRecords", service="Kinesis_20131202", **start)
        return [record["Data"] for record in page["Records"]]

    def test_event_source_mappings(self):
        path = "/2015-03-31/event-source-mappings"
        self.kinesis("CreateStream", ShardCount=1)
        source = self.kinesis("DescribeStreamSummary")["StreamDescriptionSummary"]["StreamARN"]
        request = {"EventSourceArn": source, "FunctionName": "count", "StartingPosition": "LATEST", "BatchSize": 7}
        status, mapping = self.send("POST", path, request, {})
        self.assertEqual(status, 202, mapping)
        status, other = self.send("POST", path, {**request, "FunctionName": "other"}, {})
        self.assertEqual(status, 202, other)
        self.restart()
        status, kept = self.send("GET", f"{path}/{mapping['UUID']}", {}, {})
        self.assertEqual((status, kept["State"], kept["BatchSize"]), (200, "Enabled", 7))
        status, refused = self.send("POST", path, request, {})
        self.assertEqual(status, 409, refused)
        status, removed = self.send("DELETE", f"{path}/{mapping['UUID']}", {}, {})
        self.assertEqual((status, removed["State"]), (202, "Deleting"))
        self.kill_and_start()
        status, listed = self.send("GET", path, {}, {})
        self.assertEqual((status, [one["UUID"] for one in listed["EventSourceMappings"]]), (200, [other["UUID"]]))
        self.stop()
        checked = subprocess.run([program(), "check", self.folder], capture_output=True, text=True)
        self.assertEqual((checked.returncode, checked.stdout), (0, (
            "checked 1 world, 0 tables, 0 items, 0 index entries, 0 stream records, 1 Kinesis stream, 0 Kinesis records, "
            "1 event source mapping; all is well\n")), checked.stderr)

    def test_streams_of_kinesis_and_their_shards(self):
        self.kinesis("CreateStream", ShardCount=1)
        first = self.kinesis("PutRecord", PartitionKey="a", Data="b25l")
        self.kinesis("SplitShard", ShardToSplit="shardId-000000000000", NewStartingHashKey=str(2 ** 127))
        self.kinesis("PutRecord", PartitionKey="a", Data="dHdv")
        shards = self.kinesis("ListShards")
        self.restart()
        self.assertEqual(self.kinesis("ListShards"), shards)
        self.assertEqual([self.read_shard(number) for number in range(3)], [["b25l"], ["dHdv"], []])
        last = self.kinesis("PutRecord", PartitionKey="a", Data="dGhyZWU=")
        self.assertGreater(last["SequenceNumber"], first["SequenceNumber"])
        self.kill_and_start()
        self.assertEqual(self.read_shard(1), ["dHdv", "dGhyZWU="])
        self.stop()
        checked = subprocess.run([program(), "check", self.folder], capture_output=True, text=True)
        self.assertEqual((checked.returncode, checked.stdout), (0, (
            "checked 1 world, 0 tables, 0 items, 0 index entries, 0 stream records, 1 Kinesis stream, 3 Kinesis records; "
            "all is well\n")))

    def destinations(self):
        described = self.ok("DescribeKinesisStreamingDestination", TableName="Items")
        return described["KinesisDataStreamDestinations"]

    def delivered(self):
        changes = [json.loads(base64.b64decode(data)) for data in self.read_shard(0)]
        return [change["dynamodb"]["Keys"]["pk"]["S"] for change in changes]

    def test_changes_that_a_kinesis_stream_gets(self):
        self.ok("CreateTable", **TABLE)
        arn = "arn:aws:kinesis:us-east-1:000000000000:stream/clicks"
        self.kinesis("CreateStream", ShardCount=1)
        self.ok("EnableKinesisStreamingDestination", TableName="Items", StreamArn=arn)
        active = [{"StreamArn": arn, "DestinationStatus": "ACTIVE"}]
        while self.destinations() != active:
            pass
        self.put("before")
        self.restart()
        self.assertEqual(self.destinations(), active)
        self.put("after")
        # Without the stream, changes wait; they are still there after another restart.
        while self.delivered() != ["before", "after"]:
            pass
        self.kinesis("DeleteStream")
        self.put("waiting")
        self.kill_and_start()
        self.kinesis("CreateStream", ShardCount=1)
        while self.delivered() != ["waiting"]:
            pass
        self.ok("DisableKinesisStreamingDestination", TableName="Items", StreamArn=arn)
        self.restart()
        while self.destinations() != [{"StreamArn": arn, "DestinationStatus": "DISABLED"}]:
            pass
        self.stop()
        checked = subprocess.run([program(), "check", self.folder], capture_output=True, text=True)
        self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_tables_items_indexes_tags_and_time_to_live(self):
        self.ok("CreateTable", **TABLE)
        self.ok("UpdateTimeToLive", TableName="Items", TimeToLiveSpecification={"Enabled": True, "AttributeName": "ends"})
        self.put("a", n={"N": "12345678901234567890123456789012345678"}, b={"B": "AAEC"}, empty={"S": ""})
        described, item = self.ok("DescribeTable", TableName="Items"), self.read("a")
        self.restart()
        self.assertEqual(self.ok("DescribeTable", TableName="Items"), described)
        self.assertEqual(self.read("a"), item)
        found = self.ok("Query", TableName="Items", IndexName="byG", KeyConditionExpression="g = :g",
                        ExpressionAttributeValues={":g": {"S": "one"}})
        self.assertEqual(found["Items"], [item])
        arn = described["Table"]["TableArn"]
        self.assertEqual(self.ok("ListTagsOfResource", ResourceArn=arn)["Tags"], TABLE["Tags"])
        described = self.ok("DescribeTimeToLive", TableName="Items")["TimeToLiveDescription"]
        self.assertEqual(described, {"TimeToLiveStatus": "ENABLED", "AttributeName": "ends"})

    def test_an_item_whose_time_to_live_ends_while_no_server_runs_is_deleted_by_the_next(self):
        self.ok("CreateTable", **TABLE)
        self.ok("UpdateTimeToLive", TableName="Items", TimeToLiveSpecification={"Enabled": True, "AttributeName": "ends"})
        self.administer("PUT", "clock", now="2030-01-01T00:00:00Z", frozen=True)
        self.put("a", ends={"N": "1893459600"})  # 01:00
        self.restart()
        self.assertIsNotNone(self.read("a"))
        self.administer("PUT", "clock", advance="PT2H")
        self.assertIsNone(self.read("a"))

    def test_backups_and_restores_that_were_killed_in_the_middle_go_on(self):
        items = [{"pk": {"S": str(number)}, "g": {"S": "one"}} for number in range(2000)]
        self.ok("CreateTable", **TABLE)
        self.ok("UpdateContinuousBackups", TableName="Items",
                PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        for first in range(0, len(items), 25):
            puts = [{"PutRequest": {"Item": item}} for item in items[first : first + 25]]
            self.ok("BatchWriteItem", RequestItems={"Items": puts})
        arn = self.ok("CreateBackup", TableName="Items", BackupName="before")["BackupDetails"]["BackupArn"]
        self.ok("RestoreTableToPointInTime", SourceTableName="Items", TargetTableName="InTime", RestoreDateTime=self.now())
        self.ok("RestoreTableFromBackup", BackupArn=arn, TargetTableName="FromBackup")
        self.put("0", changed={"BOOL": True})
        self.put("new")
        self.kill_and_start()
        for table in ("InTime", "FromBackup"):
            while self.ok("DescribeTable", TableName=table)["Table"]["TableStatus"] == "CREATING":
                pass
            self.assertEqual(self.scan(table), sorted(items, key=str), table)
        status = self.ok("DescribeBackup", BackupArn=arn)["BackupDescription"]["BackupDetails"]["BackupStatus"]
        self.assertEqual(status, "AVAILABLE")

    def test_an_export_that_was_killed_in_the_middle_begins_again(self):
        items = [{"pk": {"S": str(number)}, "text": {"S": "x" * 5000}} for number in range(2000)]
        arn = self.ok("CreateTable", **TABLE)["TableDescription"]["TableArn"]
        self.ok("UpdateContinuousBackups", TableName="Items",
                PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        for first in range(0, len(items), 25):
            puts = [{"PutRequest": {"Item": item}} for item in items[first : first + 25]]
            self.ok("BatchWriteItem", RequestItems={"Items": puts})
        objects = boto3_clients.client(self.server.endpoint, service="s3")
        objects.create_bucket(Bucket="exports")
        export = self.ok("ExportTableToPointInTime", TableArn=arn, S3Bucket="exports")["ExportDescription"]
        self.ok("DeleteTable", TableName="Items")
        self.kill_and_start()
        while export["ExportStatus"] == "IN_PROGRESS":
            export = self.ok("DescribeExport", ExportArn=export["ExportArn"])["ExportDescription"]
        self.assertEqual((export["ExportStatus"], export["ItemCount"]), ("COMPLETED", len(items)))
        objects = boto3_clients.client(self.server.endpoint, service="s3")

        def read(key):
            return objects.get_object(Bucket="exports", Key=key)["Body"].read()

        files = read(json.loads(read(export["ExportManifest"]))["manifestFilesS3Key"]).splitlines()
        lines = b"".join(gzip.decompress(read(json.loads(line)["dataFileS3Key"])) for line in files).splitlines()
        self.assertEqual(sorted((json.loads(line)["Item"] for line in lines), key=str), sorted(items, key=str))

    def put_object(self, bucket, key, lines):
        """Puts an object of DynamoDB JSON into a new bucket."""
        objects = boto3_clients.client(self.server.endpoint, service="s3")
        objects.create_bucket(Bucket=bucket)
        objects.put_object(Bucket=bucket, Key=key, Body="".join(json.dumps(line) + "\n" for line in lines).encode())

    def scan(self, table):
        found, start = [], {}
        while start is not None:
            page = self.ok("Scan", TableName=table, **start)
            found += page["Items"]
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]} if "LastEvaluatedKey" in page else None
        return sorted(found, key=str)

    def test_an_import_that_was_killed_in_the_middle_continues(self):
        items = [{"pk": {"S": str(number)}, "text": {"S": "x" * 500}} for number in range(10_000)]
        lines = [{"Item": item} for item in items]
        lines.insert(5_000, {"Item": {}})
        self.put_object("imports", "in", lines)
        table = {name: TABLE[name] for name in ("AttributeDefinitions", "KeySchema", "BillingMode", "GlobalSecondaryIndexes")}
        done = self.ok("ImportTable", ClientToken="token", InputFormat="DYNAMODB_JSON", S3BucketSource={"S3Bucket": "imports"},
                       TableCreationParameters={"TableName": "Imported", **table})["ImportTableDescription"]
        while self.call("DescribeTable", TableName="Imported")[1].get("Table", {}).get("ItemCount", 0) == 0:
            pass
        self.kill_and_start()
        while done["ImportStatus"] == "IN_PROGRESS":
            done = self.ok("DescribeImport", ImportArn=done["ImportArn"])["ImportTableDescription"]
        self.assertEqual((done["ImportStatus"], done["ProcessedItemCount"], done["ImportedItemCount"], done["ErrorCount"]),
                         ("FAILED", 10_001, 10_000, 1))
        described = self.ok("DescribeTable", TableName="Imported")["Table"]
        self.assertEqual((described["TableStatus"], described["ItemCount"]), ("ACTIVE", 10_000))
        self.assertEqual(self.scan("Imported"), sorted(items, key=str))
        self.stop()
        self.assertEqual(self.check()[0], 0)

    def test_a_bulk_operation_that_was_killed_in_the_middle_continues(self):
        items = [{"pk": {"S": str(number)}, "text": {"S": "x" * 500}} for number in range(10_000)]
        # Whatever is put twice would fail the second time.
        lines = [{"Item": item, "ConditionExpression": "attribute_not_exists(pk)"} for item in items]
        lines[5_000:5_000] = [{"Item": {}}, lines[7]]
        self.put_object("bulk", "in/lines", lines)
        self.ok("CreateTable", **TABLE)
        done = self.ok("StartBulkPutItems", TableName="Items",
                       InputS3Configuration={"S3Bucket": "bulk", "S3KeyPrefix": "in/", "InputFormat": "DYNAMODB_JSON"},
                       OutputS3Configuration={"S3Bucket": "bulk", "OutputType": ["ERROR", "CONDITION_CHECK_FAILURE"]}
                       )["BulkOperationDescription"]
        killed = False
        while done["BulkOperationStatus"] == "IN_PROGRESS":
            done = self.ok("DescribeBulkOperation",
                           BulkOperationArn=done["BulkOperationArn"])["BulkOperationDescription"]
            if done["ProcessedItemCount"] > 0 and not killed:
                killed = True
                self.kill_and_start()
        self.assertEqual((done["BulkOperationStatus"], done["ProcessedItemCount"], done["FailedItemCount"]),
                         ("COMPLETED_WITH_ERRORS", 10_002, 1))
        self.assertEqual(done["ProcessedInputBytes"], done["TotalInputBytes"])
        self.assertEqual(self.scan("Items"), sorted(items, key=str))
        objects = boto3_clients.client(self.server.endpoint, service="s3")

        def read(key):
            return objects.get_object(Bucket="bulk", Key=key)["Body"].read()

        folder = "AWSDynamoDB/" + done["BulkOperationArn"].rpartition("/")[2]
        files = [json.loads(line) for line in read(folder + "/manifest-files.json").splitlines()]
        lines = [json.loads(line) for file in files for line in gzip.decompress(read(file["dataFileS3Key"])).splitlines()]
        self.assertEqual([(line["outputType"], line["itemS3Pointer"]["itemIndex"]) for line in lines],
                         [("ERROR", 5_000), ("CONDITION_CHECK_FAILURE", 5_001)])
        self.assertEqual(lines[1]["existingItem"], items[7])
        self.stop()
        self.assertEqual(self.check()[0], 0)

    def test_a_transaction_that_is_sent_again_after_the_restart_runs_once(self):
        self.ok("CreateTable", **TABLE)
        add = {
            "Update": {
                "TableName": "Items",
                "Key": {"pk": {"S": "a"}},
                "UpdateExpression": "ADD n :one",
                "ExpressionAttributeValues": {":one": {"N": "1"}},
            }
        }
        for _ in range(2):
            self.ok("TransactWriteItems", TransactItems=[add], ClientRequestToken="token")
            self.restart()
        self.assertEqual(self.read("a")["n"], {"N": "1"})

    def test_a_reader_of_a_stream_continues_where_it_was(self):
        self.ok("CreateTable", **TABLE)
        self.put("a")
        stream = self.ok("DescribeTable", TableName="Items")["Table"]["LatestStreamArn"]
        shards = self.streams("DescribeStream", StreamArn=stream)["StreamDescription"]["Shards"]
        iterators = [
            self.streams("GetShardIterator", StreamArn=stream, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")[
                "ShardIterator"
            ]
            for shard in shards
        ]
        answers = [self.streams("GetRecords", ShardIterator=iterator) for iterator in iterators]
        self.assertEqual(sum(len(answer["Records"]) for answer in answers), 1)
        self.restart()
        self.put("a", changed={"BOOL": True})
        records = []
        for answer in answers:
            records += self.streams("GetRecords", ShardIterator=answer["NextShardIterator"])["Records"]
        self.assertEqual([record["eventName"] for record in records], ["MODIFY"])
        self.assertNotIn("changed", records[0]["dynamodb"]["OldImage"])

    def test_forks_and_their_clocks(self):
        self.ok("CreateTable", **TABLE)
        self.administer("POST", "worlds", name="fork")
        self.administer("PUT", "clock", world="fork", now="2030-01-01T00:00:00Z", frozen=True)
        self.ok("DeleteTable", TableName="Items")
        self.restart()
        self.assertEqual(self.ok("ListTables")["TableNames"], [])
        self.assertEqual(self.administer("GET", "clock?world=fork")["now"], "2030-01-01T00:00:00.000Z")
        status, answer = self.send("POST", "/", {}, {"X-Amz-Target": "DynamoDB_20120810.ListTables", "X-Dinette-World": "fork"})
        self.assertEqual((status, answer["TableNames"]), (200, ["Items"]))

    def test_with_sync_and_little_memory_the_answers_are_the_same(self):
        self.restart("--durability", "sync", "--memory", "16M")
        self.ok("CreateTable", **TABLE)
        for number in range(30):
            self.put(f"item {number}")
        self.restart("--durability", "sync", "--memory", "16M")
        self.assertEqual(self.ok("Scan", TableName="Items")["Count"], 30)

    def refusal(self, folder):
        ended = subprocess.run([program(), "--port", "0", "--data", folder], capture_output=True, text=True, timeout=60)
        self.assertNotEqual(ended.returncode, 0)
        return ended.stderr

    def test_a_folder_that_cannot_be_used_is_a_start_up_error(self):
        self.assertIn("is in use by another server", self.refusal(self.folder))
        with tempfile.TemporaryDirectory() as other:
            with open(os.path.join(other, "notes.txt"), "w", encoding="utf-8"):
                self.assertIn("holds something else (notes.txt)", self.refusal(other))
        self.assertIn("cannot be made", self.refusal("/proc/data"))

    def check(self, folder=None, *options):
        done = subprocess.run([program(), "check", folder or self.folder, *options], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def test_check_of_a_folder_in_which_all_is_well(self):
        self.ok("CreateTable", **TABLE)
        for number in range(30):
            self.ok("PutItem", TableName="Items", Item={"pk": {"S": str(number)}, "g": {"S": "x"}})
        self.administer("POST", "worlds", name="fork")
        code, out, said = self.check()
        self.assertEqual((code, out), (1, ""))
        self.assertIn("is in use by another server", said)
        self.stop()
        before = files_of(self.folder)
        self.assertEqual(self.check()[:2], (
            0, "checked 2 worlds, 2 tables, 60 items, 60 index entries, 60 stream records; all is well\n"))
        self.assertEqual(files_of(self.folder), before, "a check has changed the folder")

    def test_an_export_does_not_change_the_folder(self):
        self.ok("CreateTable", **TABLE)
        self.put("a")
        self.server.stop(signal.SIGKILL)
        before = files_of(self.folder)
        with tempfile.TemporaryDirectory() as other:
            done = subprocess.run([program(), "export", self.folder, "--to", os.path.join(other, "out")],
                                  capture_output=True, text=True)
            self.assertEqual(done.stdout, f"exported 1 table, 1 item to {other}/out\n", done.stderr)
        self.assertEqual(files_of(self.folder), before)
        self.kill_and_start()

    def test_a_damaged_folder_is_refused_and_repaired_on_demand(self):
        self.ok("CreateTable", **TABLE)
        for number in range(30):
            self.ok("PutItem", TableName="Items", Item={"pk": {"S": str(number)}, "text": {"S": "x" * 500}})
        self.stop()
        manifest = os.path.join(self.folder, "dinette.json")
        with open(manifest, "rb") as file:
            whole = file.read()
        for damaged in (None, whole.replace(b'"folder": 1', b'"folder": 5')):
            if damaged is None:
                os.remove(manifest)
            else:
                with open(manifest, "wb") as file:
                    file.write(damaged)
            before = files_of(self.folder)
            self.assertIn(f"run 'dinette check --repair {self.folder}'", self.refusal(self.folder))
            code, out, said = self.check()
            self.assertEqual((code, out), (1, ""))
            self.assertIn("dinette.json is", said)
            unchanged = {name: state for name, state in files_of(self.folder).items() if name != "LOCK"}
            self.assertEqual(unchanged, {name: state for name, state in before.items() if name != "LOCK"})
            code, out, said = self.check(self.folder, "--repair")
            self.assertEqual(code, 0, said)
            self.assertIn("dinette.json is written again, with 1 world\n", out)
            self.assertIn("30 items", out)
        self.start()
        self.assertEqual(self.ok("Scan", TableName="Items")["Count"], 30)

    def test_a_clean_stop_proves_itself(self):
        self.ok("CreateTable", **TABLE)
        self.put("a")
        self.stop()
        (log,) = [name for name in files_of(self.folder) if name.endswith(".log")]
        path = os.path.join(self.folder, log)
        os.truncate(path, os.path.getsize(path) - 10)
        code, out, said = self.check()
        self.assertEqual((code, out), (1, ""))
        self.assertIn(": it once had ", said)
        self.assertIn(": it once had ", self.refusal(self.folder))
        code, out, said = self.check(self.folder, "--repair")
        self.assertEqual(code, 0, said)
        self.assertIn("bytes of the log are left out, and kept in", out)
        self.start()

    def test_a_data_folder_that_is_removed_is_noticed(self):
        def health(path="/"):
            self.connection.request("GET", path)
            answer = self.connection.getresponse()
            return answer.status, answer.read().decode()

        def healthcheck():
            return subprocess.run([program(), "healthcheck", "--port", str(self.server.port)], capture_output=True,
                                  text=True)

        self.assertEqual((health()[0], health("/_localstack/health")[0], healthcheck().returncode), (200, 200, 0))
        moved = self.folder + ".moved"
        os.rename(self.folder, moved)
        while health()[0] == 200:
            pass
        for path in ("/", "/_localstack/health"):
            status, text = health(path)
            self.assertEqual(status, 503)
            self.assertIn("the data folder is no longer where it was", text)
        done = healthcheck()
        self.assertEqual(done.returncode, 1)
        self.assertIn("is unhealthy: the data folder is no longer where it was", done.stderr)
        self.server.wait_for_log("error the data folder is no longer where it was")
        os.rename(moved, self.folder)
        while health()[0] == 503:
            pass
        self.server.wait_for_log("warn the data folder is there again")

    def test_check_of_what_is_no_data_folder(self):
        with tempfile.TemporaryDirectory() as other:
            code, out, said = self.check(os.path.join(other, "missing"))
            self.assertEqual((code, out), (1, ""))
            self.assertIn("is not a folder", said)
            with open(os.path.join(other, "file"), "w", encoding="utf-8") as file:
                file.write("something else")
            code, out, said = self.check(other)
            self.assertEqual((code, out), (1, ""))
            self.assertIn("holds something else (file)", said)


class Folders(unittest.TestCase):
    def refusal(self, *arguments, called_as=None, **process):
        ended = subprocess.run([called_as or program(), "--port", "0", *arguments], capture_output=True, text=True, timeout=60, **process)
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        return ended.stderr

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text=""):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def test_db_path_of_a_folder_with_other_files_keeps_the_data_in_a_folder_inside(self):
        self.write("serverless.yml")
        self.assertIn(f"Name an empty folder, a new one such as {self.folder}/dinette-data,",
                      self.refusal("--data", self.folder))
        for _ in range(2):
            with Server("-sharedDb", "-dbPath", ".", cwd=self.folder):
                pass
            self.assertEqual(sorted(os.listdir(self.folder)), ["dinette-data", "serverless.yml"])
            self.assertTrue({"dinette.json", "engines", "s3"} <= set(os.listdir(self.folder + "/dinette-data")))

    def test_db_path_of_an_empty_folder_is_the_data_folder_also_when_there_is_more_in_it_later(self):
        for _ in range(2):
            with Server("-sharedDb", "-dbPath", self.folder):
                pass
            self.assertIn("dinette.json", os.listdir(self.folder))
            self.assertNotIn("dinette-data", os.listdir(self.folder))
            self.write("more.txt")

    def test_data_of_dynamodb_local_are_named_with_the_way_to_move_them(self):
        for name in ("shared-local-instance.db", "AKIAEXAMPLE_eu-west-1.db"):
            self.write("other.txt")
            self.write(name)
            for option in ("--data", "-dbPath"):
                said = self.refusal(option, self.folder)
                self.assertIn(f"{self.folder}/{name} is the database of DynamoDB Local", said)
                self.assertIn(f"'dinette import {self.folder}/{name} --into {self.folder}/dinette-data'", said)
            os.remove(os.path.join(self.folder, name))
        self.write("shared-local-instance.db")
        with tempfile.TemporaryDirectory() as fixtures:
            with Server() as server:
                curl = http.client.HTTPConnection("127.0.0.1", server.port)
                curl.request("POST", "/", json.dumps(TABLE), {"X-Amz-Target": "DynamoDB_20120810.CreateTable"})
                self.assertEqual(curl.getresponse().status, 200)
                curl.close()
                subprocess.run([program(), "export", server.endpoint, "--to", fixtures + "/moved"], check=True)
            subprocess.run([program(), "import", fixtures + "/moved", "--into", self.folder + "/dinette-data"], check=True)
        with Server("-dbPath", self.folder) as server:
            done = subprocess.run([program(), "export", server.endpoint, "--to", self.folder + "/out"],
                                  capture_output=True, text=True)
            self.assertEqual(done.stdout, f"exported 1 table, 0 items to {self.folder}/out\n")

    @unittest.skipIf(IS_USER, WHY_NO_OTHER_USER)
    def test_files_without_rights_are_refused_with_the_owner_the_user_and_a_remedy(self):
        os.chmod(self.folder, 0o755)
        for name in ("key.pem", "credentials", "faults.json"):
            self.write(name, "secret")
            os.chmod(os.path.join(self.folder, name), 0o600)
        os.mkdir(self.folder + "/bin", 0o755)
        for one in (program(), program() + "-full"):  # where the other user may read them
            shutil.copy(one, self.folder + "/bin")
        os.mkdir(self.folder + "/load", 0o700)
        os.mkdir(self.folder + "/empty", 0o755)
        path = self.folder + "/"
        for arguments, refused in ((("--data", path + "empty"), path + "empty"),
                                   (("--data", path + "new/data"), self.folder),
                                   (("--s3", path + "empty"), path + "empty"),
                                   (("--s3", path + "new"), self.folder),
                                   (("--load", path + "load"), path + "load"),
                                   (("--tls-cert", path + "key.pem", "--tls-key", path + "key.pem"), path + "key.pem"),
                                   (("--auth", "verify", "--credentials", path + "credentials"), path + "credentials"),
                                   (("--faults", path + "faults.json"), path + "faults.json")):
            with self.subTest(arguments):
                said = self.refusal(*arguments, called_as=path + "bin/dinette", user=999, group=998, extra_groups=[])
                self.assertIn("Permission denied", said)
                self.assertIn(f"{refused} belongs to the user 0:0 and has the mode 0", said)
                self.assertIn("this process runs as the user 999:998.", said)
                if refused == self.folder:  # which is not the program's own: it might be /
                    self.assertIn(f"Name a place that this user may use, or make {arguments[1]} and give it to", said)
                else:
                    self.assertIn(f"(chown -R 999:998 {refused})", said)
                self.assertIn("(with Docker: --user 0:0)", said)


class Alone(unittest.TestCase):
    def test_without_the_full_program_it_says_what_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = os.path.join(folder, "bin", "dinette")
            os.mkdir(os.path.dirname(alone))
            shutil.copy(program(), alone)
            for arguments in (("--data", folder), ("--load", folder), ("--tables", "a.yaml"), ("check", folder), ("doctor",)):
                done = subprocess.run([alone, *arguments], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertEqual(done.stderr, (
                    "dinette: data folders, databases, files of tables and most commands need the program "
                    f"{folder}/libexec/dinette-full, which cannot be started: No such file or directory; it is installed "
                    "together with dinette, and `scripts/run` builds it when its arguments need it\n"))
            self.assertIn("dinette", subprocess.run([alone, "--version"], capture_output=True, text=True).stdout)


if __name__ == "__main__":
    if IS_USER:
        print(f"skipped: {WHY_NO_OTHER_USER}", flush=True)
    unittest.main()
