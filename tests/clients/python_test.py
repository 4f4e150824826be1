"""clients/python: the library, with boto3 in its worlds."""

import datetime
import pathlib
import subprocess
import sys
import unittest
import unittest.mock

import boto3

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "clients/python"))
import dinette  # noqa: E402


def client(world):
    return boto3.Session().client("dynamodb", **world.client_arguments)


def create_table(world, name):
    client(world).create_table(
        TableName=name, AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}], BillingMode="PAY_PER_REQUEST")


def tables(world):
    return client(world).list_tables()["TableNames"]


class Library(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = dinette.start()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def test_a_fork_is_independent_can_be_reset_and_is_dropped(self):
        create_table(self.server.world, "Seeded")
        with self.server.world.fork(name="my-test", ttl=60) as world:
            self.assertEqual(world.name, "my-test")
            create_table(world, "OfFork")
            self.assertEqual(tables(world), ["OfFork", "Seeded"])
            self.assertEqual(tables(self.server.world), ["Seeded"])
            nested = world.fork()
            world.reset()
            self.assertEqual((tables(world), tables(nested)), ([], ["OfFork", "Seeded"]))
            self.assertEqual(world.describe(), {"name": "my-test", "tables": 0, "items": 0, "bytes": 0, "fork": True,
                                                "ttl": 60, "regions": []})
        with self.assertRaises(dinette.DinetteError) as refused:
            world.describe()
        self.assertEqual((refused.exception.status, refused.exception.code), (404, "NotFound"))

    def test_a_snapshot_is_restored(self):
        world = self.server.world.fork()
        snapshot = world.snapshot()
        create_table(world, "Later")
        world.restore(snapshot)
        self.assertNotIn("Later", tables(world))

    def test_a_clock_is_set_advanced_stopped_and_sped_up_in_its_world_alone(self):
        clock = self.server.world.fork().clock
        clock.freeze()
        clock.set(datetime.datetime(2030, 1, 1, tzinfo=datetime.timezone.utc))
        self.assertEqual(clock.advance(datetime.timedelta(hours=25))["now"], "2030-01-02T01:00:00.000Z")
        self.assertEqual(clock.advance("-PT1H")["now"], "2030-01-02T00:00:00.000Z")
        self.assertEqual(clock.set_rate(60)["rate"], 60)
        self.assertFalse(clock.unfreeze()["frozen"])
        self.assertEqual(self.server.world.clock.read()["rate"], 1)

    def test_a_server_that_runs_already_needs_its_token(self):
        with dinette.start(arguments=["--admin-token", "secret"]) as guarded:
            with self.assertRaises(dinette.DinetteError):
                dinette.connect(guarded.endpoint).world.fork()
            self.assertEqual(dinette.connect(guarded.endpoint + "/", token="secret").world.fork().name, "world-1")

    def test_the_token_comes_from_the_environment_too_and_is_no_argument(self):
        with unittest.mock.patch.dict("os.environ", DINETTE_ADMIN_TOKEN="of-environment"):
            with dinette.start() as guarded:
                self.assertEqual(guarded.world.fork().name, "world-1")
                self.assertEqual(dinette.connect(guarded.endpoint).world.fork().name, "world-2")
                with self.assertRaises(dinette.DinetteError):
                    dinette.connect(guarded.endpoint, token="wrong").world.fork()
        with dinette.start(token="given") as guarded:
            self.assertEqual(guarded.world.fork().name, "world-1")
            with self.assertRaises(dinette.DinetteError):
                dinette.connect(guarded.endpoint).world.fork()
            command = pathlib.Path(f"/proc/{guarded._process.pid}/cmdline").read_bytes()
            self.assertNotIn(b"given", command)

    def test_a_server_ends_with_the_script_that_started_it(self):
        script = "import dinette; server = dinette.start(); print(server._process.pid, flush=True); raise SystemExit(3)"
        ended = subprocess.run([sys.executable, "-B", "-c", script], cwd=ROOT / "clients/python", stdout=subprocess.PIPE, text=True)
        self.assertEqual(ended.returncode, 3)
        self.assertFalse(pathlib.Path("/proc", ended.stdout.strip()).exists())

    def test_a_program_that_does_not_start_is_an_error(self):
        with self.assertRaisesRegex(FileNotFoundError, "Cannot start /nothing: there is no such program. Install Dinette .*, "
                                                       "or set DINETTE_PROGRAM to its path"):
            dinette.start(program="/nothing")
        with self.assertRaisesRegex(PermissionError, "Cannot start /etc/passwd: it may not be executed. "):
            dinette.start(program="/etc/passwd")
        with self.assertRaisesRegex(RuntimeError, "ended with 2 before it was ready"):
            dinette.start(arguments=["--nonsense"])


if __name__ == "__main__":
    # boto3 leaves closing its connections to the garbage collector.
    unittest.main(warnings="ignore")
