"""Administration of worlds and clocks: the started program against its specification, boto3 in forks, and who may
call, with raw requests."""

import base64
import datetime
import hashlib
import http.client
import json
import pathlib
import socket
import ssl
import sys
import unittest
import urllib.parse

from boto3_clients import client, create_table
from botocore.exceptions import ClientError
from server import Server

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/spec"))
from json_schema import Checker

SPEC = json.loads((ROOT / "api-specs/admin/openapi.json").read_text(encoding="utf-8"))
CHECKER = Checker(SPEC, SPEC["components"]["schemas"])
JSON = "application/json"
CREATE_MUSIC = ("POST", "/", {
    "TableName": "Music", "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [{"AttributeName": "artist", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "artist", "AttributeType": "S"}],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
}, {"X-Amz-Target": "DynamoDB_20120810.CreateTable"})


def field(number, content):
    """A field of protocol buffers: bytes, or a number up to 127."""
    if isinstance(content, int):
        return bytes([number << 3, content])
    return bytes([number << 3 | 2, len(content)]) + content


# CreateTable of Tablestore, with a key of text and a number: TableMeta, ReservedThroughput, TableOptions.
MUSIC_OF_TABLESTORE = (
    field(1, field(1, b"music") + field(2, field(1, b"artist") + field(2, 2)) + field(2, field(1, b"number") + field(2, 1)))
    + field(2, field(1, field(1, 0) + field(2, 0)))
    + field(3, b"\x08" + b"\xff" * 9 + b"\x01" + field(2, 3)))
CREATE_MUSIC_OF_TABLESTORE = ("POST", "/CreateTable", MUSIC_OF_TABLESTORE, {
    "x-ots-date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
    "x-ots-apiversion": "2015-12-31", "x-ots-accesskeyid": "ak", "x-ots-instancename": "inst", "x-ots-signature": "any",
    "x-ots-contentmd5": base64.b64encode(hashlib.md5(MUSIC_OF_TABLESTORE).digest()).decode()})


def statement(text):
    return "POST", "/_dinette/cql", {"statement": text}


# What must be there before an operation runs, by its name.
PREPARED = {
    "getWorld": [("POST", "/_dinette/worlds", {"name": "checkout-test"})],
    "deleteWorld": [("POST", "/_dinette/worlds", {"name": "checkout-test"})],
    "deleteSnapshot": [("POST", "/_dinette/snapshots", {})],
    "restoreSnapshot": [("POST", "/_dinette/snapshots", {})],
    "splitShards": [CREATE_MUSIC],
    "listContributors": [
        CREATE_MUSIC,
        ("POST", "/", {"TableName": "Music", "ContributorInsightsAction": "ENABLE"},
         {"X-Amz-Target": "DynamoDB_20120810.UpdateContributorInsights"}),
        ("POST", "/", {"TableName": "Music", "Item": {"artist": {"S": "a"}}}, {"X-Amz-Target": "DynamoDB_20120810.PutItem"}),
    ],
    # No server is at this address, which is a delivery as well.
    "repeatDelivery": [
        CREATE_MUSIC,
        ("PUT", "/_dinette/triggers", {"triggers": [{"name": "music", "table": "Music", "url": "http://127.0.0.1:1/"}]}),
        ("POST", "/", {"TableName": "Music", "Item": {"artist": {"S": "a"}}}, {"X-Amz-Target": "DynamoDB_20120810.PutItem"}),
    ],
    "listSnapshots": [("POST", "/_dinette/snapshots", {})],
    "listTablestoreTables": [CREATE_MUSIC_OF_TABLESTORE],
    "readTablestoreRows": [CREATE_MUSIC_OF_TABLESTORE],
    "listKeyspaces": [
        statement("CREATE KEYSPACE shop WITH replication = {'class': 'SingleRegionStrategy'}"),
        statement("CREATE TABLE shop.orders (customer int, number int, lines list<text>, PRIMARY KEY (customer, number))"),
    ],
}
# How the server is started for an operation, by its name.
OPTIONS = {"getCertificate": ["--tls-self-signed"]}
ARGUMENTS = {"deliveries/{id}": "deliveries/1", "{name}": "checkout-test", "{id}": "snapshot-1", "{table}": "Music"}


class Reply:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    def json(self):
        return json.loads(self.body)


def send(server, method, path, body=None, headers=None):
    if server.scheme == "https":
        connection = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=60,
                                                 context=ssl._create_unverified_context())
    else:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        content = body if body is None or isinstance(body, bytes) else json.dumps(body)
        connection.request(method, path, content, headers or {})
        return Reply(connection.getresponse())
    finally:
        connection.close()


def raw(server, text):
    """Sends bytes as they are, and returns the status."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall(text.encode())
        return int(connection.makefile("rb").readline().split()[1])


class Specification(unittest.TestCase):
    """Sends the example of every operation."""

    def resolved(self, value):
        if "$ref" not in value:
            return value
        found = SPEC
        for part in value["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        return found

    def check(self, response, reply, where):
        contents = self.resolved(response)["content"]
        kind = reply.headers["Content-Type"]
        self.assertIn(kind, contents, where)
        value = reply.json() if kind == JSON else reply.body.decode()
        self.assertEqual(CHECKER.errors(value, contents[kind]["schema"]), [], where)

    def operations(self):
        for path, methods in SPEC["paths"].items():
            for method, operation in methods.items():
                yield method.upper(), path, operation

    def test_every_operation_answers_as_described(self):
        for method, path, operation in self.operations():
            options = OPTIONS.get(operation["operationId"], [])
            with self.subTest(f"{method} {path}"), Server(*options) as server:
                for earlier in PREPARED.get(operation["operationId"], []):
                    self.assertEqual(send(server, *earlier).status // 100, 2)
                while operation["operationId"] == "repeatDelivery" and not send(server, "GET", "/_dinette/triggers/deliveries").json()["deliveries"]:
                    pass
                for pattern, argument in ARGUMENTS.items():
                    path = path.replace(pattern, argument)
                body = operation.get("requestBody", {}).get("content", {}).get(JSON, {}).get("example")
                query = {one["name"]: one["example"] for one in map(self.resolved, operation.get("parameters", [])) if one.get("example")}
                reply = send(server, method, path + ("?" + urllib.parse.urlencode(query) if query else ""), body)
                good = [status for status in operation["responses"] if status.startswith("2")]
                self.assertEqual([str(reply.status)], good, reply.body)
                self.check(operation["responses"][good[0]], reply, path)

    def test_every_operation_needs_the_token_where_described(self):
        with Server("--admin-token", "secret") as server:
            for method, path, operation in self.operations():
                with self.subTest(f"{method} {path}"):
                    reply = send(server, method, path)
                    self.assertEqual(reply.status == 401, "401" in operation["responses"])
                    if reply.status == 401:
                        self.check(operation["responses"]["401"], reply, path)

    def test_every_operation_refuses_as_described(self):
        with Server() as server:
            for method, path, operation in self.operations():
                wrong = {"400": {"world": 1}, "404": None}
                for status, body in wrong.items():
                    if status not in operation["responses"] or status == "400" and "requestBody" not in operation:
                        continue
                    with self.subTest(f"{method} {path} {status}"):
                        for pattern, argument in {"{name}": "nothing", "{id}": "snapshot-9", "{table}": "Films"}.items():
                            path = path.replace(pattern, argument)
                        reply = send(server, method, path, body)
                        self.assertIn(str(reply.status), (status, "404"))
                        self.check(operation["responses"][str(reply.status)], reply, path)
                if "403" in operation["responses"]:
                    with self.subTest(f"{method} {path} 403"):
                        reply = send(server, method, path, None, {"Origin": "https://evil.example"})
                        self.assertEqual(reply.status, 403)
                        self.check(operation["responses"]["403"], reply, path)


class OtherServices(unittest.TestCase):
    """Tablestore and Amazon Keyspaces, whose own ports refuse web pages."""

    def test_a_server_without_a_port_for_cql_carries_out_statements(self):
        with Server() as server:
            def run(text, **more):
                return send(server, "POST", "/_dinette/cql", {"statement": text, **more}).json()
            run("CREATE KEYSPACE shop WITH replication = {'class': 'SingleRegionStrategy'}")
            self.assertEqual(run("USE shop"), {"world": "default", "keyspace": "shop"})
            run("CREATE TABLE orders (customer int, number int, lines list<text>, PRIMARY KEY (customer, number))", keyspace="shop")
            for number in range(3):
                run(f"INSERT INTO orders (customer, number, lines) VALUES (7, {number}, ['tea'])", keyspace="shop")
            page = run("SELECT number, lines FROM orders WHERE customer = 7", keyspace="shop", pageSize=2)
            self.assertEqual(page["rows"], [["0", '["tea"]'], ["1", '["tea"]']])
            page = run("SELECT number, lines FROM orders WHERE customer = 7", keyspace="shop", pageSize=2, pagingState=page["pagingState"])
            self.assertEqual(page["rows"], [["2", '["tea"]']])
            self.assertNotIn("pagingState", page)
            failed = run("SELECT *\nFORM orders", keyspace="shop")["error"]
            self.assertEqual((failed["name"], failed["line"], failed["column"]), ("SyntaxError", 2, 0))

    def test_pages_of_other_servers_read_nothing_of_them(self):
        with Server() as server:
            for path in ("/_dinette/tablestore/tables", "/_dinette/cql/keyspaces"):
                self.assertEqual(send(server, "GET", path, None, {"Origin": "https://evil.example"}).status, 403)
            self.assertEqual(send(server, *statement("USE shop"), {"Origin": "https://evil.example"}).status, 403)

    def test_statements_are_among_the_recent_requests_unless_they_say_otherwise(self):
        with Server() as server:
            send(server, *statement("SELECT * FROM system.local"), {"X-Dinette-Record": "off"})
            send(server, *statement("SELECT * FROM system.peers"))
            listed = send(server, "GET", "/_dinette/requests").json()["requests"]
            self.assertEqual([(one["operation"], one["status"]) for one in listed], [("SELECT", 200)])

    def test_a_table_of_tablestore_is_listed_in_its_world(self):
        with Server() as server:
            send(server, *CREATE_MUSIC_OF_TABLESTORE)
            send(server, "POST", "/_dinette/worlds", {"name": "fork"})
            send(server, "POST", "/_dinette/reset", {"world": "default"})

            def names(world):
                listed = send(server, "GET", f"/_dinette/tablestore/tables?world={world}").json()
                return [(instance["name"], table["name"]) for instance in listed["instances"] for table in instance["tables"]]
            self.assertEqual(names("fork"), [("inst", "music")])
            self.assertEqual(names("default"), [])


class Worlds(unittest.TestCase):
    def test_sdks_choose_a_fork_by_their_access_key(self):
        with Server() as server:
            create_table(client(server.endpoint), "Seeded")
            name = send(server, "POST", "/_dinette/worlds").json()["name"]
            fork = client(server.endpoint, key=name)
            create_table(fork, "OfFork")
            self.assertEqual(fork.list_tables()["TableNames"], ["OfFork", "Seeded"])
            self.assertEqual(client(server.endpoint).list_tables()["TableNames"], ["Seeded"])
            self.assertEqual(send(server, "POST", "/_dinette/reset", {"world": name}).status, 200)
            self.assertEqual(fork.list_tables()["TableNames"], [])
            self.assertEqual(send(server, "DELETE", f"/_dinette/worlds/{name}").status, 200)
            with self.assertRaisesRegex(ClientError, "The world 'world-1' was dropped at .*forks it again"):
                fork.list_tables()  # and not the tables of the default world

    def test_a_snapshot_brings_tables_back(self):
        with Server() as server:
            dynamodb = client(server.endpoint)
            create_table(dynamodb)
            key = {"artist": {"S": "a"}, "song": {"S": "b"}}
            dynamodb.put_item(TableName="Music", Item=key)
            snapshot = send(server, "POST", "/_dinette/snapshots").json()["id"]
            dynamodb.delete_table(TableName="Music")
            send(server, "POST", f"/_dinette/snapshots/{snapshot}/restore")
            self.assertEqual(dynamodb.scan(TableName="Music")["Items"], [key])
            world = send(server, "GET", "/_dinette/worlds/default").json()
            self.assertEqual((world["tables"], world["items"], world["bytes"]), (1, 1, 12))

    def test_a_day_passes_by_the_clock(self):
        """Items expire and shards are replaced in milliseconds."""
        with Server() as server:
            dynamodb = client(server.endpoint)
            create_table(dynamodb)
            dynamodb.update_table(TableName="Music", StreamSpecification={
                "StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
            dynamodb.update_time_to_live(TableName="Music", TimeToLiveSpecification={
                "Enabled": True, "AttributeName": "ends"})
            now = send(server, "PUT", "/_dinette/clock", {"frozen": True}).json()["epochMilliseconds"] // 1000
            key = {"artist": {"S": "a"}, "song": {"S": "b"}}
            dynamodb.put_item(TableName="Music", Item={**key, "ends": {"N": str(now + 12 * 3600)}})
            send(server, "PUT", "/_dinette/clock", {"advance": "PT11H"})
            self.assertEqual(dynamodb.scan(TableName="Music")["Count"], 1)
            send(server, "PUT", "/_dinette/clock", {"advance": "PT2H"})
            self.assertEqual(dynamodb.scan(TableName="Music")["Count"], 0)

            streams = client(server.endpoint, service="dynamodbstreams")
            arn = streams.list_streams(TableName="Music")["Streams"][0]["StreamArn"]
            names = []
            for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
                place = streams.get_shard_iterator(
                    StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
                names += [record["eventName"] for record in streams.get_records(ShardIterator=place)["Records"]]
            self.assertEqual(names, ["INSERT", "REMOVE"])

    def test_the_clock_of_a_world_is_the_one_of_its_tables(self):
        with Server("--state-delay", "1m") as server:
            send(server, "PUT", "/_dinette/clock", {"now": "2030-01-01T00:00:00Z", "frozen": True})
            dynamodb = client(server.endpoint)
            table = create_table(dynamodb)
            self.assertEqual((table["TableStatus"], table["CreationDateTime"].year), ("CREATING", 2030))
            send(server, "PUT", "/_dinette/clock", {"advance": "PT1M"})
            self.assertEqual(dynamodb.describe_table(TableName="Music")["Table"]["TableStatus"], "ACTIVE")

    def expiring(self, server):
        """Returns a client with a table of an item that lives for a day and one that stays."""
        dynamodb = client(server.endpoint)
        create_table(dynamodb)
        dynamodb.update_time_to_live(
            TableName="Music", TimeToLiveSpecification={"Enabled": True, "AttributeName": "end"})
        end = send(server, "GET", "/_dinette/clock").json()["epochMilliseconds"] // 1000 + 86_400
        for song, attributes in (("stays", {}), ("goes", {"end": {"N": str(end)}})):
            dynamodb.put_item(TableName="Music", Item={"artist": {"S": "a"}, "song": {"S": song}, **attributes})
        return dynamodb

    def songs(self, dynamodb):
        return sorted(item["song"]["S"] for item in dynamodb.scan(TableName="Music")["Items"])

    def test_what_expires_on_the_way_is_gone_before_the_clock_answers(self):
        with Server() as server:
            dynamodb = self.expiring(server)
            send(server, "PUT", "/_dinette/clock", {"advance": "PT23H"})
            self.assertEqual(self.songs(dynamodb), ["goes", "stays"])
            send(server, "PUT", "/_dinette/clock", {"advance": "PT2H"})
            self.assertEqual(self.songs(dynamodb), ["stays"])

    def test_expired_items_are_deleted_on_demand(self):
        with Server("--ttl-delay", "60m") as server:
            dynamodb = self.expiring(server)
            send(server, "PUT", "/_dinette/clock", {"advance": 86_500})
            self.assertEqual(self.songs(dynamodb), ["goes", "stays"])
            for deleted in (1, 0):
                reply = send(server, "DELETE", "/_aws/dynamodb/expired")
                self.assertEqual(reply.json(), {"ExpiredItems": deleted})
            self.assertEqual(self.songs(dynamodb), ["stays"])

    def test_signatures_are_checked_on_real_time(self):
        import tempfile
        with tempfile.NamedTemporaryFile("w") as keys:
            keys.write("[default]\naws_access_key_id = key\naws_secret_access_key = secret\n")
            keys.flush()
            with Server("--auth", "verify", "--credentials", keys.name) as server:
                send(server, "PUT", "/_dinette/clock", {"advance": "P1000D"})
                self.assertEqual(client(server.endpoint).list_tables()["TableNames"], [])


class Access(unittest.TestCase):
    def test_hosts_and_origins(self):
        with Server("--cors", "*") as server:
            def status(*lines):
                return raw(server, "\r\n".join(["GET /_dinette/clock HTTP/1.1", *lines, "", ""]))

            self.assertEqual(status("Host: localhost"), 200)
            self.assertEqual(status("Host: [::1]:8000"), 200)
            self.assertEqual(status("Host: evil.example"), 403)
            self.assertEqual(status("Host: localhost", "Origin: http://localhost:1"), 200)
            self.assertEqual(status("Host: localhost", "Origin: https://evil.example"), 403)
            self.assertEqual(status("Host: localhost", "Origin: null"), 403)
            self.assertEqual(raw(server, "GET /_dinette/clock HTTP/1.0\r\n\r\n"), 403)

    def own_address(self):
        """An address of this machine that is not loopback."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing
            return probe.getsockname()[0]

    def status_over_the_network(self, server, headers):
        connection = http.client.HTTPConnection(self.own_address(), server.port, timeout=60)
        try:
            connection.request("GET", "/_dinette/clock", headers=headers)
            return Reply(connection.getresponse()).status
        finally:
            connection.close()

    def test_other_machines_need_a_token(self):
        with Server("--host", "0.0.0.0") as server:
            self.assertEqual(self.status_over_the_network(server, {}), 403)
            self.assertEqual(self.status_over_the_network(server, {"X-Dinette-Admin-Token": "x"}), 403)
        with Server("--host", "0.0.0.0", "--admin-token", "secret") as server:
            self.assertEqual(self.status_over_the_network(server, {}), 401)
            self.assertEqual(self.status_over_the_network(server, {"Authorization": "Bearer secret"}), 200)
            self.assertEqual(self.status_over_the_network(server, {"X-Dinette-Admin-Token": "secre"}), 403)
            self.assertEqual(send(server, "GET", "/_dinette/clock").status, 401)

    def test_without_administration_its_paths_are_unknown(self):
        with Server("--no-admin") as server:
            unknown = send(server, "PUT", "/")
            self.assertEqual(unknown.status, 404)
            for path in SPEC["paths"]:
                reply = send(server, "GET", path)
                self.assertEqual((reply.status, reply.body), (404, unknown.body))


if __name__ == "__main__":
    # boto3 leaves closing its connections to the garbage collector.
    unittest.main(warnings="ignore")
