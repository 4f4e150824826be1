"""Exports, imports and --load, as a user runs them. What an export must look like is read from
docs/service/export-import.md section 1, by a reader of its own."""

import base64
import gzip
import hashlib
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import threading
import unittest

from boto3_clients import client
from server import Server, program

KEYS = {
    "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "eu-west-1"}


def run(*arguments, **environment):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    return subprocess.run([program(), *map(str, arguments)], capture_output=True, text=True, timeout=120,
                          env={**clean, **environment})


def item(number, size=0):
    return {
        "pk": {"S": "key \" \\ \n é"}, "sk": {"N": str(number)}, "g": {"B": b"\x00\xff"},
        "n": {"N": "1234567890123456789012345678901234567.8"}, "small": {"N": "1E-130"},
        "empty": {"S": ""}, "empty_b": {"B": b""}, "yes": {"BOOL": False}, "nothing": {"NULL": True},
        "ss": {"SS": ["a", "b"]}, "ns": {"NS": ["-2", "1.5"]}, "bs": {"BS": [b"\x00", b"\x01"]},
        "l": {"L": [{"L": []}, {"M": {}}]}, "m": {"M": {"x y": {"M": {"z": {"S": "1"}}}}}, "text": {"S": "x" * size}}


def create_table(dynamodb, name="Music"):
    dynamodb.create_table(
        TableName=name, BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "N"},
                              {"AttributeName": "g", "AttributeType": "B"}],
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        GlobalSecondaryIndexes=[{"IndexName": "byG", "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
                                 "Projection": {"ProjectionType": "KEYS_ONLY"}}],
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "OLD_IMAGE"}, Tags=[{"Key": "a", "Value": "b"}])
    dynamodb.update_time_to_live(TableName=name, TimeToLiveSpecification={"AttributeName": "until", "Enabled": True})


def items_of(dynamodb, table):
    pages = dynamodb.get_paginator("scan").paginate(TableName=table)
    return [found for page in pages for found in page["Items"]]


def md5(data):
    return base64.b64encode(hashlib.md5(data).digest()).decode()


def read_export(bucket):
    """Returns the summary and the items (as JSON) of the only export in a bucket. Checks all that the layout promises."""
    [export] = (bucket / "AWSDynamoDB").iterdir()
    assert re.fullmatch(r"\d{14}-[0-9a-f]{8}", export.name), export
    names = {path.name for path in export.iterdir()}
    assert names == {"_started", "manifest-summary.json", "manifest-summary.md5", "manifest-files.json",
                     "manifest-files.md5", "data"}, names
    assert (export / "_started").read_bytes() == b""
    for manifest in ("manifest-summary", "manifest-files"):
        written = (export / f"{manifest}.md5").read_bytes()
        assert written.decode() == md5((export / f"{manifest}.json").read_bytes()) and len(written) == 24
    summary_text = (export / "manifest-summary.json").read_text()
    summary = json.loads(summary_text)
    assert "\n" not in summary_text
    assert list(summary) == [
        "version", "exportArn", "startTime", "endTime", "tableArn", "tableId", "exportTime", "s3Bucket", "s3Prefix",
        "s3SseAlgorithm", "s3SseKmsKeyId", "manifestFilesS3Key", "billedSizeBytes", "itemCount", "outputFormat"]
    assert (summary["version"], summary["outputFormat"]) == ("2020-06-30", "DYNAMODB_JSON")
    assert summary["exportArn"] == f"{summary['tableArn']}/export/{export.name}"
    assert summary["manifestFilesS3Key"] == f"AWSDynamoDB/{export.name}/manifest-files.json"
    for time in ("startTime", "endTime", "exportTime"):
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", summary[time]), summary[time]
    items, listed = [], set()
    for line in (export / "manifest-files.json").read_text().splitlines():
        file = json.loads(line)
        assert list(file) == ["itemCount", "md5Checksum", "etag", "dataFileS3Key"]
        assert re.fullmatch(rf"AWSDynamoDB/{export.name}/data/[a-z2-7]{{26}}\.json\.gz", file["dataFileS3Key"])
        packed = (bucket / file["dataFileS3Key"]).read_bytes()
        assert md5(packed) == file["md5Checksum"]
        assert re.fullmatch(r"[0-9a-f]{32}-1", file["etag"])
        lines = gzip.decompress(packed).decode().splitlines()
        assert len(lines) == file["itemCount"]
        items += [json.loads(text)["Item"] for text in lines]
        listed.add(file["dataFileS3Key"].rsplit("/", 1)[1])
    assert listed == {path.name for path in (export / "data").iterdir()}
    assert summary["itemCount"] == len(items)
    return summary, items


class Folder(unittest.TestCase):
    """A case with a temporary folder."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def assert_done(self, finished, said):
        self.assertEqual((finished.returncode, finished.stdout), (0, said), finished.stderr)

    def assert_failed(self, finished, said):
        self.assertEqual((finished.returncode, finished.stdout, finished.stderr), (1, "", f"dinette: {said}\n"))


class RoundTrip(Folder):
    def test_from_server_to_data_folder_to_server(self):
        backup, again, data = self.folder / "backup", self.folder / "again", self.folder / "data"
        with Server() as server:
            dynamodb = client(server.endpoint)
            create_table(dynamodb)
            dynamodb.create_table(TableName="Empty", BillingMode="PAY_PER_REQUEST",
                                  AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
                                  KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}])
            for number in range(30):
                dynamodb.put_item(TableName="Music", Item=item(number, 380_000 if number else 0))
            exported = run("export", server.endpoint, "--to", backup)
            self.assert_done(exported, f"exported 2 tables, 30 items to {backup}\n")
            self.assertRegex(exported.stderr, r"^exporting Empty 0 items, 0/s\nexporting Music 30 items, [\d,]+/s\n$")
            described = dynamodb.describe_table(TableName="Music")["Table"]
            items = items_of(dynamodb, "Music")

        summary, exported_items = read_export(backup / "Music")
        self.assertEqual((summary["tableArn"], summary["tableId"]), (described["TableArn"], described["TableId"]))
        self.assertEqual(len(exported_items), 30)
        self.assertGreater(len(list((backup / "Music").glob("AWSDynamoDB/*/data/*"))), 1)
        plain = next(found for found in exported_items if found["sk"]["N"] == "0")
        self.assertEqual(plain["n"], {"N": "1234567890123456789012345678901234567.8"})
        self.assertEqual(plain["g"], {"B": "AP8="})
        self.assertEqual(plain["nothing"], {"NULL": True})
        self.assertEqual(read_export(backup / "Empty")[1], [])

        self.assert_done(run("import", backup, "--into", data), f"imported 2 tables, 30 items into {data}\n")
        with Server("--data", str(data)) as server:
            dynamodb = client(server.endpoint)
            self.assertEqual(items_of(dynamodb, "Music"), items)
            self.assertEqual(dynamodb.scan(TableName="Music", IndexName="byG", Select="COUNT")["Count"], 30)
            table = dynamodb.describe_table(TableName="Music")["Table"]
            for same in ("KeySchema", "AttributeDefinitions", "StreamSpecification"):
                self.assertEqual(table[same], described[same])
            self.assertEqual(dynamodb.list_tags_of_resource(ResourceArn=table["TableArn"])["Tags"],
                             [{"Key": "a", "Value": "b"}])
            expiry = dynamodb.describe_time_to_live(TableName="Music")["TimeToLiveDescription"]
            self.assertEqual(expiry, {"TimeToLiveStatus": "ENABLED", "AttributeName": "until"})
            busy = run("export", data, "--to", again)
            self.assertEqual(busy.returncode, 1)
            self.assertIn(str(data), busy.stderr)

        self.assert_done(run("export", data, "--to", again, "--table", "Music"), f"exported 1 table, 30 items to {again}\n")
        self.assertEqual(read_export(again / "Music")[1], exported_items)
        self.assertEqual((again / "Music/table.json").read_text(), (backup / "Music/table.json").read_text())

        with Server("--load", str(backup)) as server:
            self.assertEqual(items_of(client(server.endpoint), "Music"), items)

    def test_over_tls_and_signed(self):
        keys = self.folder / "keys.ini"
        keys.write_text("[one]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = secret\n")
        (self.folder / "f/Music").mkdir(parents=True)
        (self.folder / "f/Music/items.json").write_text('{"Item":{"pk":{"S":"a"}}}\n')
        with Server("--auth", "verify", "--credentials", str(keys), "--tls-self-signed") as server:
            arguments = ("import", self.folder / "f", "--into", server.endpoint, "--table", "Music", "--key", "pk:S")
            refused = run(*arguments)
            self.assertEqual(refused.returncode, 1)
            self.assertIn("UnrecognizedClientException", refused.stderr)
            self.assert_done(run(*arguments, **KEYS), f"imported 1 table, 1 item into {server.endpoint}\n")
            self.assert_done(run("export", server.endpoint, "--to", self.folder / "out", **KEYS),
                             f"exported 1 table, 1 item to {self.folder}/out\n")
        summary, _ = read_export(self.folder / "out/Music")
        self.assertEqual(summary["tableArn"], "arn:aws:dynamodb:eu-west-1:000000000000:table/Music")

    def test_what_the_service_has_exported(self):
        export = self.folder / "bucket/prefix/AWSDynamoDB/01604474914028-a1b2c3d4"
        (export / "data").mkdir(parents=True)
        packed = gzip.compress(b'{"Item":{"pk":{"S":"user1"},"binaryfoo":{"B":"YmFy"}}}\n')
        # Members follow each other, as some tools write them; the prefix is part of the keys.
        data = packed + gzip.compress(b'{"Item":{"pk":{"S":"user2"}}}\n')
        (export / "data/asdl123dasas.json.gz").write_bytes(data)
        key = "prefix/AWSDynamoDB/01604474914028-a1b2c3d4"
        files = json.dumps({"itemCount": 2, "md5Checksum": md5(data), "etag": "x-1",
                            "dataFileS3Key": f"{key}/data/asdl123dasas.json.gz"}) + "\n"
        summary = json.dumps({
            "version": "2020-06-30", "exportArn": "arn:aws:dynamodb:us-east-1:123456789012:table/T12/export/x",
            "startTime": "2020-11-04T07:28:34.028Z", "endTime": "2020-11-04T07:33:43.897Z",
            "tableArn": "arn:aws:dynamodb:us-east-1:123456789012:table/T12", "tableId": "x",
            "exportTime": "2020-11-04T07:28:34.028Z", "s3Bucket": "b", "s3Prefix": "prefix", "s3SseAlgorithm": "AES256",
            "s3SseKmsKeyId": None, "manifestFilesS3Key": f"{key}/manifest-files.json", "billedSizeBytes": 0,
            "itemCount": 2, "outputFormat": "DYNAMODB_JSON"})
        for name, text in (("manifest-files", files), ("manifest-summary", summary)):
            (export / f"{name}.json").write_text(text)
            (export / f"{name}.md5").write_text(md5(text.encode()))
        bucket = self.folder / "bucket/prefix"
        with Server() as server:
            missing = run("import", bucket, "--into", server.endpoint)
            self.assertEqual(missing.returncode, 1)
            self.assertIn("there is no table T12, and ", missing.stderr)
            self.assert_done(run("import", bucket, "--into", server.endpoint, "--key", "pk:S"),
                             f"imported 1 table, 2 items into {server.endpoint}\n")
            self.assert_done(run("import", bucket, "--into", server.endpoint),
                             f"imported 1 table, 2 items into {server.endpoint}\n")
            items = sorted(items_of(client(server.endpoint), "T12"), key=lambda found: found["pk"]["S"])
            self.assertEqual(items, [{"pk": {"S": "user1"}, "binaryfoo": {"B": b"bar"}}, {"pk": {"S": "user2"}}])


class Mistakes(Folder):
    def fixture(self, lines):
        table = self.folder / "f/Music"
        table.mkdir(parents=True)
        (table / "table.json").write_text(json.dumps({"CreateTable": {
            "TableName": "Music", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}}))
        (table / "items.json").write_text(lines)
        return self.folder / "f"

    def test_a_server_does_not_start_with_a_bad_fixture(self):
        fixture = self.fixture('{"Item":{"pk":{"S":"a"}}}\n{"Item":{"pk":{"N":"1"}}}\n')
        ended = run("--port", "0", "--load", fixture)
        self.assert_failed(ended, f"the table Music is not imported: {fixture}/Music/items.json, line 2: PutItem failed: "
                                  "ValidationException: One or more parameter values were invalid: Type mismatch for key "
                                  "pk expected: S actual: N; the table was deleted again")

    def test_files_of_other_programs_are_imported_and_loaded(self):
        local = pathlib.Path(__file__).parents[1] / "app/transfer/inputs/shared-local-instance.db"
        lost = ("dinette: warning: DynamoDB Local's file has neither the time to live nor the tags of tables: set them again if "
                "they are needed (2 times, first Beds)\n")
        (self.folder / "more.csv").write_text("id;count;gone\ne2;007;true\n")
        data = self.folder / "data"
        imported = run("import", local, "--into", data)
        self.assert_done(imported, f"imported 2 tables, 4 items into {data}\n")
        self.assertIn(lost, imported.stderr)
        self.assert_done(run("import", self.folder / "more.csv", "--into", data, "--table", "my-app.events",
                             "--types", "gone:BOOL", "--infer"), f"imported 1 table, 1 item into {data}\n")
        self.assert_done(run("import", self.folder / "more.csv", "--into", data, "--table", "New", "--key", "id:S",
                             "--delimiter", ";", "--types", "count:N"), f"imported 1 table, 1 item into {data}\n")
        with Server("--data", str(data)) as server:
            dynamodb = client(server.endpoint)
            self.assertEqual(dynamodb.get_item(TableName="my-app.events", Key={"id": {"S": "e2"}})["Item"],
                             {"id": {"S": "e2"}, "count": {"S": "007"}, "gone": {"BOOL": True}})
            self.assertEqual(items_of(dynamodb, "New"), [{"id": {"S": "e2"}, "count": {"N": "7"}, "gone": {"S": "true"}}])
            keys = dynamodb.describe_table(TableName="Beds")["Table"]["KeySchema"]
            self.assertEqual([key["AttributeName"] for key in keys], ["bed", "row"])
        with Server("--load", str(local)) as server:
            self.assertEqual(len(items_of(client(server.endpoint), "Beds")), 3)

    def test_a_command_line_that_is_wrong_exits_with_2(self):
        for wrong in (("export", "./data"), ("import", "./f", "--to", "x"), ("import", "f", "--into", "d", "--key", "x")):
            ended = run(*wrong)
            self.assertEqual((ended.returncode, ended.stdout), (2, ""))
            self.assertRegex(ended.stderr, rf"^dinette: .+\nTry 'dinette {wrong[0]} --help'\.\n$")

    def test_places_that_are_none(self):
        (self.folder / "empty").mkdir()
        for place in ("none", "empty"):
            self.assert_failed(run("export", self.folder / place, "--to", self.folder / "out"),
                               f"'{self.folder}/{place}' is neither the URL of a server, such as "
                               "http://127.0.0.1:8000, nor a data folder")
        self.assert_failed(run("export", "localhost:8000", "--to", self.folder / "out"),
                           "'localhost:8000' is not a folder; for a server begin with http://")
        self.assert_failed(run("import", self.folder / "none", "--into", self.folder / "data"),
                           f"there is no file or folder {self.folder}/none")
        self.assertFalse((self.folder / "data").exists())

    def test_a_folder_that_cannot_be_written(self):
        (self.folder / "file").write_text("")
        with Server() as server:
            create_table(client(server.endpoint))
            ended = run("export", server.endpoint, "--to", self.folder / "file")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("the table Music is not exported: ", ended.stderr)
        self.assertIn(" cannot be made: Not a directory", ended.stderr)


class SlowServer:
    """Answers as a server with one table, but never a Scan, nor a BatchWriteItem."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.endpoint = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.stuck = threading.Event()
        self.seen = []
        self.kept = []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            request = connection.recv(1 << 16).decode()
            operation = re.search(r"DynamoDB_20120810\.(\w+)", request)[1]
            self.seen.append(operation)
            self.kept.append(connection)
            if operation in ("Scan", "BatchWriteItem"):
                self.stuck.set()
                continue
            body = json.dumps({"TableNames": ["Music"], "Table": {"TableArn": "arn:x:table/Music", "TableStatus": "ACTIVE"}})
            connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())

    def let_go(self):
        """Closes all connections, so that who waits goes on."""
        for connection in self.kept:
            connection.close()


class Interruptions(Folder):
    def interrupted(self, how, *arguments):
        server = SlowServer()
        self.addCleanup(server.listener.close)
        process = subprocess.Popen([program(), *(word.replace("URL", server.endpoint) for word in arguments)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertTrue(server.stuck.wait(60))
        process.send_signal(how)
        server.let_go()
        _, said = process.communicate(timeout=60)
        return process.returncode, said, server.seen

    def test_an_interrupted_export_leaves_nothing(self):
        code, said, _ = self.interrupted(signal.SIGINT, "export", "URL", "--to", str(self.folder))
        self.assertEqual(code, 1)
        self.assertTrue(said.endswith("dinette: the table Music is not exported: interrupted\n"), said)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_an_export_that_is_killed_does_not_look_complete(self):
        code, _, _ = self.interrupted(signal.SIGKILL, "export", "URL", "--to", str(self.folder))
        self.assertEqual(code, -signal.SIGKILL)
        self.assertEqual([path.name for path in self.folder.glob("Music/AWSDynamoDB/*/*")], ["_started"])
        ended = run("import", self.folder, "--into", self.folder / "data")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("is not a whole export: it has no manifest-summary.json", ended.stderr)

    def test_an_interrupted_import_says_what_was_written(self):
        (self.folder / "items.json").write_text('{"Item":{"pk":{"S":"a"}}}\n')
        code, said, seen = self.interrupted(signal.SIGTERM, "import", str(self.folder), "--into", "URL", "--table", "Music")
        self.assertEqual(code, 1)
        self.assertTrue(said.endswith("interrupted; written before: 0 items at least\n"), said)
        self.assertEqual(seen, ["DescribeTable", "BatchWriteItem"])


if __name__ == "__main__":
    unittest.main()
