"""dinette pull as a process: signatures, credentials, a source that fails, and a pull that is killed.

DINETTE_PULL_ITEMS and DINETTE_PULL_KILLS make the last case longer; scripts/pull_kills does.
"""

import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "protocol"))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "crash"))

from crash_clients import Connection  # noqa: E402
from server import Server, program  # noqa: E402
from stand_ins import Issuer, Source  # noqa: E402

ITEMS = int(os.environ.get("DINETTE_PULL_ITEMS", "3000"))
KILLS = int(os.environ.get("DINETTE_PULL_KILLS", "4"))
FILLER = 2000 if ITEMS < 100_000 else 100  # bytes, so that some pages are needed
PAGES = ITEMS * (FILLER + 60) // 2**20
LONGEST_WRITE_SECONDS = 0.2
PATIENCE_SECONDS = 60 + ITEMS // 500
READING = {"DescribeTable", "DescribeTimeToLive", "ListTables", "ListTagsOfResource", "Scan"}
SECRET = "a-secret-that-is-nowhere-printed"


def fill(port, table, items, filler=2000):
    with Connection(port) as client:
        client.ok("CreateTable", {
            "TableName": table, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})
        for first in range(0, items, 25):
            client.ok("BatchWriteItem", {"RequestItems": {table: [
                {"PutRequest": {"Item": {"pk": {"S": f"key{number}"}, "n": {"N": str(number)},
                                         "email": {"S": f"user{number}@example.org"},
                                         "filler": {"S": "x" * filler}}}}
                for number in range(first, min(first + 25, items))]}})


def scanned(port, table):
    """Returns all items by their key. A key that comes twice fails the test."""
    found, start = {}, None
    with Connection(port) as client:
        while True:
            request = {"TableName": table, **({"ExclusiveStartKey": start} if start else {})}
            page = client.ok("Scan", request)
            for item in page["Items"]:
                assert item["pk"]["S"] not in found
                found[item["pk"]["S"]] = item
            start = page.get("LastEvaluatedKey")
            if not start:
                return found


class Pull(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / ".aws").mkdir()
        self.variables = {"HOME": str(self.folder), "PATH": os.environ["PATH"], "AWS_EC2_METADATA_DISABLED": "true",
                          "AWS_REGION": "eu-west-1"}

    def serve(self, *arguments):
        server = Server(*arguments)
        self.addCleanup(server.log.close)
        self.addCleanup(server.stop)
        return server

    def source(self, items=30, **options):
        origin = self.serve()
        fill(origin.port, "Items", items, **options)
        return self.stand_in(Source(origin.port)), origin

    def stand_in(self, one):
        self.addCleanup(one.__exit__)
        return one

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)

    def start(self, *arguments):
        return subprocess.Popen([program(), "pull", *map(str, arguments)], env=self.variables, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def end(self, process):
        out, err = process.communicate(timeout=PATIENCE_SECONDS)
        self.assertNotIn(SECRET, out + err)
        self.assertNotIn("issued-secret", out + err)
        return process.returncode, out, err

    def pull(self, *arguments, code=0):
        returned, out, err = self.end(self.start(*arguments))
        self.assertEqual(returned, code, out + err)
        return out if code == 0 else err

    # Signatures

    def test_a_real_server_verifies_the_signatures_of_a_profile(self):
        keys = self.write("keys.ini", f"[prod]\naws_access_key_id = AKIDPROD\naws_secret_access_key = {SECRET}\n")
        data = self.folder / "origin"
        with Server("--data", str(data)) as open_server:
            fill(open_server.port, "Items", 30)
        origin = self.serve("--data", str(data), "--auth", "verify", "--credentials", keys)
        destination = self.serve()
        self.variables["AWS_SHARED_CREDENTIALS_FILE"] = keys
        out = self.pull("--from", origin.endpoint, "--profile", "prod", "--into", destination.endpoint)
        self.assertEqual(out, f"pulled 1 table, 30 items into {destination.endpoint}\n")
        self.assertEqual(len(scanned(destination.port, "Items")), 30)
        self.write("keys.ini", "[prod]\naws_access_key_id = AKIDPROD\naws_secret_access_key = wrong\n")
        err = self.pull("--from", origin.endpoint, "--profile", "prod", "--into", destination.endpoint, code=1)
        self.assertIn("signature", err)

    def test_a_source_is_only_read(self):
        source, _ = self.source(300)
        destination = self.serve()
        self.pull("--from", source.url, "--into", destination.endpoint, "--where", "n < 200")
        self.pull("--from", source.url, "--into", destination.endpoint, "--replace", "--sample", 20)
        self.pull("--from", source.url, "--into", self.folder / "files", "--format", "csv")
        self.assertEqual(set(source.operations), READING)

    # Credentials

    def aws_pull(self, issuer, *arguments, keys=("ISSUED",)):
        """Pulls from "AWS", whose services are stand-ins, and returns what is printed."""
        source, _ = self.source()
        source.keys = keys
        self.variables.update({"AWS_ENDPOINT_URL_DYNAMODB": source.url, "AWS_ENDPOINT_URL_STS": issuer.url,
                               "AWS_ENDPOINT_URL_SSO": issuer.url})
        destination = self.serve()
        process = self.start("--from", "aws", "--into", destination.endpoint, *arguments)
        code, out, err = self.end(process)
        self.assertEqual((code, out), (0, f"pulled 1 table, 30 items into {destination.endpoint}\n"), err)
        self.assertEqual(len(scanned(destination.port, "Items")), 30)
        tokens = {headers.get("x-amz-security-token") for _, _, headers, _ in source.requests}
        self.assertEqual(tokens, {"issued-token"})
        return err

    def test_a_role_is_assumed(self):
        issuer = self.stand_in(Issuer("ISSUED"))
        self.write(".aws/config", "[profile prod]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = base\n"
                                  "external_id = x\nregion = eu-west-1\n")
        self.write(".aws/credentials", f"[base]\naws_access_key_id = BASE\naws_secret_access_key = {SECRET}\n")
        err = self.aws_pull(issuer, "--profile", "prod")
        self.assertIn("with the credentials of the role arn:aws:iam::1:role/r of profile prod", err)
        self.assertIn("Credential=BASE/", issuer.requests[0][2]["Authorization"])
        self.assertIn(b"ExternalId=x", issuer.requests[0][3])

    def test_a_web_identity_is_exchanged(self):
        issuer = self.stand_in(Issuer("ISSUED"))
        self.variables.update({"AWS_ROLE_ARN": "arn:w", "AWS_WEB_IDENTITY_TOKEN_FILE": self.write("token", "a.b\n")})
        self.aws_pull(issuer)
        self.assertIn(b"WebIdentityToken=a.b", issuer.requests[0][3])

    def test_a_sign_in_is_used(self):
        issuer = self.stand_in(Issuer("ISSUED"))
        self.write(".aws/config", "[profile prod]\nsso_session = my\nsso_account_id = 1\nsso_role_name = r\n"
                                  "[sso-session my]\nsso_start_url = https://x\nsso_region = eu-west-1\n")
        self.write(f".aws/sso/cache/{hashlib.sha1(b'my').hexdigest()}.json",
                   json.dumps({"accessToken": "sign-in-token", "expiresAt": "2099-01-01T00:00:00Z"}))
        self.aws_pull(issuer, "--profile", "prod")

    def test_a_program_brings_credentials(self):
        issuer = self.stand_in(Issuer("ISSUED"))
        answer = json.dumps({"Version": 1, "AccessKeyId": "ISSUED", "SecretAccessKey": SECRET,
                             "SessionToken": "issued-token"})
        self.write(".aws/config", f"[default]\ncredential_process = cat {self.write('printed', answer)}\n")
        self.aws_pull(issuer)

    def test_a_container_has_credentials(self):
        issuer = self.stand_in(Issuer("ISSUED"))
        self.variables.update({"AWS_CONTAINER_CREDENTIALS_FULL_URI": issuer.url + "/container",
                               "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": self.write("token", Issuer.TOKEN)})
        self.aws_pull(issuer)

    def test_an_instance_has_a_role(self):
        issuer = self.stand_in(Issuer("ISSUED"))
        del self.variables["AWS_EC2_METADATA_DISABLED"]
        self.variables["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = issuer.url
        self.aws_pull(issuer)

    def test_credentials_that_expire_on_the_way_are_renewed(self):
        issuer = self.stand_in(Issuer("OLD", "ISSUED"))
        self.variables.update({"AWS_CONTAINER_CREDENTIALS_FULL_URI": issuer.url + "/container",
                               "AWS_CONTAINER_AUTHORIZATION_TOKEN": Issuer.TOKEN})
        self.aws_pull(issuer)
        self.assertEqual(len(issuer.requests), 2)

    def test_without_credentials_the_error_says_what_was_tried(self):
        err = self.pull("--from", "aws", "--into", self.folder / "data", code=1)
        for part in ("AWS_ACCESS_KEY_ID is not set", "profile default", "the container", "AWS_EC2_METADATA_DISABLED",
                     "--profile", "aws configure"):
            self.assertIn(part, err)
        self.assertFalse((self.folder / "data").exists())
        del self.variables["AWS_REGION"]
        self.assertIn("add --region", self.pull("--from", "aws", "--into", self.folder / "data", code=1))

    def test_nothing_is_pulled_into_aws_or_into_itself(self):
        source, _ = self.source()
        for destination, part in (("https://dynamodb.eu-west-1.amazonaws.com", "not into AWS"), (source.url, "the same server")):
            self.assertIn(part, self.pull("--from", source.url, "--into", destination, code=1))

    # A source that fails

    def failing(self, answers):
        """Answers Scans by a list, one for each; None passes it on."""
        def instead(operation, _):
            return answers.pop(0) if operation == "Scan" and answers else None
        return instead

    def test_throttling_errors_and_cut_connections_are_waited_for(self):
        source, _ = self.source()
        throttled = 400, json.dumps({"__type": "x#ProvisionedThroughputExceededException", "message": "slower"})
        broken = 500, json.dumps({"__type": "x#InternalServerError", "message": "oh"})
        half = 200, '{"Items":[', 1000
        source.instead = self.failing([throttled, throttled, "cut", broken, half])
        destination = self.serve()
        self.assertIn("30 items", self.pull("--from", source.url, "--into", destination.endpoint))
        self.assertEqual(len(scanned(destination.port, "Items")), 30)

    def test_hostile_answers_end_the_pull(self):
        source, _ = self.source()
        destination = self.serve()
        for number, answer in enumerate((
                (200, "{", 10**12), (200, "[" * 100000), (200, '{"Items":' + "[" * 5000 + "]" * 5000 + "}"), (200, ""),
                (200, b"\xff\xfe"), (200, '{"Items":[{"pk":{"S":"\\ud800"}}]}'), (400, "<html>"), (302, ""))):
            with self.subTest(number=number):
                source.instead = lambda operation, _, answer=answer: answer if operation == "Scan" else None
                err = self.pull("--from", source.url, "--into", destination.endpoint, "--replace", code=1)
                self.assertIn("the table Items is not pulled", err)

    # Pulls that are interrupted

    def destinations(self):
        server = self.serve()
        data = self.folder / "data"
        files = self.folder / "files"

        def in_data():
            with Server("--data", str(data)) as opened:
                return scanned(opened.port, "Items")

        def in_files():
            lines = (files / "Items/items.jsonl").read_text().splitlines()
            keys = [json.loads(line)["pk"] for line in lines]
            self.assertEqual(len(keys), len(set(keys)))
            return dict.fromkeys(keys)

        yield "server", ["--into", server.endpoint], lambda: scanned(server.port, "Items")
        yield "data folder", ["--into", data], in_data
        yield "files", ["--into", files, "--format", "json"], in_files

    def killed_pull(self, source, arguments, scans):
        """Starts a pull and kills it when it asks for a page for the `scans`th time, or, if it is a long one, while
        it writes that page."""
        running = []

        def instead(operation, _):
            nonlocal scans
            scans -= operation == "Scan"
            if operation != "Scan" or scans != 0:
                return None
            if PAGES > 10 * KILLS:
                threading.Timer(random.random() * LONGEST_WRITE_SECONDS, running[0].send_signal, [signal.SIGKILL]).start()
                return None
            running[0].send_signal(signal.SIGKILL)
            return "cut"

        def held(operation, body):
            started.wait()
            return instead(operation, body)

        started = threading.Event()
        source.instead = held
        running.append(self.start("--from", source.url, *arguments))
        started.set()
        returned, out, err = self.end(running[0])
        source.instead = lambda *_: None
        return returned, out, err

    def test_a_pull_that_is_killed_and_continued_has_every_item_once(self):
        source, origin = self.source(ITEMS, filler=FILLER)
        wanted = set(scanned(origin.port, "Items"))
        for name, arguments, found in self.destinations():
            with self.subTest(destination=name):
                arguments = [*arguments, "--continue"]
                for _ in range(KILLS):
                    returned, _, err = self.killed_pull(source, arguments, random.randint(2, max(2, PAGES // KILLS)))
                    self.assertEqual(returned, -signal.SIGKILL, err)
                out = self.pull("--from", source.url, *arguments)
                self.assertIn(f" {ITEMS:,} items ", out)
                self.assertEqual(set(found()), wanted)
        self.assertEqual([str(path) for path in self.folder.rglob("*pulling*")], [])

    def test_ctrl_c_ends_a_pull_that_can_be_continued(self):
        source, _ = self.source(1500)
        destination = self.serve()
        running = []

        def instead(operation, _):
            if operation == "Scan" and source.operations.count("Scan") == 2:
                running[0].send_signal(signal.SIGINT)
            return None

        source.instead = instead
        running.append(self.start("--from", source.url, "--into", destination.endpoint))
        code, out, err = self.end(running[0])
        self.assertEqual(code, 1, out)
        self.assertIn("interrupted", err)
        self.assertIn("--continue", err)
        self.assertIn("1,500 items", self.pull("--from", source.url, "--into", destination.endpoint, "--continue"))
        self.assertEqual(len(scanned(destination.port, "Items")), 1500)

    # Masks

    def test_masked_items_can_be_joined_after_a_kill(self):
        source, origin = self.source(1500)
        fill(origin.port, "Others", 1500)
        rules = self.write("mask.json", json.dumps({"rules": [{"attribute": "email", "kind": "email"},
                                                             {"attribute": "pk", "kind": "text"}]}))
        destination = self.serve()
        arguments = ["--into", destination.endpoint, "--mask", rules, "--continue"]
        self.killed_pull(source, arguments, 3)
        self.pull("--from", source.url, *arguments)
        one, other = scanned(destination.port, "Items"), scanned(destination.port, "Others")
        self.assertEqual(len(one), 1500)
        self.assertEqual(set(one), set(other))
        for key, item in one.items():
            self.assertEqual(item["email"], other[key]["email"])
            self.assertTrue(item["email"]["S"].endswith("@example.com"))
        self.assertEqual(list(self.folder.rglob("mask.key")), [])


if __name__ == "__main__":
    unittest.main()
