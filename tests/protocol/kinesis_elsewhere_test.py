"""Changes of tables, put into the streams of a Kinesis at another address (--kinesis-endpoint). docs/kinesis.md."""

import base64
import http.server
import json
import pathlib
import tempfile
import threading
import time
import unittest

import boto3_clients
from server import Server

PATIENCE_SECONDS = 60
KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}
ARN = "arn:aws:kinesis:us-east-1:000000000000:stream/changes"


def eventually(get, is_so):
    """Returns what `get` returns once `is_so` is true of it."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so(value := get()):
        assert time.monotonic() < deadline, f"still {value}"
    return value


class Table:
    """A table of a server whose changes go elsewhere."""

    def __init__(self, endpoint, name="Music"):
        self.db, self.name = boto3_clients.client(endpoint), name
        self.db.create_table(
            TableName=name, AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}], BillingMode="PAY_PER_REQUEST")

    def enable(self):
        self.db.enable_kinesis_streaming_destination(TableName=self.name, StreamArn=ARN)

    def destination(self):
        return self.db.describe_kinesis_streaming_destination(TableName=self.name)["KinesisDataStreamDestinations"][0]

    def wait_for(self, status):
        return eventually(self.destination, lambda destination: destination["DestinationStatus"] == status)

    def put(self, pk, number):
        self.db.put_item(TableName=self.name, Item={"pk": {"S": pk}, "n": {"N": str(number)}})


class AnotherServer(unittest.TestCase):
    """The streams are another Dinette's, which verifies signatures."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        credentials = pathlib.Path(folder.name, "credentials")
        credentials.write_text("[default]\naws_access_key_id = key\naws_secret_access_key = secret\n")
        self.there = self.enterContext(Server("--auth", "verify", "--credentials", str(credentials)))
        self.kinesis = boto3_clients.client(self.there.endpoint, service="kinesis")
        self.here = self.enterContext(Server("--kinesis-endpoint", self.there.endpoint, env=KEYS))

    def records(self):
        start = self.kinesis.get_shard_iterator(StreamName="changes", ShardId="shardId-000000000000", ShardIteratorType="TRIM_HORIZON")
        return [json.loads(record["Data"]) for record in self.kinesis.get_records(ShardIterator=start["ShardIterator"])["Records"]]

    def test_changes_come_there_in_the_order_of_each_item(self):
        self.kinesis.create_stream(StreamName="changes", ShardCount=1)
        table = Table(self.here.endpoint)
        table.enable()
        table.wait_for("ACTIVE")
        for number in range(20):
            table.put(f"item{number % 2}", number)
        records = eventually(self.records, lambda records: len(records) >= 20)
        for item in range(2):
            images = [record["dynamodb"]["NewImage"] for record in records]
            numbers = [int(image["n"]["N"]) for image in images if image["pk"]["S"] == f"item{item}"]
            self.assertEqual(numbers, list(range(item, 20, 2)))

    def test_without_that_stream_the_destination_fails(self):
        table = Table(self.here.endpoint)
        table.enable()
        failed = table.wait_for("ENABLE_FAILED")
        self.assertEqual(failed["DestinationStatusDescription"], "User does not have a permission to use kinesis stream")

    def test_own_streams_are_served_and_get_nothing(self):
        own = boto3_clients.client(self.here.endpoint, service="kinesis")
        own.create_stream(StreamName="changes", ShardCount=1)
        table = Table(self.here.endpoint)
        table.enable()
        table.wait_for("ENABLE_FAILED")


class PoorKinesis:
    """A Kinesis that puts one record of each request, and refuses the others, or all."""

    def __init__(self):
        self.put = []  # (partition key, data), in their order
        self.is_up = True
        self.changed = threading.Condition()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                operation = self.headers["X-Amz-Target"].split(".")[1]
                status, answer = getattr(outer, operation)(body) if outer.is_up else (503, {"__type": "ServiceUnavailable"})
                data = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def DescribeStreamSummary(self, body):
        return 200, {"StreamDescriptionSummary": {"StreamARN": body["StreamARN"], "StreamStatus": "ACTIVE"}}

    def PutRecords(self, body):
        first, *others = body["Records"]
        with self.changed:
            self.put.append((first["PartitionKey"], json.loads(base64.b64decode(first["Data"]))))
            self.changed.notify_all()
        throttled = {"ErrorCode": "ProvisionedThroughputExceededException", "ErrorMessage": "Rate exceeded"}
        return 200, {"FailedRecordCount": len(others), "Records": [{"SequenceNumber": "1", "ShardId": "1"}, *[throttled] * len(others)]}

    def wait_for(self, count):
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.put) >= count, PATIENCE_SECONDS), f"{len(self.put)} records"
            return list(self.put)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Refused(unittest.TestCase):
    def setUp(self):
        self.kinesis = self.enterContext(PoorKinesis())
        self.here = self.enterContext(Server("--kinesis-endpoint", self.kinesis.url, env=KEYS))

    def test_records_that_are_refused_come_again_before_later_ones_of_their_item(self):
        table = Table(self.here.endpoint)
        table.enable()
        table.wait_for("ACTIVE")
        self.kinesis.is_up = False
        for number in range(12):
            table.put(f"item{number % 3}", number)
        self.kinesis.is_up = True
        put = self.kinesis.wait_for(12)
        for item in range(3):
            images = [record["dynamodb"]["NewImage"] for _, record in put]
            numbers = [int(image["n"]["N"]) for image in images if image["pk"]["S"] == f"item{item}"]
            self.assertEqual(numbers, list(range(item, 12, 3)))

    def test_a_destination_waits_for_a_kinesis_that_is_down(self):
        self.kinesis.is_up = False
        table = Table(self.here.endpoint)
        table.enable()
        table.put("item", 1)
        self.assertEqual(table.destination()["DestinationStatus"], "ENABLING")
        self.kinesis.is_up = True
        table.wait_for("ACTIVE")


if __name__ == "__main__":
    unittest.main()
