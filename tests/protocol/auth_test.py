"""--auth and --isolate with real SigV4 clients."""

import json
import tempfile
import unittest
import urllib.error
import urllib.request

import boto3
from boto3_clients import client, create_table
from botocore import UNSIGNED
from botocore.auth import SigV4Auth, SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials
from botocore.exceptions import ClientError
from server import Server

CREDENTIALS = """\
[default]
aws_access_key_id = AKIDEXAMPLE
aws_secret_access_key = wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY

[session]
aws_access_key_id = ASIASESSION
aws_secret_access_key = sessionsecret
aws_session_token = the-token

[other]
aws_access_key_id = AKIDOTHER
aws_secret_access_key = othersecret
aws_account_id = 123456789012
"""
RIGHT = ("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
OTHER = ("AKIDOTHER", "othersecret")
DOES_NOT_MATCH = ("The request signature we calculated does not match the signature you provided. Check your AWS "
                  "Secret Access Key and signing method. Consult the service documentation for details.")
UNKNOWN_KEY = "The security token included in the request is invalid."


def unsigned(endpoint):
    config = Config(signature_version=UNSIGNED, retries={"total_max_attempts": 1})
    return boto3.Session().client("dynamodb", endpoint_url=endpoint, region_name="us-east-1", config=config)


def request_for(endpoint, operation="ListTables", body=b"{}"):
    return AWSRequest("POST", endpoint + "/", data=body, headers={
        "X-Amz-Target": f"DynamoDB_20120810.{operation}", "Content-Type": "application/x-amz-json-1.0"})


def send(request):
    """Returns status and JSON body of the response."""
    prepared = request.prepare()
    body = prepared.body.encode() if isinstance(prepared.body, str) else prepared.body
    plain = urllib.request.Request(prepared.url, data=body, headers=dict(prepared.headers), method="POST")
    try:
        with urllib.request.urlopen(plain, timeout=60) as reply:
            return reply.status, json.loads(reply.read())
    except urllib.error.HTTPError as refused:
        return refused.code, json.loads(refused.read())


class Refusals(unittest.TestCase):
    def assert_refused(self, client_, code, message):
        with self.assertRaises(ClientError) as refused:
            client_.list_tables()
        error = refused.exception.response["Error"]
        self.assertEqual((error["Code"], error["Message"]), (code, message))


class Open(Refusals):
    def test_everyone_is_welcome(self):
        with Server() as server:
            self.assertEqual(client(server.endpoint).list_tables()["TableNames"], [])
            self.assertEqual(unsigned(server.endpoint).list_tables()["TableNames"], [])


class Present(Refusals):
    def test_any_signature_will_do_but_there_must_be_one(self):
        with Server("--auth", "present") as server:
            self.assertEqual(client(server.endpoint, key="any", secret="thing").list_tables()["TableNames"], [])
            self.assert_refused(unsigned(server.endpoint), "MissingAuthenticationTokenException",
                                "Request is missing Authentication Token")


class Verify(Refusals):
    @classmethod
    def setUpClass(cls):
        cls.file = tempfile.NamedTemporaryFile("w", suffix=".ini")
        cls.file.write(CREDENTIALS)
        cls.file.flush()
        cls.server = Server("--auth", "verify", "--credentials", cls.file.name)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.file.close()

    def client(self, key, secret, token=None, region="us-east-1"):
        return client(self.server.endpoint, region, key, secret, token)

    def test_a_right_signature_is_let_in(self):
        for region in ("us-east-1", "eu-west-2"):
            self.assertEqual(self.client(*RIGHT, region=region).list_tables()["TableNames"], [])

    def test_a_wrong_secret_is_refused(self):
        self.assert_refused(self.client(RIGHT[0], "wrong"), "InvalidSignatureException", DOES_NOT_MATCH)

    def test_an_unknown_key_is_refused(self):
        self.assert_refused(self.client("AKIDNOBODY", "x"), "UnrecognizedClientException", UNKNOWN_KEY)

    def test_no_signature_is_refused(self):
        self.assert_refused(unsigned(self.server.endpoint), "MissingAuthenticationTokenException",
                            "Request is missing Authentication Token")

    def test_a_session_needs_its_token(self):
        self.assertEqual(self.client("ASIASESSION", "sessionsecret", "the-token").list_tables()["TableNames"], [])
        for token in (None, "another-token"):
            self.assert_refused(self.client("ASIASESSION", "sessionsecret", token),
                                "UnrecognizedClientException", UNKNOWN_KEY)

    def test_a_signature_in_the_query_is_let_in(self):
        request = request_for(self.server.endpoint)
        SigV4QueryAuth(Credentials(*RIGHT), "dynamodb", "us-east-1", expires=60).add_auth(request)
        self.assertEqual(send(request), (200, {"TableNames": []}))

    def test_a_body_changed_on_the_way_is_refused(self):
        request = request_for(self.server.endpoint)
        SigV4Auth(Credentials(*RIGHT), "dynamodb", "us-east-1").add_auth(request)
        request.data = b'{"Limit": 5}'
        status, body = send(request)
        self.assertEqual((status, body["__type"]), (400, "com.amazon.coral.service#InvalidSignatureException"))
        self.assertEqual(body["message"], DOES_NOT_MATCH)

    def test_the_account_of_a_key_is_in_its_arns(self):
        own = create_table(self.client(*OTHER, region="eu-west-2"), "OfTheOther")
        self.assertEqual(own["TableArn"], "arn:aws:dynamodb:eu-west-2:123456789012:table/OfTheOther")
        self.client(*OTHER).delete_table(TableName="OfTheOther")


class Isolation(unittest.TestCase):
    def tables_seen(self, *options):
        """Returns what four callers see of a table that the first created: itself, another region, account, and both."""
        with tempfile.NamedTemporaryFile("w", suffix=".ini") as file:
            file.write(CREDENTIALS)
            file.flush()
            with Server("--auth", "verify", "--credentials", file.name, *options) as server:
                callers = [client(server.endpoint, region, *keys)
                           for keys in (RIGHT, OTHER) for region in ("us-east-1", "eu-west-2")]
                create_table(callers[0])
                return [caller.list_tables()["TableNames"] == ["Music"] for caller in callers]

    def test_tables_are_shared_by_default(self):
        self.assertEqual(self.tables_seen(), [True, True, True, True])

    def test_regions_are_separated(self):
        self.assertEqual(self.tables_seen("--isolate", "region"), [True, False, True, False])

    def test_accounts_are_separated(self):
        self.assertEqual(self.tables_seen("--isolate", "account"), [True, True, False, False])

    def test_both_are_separated(self):
        self.assertEqual(self.tables_seen("--isolate", "account,region"), [True, False, False, False])


if __name__ == "__main__":
    # boto3 leaves closing its connections to the garbage collector.
    unittest.main(warnings="ignore")
