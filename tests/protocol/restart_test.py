"""What a server finds again that was stopped and started with the same data folder, and what it refuses to start with."""

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

    def check(self, folder=None):
        done = subprocess.run([program(), "check", folder or self.folder], capture_output=True, text=True)
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
        self.assertEqual(self.check()[:2], (
            0, "checked 2 worlds, 2 tables, 60 items, 60 index entries, 60 stream records; all is well\n"))

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


class Alone(unittest.TestCase):
    def test_without_the_program_for_data_folders_it_says_what_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = os.path.join(folder, "bin", "dinette")
            os.mkdir(os.path.dirname(alone))
            shutil.copy(program(), alone)
            done = subprocess.run([alone, "--data", folder], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertEqual(done.stderr, (
                f"dinette: data folders need the program {folder}/libexec/dinette-durable, which cannot be started: No such "
                "file or directory; it is built and installed together with dinette\n"))


if __name__ == "__main__":
    unittest.main()
