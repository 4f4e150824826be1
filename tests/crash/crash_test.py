"""Kills the server again and again while clients write, and looks at what is there afterwards.

Each client has items of its own and changes them one request after the other, so of every item it knows the version
that was acknowledged last and the one that may have been on the way. After each kill the table, its indexes and its
stream must agree with that, and with each other. DINETTE_CRASHES says how many times the server is killed.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "protocol"))

from crash_clients import Connection, Writer  # noqa: E402
from crash_checks import Reader  # noqa: E402
from server import Server  # noqa: E402

CRASHES = int(os.environ.get("DINETTE_CRASHES", "50"))
WRITERS = 6
LONGEST_RUN_SECONDS = 0.06
CRASHES_PER_CHECK = 10

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


def crash(server, writers):
    """Lets the writers write until the server is killed, at a random moment."""
    threads = [threading.Thread(target=writer.write_until_gone, args=(server.port,)) for writer in writers]
    for thread in threads:
        thread.start()
    time.sleep(random.random() * LONGEST_RUN_SECONDS)
    server.process.send_signal(signal.SIGKILL)
    for thread in threads:
        thread.join()
    server.stop(signal.SIGKILL)
    server.log.close()


class CrashTest(unittest.TestCase):
    def check(self, folder):
        """Looks at the folder as the kill has left it, before a server has opened it."""
        done = subprocess.run([os.environ["DINETTE_PROGRAM"], "check", folder], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def run_crashes(self, *options):
        seed = int(os.environ.get("DINETTE_TEST_SEED", random.randrange(1 << 32)))
        print(f"DINETTE_TEST_SEED={seed}", flush=True)
        random.seed(seed)
        writers = [Writer(f"w{number}", random.randrange(1 << 32)) for number in range(WRITERS)]
        reader = Reader()
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
            arguments = ("--data", os.path.join(folder, "data"), *options)
            with Server(*arguments) as server:
                with Connection(server.port) as connection:
                    connection.ok("CreateTable", TABLE)
            for crashes in range(CRASHES):
                if crashes % CRASHES_PER_CHECK == 0:
                    self.check(arguments[1])
                server = Server(*arguments)
                with Connection(server.port) as connection:
                    reader.check(connection, writers)
                crash(server, writers)
            with Server(*arguments) as server:
                with Connection(server.port) as connection:
                    reader.check(connection, writers)
            self.check(arguments[1])
        acknowledged = sum(writer.acknowledged for writer in writers)
        self.assertGreater(acknowledged, CRASHES)
        print(f"{CRASHES} kills, {acknowledged} acknowledged writes, {reader.records} records of the stream", flush=True)

    def test_nothing_that_was_acknowledged_is_lost_and_nothing_is_half_there(self):
        self.run_crashes()


if __name__ == "__main__":
    unittest.main()
