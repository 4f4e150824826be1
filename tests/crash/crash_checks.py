"""Looks at what a server holds after it was killed."""


def version_of(item):
    return int(item["v"]["N"])


def key_of(item):
    return item["p"]["S"], item["s"]["S"]


class Reader:
    """Reads the table, its indexes and its stream, and compares them with what the writers know."""

    def __init__(self):
        self.records = 0
        self.replayed = {}  # the table as the records of the stream say: key -> version
        self.seen = set()  # what the records just read brought: (key, version)
        self.positions = {}  # the last sequence number that was read of each shard

    def check(self, connection, writers):
        table = self.scan(connection)
        self.compare_with_index(connection, table, "global")
        self.compare_with_index(connection, table, "local")
        found = {key_of(item): version_of(item) for item in table}
        self.seen = set()
        self.read_stream(connection)
        assert self.replayed == found, f"the stream says {self.replayed}, the table {found}"
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

    def read_stream(self, connection):
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
                self.replay(record["dynamodb"])
                self.positions[shard] = record["dynamodb"]["SequenceNumber"]
            iterator = answer.get("NextShardIterator") if answer["Records"] else None

    def replay(self, change):
        self.records += 1
        key = key_of(change["Keys"])
        if "NewImage" in change:
            version = version_of(change["NewImage"])
            before = self.replayed.get(key, 0)
            assert version > before, f"{key} has a record of version {version} after one of {before}"
            self.replayed[key] = version
            self.seen.add((key, version))
        else:
            assert key in self.replayed, f"{key} has a record of a deletion, but was not there"
            del self.replayed[key]

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
        for item in writer.items:
            lost = [version for version in item.to_see if ((writer.name, item.key), version) not in self.seen]
            assert not lost, f"the stream has no record of the versions {lost} of {writer.name}/{item.key}"
            item.to_see = []
            item.acknowledged = found.get((writer.name, item.key), 0)
            item.pending = item.group = None
