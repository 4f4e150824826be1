"""Data folders of earlier programs are opened by this one, with all that is in them."""

import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

from earlier_folders import FOLDERS, TABLE, TRANSACTION, Client, order
from server import Server, program

STREAMS = "DynamoDBStreams_20120810"


def records_of(client, arn):
    """Returns the names and keys of all records of a stream."""
    found = []
    shards = client.ok("DescribeStream", STREAMS, StreamArn=arn)["StreamDescription"]["Shards"]
    for shard in shards:
        iterator = client.ok("GetShardIterator", STREAMS, StreamArn=arn, ShardId=shard["ShardId"],
                             ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
        for record in client.ok("GetRecords", STREAMS, ShardIterator=iterator)["Records"]:
            found.append((record["eventName"], record["dynamodb"]["Keys"]["customer"]["S"]))
    return sorted(found)


class EarlierFolders(unittest.TestCase):
    def opened(self, archive):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        with tarfile.open(archive) as packed:
            packed.extractall(place.name)
        return Path(place.name) / "data"

    def check_default_world(self, client):
        self.assertEqual(client.ok("ListTables")["TableNames"], ["Orders", "Songs"])
        described = client.ok("DescribeTable", TableName="Orders")["Table"]
        self.assertEqual(client.ok("ListTagsOfResource", ResourceArn=described["TableArn"])["Tags"], TABLE["Tags"])
        ann = order("ann", "1", ends={"N": "1769850900"}, visits={"N": "1"})
        self.assertEqual(client.ok("Scan", TableName="Orders")["Items"], [ann])
        by_state = {"KeyConditionExpression": "#state = :open", "ExpressionAttributeNames": {"#state": "state"},
                    "ExpressionAttributeValues": {":open": {"S": "open"}}}
        self.assertEqual(client.ok("Query", TableName="Orders", IndexName="ByState", **by_state)["Items"], [ann])
        by_day = {"KeyConditionExpression": "customer = :ann", "ExpressionAttributeValues": {":ann": {"S": "ann"}}}
        self.assertEqual(client.ok("Query", TableName="Orders", IndexName="ByDay", **by_day)["Count"], 1)
        self.assertEqual(client.ok("Scan", TableName="Songs")["Items"], [{"title": {"S": "Heron"}}])

        # Tokens are known: nothing is done twice.
        client.ok("TransactWriteItems", **TRANSACTION)
        self.assertEqual(client.ok("Scan", TableName="Orders")["Items"], [ann])
        imports = client.ok("ListImports")["ImportSummaryList"]
        self.assertEqual([one["ImportStatus"] for one in imports], ["COMPLETED"])
        exports = client.ok("ListExports")["ExportSummaries"]
        self.assertEqual([one["ExportStatus"] for one in exports], ["COMPLETED"])
        again = client.ok("ExportTableToPointInTime", TableArn=described["TableArn"], S3Bucket="outgoing", ClientToken="export")
        self.assertEqual(again["ExportDescription"]["ExportArn"], exports[0]["ExportArn"])

        self.assertEqual(records_of(client, described["LatestStreamArn"]),
                         [("INSERT", "ann"), ("INSERT", "bob"), ("MODIFY", "ann"), ("REMOVE", "bob")])

    def check_restores(self, client):
        backups = client.ok("ListBackups")["BackupSummaries"]
        self.assertEqual([one["BackupName"] for one in backups], ["backup"])
        client.ok("RestoreTableFromBackup", BackupArn=backups[0]["BackupArn"], TargetTableName="FromBackup")
        client.ok("RestoreTableToPointInTime", SourceTableName="Orders", TargetTableName="InTime",
                  RestoreDateTime=1769847330)  # half a minute after the start, 08:15:30
        client.administer("PUT", "clock", frozen=False)
        for table in ("FromBackup", "InTime"):
            while client.ok("DescribeTable", TableName=table)["Table"]["TableStatus"] != "ACTIVE":
                pass
            self.assertEqual(client.ok("Scan", TableName=table)["Count"], 2, table)

    def check_time_to_live(self, client):
        client.administer("PUT", "clock", advance="PT2H")
        self.assertEqual(client.ok("Scan", TableName="Orders")["Count"], 0)

    def test_what_is_in_them_is_there_and_works(self):
        archives = sorted(FOLDERS.glob("*.tar.gz"))
        self.assertTrue(archives)
        for archive in archives:
            with self.subTest(version=archive.name):
                folder = self.opened(archive)
                check = subprocess.run([program(), "check", str(folder)], capture_output=True, text=True)
                self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
                with Server("--data", str(folder)) as server:
                    client = Client(server)
                    self.check_default_world(client)
                    self.assertEqual(client.ok("Scan", world="fork", TableName="Orders")["Count"], 2)
                    self.check_restores(client)
                    self.check_time_to_live(client)
                with Server("--data", str(folder)) as server:
                    self.assertEqual(Client(server).ok("ListTables")["TableNames"],
                                     ["FromBackup", "InTime", "Orders", "Songs"])


if __name__ == "__main__":
    unittest.main()
