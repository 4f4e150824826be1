"""Kills the server again and again while clients write to a table of Tablestore, and looks at what is there afterwards.

As crash_test.py does: each client has rows of its own, and knows of each the version that was acknowledged last and the one that
may have been on the way. After each kill the table, its index and its stream must agree with that, and with each other.
"""

import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "protocol"))

from killing import crash_again_and_again, seed_chance  # noqa: E402
from server import Server  # noqa: E402
from tablestore_wire import Connection, Gone, message, row, rows_of, fields_of  # noqa: E402

CRASHES = int(os.environ.get("DINETTE_CRASHES", "50"))
WRITERS = 4
ROWS = 10  # of each writer

PUT, UPDATE, DELETE = 1, 2, 3
IGNORE = message((1, 0))
SHARD = "shard-0"


def create_table(connection):
    """The key is a text and a number; an index has the versions, and a stream what is written."""
    meta = message((1, "Rows"), (2, message((1, "p"), (2, 2))), (2, message((1, "r"), (2, 1))), (3, message((1, "v"), (2, 1))))
    units = message((1, message((1, 0), (2, 0))))
    options = message((1, -1), (2, 1))
    stream = message((1, 1), (2, 168))
    index = message((1, "by_version"), (2, "v"), (4, 0), (5, 0))
    connection.ok("CreateTable", (1, meta), (2, units), (3, options), (5, stream), (7, index))


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
        kinds = (self.put, self.update, self.delete, self.batch, self.transaction)
        with Connection(port) as connection:
            try:
                while not stopped.is_set():
                    self.random.choice(kinds)(connection)
            except Gone:
                pass

    def next_version(self):
        self.version += 1
        return self.version

    def some(self, count):
        return {one: self.next_version() for one in self.random.sample(self.rows, count)}

    def key(self, one):
        return (("p", self.name), ("r", one.number))

    def content(self, one, version):
        """Some rows are so large that their cells have keys of their own."""
        return row(self.key(one), (("body", "x" * (version % 3000 * 10)), ("v", version)))

    def write(self, versions, send, together=False):
        """Does what brings rows to versions, and remembers that it was acknowledged."""
        for one, version in versions.items():
            one.pending, one.group = version, list(versions) if together else None
        send()
        for one, version in versions.items():
            one.acknowledged, one.pending, one.group = version, None, None
        self.acknowledged += len(versions)

    def put(self, connection):
        ((one, version),) = self.some(1).items()
        self.write({one: version}, lambda: connection.ok("PutRow", (1, "Rows"), (2, self.content(one, version)), (3, IGNORE)))

    def update(self, connection):
        ((one, version),) = self.some(1).items()
        change = row(self.key(one), (("v", version),))
        self.write({one: version}, lambda: connection.ok("UpdateRow", (1, "Rows"), (2, change), (3, IGNORE)))

    def delete(self, connection):
        (one,) = self.random.sample(self.rows, 1)
        key = row(self.key(one), deletes=True)
        self.write({one: 0}, lambda: connection.ok("DeleteRow", (1, "Rows"), (2, key), (3, IGNORE)))

    def batch(self, connection):
        versions = self.some(4)
        rows = [(2, message((1, PUT), (2, self.content(one, version)), (3, IGNORE))) for one, version in versions.items()]
        table = message((1, "Rows"), *rows)
        self.write(versions, lambda: connection.ok("BatchWriteRow", (1, table), (3, 1)), together=True)

    def transaction(self, connection):
        versions = self.some(3)
        (started,) = connection.ok("StartLocalTransaction", (1, "Rows"), (2, row((("p", self.name),))))[1]
        for one, version in versions.items():
            connection.ok("PutRow", (1, "Rows"), (2, self.content(one, version)), (3, IGNORE), (5, started))
        self.write(versions, lambda: connection.ok("CommitTransaction", (1, started)), together=True)


class Reader:
    def __init__(self):
        self.iterator = None
        self.replay = {}  # key -> version, as the stream says
        self.records = 0

    def read_range(self, connection, table, names):
        """Returns the rows of a table or an index, by their key in the table."""
        start, end = (row([(name, bound) for name in names]) for bound in ("-inf", "+inf"))
        rows = {}
        while start:
            answer = connection.ok("GetRange", (1, table), (2, 0), (5, 1), (7, start), (8, end))
            for columns in rows_of(answer[2][0]):
                rows[columns["p"], columns["r"]] = columns["v"]
            (start,) = answer.get(3, [None])
        return rows

    def read_stream(self, connection):
        if self.iterator is None:
            (stream,) = connection.ok("ListStream", (1, "Rows"))[1]
            stream_id = fields_of(stream)[1][0]
            (self.iterator,) = connection.ok("GetShardIterator", (1, stream_id), (2, SHARD))[1]
        while True:
            answer = connection.ok("GetStreamRecord", (1, self.iterator))
            for record in map(fields_of, answer.get(1, [])):
                self.records += 1
                (columns,) = rows_of(record[2][0])
                key = columns["p"], columns["r"]
                if record[1][0] == DELETE:
                    self.replay.pop(key, None)
                else:
                    assert columns["v"] > self.replay.get(key, 0), f"{key} has a record of an older version"
                    self.replay[key] = columns["v"]
            (self.iterator,) = answer[2]
            if not answer[4][0]:
                return

    def check(self, connection, writers):
        table = self.read_range(connection, "Rows", ("p", "r"))
        index = self.read_range(connection, "by_version", ("v", "p", "r"))
        assert index == table, f"the index has {index}, the table {table}"
        self.read_stream(connection)
        assert self.replay == table, f"the stream has {self.replay}, the table {table}"
        for writer in writers:
            for one in writer.rows:
                self.check_row(table.get((writer.name, one.number), 0), writer, one, table)
            for one in writer.rows:
                one.acknowledged, one.pending, one.group = table.get((writer.name, one.number), 0), None, None

    @staticmethod
    def check_row(found, writer, one, table):
        assert found in (one.acknowledged, one.pending), \
            f"{writer.name}/{one.number} has version {found}, not {one.acknowledged} or {one.pending}"
        if one.group and one.pending != one.acknowledged:
            done = {table.get((writer.name, other.number), 0) == other.pending for other in one.group}
            assert len(done) == 1, f"{writer.name}: a part of a batch or transaction is there"


class CrashTest(unittest.TestCase):
    def test_nothing_that_was_acknowledged_is_lost_and_nothing_is_half_there(self):
        seed_chance()
        writers = [Writer(f"w{number}", random.randrange(1 << 32)) for number in range(WRITERS)]
        reader = Reader()

        def begin(server):
            with Connection(server.port) as connection:
                create_table(connection)

        def check(server):
            with Connection(server.port) as connection:
                reader.check(connection, writers)

        acknowledged = crash_again_and_again(CRASHES, lambda folder: Server("--data", folder), writers, begin, check)
        print(f"{CRASHES} kills, {acknowledged} acknowledged writes, {reader.records} records of the stream", flush=True)


if __name__ == "__main__":
    unittest.main()
