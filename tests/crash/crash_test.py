"""Kills the server again and again while clients write, and looks at what is there afterwards.

Each client has items of its own and changes them one request after the other, so of every item it knows the version
that was acknowledged last and the one that may have been on the way. After each kill the table, its indexes, its
stream and the Kinesis stream that gets its changes must agree with that, and with each other. DINETTE_CRASHES says how many times the server is killed.
"""

import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "protocol"))

from crash_clients import Connection, Writer  # noqa: E402
from crash_checks import Reader  # noqa: E402
from killing import crash_again_and_again, seed_chance  # noqa: E402
from server import Server  # noqa: E402

CRASHES = int(os.environ.get("DINETTE_CRASHES", "50"))
WRITERS = 6

TABLE = {
    "TableName": "Items",
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("p", "s", "g", "l")],
    "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}, {"AttributeName": "s", "KeyType": "RANGE"}],
    "LocalSecondaryIndexes": [
        {
            "IndexName": "local",
            "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}, {"AttributeName": "l", "KeyType": "RANGE"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "global",
            "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
    "BillingMode": "PAY_PER_REQUEST",
}


def deliver(connection):
    """Has the table's changes put into a Kinesis stream."""
    connection.kinesis("CreateStream", {"StreamName": "changes", "ShardCount": 1})
    arn = "arn:aws:kinesis:us-east-1:000000000000:stream/changes"
    connection.ok("EnableKinesisStreamingDestination", {"TableName": "Items", "StreamArn": arn})
    status = None
    while status != "ACTIVE":
        described = connection.ok("DescribeKinesisStreamingDestination", {"TableName": "Items"})
        status = described["KinesisDataStreamDestinations"][0]["DestinationStatus"]


class CrashTest(unittest.TestCase):
    def test_nothing_that_was_acknowledged_is_lost_and_nothing_is_half_there(self):
        seed_chance()
        writers = [Writer(f"w{number}", random.randrange(1 << 32)) for number in range(WRITERS)]
        reader = Reader()

        def begin(server):
            with Connection(server.port) as connection:
                connection.ok("CreateTable", TABLE)
                deliver(connection)

        def check(server):
            with Connection(server.port) as connection:
                reader.check(connection, writers)

        acknowledged = crash_again_and_again(CRASHES, lambda folder: Server("--data", folder), writers, begin, check)
        print(f"{CRASHES} kills, {acknowledged} acknowledged writes, {reader.stream.replay.records} records of the stream, "
              f"{reader.kinesis.replay.records} of Kinesis", flush=True)


if __name__ == "__main__":
    unittest.main()
