"""Throttling by what requests take, as boto3 meets it (docs/service/throttling.md section 7): its own retries while credit
comes back. This boto3 is older than ThrottlingReasons; js/throttling.test.mjs reads them."""

import tempfile
import unittest

import boto3
from admin_test import send
from boto3_clients import client
from botocore.config import Config
from botocore.exceptions import ClientError
from server import Server

TABLE = "Music"
LARGE = {"id": {"S": "large"}, "data": {"S": "x" * 350_000}}
SMALL = {"id": {"S": "small"}}


class Throttling(unittest.TestCase):
    def setUp(self):
        self.server = Server("--throttle", "service")
        self.addCleanup(lambda: self.assertEqual(self.server.stop(), 0))
        self.clock(frozen=True)
        self.plain = client(self.server.endpoint)  # makes one attempt
        self.plain.create_table(
            TableName=TABLE, ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}])

    def clock(self, **change):
        self.assertEqual(send(self.server, "PUT", "/_dinette/clock", change).status, 200)

    def retrying(self, mode):
        """Returns a client before each of whose retries the clock of the server goes on by half a second."""
        dynamodb = boto3.Session().client(
            "dynamodb", endpoint_url=self.server.endpoint, region_name="us-east-1", aws_access_key_id="key",
            aws_secret_access_key="secret", config=Config(retries={"mode": mode}))
        dynamodb.meta.events.register_first("needs-retry.dynamodb", lambda **_: self.clock(advance="PT0.5S"))
        return dynamodb

    def test_a_burst_and_then_one_per_second(self):
        for _ in range(300):
            self.plain.put_item(TableName=TABLE, Item=SMALL)
        with self.assertRaises(self.plain.exceptions.ProvisionedThroughputExceededException) as refused:
            self.plain.put_item(TableName=TABLE, Item=SMALL)
        self.assertIn("provisioned throughput for the table was exceeded", str(refused.exception))
        self.clock(advance="PT1S")
        self.plain.put_item(TableName=TABLE, Item=SMALL)

    def test_retries_succeed_when_credit_is_back(self):
        for mode in ("legacy", "standard", "adaptive"):
            with self.subTest(mode):
                self.plain.put_item(TableName=TABLE, Item=LARGE)
                answer = self.retrying(mode).put_item(TableName=TABLE, Item=SMALL)
                self.assertEqual(answer["ResponseMetadata"]["RetryAttempts"], 2)
                self.clock(advance="PT10M")

    def test_a_large_batch_is_done_in_parts(self):
        left, rounds = [{"PutRequest": {"Item": {**LARGE, "id": {"S": str(i)}}}} for i in range(25)], 0
        self.plain.create_table(TableName="Hot", BillingMode="PAY_PER_REQUEST",
                                KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
                                AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}])
        while left:
            unprocessed = self.plain.batch_write_item(RequestItems={"Hot": left})["UnprocessedItems"]
            self.assertLess(len(unprocessed.get("Hot", [])), len(left))
            left, rounds = unprocessed.get("Hot", []), rounds + 1
            self.clock(advance="PT1S")
        self.assertGreater(rounds, 1)
        self.assertEqual(self.plain.describe_table(TableName="Hot")["Table"]["ItemCount"], 25)

    def test_a_restarted_server_begins_with_full_buckets(self):
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(2):
                with Server("--throttle", "service", "--data", folder) as server:
                    dynamodb = client(server.endpoint)
                    send(server, "PUT", "/_dinette/clock", {"frozen": True})
                    if not dynamodb.list_tables()["TableNames"]:
                        dynamodb.create_table(
                            TableName=TABLE, ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
                            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
                            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}])
                    dynamodb.put_item(TableName=TABLE, Item=LARGE)
                    with self.assertRaises(dynamodb.exceptions.ProvisionedThroughputExceededException):
                        dynamodb.put_item(TableName=TABLE, Item=SMALL)

    def test_a_fork_has_credit_of_its_own(self):
        self.plain.put_item(TableName=TABLE, Item=LARGE)
        fork = send(self.server, "POST", "/_dinette/worlds").json()["name"]
        client(self.server.endpoint, key=fork).put_item(TableName=TABLE, Item=SMALL)
        with self.assertRaises(ClientError):
            self.plain.put_item(TableName=TABLE, Item=SMALL)


if __name__ == "__main__":
    # boto3 leaves closing its connections to the garbage collector.
    unittest.main(warnings="ignore")
