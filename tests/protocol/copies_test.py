"""Exports, imports and bulk operations as users make them: boto3 and the AWS CLI, with the objects on the same server."""

import base64
import gzip
import hashlib
import json
import pathlib
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import botocore.exceptions

from boto3_clients import client
from server import Server, program

CLI = "/usr/bin/aws"
PATIENCE_SECONDS = 60
EVERY_TYPE = {
    "artist": {"S": "Zoë"}, "song": {"S": "ein Lied"}, "n": {"N": "1234567890123456789012345678901234567.8"},
    "tiny": {"N": "1E-130"}, "empty": {"S": ""}, "b": {"B": bytes(range(256))}, "empty_b": {"B": b""},
    "yes": {"BOOL": True}, "nothing": {"NULL": True}, "ss": {"SS": ["a"]}, "ns": {"NS": ["-2"]}, "bs": {"BS": [b"\0"]},
    "l": {"L": [{"L": []}, {"M": {}}]}, "m": {"M": {"x y": {"N": "0.1"}}}}
TABLE = {
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "artist", "AttributeType": "S"},
                             {"AttributeName": "song", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "artist", "KeyType": "HASH"}, {"AttributeName": "song", "KeyType": "RANGE"}]}


def sorted_items(items):
    return sorted(items, key=lambda item: (item["artist"]["S"], item["song"]["S"]))


def typed(value):
    """Returns a value of DynamoDB JSON as boto3 has it."""
    (kind, inside), = value.items()
    decode = {"B": base64.b64decode, "BS": lambda all_: [base64.b64decode(one) for one in all_],
              "L": lambda all_: [typed(one) for one in all_],
              "M": lambda all_: {name: typed(one) for name, one in all_.items()}}
    return {kind: decode.get(kind, lambda same: same)(inside)}


def md5(data):
    return base64.b64encode(hashlib.md5(data).digest()).decode()


class Copies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        cls.dynamodb = client(cls.server.endpoint)
        cls.s3 = client(cls.server.endpoint, service="s3")
        cls.s3.create_bucket(Bucket="copies")
        items = [EVERY_TYPE] + [{"artist": {"S": f"{n % 7}"}, "song": {"S": f"{n:04}"}, "year": {"N": str(n)}}
                                for n in range(100)]
        cls.table = cls.dynamodb.create_table(TableName="Music", **TABLE)["TableDescription"]["TableArn"]
        for item in items:
            cls.dynamodb.put_item(TableName="Music", Item=item)
        cls.dynamodb.update_continuous_backups(
            TableName="Music", PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        cls.items = cls.scanned("Music")

    def described(self, describe, member, status, **arn):
        """Waits for the end of an export or import, and returns what is said of it."""
        patience = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < patience:
            found = describe(**arn)[member]
            if found[status] != "IN_PROGRESS":
                return found
        self.fail("it did not end")

    def export(self, **more):
        begun = self.dynamodb.export_table_to_point_in_time(TableArn=self.table, S3Bucket="copies", **more)
        arn = begun["ExportDescription"]["ExportArn"]
        return self.described(self.dynamodb.describe_export, "ExportDescription", "ExportStatus", ExportArn=arn)

    def bring_in(self, name, **more):
        begun = self.dynamodb.import_table(TableCreationParameters={"TableName": name, **TABLE}, **more)
        arn = begun["ImportTableDescription"]["ImportArn"]
        return self.described(self.dynamodb.describe_import, "ImportTableDescription", "ImportStatus", ImportArn=arn)

    @classmethod
    def scanned(cls, name):
        return sorted_items(item for page in cls.dynamodb.get_paginator("scan").paginate(TableName=name)
                            for item in page["Items"])

    def read(self, key):
        return self.s3.get_object(Bucket="copies", Key=key)["Body"].read()

    def read_lines(self, key):
        return [json.loads(line) for line in self.read(key).splitlines()]

    def test_an_export_is_what_the_developer_guide_says(self):
        exported = self.export(S3Prefix="of/music")
        self.assertEqual(exported["ExportStatus"], "COMPLETED")
        self.assertEqual(exported["ItemCount"], len(self.items))
        summary_text = self.read(exported["ExportManifest"])
        digest = self.read(exported["ExportManifest"].replace(".json", ".md5")).decode()
        self.assertEqual(digest, md5(summary_text))
        summary = json.loads(summary_text)
        self.assertEqual((summary["exportArn"], summary["itemCount"], summary["s3Prefix"], summary["outputFormat"]),
                         (exported["ExportArn"], len(self.items), "of/music", "DYNAMODB_JSON"))
        found = []
        for file in self.read_lines(summary["manifestFilesS3Key"]):
            data = self.read(file["dataFileS3Key"])
            self.assertEqual(file["md5Checksum"], md5(data))
            lines = gzip.decompress(data).splitlines()
            self.assertEqual(file["itemCount"], len(lines))
            found += [typed({"M": json.loads(line)["Item"]})["M"] for line in lines]
        self.assertEqual(sorted_items(found), self.items)

    def test_what_was_exported_is_imported(self):
        for format_ in ("DYNAMODB_JSON", "ION"):
            with self.subTest(format_):
                exported = self.export(ExportFormat=format_)
                data = exported["ExportManifest"].replace("manifest-summary.json", "data/")
                imported = self.bring_in("Imported" + format_, InputFormat=format_, InputCompressionType="GZIP",
                                         S3BucketSource={"S3Bucket": "copies", "S3KeyPrefix": data})
                self.assertEqual((imported["ImportStatus"], imported["ImportedItemCount"], imported["ErrorCount"]),
                                 ("COMPLETED", len(self.items), 0))
                self.assertEqual(self.scanned("Imported" + format_), self.items)

    def test_exports_and_imports_are_listed(self):
        arns = {self.export()["ExportArn"] for _ in range(3)}
        pages = [self.dynamodb.list_exports(TableArn=self.table, MaxResults=2)]
        while "NextToken" in pages[-1]:
            pages.append(self.dynamodb.list_exports(TableArn=self.table, MaxResults=2, NextToken=pages[-1]["NextToken"]))
        listed = [one["ExportArn"] for page in pages for one in page["ExportSummaries"]]
        self.assertLessEqual(arns, set(listed))
        self.assertEqual(len(listed), len(set(listed)))
        imported = self.bring_in("Listed", InputFormat="CSV", S3BucketSource={"S3Bucket": "copies", "S3KeyPrefix": "none/"})
        self.assertIn(imported["ImportArn"],
                      [one["ImportArn"] for one in self.dynamodb.list_imports()["ImportSummaryList"]])

    def test_what_is_not_there_fails_later(self):
        missing = self.dynamodb.export_table_to_point_in_time(TableArn=self.table, S3Bucket="nobodys")
        failed = self.described(self.dynamodb.describe_export, "ExportDescription", "ExportStatus",
                                ExportArn=missing["ExportDescription"]["ExportArn"])
        self.assertEqual((failed["ExportStatus"], failed["FailureCode"]), ("FAILED", "S3NoSuchBucket"))
        imported = self.bring_in("Nobodys", InputFormat="CSV", S3BucketSource={"S3Bucket": "nobodys"})
        self.assertEqual((imported["ImportStatus"], imported["FailureCode"]), ("FAILED", "S3NoSuchBucket"))


class BulkPuts(unittest.TestCase):
    """Bulk operations, which botocore does not know yet: as JSON over HTTP."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        cls.dynamodb = client(cls.server.endpoint)
        cls.s3 = client(cls.server.endpoint, service="s3")
        cls.s3.create_bucket(Bucket="bulk")
        cls.dynamodb.create_table(TableName="Music", **TABLE)

    def call(self, operation, **members):
        headers = {"X-Amz-Target": "DynamoDB_20120810." + operation, "Content-Type": "application/x-amz-json-1.0"}
        request = urllib.request.Request(self.server.endpoint, json.dumps(members).encode(), headers)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            return refused.code, json.load(refused)

    def ok(self, operation, **members):
        status, answer = self.call(operation, **members)
        self.assertEqual(status, 200, answer)
        return answer

    def put(self, folder, packing="NONE", **more):
        """Carries out an operation, and returns what is said of it in the end."""
        one = self.ok("StartBulkPutItems", TableName="Music",
                      InputS3Configuration={"S3Bucket": "bulk", "S3KeyPrefix": folder, "InputFormat": "DYNAMODB_JSON",
                                            "InputCompressionType": packing},
                      OutputS3Configuration={"S3Bucket": "bulk", "S3KeyPrefix": "reports",
                                             "OutputType": ["ERROR", "CONDITION_CHECK_FAILURE"]},
                      **more)["BulkOperationDescription"]
        patience = time.monotonic() + PATIENCE_SECONDS
        while one["BulkOperationStatus"] in ("IN_PROGRESS", "CANCELLING") and time.monotonic() < patience:
            one = self.ok("DescribeBulkOperation", BulkOperationArn=one["BulkOperationArn"])["BulkOperationDescription"]
        return one

    def test_lines_become_items_and_reports_say_which_did_not(self):
        item = {"artist": {"S": "Nina Simone"}, "song": {"S": "Sinnerman"}}
        lines = [{"Item": item}, {"Item": item, "ConditionExpression": "attribute_not_exists(artist)"}, {"Item": {}}]
        text = "\n".join(json.dumps(line) for line in lines)
        self.s3.put_object(Bucket="bulk", Key="in/lines.gz", Body=gzip.compress(text.encode()))
        done = self.put("in/", "GZIP", ClientToken="once")
        self.assertEqual((done["BulkOperationStatus"], done["ProcessedItemCount"], done["FailedItemCount"]),
                         ("COMPLETED_WITH_ERRORS", 3, 1))
        self.assertEqual(self.dynamodb.get_item(TableName="Music", Key=item)["Item"], item)
        folder = "reports/AWSDynamoDB/" + done["BulkOperationArn"].rpartition("/")[2] + "/"
        files = self.s3.get_object(Bucket="bulk", Key=folder + "manifest-files.json")["Body"].read().splitlines()
        found = {}
        for file in map(json.loads, files):
            data = self.s3.get_object(Bucket="bulk", Key=file["dataFileS3Key"])["Body"].read()
            self.assertEqual(file["md5Checksum"], md5(data))
            found[file["outputType"]] = [json.loads(line) for line in gzip.decompress(data).splitlines()]
        self.assertEqual(found["CONDITION_CHECK_FAILURE"][0]["existingItem"], item)
        self.assertEqual(found["ERROR"][0]["itemS3Pointer"], {"bucket": "bulk", "key": "in/lines.gz", "itemIndex": 2})
        self.assertEqual(self.put("in/", "GZIP", ClientToken="once"), done)
        self.assertIn(done["BulkOperationArn"],
                      [one["BulkOperationArn"] for one in self.ok("ListBulkOperations")["BulkOperationsSummaryList"]])
        status, answer = self.call("DescribeBulkOperation", BulkOperationArn=done["BulkOperationArn"][:-8] + "00000000")
        self.assertEqual((status, answer["__type"].rpartition("#")[2]), (400, "ResourceNotFoundException"))

    def test_what_is_cancelled_ends(self):
        text = "".join(json.dumps({"Item": {"artist": {"S": "many"}, "song": {"S": str(n)}}}) + "\n" for n in range(50_000))
        self.s3.put_object(Bucket="bulk", Key="many/lines", Body=text.encode())
        begun = self.ok("StartBulkPutItems", TableName="Music",
                        InputS3Configuration={"S3Bucket": "bulk", "S3KeyPrefix": "many/", "InputFormat": "DYNAMODB_JSON"},
                        OutputS3Configuration={"S3Bucket": "bulk", "OutputType": ["ERROR"]})["BulkOperationDescription"]
        arn = begun["BulkOperationArn"]
        answered = status = self.ok("CancelBulkOperation", BulkOperationArn=arn)["BulkOperationStatus"]
        while status in ("IN_PROGRESS", "CANCELLING"):
            done = self.ok("DescribeBulkOperation", BulkOperationArn=arn)["BulkOperationDescription"]
            status = done["BulkOperationStatus"]
        self.assertEqual(status, {"CANCELLING": "CANCELLED"}.get(answered, "COMPLETED"))
        count = sum(page["Count"] for page in self.dynamodb.get_paginator("query").paginate(
            TableName="Music", KeyConditionExpression="artist = :many", ExpressionAttributeValues={":many": {"S": "many"}}))
        self.assertEqual(count, done["ProcessedItemCount"])


class Elsewhere(unittest.TestCase):
    """The buckets are another server's, which verifies signatures."""

    KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "eu-west-1"}
    described, export, bring_in = Copies.described, Copies.export, Copies.bring_in

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        credentials = pathlib.Path(folder.name, "credentials")
        credentials.write_text("[default]\naws_access_key_id = key\naws_secret_access_key = secret\n")
        cls.there = Server("--auth", "verify", "--credentials", str(credentials))
        cls.addClassCleanup(cls.there.stop)
        cls.s3 = client(cls.there.endpoint, service="s3")
        cls.s3.create_bucket(Bucket="copies")

    def start(self, **environment):
        return self.enterContext(Server("--s3-endpoint", self.there.endpoint, env={**self.KEYS, **environment}))

    def use(self, server):
        self.dynamodb = client(server.endpoint)
        self.table = self.dynamodb.create_table(TableName="Music", **TABLE)["TableDescription"]["TableArn"]
        self.dynamodb.put_item(TableName="Music", Item=EVERY_TYPE)
        self.dynamodb.update_continuous_backups(
            TableName="Music", PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})

    def failure(self, ended, status):
        return ended[status], ended.get("FailureCode")

    def test_a_table_goes_there_and_comes_back(self):
        self.use(self.start())
        exported = self.export(S3Prefix="a b/ü")
        self.assertEqual((exported["ExportStatus"], exported["ItemCount"]), ("COMPLETED", 1))
        etags = {one["Key"]: one["ETag"].strip('"') for one in self.s3.list_objects_v2(Bucket="copies")["Contents"]}
        files = self.s3.get_object(Bucket="copies", Key=exported["ExportManifest"].replace("summary", "files"))
        for file in map(json.loads, files["Body"].read().splitlines()):
            self.assertEqual(file["etag"], etags[file["dataFileS3Key"]])
        data = exported["ExportManifest"].replace("manifest-summary.json", "data/")
        imported = self.bring_in("Again", InputFormat="DYNAMODB_JSON", InputCompressionType="GZIP",
                                 S3BucketSource={"S3Bucket": "copies", "S3KeyPrefix": data})
        self.assertEqual((imported["ImportStatus"], imported["ImportedItemCount"]), ("COMPLETED", 1))
        self.assertEqual(self.dynamodb.scan(TableName="Again")["Items"], self.dynamodb.scan(TableName="Music")["Items"])

    def test_errors_there_are_those_of_the_export_and_the_import(self):
        self.use(self.start())
        with self.subTest("no such bucket"):
            missing = self.dynamodb.export_table_to_point_in_time(TableArn=self.table, S3Bucket="nobodys")
            arn = missing["ExportDescription"]["ExportArn"]
            failed = self.described(self.dynamodb.describe_export, "ExportDescription", "ExportStatus", ExportArn=arn)
            self.assertEqual(self.failure(failed, "ExportStatus"), ("FAILED", "S3NoSuchBucket"))
            imported = self.bring_in("Nobodys", InputFormat="CSV", S3BucketSource={"S3Bucket": "nobodys"})
            self.assertEqual(self.failure(imported, "ImportStatus"), ("FAILED", "S3NoSuchBucket"))
        with self.subTest("keys that it does not know"):
            self.use(self.start(AWS_SECRET_ACCESS_KEY="wrong"))
            self.assertEqual(self.failure(self.export(), "ExportStatus"), ("FAILED", "S3AccessDenied"))
            imported = self.bring_in("Denied", InputFormat="CSV", S3BucketSource={"S3Bucket": "copies"})
            self.assertEqual(self.failure(imported, "ImportStatus"), ("FAILED", "S3AccessDenied"))

    def test_an_s3_that_is_down_fails_the_export_while_others_are_served(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:  # accepts, and answers nothing
            with Server("--s3-endpoint", f"http://127.0.0.1:{silent.getsockname()[1]}", env=self.KEYS) as server:
                self.use(server)
                begun = self.dynamodb.export_table_to_point_in_time(TableArn=self.table, S3Bucket="copies")
                connection, _ = silent.accept()  # the export waits for an answer
                self.dynamodb.put_item(TableName="Music", Item=EVERY_TYPE)
                found = self.dynamodb.describe_export(ExportArn=begun["ExportDescription"]["ExportArn"])
                self.assertEqual(found["ExportDescription"]["ExportStatus"], "IN_PROGRESS")
                self.assertEqual(server.stop(), 0)  # nothing waits for the S3
                connection.close()
        server = self.enterContext(Server("--s3-endpoint", f"http://127.0.0.1:{silent_port()}", env=self.KEYS))
        self.use(server)
        self.assertEqual(self.failure(self.export(), "ExportStatus"), ("FAILED", "S3InternalError"))
        self.assertEqual(server.stop(), 0)  # by then the log is written
        self.assertIn("cannot be reached", server.log_text())

    def test_an_export_interrupted_by_the_end_of_the_server_continues_with_the_next(self):
        with tempfile.TemporaryDirectory() as data:
            with socket.create_server(("127.0.0.1", 0)) as silent:
                url = f"http://127.0.0.1:{silent.getsockname()[1]}"
                with Server("--data", data, "--s3-endpoint", url, env=self.KEYS) as server:
                    self.use(server)
                    begun = self.dynamodb.export_table_to_point_in_time(TableArn=self.table, S3Bucket="copies")
                    connection, _ = silent.accept()
                    self.assertEqual(server.stop(), 0)
                    connection.close()
            server = self.enterContext(Server("--data", data, "--s3-endpoint", self.there.endpoint, env=self.KEYS))
            self.dynamodb = client(server.endpoint)
            exported = self.described(self.dynamodb.describe_export, "ExportDescription", "ExportStatus",
                                      ExportArn=begun["ExportDescription"]["ExportArn"])
            self.assertEqual((exported["ExportStatus"], exported["ItemCount"]), ("COMPLETED", 1))
            server.stop()

    def test_its_certificate_must_be_trusted(self):
        with tempfile.TemporaryDirectory() as folder:
            certificate, key = pathlib.Path(folder, "certificate.pem"), pathlib.Path(folder, "key.pem")
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                            "-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
                            "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
            there = self.enterContext(Server("--tls-cert", str(certificate), "--tls-key", str(key)))
            client(there.endpoint, service="s3", verify=str(certificate)).create_bucket(Bucket="copies")
            for trusted, ending in (({"AWS_CA_BUNDLE": str(certificate)}, ("COMPLETED", None)),
                                    ({}, ("FAILED", "S3InternalError"))):
                with self.subTest(ending):
                    server = self.enterContext(Server("--s3-endpoint", there.endpoint, env={**self.KEYS, **trusted}))
                    self.use(server)
                    self.assertEqual(self.failure(self.export(), "ExportStatus"), ending)

    def test_it_serves_no_s3_itself(self):
        server = self.start()
        with self.assertRaises(botocore.exceptions.ClientError):
            client(server.endpoint, service="s3").list_objects_v2(Bucket="copies")


def silent_port():
    """Returns a port on which no program listens."""
    with socket.create_server(("127.0.0.1", 0)) as gone:
        return gone.getsockname()[1]


class CommandLine(unittest.TestCase):
    """The AWS CLI from Debian, unmodified."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.environment = {
            "PATH": "/usr/bin:/bin", "HOME": cls.folder.name, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_DEFAULT_REGION": "eu-west-2", "AWS_PAGER": "", "AWS_EC2_METADATA_DISABLED": "true", "LANG": "C.UTF-8"}

    def aws(self, *arguments):
        ended = subprocess.run([CLI, *arguments, "--endpoint-url", self.server.endpoint, "--output", "json"],
                               capture_output=True, text=True, env=self.environment)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout

    def ended(self, operation, member, status, option, arn):
        patience = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < patience:
            found = json.loads(self.aws("dynamodb", operation, option, arn))[member]
            if found[status] != "IN_PROGRESS":
                return found
        self.fail("it did not end")

    def test_a_file_becomes_a_table_and_a_table_becomes_files(self):
        folder = pathlib.Path(self.folder.name)
        (folder / "albums.csv").write_text("artist,title,year\nNina Simone,Pastel Blues,1965\nFela Kuti,Zombie,1976\n")
        self.aws("s3", "mb", "s3://albums")
        self.aws("s3", "cp", str(folder / "albums.csv"), "s3://albums/in/albums.csv")
        begun = json.loads(self.aws(
            "dynamodb", "import-table", "--input-format", "CSV", "--s3-bucket-source", "S3Bucket=albums,S3KeyPrefix=in/",
            "--table-creation-parameters", json.dumps({
                "TableName": "Albums", "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": "artist", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "artist", "KeyType": "HASH"}]})))["ImportTableDescription"]
        imported = self.ended("describe-import", "ImportTableDescription", "ImportStatus", "--import-arn",
                              begun["ImportArn"])
        self.assertEqual((imported["ImportStatus"], imported["ImportedItemCount"]), ("COMPLETED", 2))
        item = json.loads(self.aws("dynamodb", "get-item", "--table-name", "Albums", "--key",
                                   '{"artist": {"S": "Fela Kuti"}}'))["Item"]
        self.assertEqual(item, {"artist": {"S": "Fela Kuti"}, "title": {"S": "Zombie"}, "year": {"S": "1976"}})

        self.aws("dynamodb", "update-continuous-backups", "--table-name", "Albums",
                 "--point-in-time-recovery-specification", "PointInTimeRecoveryEnabled=true")
        begun = json.loads(self.aws("dynamodb", "export-table-to-point-in-time", "--table-arn", imported["TableArn"],
                                    "--s3-bucket", "albums", "--s3-prefix", "out"))["ExportDescription"]
        exported = self.ended("describe-export", "ExportDescription", "ExportStatus", "--export-arn", begun["ExportArn"])
        self.assertEqual((exported["ExportStatus"], exported["ItemCount"]), ("COMPLETED", 2))
        self.aws("s3", "cp", "--recursive", "s3://albums/out/", str(folder / "out"))
        into = subprocess.run([program(), "import", str(folder / "out"), "--into", self.server.endpoint, "--table", "Again",
                               "--key", "artist:S"], capture_output=True, text=True,
                              env={"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "eu-west-2"})
        self.assertEqual(into.returncode, 0, into.stderr)
        again = json.loads(self.aws("dynamodb", "scan", "--table-name", "Again"))["Items"]
        self.assertEqual(sorted(one["artist"]["S"] for one in again), ["Fela Kuti", "Nina Simone"])


if __name__ == "__main__":
    unittest.main()
