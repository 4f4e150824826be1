"""Several servers that keep their data in one PostgreSQL, and so are one."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import textwrap
import unittest

import boto3_clients
from postgres_cluster import Pooler, PostgresCluster
from server import Server, program

NGINX = "/usr/sbin/nginx"

TABLE = {
    "TableName": "Items",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
}


def administrate(server, method, path, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    with contextlib.closing(connection):
        connection.request(method, f"/_dinette/{path}", json.dumps(body) if body is not None else None)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status not in (200, 201):
            raise AssertionError(f"{method} {path}: {answer.status} {text}")
        return json.loads(text) if text else None


class SeveralServersTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = PostgresCluster()
        cls.databases = 0

    @classmethod
    def tearDownClass(cls):
        cls.cluster.__exit__()

    def setUp(self):
        type(self).databases += 1
        name = f"dinette_{self.databases}"
        self.cluster.sql(f"create database {name}", "postgres")
        self.url = self.cluster.url_of(name)

    def start(self, *options, url=None):
        server = Server("--store", url or self.url, *options)
        self.addCleanup(server.log.close)
        self.addCleanup(server.stop, signal.SIGKILL)
        return server, boto3_clients.client(server.endpoint)

    def test_each_sees_what_the_other_has_done(self):
        (_, first), (_, second) = self.start(), self.start()
        first.create_table(**TABLE)
        second.put_item(TableName="Items", Item={"pk": {"S": "1"}})
        self.assertEqual(first.get_item(TableName="Items", Key={"pk": {"S": "1"}})["Item"], {"pk": {"S": "1"}})
        second.update_table(TableName="Items", StreamSpecification={"StreamEnabled": False})
        self.assertFalse(first.describe_table(TableName="Items")["Table"].get("StreamSpecification", {}).get("StreamEnabled"))
        second.delete_table(TableName="Items")
        with self.assertRaises(first.exceptions.ResourceNotFoundException):
            first.get_item(TableName="Items", Key={"pk": {"S": "1"}})

    def test_time_to_live_by_a_clock_that_any_of_them_moves(self):
        (one, first), (other, second) = self.start(), self.start()
        administrate(one, "PUT", "clock", {"now": "2030-01-01T00:00:00Z", "frozen": True})
        first.create_table(**TABLE)
        second.update_time_to_live(TableName="Items", TimeToLiveSpecification={"Enabled": True, "AttributeName": "ends"})
        for day in range(2, 6):
            ends = 1893456000 + (day - 1) * 86400 - 3600
            client = (first, second)[day % 2]
            client.put_item(TableName="Items", Item={"pk": {"S": str(day)}, "ends": {"N": str(ends)}})
        self.assertEqual(first.scan(TableName="Items")["Count"], 4)
        for day in range(2, 6):
            mover = (other, one)[day % 2]
            administrate(mover, "PUT", "clock", {"now": f"2030-01-{day:02}T00:00:00Z"})
            self.assertEqual(first.scan(TableName="Items")["Count"], 5 - day)
            self.assertEqual(second.scan(TableName="Items")["Count"], 5 - day)

    def test_a_fault_hits_one_request_of_all(self):
        (one, first), (_, second) = self.start(), self.start()
        first.create_table(**TABLE)
        effect = {"error": {"type": "ProvisionedThroughputExceededException"}}
        administrate(one, "PUT", "faults", {"rules": [{"operation": "PutItem", "nth": 3, "times": 1, **effect}]})
        failed = []
        for number in range(6):
            try:
                (first, second)[number % 2].put_item(TableName="Items", Item={"pk": {"S": str(number)}})
            except first.exceptions.ProvisionedThroughputExceededException:
                failed.append(number)
            except second.exceptions.ProvisionedThroughputExceededException:
                failed.append(number)
        self.assertEqual(failed, [2])

    def test_a_link_that_any_of_them_cuts_is_cut(self):
        servers = [self.start("--isolate", "region") for _ in range(3)]
        east = [client for _, client in servers]
        west = [boto3_clients.client(server.endpoint, region="eu-west-1") for server, _ in servers]
        east[0].create_table(**{name: value for name, value in TABLE.items() if name != "StreamSpecification"})
        east[0].update_table(TableName="Items", ReplicaUpdates=[{"Create": {"RegionName": "eu-west-1"}}])
        while [one["ReplicaStatus"] for one in east[1].describe_table(TableName="Items")["Table"].get("Replicas", [])] != ["ACTIVE"]:
            pass

        def links(server):
            replication = administrate(server, "GET", "regions")["replication"]
            return {(one["from"], one["to"]): (one["cut"], one["pending"]) for one in replication}

        there, back = ("us-east-1", "eu-west-1"), ("eu-west-1", "us-east-1")
        administrate(servers[0][0], "PUT", "clock", {"frozen": False})  # it replicates
        for number, (server, _) in enumerate(servers):
            key = {"pk": {"S": str(number)}}
            administrate(server, "PUT", "regions", {"cut": [{"from": there[0], "to": there[1]}], "skews": {"eu-west-1": 5}})
            east[number].put_item(TableName="Items", Item=key)
            for other, _ in servers:
                self.assertEqual(administrate(other, "GET", "regions")["skews"], {"eu-west-1": 5.0})
                self.assertEqual(links(other), {there: (True, 1), back: (False, 0)})
            self.assertNotIn("Item", west[number].get_item(TableName="Items", Key=key, ConsistentRead=True))
            administrate(servers[number - 1][0], "PUT", "regions", {})
            while links(server) != {there: (False, 0), back: (False, 0)}:
                pass
            self.assertIn("Item", west[number].get_item(TableName="Items", Key=key, ConsistentRead=True))

    def test_a_snapshot_belongs_to_all_of_them(self):
        (one, first), (other, _) = self.start(), self.start()
        first.create_table(**TABLE)
        first.put_item(TableName="Items", Item={"pk": {"S": "before"}})
        taken = administrate(one, "POST", "snapshots")
        first.put_item(TableName="Items", Item={"pk": {"S": "after"}})
        one.stop()
        third, client = self.start()
        for server in (other, third):
            self.assertEqual(administrate(server, "GET", "snapshots"), {"snapshots": [taken]})
        administrate(other, "POST", f"snapshots/{taken['id']}/restore")
        self.assertEqual(client.scan(TableName="Items", ConsistentRead=True)["Items"], [{"pk": {"S": "before"}}])
        administrate(third, "POST", "worlds", {"name": "fork", "from": taken["id"]})
        fork = boto3_clients.client(other.endpoint, key="fork")
        self.assertEqual(fork.scan(TableName="Items", ConsistentRead=True)["Count"], 1)
        administrate(third, "DELETE", f"snapshots/{taken['id']}")
        self.assertEqual(administrate(other, "GET", "snapshots"), {"snapshots": []})

    def test_deliveries_go_on_when_the_server_dies_that_made_them(self):
        (one, first), (other, second) = self.start(), self.start()
        kinesis = boto3_clients.client(other.endpoint, service="kinesis")
        first.create_table(**TABLE)
        kinesis.create_stream(StreamName="changes", ShardCount=1)
        arn = kinesis.describe_stream(StreamName="changes")["StreamDescription"]["StreamARN"]
        first.enable_kinesis_streaming_destination(TableName="Items", StreamArn=arn)
        iterator = kinesis.get_shard_iterator(StreamName="changes", ShardId="0", ShardIteratorType="TRIM_HORIZON")
        position = iterator["ShardIterator"]

        def delivered(*expected):
            """Reads until the last of the keys is there; a delivery whose end was not kept comes again, in its order."""
            nonlocal position
            keys = []
            while expected[-1] not in keys:
                answer = kinesis.get_records(ShardIterator=position)
                keys += [json.loads(one["Data"])["dynamodb"]["Keys"]["pk"]["S"] for one in answer["Records"]]
                position = answer["NextShardIterator"]
            return [key for key in dict.fromkeys(keys) if key in expected]

        administrate(one, "PUT", "clock", {"frozen": False})  # it does the work
        for number in range(3):
            second.put_item(TableName="Items", Item={"pk": {"S": f"a{number}"}})
        self.assertEqual(delivered("a0", "a1", "a2"), ["a0", "a1", "a2"])
        one.stop(signal.SIGKILL)
        for number in range(3):
            second.put_item(TableName="Items", Item={"pk": {"S": f"b{number}"}})
        self.assertEqual(delivered("b0", "b1", "b2"), ["b0", "b1", "b2"])

    def test_commands_on_the_database(self):
        _, client = self.start()
        client.create_table(**TABLE)
        for number in range(20):
            client.put_item(TableName="Items", Item={"pk": {"S": str(number)}})
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, "copy")
            self.assertIn("20 items", self.command("check", self.url))
            self.assertIn("exported 1 table, 20 items", self.command("export", self.url, "--to", copy))
            client.delete_table(TableName="Items")
            imported = self.command("import", copy, "--into", f"{self.url}&password=sEcret")
            self.assertEqual(imported, f"imported 1 table, 20 items into {self.url}\n")
        self.assertEqual(client.scan(TableName="Items")["Count"], 20)

    def test_a_check_changes_nothing(self):
        database = self.url.split("?")[0].split("/")[-1]
        count = "select count(*) from pg_class where relname like 'dn%'"
        empty = subprocess.run([program(), "check", self.url], capture_output=True, text=True)
        self.assertEqual((empty.returncode, empty.stderr), (1, "dinette: no Dinette data in this database\n"))
        self.assertEqual(self.cluster.sql(count, database).strip(), "0")
        server, client = self.start()
        client.create_table(**TABLE)
        client.put_item(TableName="Items", Item={"pk": {"S": "1"}})
        self.assertEqual(server.stop(), 0)
        self.cluster.sql(f"create role {database}_reader login; grant select on all tables in schema public to {database}_reader", database)
        self.cluster.sql(f"alter database {database} set default_transaction_read_only = on")
        self.assertIn("1 item", self.command("check", self.url.replace("user=dinette", f"user={database}_reader")))

    def command(self, *words):
        done = subprocess.run([program(), *words], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_two_before_a_pooler(self):
        with Pooler(self.cluster) as pooler:
            url = pooler.url_of(self.url.split("?")[0].split("/")[-1])
            (one, first), (other, second) = self.start(url=url), self.start(url=url)
            first.create_table(**TABLE)
            for number in range(40):
                client = (first, second)[number % 2]
                client.update_item(TableName="Items", Key={"pk": {"S": str(number % 4)}}, UpdateExpression="ADD n :one",
                                   ExpressionAttributeValues={":one": {"N": "1"}})
            items = second.scan(TableName="Items", ConsistentRead=True)["Items"]
            self.assertEqual([item["n"]["N"] for item in items], ["10"] * 4)
            administrate(other, "PUT", "clock", {"advance": 3600})
            for server in (one, other):
                self.assertEqual(server.stop(), 0)

    def test_three_behind_nginx(self):
        servers = [self.start()[0] for _ in range(3)]
        with tempfile.TemporaryDirectory() as name, free_port() as port:
            folder = pathlib.Path(name)
            temporary = "".join(f"{kind}_temp_path {folder}/{kind};\n"
                                for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            upstream = " ".join(f"server 127.0.0.1:{server.port};" for server in servers)
            user = "user root;" if os.geteuid() == 0 else ""
            (folder / "nginx.conf").write_text(textwrap.dedent(f"""
                daemon off; error_log stderr; pid {folder}/pid; {user}
                events {{}}
                http {{
                  access_log off; {temporary}
                  upstream dinette {{ {upstream} keepalive 64; }}
                  server {{
                    listen 127.0.0.1:{port};
                    client_max_body_size 20m;
                    location / {{ {documented_location()} }}
                  }}
                }}
                """), encoding="utf-8")
            nginx = subprocess.Popen([NGINX, "-e", "stderr", "-c", str(folder / "nginx.conf")], stderr=subprocess.DEVNULL)
            try:
                subprocess.run(["curl", "-s", "-o", os.devnull, "--retry", "20", "--retry-connrefused", "--retry-delay", "1",
                                f"http://127.0.0.1:{port}/health"], check=True)
                client = boto3_clients.client(f"http://127.0.0.1:{port}")
                client.create_table(**TABLE)
                for number in range(30):
                    client.put_item(TableName="Items", Item={"pk": {"S": str(number)}})
                    if number == 10:
                        servers[1].stop(signal.SIGKILL)
                self.assertEqual(client.scan(TableName="Items", ConsistentRead=True)["Count"], 30)
                # nginx runs on the servers' machine, but its clients do not: they need a token.
                self.assertEqual(status_of("DELETE", f"http://127.0.0.1:{port}/_dinette/faults"), "403")
                self.assertEqual(status_of("DELETE", f"{servers[0].endpoint}/_dinette/faults"), "200")
            finally:
                nginx.terminate()
                nginx.wait()


def documented_location():
    """Returns the settings of nginx that docs/scale.md has for requests, on one line."""
    document = (pathlib.Path(__file__).parents[2] / "docs" / "scale.md").read_text(encoding="utf-8")
    return " ".join(re.search(r"location / \{([^}]*)\}", document).group(1).split())


def status_of(method, url):
    """Returns the status that a request gets."""
    words = ["curl", "-s", "-o", os.devnull, "-w", "%{http_code}", "-X", method, url]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@contextlib.contextmanager
def free_port():
    """Returns a port that is free now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    yield port


if __name__ == "__main__":
    unittest.main(warnings="ignore")
