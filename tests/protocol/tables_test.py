"""dinette tables and dinette --tables, as a user runs them."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import urllib.request

from boto3_clients import client
from function_server import FunctionServer
from server import Server, program

TEMPLATE = """\
AWSTemplateFormatVersion: "2010-09-09"
Parameters:
  Stage: {Type: String, Default: dev}
Resources:
  Plants:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !Sub "${Stage}-plants"
      BillingMode: PAY_PER_REQUEST
      KeySchema:
        - {AttributeName: pk, KeyType: HASH}
        - {AttributeName: sk, KeyType: RANGE}
      AttributeDefinitions:
        - {AttributeName: pk, AttributeType: S}
        - {AttributeName: sk, AttributeType: N}
        - {AttributeName: kind, AttributeType: S}
      GlobalSecondaryIndexes:
        - IndexName: by-kind
          KeySchema: [{AttributeName: kind, KeyType: HASH}]
          Projection: {ProjectionType: KEYS_ONLY}
      StreamSpecification: {StreamViewType: NEW_IMAGE}
      TimeToLiveSpecification: {AttributeName: until, Enabled: true}
      PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: true}
      Tags: [{Key: team, Value: garden}]
  Beds:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: beds
      BillingMode: PAY_PER_REQUEST
      KeySchema: [{AttributeName: id, KeyType: HASH}]
      AttributeDefinitions: [{AttributeName: id, AttributeType: B}]
"""
# A definition that no key uses.
WRONG = TEMPLATE.replace("AttributeDefinitions: [{AttributeName: id, AttributeType: B}]",
                         "AttributeDefinitions: [{AttributeName: id, AttributeType: B}, {AttributeName: x, AttributeType: S}]")
WITH_CLASS = TEMPLATE.replace("TableName: beds", "TableName: beds\n      TableClass: STANDARD_INFREQUENT_ACCESS")
OTHER_KEY = TEMPLATE.replace("AttributeType: B", "AttributeType: S")
# Resources of other services, with a table that has a stream.
SERVICES = """\
Resources:
  Shop:
    Type: AWS::Cassandra::Keyspace
    Properties: {KeyspaceName: shop}
  Baskets:
    Type: AWS::Cassandra::Table
    Properties:
      KeyspaceName: !Ref Shop
      TableName: baskets
      PartitionKeyColumns: [{ColumnName: id, ColumnType: uuid}]
      RegularColumns: [{ColumnName: total, ColumnType: int}]
      ClientSideTimestampsEnabled: true
  Events:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: events
      BillingMode: PAY_PER_REQUEST
      KeySchema: [{AttributeName: id, KeyType: HASH}]
      AttributeDefinitions: [{AttributeName: id, AttributeType: S}]
      StreamSpecification: {StreamViewType: NEW_IMAGE}
  OnEvent:
    Type: AWS::Lambda::EventSourceMapping
    Properties:
      EventSourceArn: !GetAtt Events.StreamArn
      FunctionName: on-event
      StartingPosition: TRIM_HORIZON
      BatchSize: 5
"""
SERVICES_CREATED = """\
created    keyspace shop (Shop)
created    shop.baskets (Baskets): client-side timestamps
created    events (Events): stream
created    trigger OnEvent: events -> on-event
1 table: 1 created; 1 keyspace: 1 created; 1 table of Amazon Keyspaces: 1 created; 1 trigger: 1 created
"""
PLANTS = "dev-plants"
CREATED = f"""\
created    {PLANTS} (Plants): 1 index, stream, TTL, point-in-time recovery, 1 tag
created    beds (Beds)
2 tables: 2 created
"""


def run(*arguments, **environment):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    return subprocess.run([program(), *map(str, arguments)], capture_output=True, text=True, timeout=120,
                          env={**clean, **environment})


def timestamps_of_baskets(endpoint):
    """Returns what GetTable of Keyspaces says of client-side timestamps, which Debian's boto3 does not know."""
    request = urllib.request.Request(endpoint, b'{"keyspaceName": "shop", "tableName": "baskets"}',
                                     {"X-Amz-Target": "KeyspacesService.GetTable"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)["clientSideTimestamps"]


class Case(unittest.TestCase):
    """A case with a folder, and a template in it."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.template = self.write(TEMPLATE)

    def write(self, text, name="template.yaml"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def ends(self, ended, code, out, err=""):
        self.assertEqual((ended.stdout, ended.stderr, ended.returncode), (out, err, code))


class Applying(Case):
    def setUp(self):
        super().setUp()
        self.server = self.enterContext(Server())
        self.dynamodb = client(self.server.endpoint)

    def apply(self, *arguments):
        return run("tables", "apply", self.template, "--into", self.server.endpoint, *arguments)

    def test_tables_are_created_and_then_unchanged(self):
        self.ends(self.apply(), 0, CREATED)
        self.assertEqual(self.dynamodb.describe_time_to_live(TableName=PLANTS)["TimeToLiveDescription"],
                         {"TimeToLiveStatus": "ENABLED", "AttributeName": "until"})
        table = self.dynamodb.describe_table(TableName=PLANTS)["Table"]
        self.assertEqual(table["StreamSpecification"], {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
        self.ends(self.apply(), 0, f"unchanged  {PLANTS} (Plants)\nunchanged  beds (Beds)\n2 tables: 2 unchanged\n")

    def test_parameters_region_and_names_change_what_is_created(self):
        self.write(TEMPLATE.replace("${Stage}-plants", "${Stage}-plants-${AWS::Region}"))
        ended = self.apply("--param", "Stage=test", "--region", "eu-west-1", "--name", "Beds=other")
        self.assertEqual(ended.returncode, 0)
        self.assertRegex(ended.stderr, r'^warning: .*template.yaml, line \d+: table "test-plants-eu-west-1": its name depends on '
                                       'AWS::Region')
        self.assertEqual(self.dynamodb.list_tables()["TableNames"], ["other", "test-plants-eu-west-1"])
        self.assertEqual(self.apply("--table", "Nothing").returncode, 1)

    def test_a_table_that_differs_is_changed_only_when_asked(self):
        self.apply()
        self.write(WITH_CLASS)
        difference = "  TableClass: none in the table, STANDARD_INFREQUENT_ACCESS in the file\n"
        self.ends(self.apply(), 1, f"unchanged  {PLANTS} (Plants)\ndiffers    beds (Beds)\n{difference}"
                                   "2 tables: 1 unchanged, 1 differs\n")
        self.ends(self.apply("--skip-existing"), 0,
                  f"skipped    {PLANTS} (Plants)\nskipped    beds (Beds)\n2 tables: 2 skipped\n")
        self.assertNotIn("TableClassSummary", self.dynamodb.describe_table(TableName="beds")["Table"])
        self.ends(self.apply("--update"), 0, f"unchanged  {PLANTS} (Plants)\nupdated    beds (Beds)\n{difference}"
                                             "2 tables: 1 unchanged, 1 updated\n")
        self.ends(self.apply(), 0, f"unchanged  {PLANTS} (Plants)\nunchanged  beds (Beds)\n2 tables: 2 unchanged\n")

    def test_what_needs_a_new_table_is_refused_and_replaced_when_asked(self):
        self.apply()
        self.write(OTHER_KEY)
        refused = self.apply("--update")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("failed     beds (Beds)\n  AttributeDefinitions.id of a table that exists cannot be changed: that needs "
                      "a new table", refused.stdout)
        self.assertIn("B in the table, S in the file (needs a new table)", refused.stdout)
        replaced = self.apply("--replace")
        self.assertEqual((replaced.returncode, replaced.stderr), (0, ""))
        self.assertIn("replaced   beds (Beds)\n", replaced.stdout)
        self.assertEqual(self.dynamodb.describe_table(TableName="beds")["Table"]["AttributeDefinitions"],
                         [{"AttributeName": "id", "AttributeType": "S"}])

    def test_a_table_that_the_service_refuses_does_not_hinder_the_others(self):
        self.write(WRONG)
        ended = self.apply()
        self.assertEqual((ended.returncode, ended.stderr), (1, ""))
        self.assertIn(f"created    {PLANTS} (Plants)", ended.stdout)
        self.assertIn("failed     beds (Beds)\n  CreateTable failed: ValidationException: ", ended.stdout)
        self.assertTrue(ended.stdout.endswith("2 tables: 1 created, 1 failed\n"))

    def test_a_dry_run_prints_calls_and_makes_none(self):
        ended = self.apply("--dry-run")
        self.assertEqual((ended.returncode, ended.stderr), (0, CREATED))
        calls = [json.loads(line) for line in ended.stdout.splitlines()]
        self.assertEqual([(call["operation"], call["input"]["TableName"]) for call in calls],
                         [("CreateTable", PLANTS), ("UpdateTimeToLive", PLANTS), ("UpdateContinuousBackups", PLANTS),
                          ("CreateTable", "beds")])
        self.assertEqual(self.dynamodb.list_tables()["TableNames"], [])
        self.assertEqual(run("tables", "apply", self.template, "--dry-run").stdout, ended.stdout)

    def test_keyspaces_and_triggers_are_created_changed_and_then_unchanged(self):
        self.write(SERVICES)
        self.ends(self.apply(), 0, SERVICES_CREATED)
        self.assertEqual(timestamps_of_baskets(self.server.endpoint), {"status": "ENABLED"})
        lambda_ = client(self.server.endpoint, service="lambda")
        [mapping] = lambda_.list_event_source_mappings()["EventSourceMappings"]
        self.assertEqual((mapping["EventSourceArn"], mapping["BatchSize"]),
                         (self.dynamodb.describe_table(TableName="events")["Table"]["LatestStreamArn"], 5))

        self.write(SERVICES.replace("BatchSize: 5", "BatchSize: 7").replace(
            "RegularColumns: [", "RegularColumns: [{ColumnName: note, ColumnType: text}, "))
        self.ends(self.apply("--update"), 0,
                  "unchanged  keyspace shop (Shop)\nupdated    shop.baskets (Baskets)\n"
                  "  columns.note: none in the table, text in the file\nunchanged  events (Events)\n"
                  "updated    trigger OnEvent: events -> on-event\n  BatchSize: 5 in the trigger, 7 in the file\n"
                  "1 table: 1 unchanged; 1 keyspace: 1 unchanged; 1 table of Amazon Keyspaces: 1 updated; "
                  "1 trigger: 1 updated\n")
        self.ends(self.apply(), 0,
                  "unchanged  keyspace shop (Shop)\nunchanged  shop.baskets (Baskets)\nunchanged  events (Events)\n"
                  "unchanged  trigger OnEvent: events -> on-event\n"
                  "1 table: 1 unchanged; 1 keyspace: 1 unchanged; 1 table of Amazon Keyspaces: 1 unchanged; "
                  "1 trigger: 1 unchanged\n")
        self.assertEqual(lambda_.list_event_source_mappings()["EventSourceMappings"][0]["BatchSize"], 7)

    def test_a_dry_run_names_the_service_of_calls_that_are_not_dynamodbs(self):
        self.write(SERVICES)
        ended = self.apply("--dry-run")
        self.assertEqual((ended.returncode, ended.stderr), (0, SERVICES_CREATED))
        calls = [json.loads(line) for line in ended.stdout.splitlines()]
        self.assertEqual([(call.get("service"), call["operation"]) for call in calls],
                         [("cassandra", "CreateKeyspace"), ("cassandra", "CreateTable"), (None, "CreateTable"),
                          ("lambda", "CreateEventSourceMapping")])
        self.assertEqual(calls[3]["input"]["EventSourceArn"], "arn:aws:dynamodb:REGION:ACCOUNT:table/events/stream/LABEL")

    def test_names_are_printed_for_the_environment(self):
        self.ends(self.apply("--env"), 0, f"PLANTS_TABLE={PLANTS}\nBEDS_TABLE=beds\n", CREATED)

    def test_pruning_deletes_what_is_not_defined(self):
        self.apply()
        self.write(TEMPLATE.split("  Beds:")[0])
        self.assertEqual(self.apply().returncode, 0)
        self.assertEqual(self.dynamodb.list_tables()["TableNames"], ["beds", PLANTS])
        self.assertIn("deleted    beds\n", self.apply("--prune").stdout)
        self.assertEqual(self.dynamodb.list_tables()["TableNames"], [PLANTS])

    def test_tables_of_an_account_are_not_deleted(self):
        for option in ("--prune", "--replace"):
            ended = run("tables", "apply", self.template, "--into", "https://dynamodb.eu-west-1.amazonaws.com", option)
            self.ends(ended, 1, "", "dinette: --prune and --replace delete tables, and are refused for tables of an AWS "
                                    "account\n")

    def test_files_without_tables_are_an_error(self):
        nothing = self.write("Resources: {}\n", "empty.yaml")
        ended = run("tables", "apply", nothing, self.folder / "missing.yaml", "--into", self.server.endpoint)
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertIn("empty.yaml", ended.stderr)
        self.assertIn("missing.yaml: it cannot be read", ended.stderr)

    def test_a_server_that_is_not_there_is_said(self):
        with Server() as gone:
            pass
        ended = run("tables", "apply", self.template, "--into", gone.endpoint)
        self.assertEqual(ended.returncode, 1)
        self.assertIn("does not answer; is it running on that port?", ended.stdout)


class DataFolders(Case):
    def test_tables_are_created_in_a_folder_and_shown_from_it(self):
        data = self.folder / "data"
        self.ends(run("tables", "apply", self.template, "--into", data), 0, CREATED)
        shown = run("tables", "show", "--from", data, "--as", "json", "--table", "beds")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        [beds] = json.loads(shown.stdout)
        self.assertEqual(beds["AttributeDefinitions"], [{"AttributeName": "id", "AttributeType": "B"}])

    def test_keyspaces_and_triggers_are_created_in_a_folder_and_served_from_it(self):
        data = self.folder / "data"
        self.write(SERVICES)
        self.ends(run("tables", "apply", self.template, "--into", data), 0, SERVICES_CREATED)
        with FunctionServer() as functions, Server("--data", data, "--lambda-endpoint", functions.url) as server:
            self.assertEqual(timestamps_of_baskets(server.endpoint), {"status": "ENABLED"})
            client(server.endpoint).put_item(TableName="events", Item={"id": {"S": "a"}})
            functions.wait_for_records(1, "on-event")


class Comparing(Case):
    def test_files_are_compared(self):
        other = self.write(WITH_CLASS, "other.yaml")
        self.ends(run("tables", "diff", self.template, "--with", self.template), 0,
                  f"{PLANTS}: the same\nbeds: the same\n")
        self.ends(run("tables", "diff", self.template, "--with", other), 1,
                  f"{PLANTS}: the same\nbeds: differs\n"
                  f"  TableClass: none in {self.template}, STANDARD_INFREQUENT_ACCESS in {other}\n")
        less = self.write(TEMPLATE.split("  Beds:")[0], "less.yaml")
        self.ends(run("tables", "diff", self.template, "--with", less), 1,
                  f"{PLANTS}: the same\nbeds: only in {self.template}\n")

    def test_a_file_is_compared_with_a_server(self):
        with Server("--tables", self.template) as server:
            client(server.endpoint).create_table(
                TableName="mine", BillingMode="PAY_PER_REQUEST", KeySchema=[{"AttributeName": "a", "KeyType": "HASH"}],
                AttributeDefinitions=[{"AttributeName": "a", "AttributeType": "S"}])
            self.ends(run("tables", "diff", self.template, "--with", server.endpoint), 0,
                      f"{PLANTS}: the same\nbeds: the same\nmine: in {server.endpoint}, defined by no file\n")
            other = self.write(OTHER_KEY, "other.yaml")
            self.ends(run("tables", "diff", other, "--with", server.endpoint, "--table", "Beds"), 1,
                      f"beds: differs\n  AttributeDefinitions.id: S in {other}, B in {server.endpoint} (needs a new table)\n")


class Showing(Case):
    def test_what_is_shown_of_a_server_makes_the_same_tables_again(self):
        with Server("--tables", self.template) as server:
            for form, name in (("cloudformation", "shown.yaml"), ("json", "shown.json"), ("terraform", "shown.tf")):
                with self.subTest(form=form):
                    shown = run("tables", "show", "--from", server.endpoint, "--as", form)
                    self.assertEqual((shown.returncode, shown.stderr), (0, ""))
                    again = self.write(shown.stdout, name)
                    self.ends(run("tables", "diff", again, "--with", server.endpoint), 0,
                              f"beds: the same\n{PLANTS}: the same\n")
                    with Server("--tables", again) as other:
                        self.ends(run("tables", "diff", self.template, "--with", other.endpoint), 0,
                                  f"{PLANTS}: the same\nbeds: the same\n")

    def test_a_model_of_workbench_makes_the_same_table_again_as_far_as_it_can_express_it(self):
        shown = run("tables", "show", self.template, "--as", "workbench", "--table", "beds")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        again = self.write(shown.stdout, "model.json")
        self.ends(run("tables", "diff", self.template, "--with", again, "--table", "beds"), 0, "beds: the same\n")
        self.assertIn(f"warning: the table {PLANTS}: TimeToLiveSpecification cannot be written in this format\n",
                      run("tables", "show", self.template, "--as", "workbench").stderr)

    def test_the_commands_of_the_cli_make_the_same_tables(self):
        shown = run("tables", "show", self.template, "--as", "cli")
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        with Server() as server:
            # Debian's CLI does not know AWS_ENDPOINT_URL.
            script = f'aws() {{ /usr/bin/aws --endpoint-url {server.endpoint} --region us-east-1 "$@"; }}\n{shown.stdout}'
            environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "AWS_ACCESS_KEY_ID": "any",
                           "AWS_SECRET_ACCESS_KEY": "any"}
            ended = subprocess.run(["bash", "-eu", "-c", script], capture_output=True, text=True, timeout=300, env=environment)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))
            self.ends(run("tables", "diff", self.template, "--with", server.endpoint), 0,
                      f"{PLANTS}: the same\nbeds: the same\n")


class AtStart(Case):
    def test_the_tables_are_there_when_the_server_is_ready(self):
        with Server("--tables", self.template, "--param", "Stage=test") as server:
            self.assertEqual(client(server.endpoint).list_tables()["TableNames"], ["beds", "test-plants"])

    def test_functions_that_a_file_names_are_called(self):
        self.write(SERVICES)
        with FunctionServer() as functions, Server("--tables", self.template, "--lambda-endpoint", functions.url) as server:
            client(server.endpoint).put_item(TableName="events", Item={"id": {"S": "a"}})
            [record] = functions.wait_for_records(1, "on-event")
            self.assertEqual(record["dynamodb"]["NewImage"], {"id": {"S": "a"}})
            self.assertEqual(client(server.endpoint, service="keyspaces").list_tables(keyspaceName="shop")["tables"][0]["tableName"],
                             "baskets")

    def test_names_and_values_of_other_stacks_may_be_given(self):
        imported = self.write(TEMPLATE.replace("TableName: beds", "TableName: !ImportValue BedsName"), "imported.yaml")
        with Server("--tables", imported, "--import", "BedsName=imported-beds", "--name", "Plants=my-plants") as server:
            self.assertEqual(client(server.endpoint).list_tables()["TableNames"], ["imported-beds", "my-plants"])

    def test_the_files_of_a_terraform_module_are_read_from_its_folder(self):
        module = self.folder / "module"
        module.mkdir()
        (module / "variables.tf").write_text('variable "stage" {\n}\n')
        (module / "main.tf").write_text('resource "aws_dynamodb_table" "orders" {\n  name = "${var.stage}-orders"\n  hash_key = "id"\n'
                                        '  billing_mode = "PAY_PER_REQUEST"\n  attribute {\n    name = "id"\n    type = "S"\n  }\n}\n')
        values = self.write('stage = "dev"\n', "dev.tfvars")
        with Server("--tables", module, "--var-file", values) as server:
            self.assertEqual(client(server.endpoint).list_tables()["TableNames"], ["dev-orders"])

    def test_items_of_a_folder_go_into_the_tables_of_a_file(self):
        items = self.folder / "items"
        for name in (PLANTS, "other"):
            (items / name).mkdir(parents=True)
        (items / PLANTS / "items.json").write_text('[{"pk": "fern", "sk": 1}]')
        (items / "other/table.json").write_text(json.dumps({"CreateTable": {
            "TableName": "other", "BillingMode": "PAY_PER_REQUEST", "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}]}}))
        with Server("--tables", self.template, "--load", items) as server:
            dynamodb = client(server.endpoint)
            self.assertEqual(dynamodb.list_tables()["TableNames"], ["beds", PLANTS, "other"])
            self.assertEqual(dynamodb.scan(TableName=PLANTS)["Items"], [{"pk": {"S": "fern"}, "sk": {"N": "1"}}])

    def test_a_file_with_an_error_ends_the_start_with_all_errors(self):
        self.write(WRONG)
        ended = run("--port", "0", "--tables", self.template, "--tables", self.folder / "missing.yaml")
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertIn("missing.yaml: it cannot be read\n", ended.stderr)
        self.assertIn("the table beds is not as its file defines it: CreateTable failed: ValidationException: ", ended.stderr)

    def test_a_table_of_the_data_folder_that_differs_stays_and_is_in_the_log(self):
        data = self.folder / "data"
        with Server("--tables", self.template, "--data", data):
            pass
        self.write(WITH_CLASS)
        with Server("--tables", self.template, "--data", data) as server:
            server.wait_for_log("TableClass: none in the table, STANDARD_INFREQUENT_ACCESS in the file")
            self.assertNotIn("TableClassSummary", client(server.endpoint).describe_table(TableName="beds")["Table"])


class Watching(Case):
    def watching(self):
        return Server("--tables", self.template, "--watch", "--log-level", "info")

    def test_changes_are_applied_and_what_cannot_be_changed_is_refused(self):
        with self.watching() as server:
            dynamodb = client(server.endpoint)
            self.write(WITH_CLASS)
            server.wait_for_log("table updated")
            self.assertEqual(dynamodb.describe_table(TableName="beds")["Table"]["TableClassSummary"]["TableClass"],
                             "STANDARD_INFREQUENT_ACCESS")

            other = self.write(OTHER_KEY, "new.yaml")  # as editors do that replace the file
            os.replace(other, self.template)
            server.wait_for_log("AttributeDefinitions.id of a table that exists cannot be changed")

            self.write("Resources: [\n")
            server.wait_for_log("template.yaml, line")
            self.assertEqual(dynamodb.list_tables()["TableNames"], ["beds", PLANTS])

            self.write(TEMPLATE.replace("beds", "new-beds"))
            server.wait_for_log("table=new-beds")
            self.assertEqual(dynamodb.list_tables()["TableNames"], ["beds", PLANTS, "new-beds"])
            self.assertEqual(server.log_text().count("files of table definitions have changed"), 4)

    def test_a_server_whose_file_is_wrong_starts_and_waits_for_a_better_one(self):
        self.template.unlink()
        with self.watching() as server:
            server.wait_for_log("template.yaml: it cannot be read")
            self.assertEqual(client(server.endpoint).list_tables()["TableNames"], [])
            self.write(TEMPLATE)
            server.wait_for_log("table=beds")
            self.assertEqual(client(server.endpoint).list_tables()["TableNames"], ["beds", PLANTS])


if __name__ == "__main__":
    unittest.main()
