"""Kills the server again and again while clients write rows of Amazon Keyspaces, and looks at what is there afterwards.

As crash_test.py does: each client has rows of its own, and knows of each the version that was acknowledged last and the one that
may have been on the way. After each kill the table and the stream of its changes must agree with that, and with each other.
"""

import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "protocol"))

from cql_wire import Connection, Gone, call  # noqa: E402
from killing import crash_again_and_again, seed_chance  # noqa: E402
from server import Server  # noqa: E402

CRASHES = int(os.environ.get("DINETTE_CRASHES", "50"))
WRITERS = 4
ROWS = 10  # of each writer


def started(folder):
    """Starts a server, whose `port` is that of CQL, and `json_port` that of the JSON APIs."""
    server = Server("--data", folder, "--cql-port", "0")
    server.json_port = server.port
    server.port = int(server.printed(r"\(CQL\) is at 127\.0\.0\.1:(\d+)")[1])
    return server


def create_table(connection):
    connection.run("CREATE KEYSPACE k WITH replication = {'class': 'SingleRegionStrategy'}")
    connection.run("CREATE TABLE k.rows (p text, r int, v int, body text, PRIMARY KEY (p, r)) WITH cdc = true")


class Row:
    """What is known of a row. A version of 0 means that it is not there."""

    def __init__(self, number):
        self.number = number
        self.acknowledged = 0
        self.pending = None  # the version of a write that was not answered
        self.group = None  # the rows that were written together with it


class Writer:
    def __init__(self, name, seed):
        self.name = name
        self.random = random.Random(seed)
        self.rows = [Row(number) for number in range(ROWS)]
        self.version = 0
        self.acknowledged = 0

    def write_until_gone(self, port, stopped):
        try:
            with Connection(port) as connection:
                while not stopped.is_set():
                    self.random.choice((self.insert, self.update, self.delete, self.batch, self.conditional))(connection)
        except Gone:
            pass

    def some(self, count):
        versions = {}
        for one in self.random.sample(self.rows, count):
            self.version += 1
            versions[one] = self.version
        return versions

    def insert_of(self, one, version):
        body = "x" * (version % 300 * 10)
        return f"INSERT INTO k.rows (p, r, v, body) VALUES ('{self.name}', {one.number}, {version}, '{body}')"

    def where(self, one):
        return f"WHERE p = '{self.name}' AND r = {one.number}"

    def write(self, connection, versions, statement):
        """Brings rows to versions, and remembers that it was acknowledged."""
        for one, version in versions.items():
            one.pending, one.group = version, list(versions)
        connection.run(statement)
        for one, version in versions.items():
            one.acknowledged, one.pending, one.group = version, None, None
        self.acknowledged += len(versions)

    def insert(self, connection):
        ((one, version),) = self.some(1).items()
        self.write(connection, {one: version}, self.insert_of(one, version))

    def update(self, connection):
        ((one, version),) = self.some(1).items()
        self.write(connection, {one: version}, f"UPDATE k.rows SET v = {version} {self.where(one)}")

    def delete(self, connection):
        (one,) = self.random.sample(self.rows, 1)
        self.write(connection, {one: 0}, f"DELETE FROM k.rows {self.where(one)}")

    def batch(self, connection):
        versions = self.some(4)
        statements = "; ".join(self.insert_of(one, version) for one, version in versions.items())
        self.write(connection, versions, f"BEGIN BATCH {statements} APPLY BATCH")

    def conditional(self, connection):
        ((one, version),) = self.some(1).items()
        self.write(connection, {one: version}, f"UPDATE k.rows SET v = {version} {self.where(one)} IF v != {version}")


class Reader:
    def __init__(self):
        self.iterator = None
        self.replay = {}  # key -> version, as the stream says
        self.records = 0

    def read_stream(self, port):
        streams = "KeyspacesStreams."
        if self.iterator is None:
            (stream,) = call(port, streams + "ListStreams", keyspaceName="k", tableName="rows")["streams"]
            (shard,) = call(port, streams + "GetStream", streamArn=stream["streamArn"])["shards"]
            self.iterator = call(port, streams + "GetShardIterator", streamArn=stream["streamArn"], shardId=shard["shardId"],
                                 shardIteratorType="TRIM_HORIZON")["shardIterator"]
        while True:
            answer = call(port, streams + "GetRecords", shardIterator=self.iterator)
            for record in answer["changeRecords"]:
                self.records += 1
                key = record["partitionKeys"]["p"]["textT"], int(record["clusteringKeys"]["r"]["intT"])
                if "newImage" in record:
                    self.replay[key] = int(record["newImage"]["valueCells"]["v"]["value"]["intT"])
                else:
                    self.replay.pop(key, None)
            self.iterator = answer["nextShardIterator"]
            if answer["iteratorDescription"]["iteratorPosition"] == "AT_TIP":
                return

    def check(self, server, writers):
        with Connection(server.port) as connection:
            table = {(row["p"], row["r"]): row["v"] for row in connection.run("SELECT p, r, v FROM k.rows")}
        self.read_stream(server.json_port)
        assert self.replay == table, f"the stream has {self.replay}, the table {table}"
        for writer in writers:
            for one in writer.rows:
                self.check_row(table, writer, one)
            for one in writer.rows:
                one.acknowledged, one.pending, one.group = table.get((writer.name, one.number), 0), None, None

    @staticmethod
    def check_row(table, writer, one):
        found = table.get((writer.name, one.number), 0)
        assert found in (one.acknowledged, one.pending), \
            f"{writer.name}/{one.number} has version {found}, not {one.acknowledged} or {one.pending}"
        if one.group and one.pending != one.acknowledged:
            done = {table.get((writer.name, other.number), 0) == other.pending for other in one.group}
            assert len(done) == 1, f"{writer.name}: a part of a batch is there"


class CrashTest(unittest.TestCase):
    def test_nothing_that_was_acknowledged_is_lost_and_nothing_is_half_there(self):
        seed_chance()
        writers = [Writer(f"w{number}", random.randrange(1 << 32)) for number in range(WRITERS)]
        reader = Reader()

        def begin(server):
            with Connection(server.port) as connection:
                create_table(connection)

        acknowledged = crash_again_and_again(CRASHES, started, writers, begin, lambda server: reader.check(server, writers))
        print(f"{CRASHES} kills, {acknowledged} acknowledged writes, {reader.records} records of the stream", flush=True)


if __name__ == "__main__":
    unittest.main()
