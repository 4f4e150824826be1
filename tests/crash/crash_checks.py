"""Looks at what a server holds after it was killed."""

import base64
import json
import time
from collections import deque

# Only reached if changes are lost.
PATIENCE_SECONDS = 60

# A server that is killed before it has noted what it delivered repeats it, perhaps after several more kills: what it
# delivered before may satisfy a check, and the next kill, before it has begun to repeat.
REPEATING_CHECKS = 100


def version_of(item):
    return int(item["v"]["N"])


def key_of(item):
    return item["p"]["S"], item["s"]["S"]


class Replay:
    """A table as the records of its changes say."""

    def __init__(self):
        self.records = 0
        self.table = {}  # key -> version
        self.seen = set()  # what the records brought since the last check: (key, version)

    def add(self, change):
        self.records += 1
        key = key_of(change["Keys"])
        if "NewImage" in change:
            version = version_of(change["NewImage"])
            before = self.table.get(key, 0)
            assert version > before, f"{key} has a record of version {version} after one of {before}"
            self.table[key] = version
            self.seen.add((key, version))
        else:
            assert key in self.table, f"{key} has a record of a deletion, but was not there"
            del self.table[key]

    def check_seen(self, writer, where):
        for item in writer.items:
            lost = [version for version in item.to_see if ((writer.name, item.key), version) not in self.seen]
            assert not lost, f"{where} has no record of the versions {lost} of {writer.name}/{item.key}"


class TableStream:
    """Reads the table's stream, in which each change is once."""

    def __init__(self):
        self.replay = Replay()
        self.positions = {}  # the last sequence number that was read of each shard

    def read(self, connection):
        (stream,) = connection.ok("ListStreams", {"TableName": "Items"})["Streams"]
        described = connection.ok("DescribeStream", {"StreamArn": stream["StreamArn"]})["StreamDescription"]
        for shard in described["Shards"]:
            self.read_shard(connection, stream["StreamArn"], shard["ShardId"])

    def read_shard(self, connection, stream, shard):
        request = {"StreamArn": stream, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"}
        if shard in self.positions:
            request["ShardIteratorType"] = "AFTER_SEQUENCE_NUMBER"
            request["SequenceNumber"] = self.positions[shard]
        iterator = connection.ok("GetShardIterator", request)["ShardIterator"]
        while iterator:
            answer = connection.ok("GetRecords", {"ShardIterator": iterator})
            for record in answer["Records"]:
                self.replay.add(record["dynamodb"])
                self.positions[shard] = record["dynamodb"]["SequenceNumber"]
            iterator = answer.get("NextShardIterator") if answer["Records"] else None


class KinesisStream:
    """Reads the Kinesis stream that gets the table's changes, each at least once: after a kill some come again."""

    def __init__(self):
        self.replay = Replay()
        self.position = None
        self.events = deque([set()], maxlen=REPEATING_CHECKS)  # of each check

    def read_until(self, connection, found):
        """Returns when the records say what was found in the table."""
        self.events.append(set())
        deadline = time.monotonic() + PATIENCE_SECONDS
        self.read(connection)
        while self.replay.table != found:
            assert time.monotonic() < deadline, f"the Kinesis stream says {self.replay.table}, the table {found}"
            self.read(connection)

    def read(self, connection):
        request = {"StreamName": "changes", "ShardId": "0", "ShardIteratorType": "TRIM_HORIZON"}
        if self.position:
            request["ShardIteratorType"] = "AFTER_SEQUENCE_NUMBER"
            request["StartingSequenceNumber"] = self.position
        iterator = connection.kinesis("GetShardIterator", request)["ShardIterator"]
        while iterator:
            answer = connection.kinesis("GetRecords", {"ShardIterator": iterator})
            for record in answer["Records"]:
                self.add(json.loads(base64.b64decode(record["Data"])))
                self.position = record["SequenceNumber"]
            iterator = answer.get("NextShardIterator") if answer["Records"] else None

    def add(self, record):
        event = record["eventID"]
        if not any(event in of_check for of_check in self.events):
            self.replay.add(record["dynamodb"])
        self.events[-1].add(event)


class Reader:
    """Reads the table, its indexes and its streams, and compares them with what the writers know."""

    def __init__(self):
        self.stream = TableStream()
        self.kinesis = KinesisStream()

    def check(self, connection, writers):
        table = self.scan(connection)
        self.compare_with_index(connection, table, "global")
        self.compare_with_index(connection, table, "local")
        found = {key_of(item): version_of(item) for item in table}
        self.stream.replay.seen, self.kinesis.replay.seen = set(), set()
        self.stream.read(connection)
        assert self.stream.replay.table == found, f"the stream says {self.stream.replay.table}, the table {found}"
        self.kinesis.read_until(connection, found)
        described = connection.ok("DescribeTable", {"TableName": "Items"})["Table"]
        assert described["ItemCount"] == len(table), f"{described['ItemCount']} items are counted, {len(table)} there"
        for writer in writers:
            self.settle(writer, found)

    def scan(self, connection, **more):
        items, start = [], {}
        while True:
            answer = connection.ok("Scan", {"TableName": "Items", "ConsistentRead": "IndexName" not in more, **more, **start})
            items += answer["Items"]
            if "LastEvaluatedKey" not in answer:
                return items
            start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}

    def compare_with_index(self, connection, table, index):
        entries = self.scan(connection, IndexName=index)
        assert sorted(entries, key=key_of) == sorted(table, key=key_of), f"the index {index} differs from the table"

    def settle(self, writer, found):
        """An item is as it was acknowledged, or as the write left it that was not answered; transactions as a whole."""
        for item in writer.items:
            version = found.get((writer.name, item.key), 0)
            expected = {item.acknowledged} | ({item.pending} if item.pending is not None else set())
            assert version in expected, f"{writer.name}/{item.key} is {version}, not one of {expected}"
        for item in writer.items:
            if item.group:
                done = {found.get((writer.name, other.key), 0) == other.pending for other in item.group}
                assert len(done) == 1, f"a transaction of {writer.name} is half there"
        self.stream.replay.check_seen(writer, "the stream")
        self.kinesis.replay.check_seen(writer, "the Kinesis stream")
        for item in writer.items:
            item.to_see = []
            item.acknowledged = found.get((writer.name, item.key), 0)
            item.pending = item.group = None
