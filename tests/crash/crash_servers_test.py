"""Kills one of two servers, or the PostgreSQL that they keep their data in, while clients write to both.

What is known and checked is as in crash_test.py. The server that lives goes on by itself: it is not started again when the
database was killed, and takes over the deliveries of the other. DINETTE_CRASHES says how many times.
"""

import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "protocol"))

from crash_checks import Reader  # noqa: E402
from crash_clients import Connection, Gone, Writer  # noqa: E402
from crash_test import TABLE, deliver  # noqa: E402
from killing import kill_server, seed_chance, write_until  # noqa: E402
from postgres_cluster import PostgresCluster, url_of_either  # noqa: E402
from server import Server  # noqa: E402

CRASHES = int(os.environ.get("DINETTE_CRASHES", "8"))
WRITERS = 6


def wait_for_database(server):
    """The server says that it is healthy when it has connected again."""
    while True:
        with Connection(server.port) as connection:
            try:
                if connection.call("ListTables", {})[0] == 200:
                    return
            except Gone:
                assert server.process.poll() is None, server.log_text()


class CrashedServersTest(unittest.TestCase):
    def setUp(self):
        seed_chance()
        self.writers = [Writer(f"w{number}", random.randrange(1 << 32), may_fail=True) for number in range(WRITERS)]
        self.reader = Reader()
        self.servers = []
        self.addCleanup(lambda: [kill_server(server) for server in self.servers])

    def start(self, url):
        self.servers = [Server("--store", url) for _ in range(2)]
        with Connection(self.servers[0].port) as connection:
            connection.ok("CreateTable", TABLE)
            deliver(connection)

    def works(self):
        return [(writer, self.servers[i % 2].port) for i, writer in enumerate(self.writers)]

    def check(self):
        with Connection(random.choice(self.servers).port) as connection:
            self.reader.check(connection, self.writers)

    def report(self, what):
        acknowledged = sum(writer.acknowledged for writer in self.writers)
        self.assertGreater(acknowledged, 0)
        print(f"{what}, {acknowledged} acknowledged writes, {self.reader.stream.replay.records} records of the stream, "
              f"{self.reader.kinesis.replay.records} of Kinesis", flush=True)

    def test_nothing_is_lost_whichever_ends(self):
        kills = [0, 0]
        with PostgresCluster() as cluster:
            self.start(cluster.url)
            for _ in range(CRASHES):
                victim = random.randrange(3)
                if victim == 2:
                    write_until(cluster.crash, self.works())
                    cluster.start()
                    for server in self.servers:
                        wait_for_database(server)
                else:
                    write_until(self.servers[victim].process.kill, self.works())
                    kill_server(self.servers[victim])
                    self.servers[victim] = Server("--store", cluster.url)
                kills[victim // 2] += 1
                self.check()
            self.report(f"{kills[0]} kills of servers and {kills[1]} of the database")

    def test_nothing_is_lost_when_a_replica_takes_over(self):
        with PostgresCluster() as primary, PostgresCluster(primary) as replica:
            primary.require_replica()
            self.start(url_of_either(primary, replica))
            self.check()
            write_until(primary.crash, self.works())
            replica.promote()
            for server in self.servers:
                wait_for_database(server)
            self.check()
            write_until(lambda: None, self.works())
            self.check()
            self.report("a replica took over")


if __name__ == "__main__":
    unittest.main()
