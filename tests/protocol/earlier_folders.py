"""Data folders as earlier programs left them, which every later one opens: tests/protocol/earlier_folders has one for
each version that was released. A release adds its own:

    python3 tests/protocol/earlier_folders.py build/release/dinette 0.1.0
"""

import http.client
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

from server import Server

FOLDERS = Path(__file__).parent / "earlier_folders"
CLOCK = "2026-01-31T08:15:00Z"  # stands still, so that nothing ends meanwhile
TABLE = {
    "TableName": "Orders",
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("customer", "number", "day", "state")],
    "KeySchema": [{"AttributeName": "customer", "KeyType": "HASH"}, {"AttributeName": "number", "KeyType": "RANGE"}],
    "LocalSecondaryIndexes": [{
        "IndexName": "ByDay", "Projection": {"ProjectionType": "KEYS_ONLY"},
        "KeySchema": [{"AttributeName": "customer", "KeyType": "HASH"}, {"AttributeName": "day", "KeyType": "RANGE"}]}],
    "GlobalSecondaryIndexes": [{
        "IndexName": "ByState", "Projection": {"ProjectionType": "ALL"},
        "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}]}],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    "BillingMode": "PAY_PER_REQUEST",
    "Tags": [{"Key": "team", "Value": "blue"}],
}
TRANSACTION = {"ClientRequestToken": "once", "TransactItems": [
    {"Update": {"TableName": "Orders", "Key": {"customer": {"S": "ann"}, "number": {"S": "1"}},
                "UpdateExpression": "ADD visits :one", "ExpressionAttributeValues": {":one": {"N": "1"}}}}]}
IMPORT = {"S3BucketSource": {"S3Bucket": "incoming", "S3KeyPrefix": "songs"}, "InputFormat": "DYNAMODB_JSON", "ClientToken": "import",
          "TableCreationParameters": {
              "TableName": "Songs", "BillingMode": "PAY_PER_REQUEST",
              "AttributeDefinitions": [{"AttributeName": "title", "AttributeType": "S"}],
              "KeySchema": [{"AttributeName": "title", "KeyType": "HASH"}]}}


def order(customer, number, **more):
    return {"customer": {"S": customer}, "number": {"S": number}, "day": {"S": "2026-01-31"}, "state": {"S": "open"}, **more}


class Client:
    """Operations and administration of a server, without an SDK."""

    def __init__(self, server):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port)

    def send(self, method, path, body=b"", headers=None):
        self.connection.request(method, path, body, headers or {})
        reply = self.connection.getresponse()
        return reply.status, reply.read()

    def store(self, path, body=b""):
        """Makes a bucket or an object."""
        status, answer = self.send("PUT", path, body)
        if status != 200:
            raise AssertionError(f"{path}: {status} {answer.decode()}")

    def ok(self, operation, service="DynamoDB_20120810", world=None, **request):
        headers = {"X-Amz-Target": f"{service}.{operation}", **({"X-Dinette-World": world} if world else {})}
        status, body = self.send("POST", "/", json.dumps(request), headers)
        if status != 200:
            raise AssertionError(f"{operation}: {status} {body.decode()}")
        return json.loads(body)

    def administer(self, method, path, **request):
        status, body = self.send(method, "/_dinette/" + path, json.dumps(request))
        if status >= 300:
            raise AssertionError(f"{path}: {status} {body.decode()}")

    def until_done(self, operation, member, status, **request):
        while self.ok(operation, **request)[member][status] == "IN_PROGRESS":
            time.sleep(0.01)


def fill(client):
    """Something of each kind that is kept."""
    client.administer("PUT", "clock", now=CLOCK, frozen=True)
    arn = client.ok("CreateTable", **TABLE)["TableDescription"]["TableArn"]
    client.ok("UpdateTimeToLive", TableName="Orders",
              TimeToLiveSpecification={"Enabled": True, "AttributeName": "ends"})
    client.ok("UpdateContinuousBackups", TableName="Orders",
              PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
    client.ok("PutItem", TableName="Orders", Item=order("ann", "1", ends={"N": "1769850900"}))  # 09:15
    client.ok("PutItem", TableName="Orders", Item=order("bob", "2", price={"N": "12345678901234567890123456789012345678"}))
    client.ok("CreateBackup", TableName="Orders", BackupName="backup")
    client.administer("PUT", "clock", advance="PT1M")
    client.ok("DeleteItem", TableName="Orders", Key={"customer": {"S": "bob"}, "number": {"S": "2"}})
    client.ok("TransactWriteItems", **TRANSACTION)
    for bucket in ("incoming", "outgoing"):
        client.store(f"/{bucket}")
    client.store("/incoming/songs.json", b'{"Item": {"title": {"S": "Heron"}}}\n')
    imported = client.ok("ImportTable", **IMPORT)["ImportTableDescription"]["ImportArn"]
    client.until_done("DescribeImport", "ImportTableDescription", "ImportStatus", ImportArn=imported)
    exported = client.ok("ExportTableToPointInTime", TableArn=arn, S3Bucket="outgoing", ClientToken="export")
    client.until_done("DescribeExport", "ExportDescription", "ExportStatus", ExportArn=exported["ExportDescription"]["ExportArn"])
    client.administer("POST", "worlds", name="fork")
    client.ok("PutItem", world="fork", TableName="Orders", Item=order("cleo", "3"))


def main(program, version):
    os.environ["DINETTE_PROGRAM"] = str(Path(program).resolve())
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "data"
        with Server("--data", str(folder)) as server:
            fill(Client(server))
        FOLDERS.mkdir(exist_ok=True)
        with tarfile.open(FOLDERS / f"{version}.tar.gz", "w:gz") as archive:
            archive.add(folder, "data")
    print(subprocess.check_output(["ls", "-l", str(FOLDERS)], text=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
