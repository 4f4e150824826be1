"""The AWS CLI from Debian, unmodified."""

import json
import subprocess
import tempfile
import unittest

from server import Server

CLI = "/usr/bin/aws"


class Cli(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.home = tempfile.TemporaryDirectory()
        cls.environment = {
            "PATH": "/usr/bin:/bin", "HOME": cls.home.name, "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "eu-west-2", "AWS_PAGER": "",
            "AWS_EC2_METADATA_DISABLED": "true", "LANG": "C.UTF-8"}

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.home.cleanup()

    def aws(self, *arguments, service="dynamodb", endpoint=None, **environment):
        command = [CLI, service, *arguments, "--endpoint-url", endpoint or self.server.endpoint,
                   "--output", "json"]
        return subprocess.run(command, capture_output=True, text=True, env={**self.environment, **environment})

    def answer(self, *arguments, **options):
        ended = self.aws(*arguments, **options)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return json.loads(ended.stdout) if ended.stdout else None

    def test_a_day_in_the_life_of_a_table(self):
        created = self.answer(
            "create-table", "--table-name", "Music", "--billing-mode", "PAY_PER_REQUEST",
            "--attribute-definitions", "AttributeName=artist,AttributeType=S",
            "--key-schema", "AttributeName=artist,KeyType=HASH")["TableDescription"]
        self.assertEqual(created["TableArn"], "arn:aws:dynamodb:eu-west-2:000000000000:table/Music")
        self.answer("wait", "table-exists", "--table-name", "Music")

        item = {"artist": {"S": "Zoë"}, "plays": {"N": "1"}, "cover": {"B": "AAH/"}}
        put = ("put-item", "--table-name", "Music", "--item", json.dumps(item),
               "--condition-expression", "attribute_not_exists(artist)")
        self.answer(*put)
        again = self.aws(*put)
        self.assertEqual(again.returncode, 254)
        self.assertEqual(again.stderr.strip(), "An error occurred (ConditionalCheckFailedException) when calling the "
                                               "PutItem operation: The conditional request failed")

        key = ("--table-name", "Music", "--key", json.dumps({"artist": item["artist"]}))
        updated = self.answer("update-item", *key, "--update-expression", "ADD plays :two", "--return-values",
                              "UPDATED_NEW", "--expression-attribute-values", json.dumps({":two": {"N": "2"}}))
        self.assertEqual(updated, {"Attributes": {"plays": {"N": "3"}}})
        self.assertEqual(self.answer("get-item", *key)["Item"], {**item, "plays": {"N": "3"}})
        self.answer("delete-item", *key)
        self.assertIsNone(self.answer("get-item", *key))
        self.answer("delete-table", "--table-name", "Music")
        self.assertEqual(self.answer("list-tables"), {"TableNames": []})

    def test_a_missing_table_is_named(self):
        missing = self.aws("describe-table", "--table-name", "nowhere")
        self.assertEqual(missing.stderr.strip(),
                         "An error occurred (ResourceNotFoundException) when calling the DescribeTable operation: "
                         "Requested resource not found: Table: nowhere not found")

    def test_calls_of_other_services_get_an_error_that_it_can_print(self):
        for service, operation, action in (("sts", "get-caller-identity", "GetCallerIdentity"),
                                           ("cloudformation", "list-stacks", "ListStacks"),
                                           ("ec2", "describe-instances", "DescribeInstances")):
            ended = self.aws(operation, service=service)
            self.assertEqual(ended.returncode, 254)
            advice = " To create the tables of a template: dinette tables apply template.yaml --into URL."
            self.assertEqual(ended.stderr.strip(), f"An error occurred (InvalidAction) when calling the {action} operation: "
                                                   f"Dinette serves DynamoDB, DynamoDB Streams, Kinesis Data Streams and S3 only, and not {action}."
                                                   + (advice if service == "cloudformation" else ""))

    def test_it_speaks_tls(self):
        with Server("--tls-self-signed") as server:
            listed = self.answer("list-tables", "--no-verify-ssl", endpoint=server.endpoint, PYTHONWARNINGS="ignore")
            self.assertEqual(listed, {"TableNames": []})

    def test_its_signature_is_verified(self):
        with tempfile.NamedTemporaryFile("w") as keys:
            keys.write("[default]\naws_access_key_id=key\naws_secret_access_key=secret\n")
            keys.flush()
            with Server("--auth", "verify", "--credentials", keys.name) as server:
                self.assertEqual(self.answer("list-tables", endpoint=server.endpoint), {"TableNames": []})
                wrong = self.aws("list-tables", endpoint=server.endpoint, AWS_SECRET_ACCESS_KEY="wrong")
                self.assertIn("(InvalidSignatureException)", wrong.stderr)


if __name__ == "__main__":
    unittest.main()
