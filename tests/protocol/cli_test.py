"""The AWS CLI from Debian, unmodified."""

import base64
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

    def test_a_trigger(self):
        stream = self.answer(
            "create-table", "--table-name", "Plants", "--billing-mode", "PAY_PER_REQUEST",
            "--attribute-definitions", "AttributeName=pk,AttributeType=S", "--key-schema", "AttributeName=pk,KeyType=HASH",
            "--stream-specification", "StreamEnabled=true,StreamViewType=NEW_IMAGE")["TableDescription"]["LatestStreamArn"]
        created = self.answer("create-event-source-mapping", "--function-name", "water", "--event-source-arn", stream,
                              "--starting-position", "LATEST", "--batch-size", "7", service="lambda")
        self.assertEqual((created["State"], created["BatchSize"]), ("Creating", 7))
        self.assertEqual(created["FunctionArn"], "arn:aws:lambda:eu-west-2:000000000000:function:water")
        named = ("--uuid", created["UUID"])
        self.answer("update-event-source-mapping", *named, "--no-enabled", service="lambda")
        self.assertEqual(self.answer("get-event-source-mapping", *named, service="lambda")["State"], "Disabled")
        listed = self.answer("list-event-source-mappings", "--function-name", "water", service="lambda")
        self.assertEqual([mapping["UUID"] for mapping in listed["EventSourceMappings"]], [created["UUID"]])
        self.answer("delete-event-source-mapping", *named, service="lambda")
        gone = self.aws("get-event-source-mapping", *named, service="lambda")
        self.assertEqual(gone.stderr.strip(),
                         "An error occurred (ResourceNotFoundException) when calling the GetEventSourceMapping operation: "
                         "The resource you requested does not exist.")

    def test_a_table_puts_its_changes_into_a_stream(self):
        self.answer("create-stream", "--stream-name", "changes", "--shard-count", "1", service="kinesis")
        self.create_table("Changed")
        arn = "arn:aws:kinesis:eu-west-2:000000000000:stream/changes"
        enabled = self.answer("enable-kinesis-streaming-destination", "--table-name", "Changed", "--stream-arn", arn)
        self.assertEqual((enabled["StreamArn"], enabled["DestinationStatus"]), (arn, "ENABLING"))
        status = None
        while status != "ACTIVE":
            described = self.answer("describe-kinesis-streaming-destination", "--table-name", "Changed")
            status = described["KinesisDataStreamDestinations"][0]["DestinationStatus"]
        self.answer("put-item", "--table-name", "Changed", "--item", json.dumps({"pk": {"S": "a"}}))
        records = []
        while not records:
            start = self.answer("get-shard-iterator", "--stream-name", "changes", "--shard-id", "0",
                                "--shard-iterator-type", "TRIM_HORIZON", service="kinesis")["ShardIterator"]
            records = self.answer("get-records", "--shard-iterator", start, service="kinesis")["Records"]
        self.assertEqual(json.loads(base64.b64decode(records[0]["Data"]))["eventName"], "INSERT")

    def test_regions_with_ports_of_their_own(self):
        with Server("--region-ports", "us-east-1=0,eu-west-1=0") as server:
            east, ireland = (server.printed(rf"The region {region} is at (\S+)\.$")[1] for region in ("us-east-1", "eu-west-1"))
            self.create_table("Everywhere", endpoint=east)
            self.assertEqual(self.answer("list-tables", endpoint=ireland), {"TableNames": []})
            self.answer("update-table", "--table-name", "Everywhere", "--replica-updates",
                        json.dumps([{"Create": {"RegionName": "eu-west-1"}}]), endpoint=east)
            while self.answer("describe-table", "--table-name", "Everywhere",
                              endpoint=east)["Table"].get("Replicas", [{}])[0].get("ReplicaStatus") != "ACTIVE":
                pass
            self.answer("put-item", "--table-name", "Everywhere", "--item", json.dumps({"pk": {"S": "a"}}), endpoint=east)
            key = json.dumps({"pk": {"S": "a"}})
            while not self.answer("get-item", "--table-name", "Everywhere", "--key", key, endpoint=ireland):
                pass
            described = self.answer("describe-table-replica-auto-scaling", "--table-name", "Everywhere", endpoint=east)
            regions = {replica["RegionName"] for replica in described["TableAutoScalingDescription"]["Replicas"]}
            self.assertEqual(regions, {"us-east-1", "eu-west-1"})
            self.answer("update-table-replica-auto-scaling", "--table-name", "Everywhere",
                        "--provisioned-write-capacity-auto-scaling-update", json.dumps({"AutoScalingDisabled": True}),
                        endpoint=east)
            self.assertEqual(self.answer("list-global-tables", endpoint=east), {"GlobalTables": []})
            for command, arguments in {
                    "describe-global-table": [], "describe-global-table-settings": [], "update-global-table-settings": [],
                    "update-global-table": ["--replica-updates", json.dumps([{"Delete": {"RegionName": "eu-west-1"}}])]}.items():
                refused = self.aws(command, "--global-table-name", "Everywhere", *arguments, endpoint=east)
                self.assertIn("(GlobalTableNotFoundException)", refused.stderr, command)
            refused = self.aws("create-global-table", "--global-table-name", "Everywhere", "--replication-group",
                               "RegionName=eu-west-1", endpoint=east)
            self.assertIn("global tables version 2017.11.29 is not supported", refused.stderr)

    def test_keys_are_counted(self):
        self.create_table("Counted")
        on = self.answer("update-contributor-insights", "--table-name", "Counted", "--contributor-insights-action", "ENABLE")
        self.assertEqual(on["ContributorInsightsStatus"], "ENABLING")
        while (described := self.answer("describe-contributor-insights", "--table-name", "Counted"))[
                "ContributorInsightsStatus"] != "ENABLED":
            pass
        self.assertIn("DynamoDBContributorInsights-PKC-Counted", described["ContributorInsightsRuleList"][0])
        listed = self.answer("list-contributor-insights")["ContributorInsightsSummaries"]
        self.assertEqual([one["TableName"] for one in listed], ["Counted"])

    def create_table(self, name, **options):
        self.answer("create-table", "--table-name", name, "--billing-mode", "PAY_PER_REQUEST", "--attribute-definitions",
                    "AttributeName=pk,AttributeType=S", "--key-schema", "AttributeName=pk,KeyType=HASH", **options)

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
                self.answer("list-event-source-mappings", "--function-name", "a:$LATEST", service="lambda",
                            endpoint=server.endpoint)
                wrong = self.aws("list-tables", endpoint=server.endpoint, AWS_SECRET_ACCESS_KEY="wrong")
                self.assertIn("(InvalidSignatureException)", wrong.stderr)


if __name__ == "__main__":
    unittest.main()
