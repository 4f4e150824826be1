"""boto3, unmodified: tables, items, conditions, update expressions, every type, transactions, PartiQL, errors."""

import datetime
import json
import time
import unittest
from decimal import Decimal

from boto3.dynamodb.conditions import Attr
from boto3.dynamodb.types import Binary
from botocore.exceptions import ClientError
from boto3_clients import client, create_table, resource
from server import Server


class Boto3Test(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.client = client(cls.server.endpoint)
        cls.resource = resource(cls.server.endpoint)

    @classmethod
    def tearDownClass(cls):
        code = cls.server.stop()
        if code != 0:
            raise AssertionError(f"the server ended with {code}")

    def table(self):
        """Creates a table for this case."""
        name = self.id().rsplit(".", 1)[1]
        create_table(self.client, name)
        self.addCleanup(self.client.delete_table, TableName=name)
        return self.resource.Table(name)

    def assert_refused(self, code, message, call, *, status=400, **arguments):
        with self.assertRaises(ClientError) as refused:
            call(**arguments)
        error = refused.exception.response
        self.assertEqual((error["Error"]["Code"], error["Error"]["Message"]), (code, message))
        self.assertEqual(error["ResponseMetadata"]["HTTPStatusCode"], status)
        return refused.exception


class Tables(Boto3Test):
    def test_a_table_comes_and_goes(self):
        created = create_table(self.client, "Comes")
        self.assertEqual(created["TableStatus"], "CREATING")
        self.client.get_waiter("table_exists").wait(TableName="Comes", WaiterConfig={"Delay": 1})
        described = self.client.describe_table(TableName="Comes")["Table"]
        self.assertEqual(described["TableStatus"], "ACTIVE")
        self.assertEqual(described["TableArn"], "arn:aws:dynamodb:us-east-1:000000000000:table/Comes")
        self.assertEqual(described["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")
        self.assertIn("Comes", self.client.list_tables()["TableNames"])
        self.assertEqual(self.client.delete_table(TableName="Comes")["TableDescription"]["TableStatus"], "DELETING")
        self.client.get_waiter("table_not_exists").wait(TableName="Comes", WaiterConfig={"Delay": 1})
        self.assertNotIn("Comes", self.client.list_tables()["TableNames"])

    def test_a_table_is_updated(self):
        table = self.table()
        self.client.update_table(TableName=table.name, BillingMode="PROVISIONED",
                                 ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 6})
        throughput = self.client.describe_table(TableName=table.name)["Table"]["ProvisionedThroughput"]
        self.assertEqual((throughput["ReadCapacityUnits"], throughput["WriteCapacityUnits"]), (5, 6))

    def test_names_are_listed_a_page_at_a_time(self):
        for name in ("page-a", "page-b", "page-c"):
            create_table(self.client, name)
            self.addCleanup(self.client.delete_table, TableName=name)
        pages = self.client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 2})
        names = [name for page in pages for name in page["TableNames"]]
        self.assertEqual(names, ["page-a", "page-b", "page-c"])

    def test_a_name_in_use_is_refused(self):
        table = self.table()
        refused = self.assert_refused("ResourceInUseException", f"Table already exists: {table.name}",
                                      lambda: create_table(self.client, table.name))
        self.assertIsInstance(refused, self.client.exceptions.ResourceInUseException)

    def test_a_table_that_is_not_there_is_named(self):
        refused = self.assert_refused("ResourceNotFoundException",
                                      "Requested resource not found: Table: nowhere not found",
                                      self.client.describe_table, TableName="nowhere")
        self.assertIsInstance(refused, self.client.exceptions.ResourceNotFoundException)

    def test_tags_are_added_listed_and_removed(self):
        arn = self.client.describe_table(TableName=self.table().name)["Table"]["TableArn"]
        tags = [{"Key": "team", "Value": "archive"}, {"Key": "stage", "Value": ""}]
        self.client.tag_resource(ResourceArn=arn, Tags=tags)
        pages = self.client.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn)
        self.assertEqual([tag for page in pages for tag in page["Tags"]], tags)
        self.client.untag_resource(ResourceArn=arn, TagKeys=["team", "none"])
        self.assertEqual(self.client.list_tags_of_resource(ResourceArn=arn)["Tags"], tags[1:])
        missing = arn + "-missing"
        self.assert_refused("ResourceNotFoundException",
                            f"Requested resource not found: ResourceArn: {missing} not found",
                            self.client.list_tags_of_resource, ResourceArn=missing)

    def test_limits_and_endpoints_are_described(self):
        self.assertGreater(self.client.describe_limits()["TableMaxReadCapacityUnits"], 0)
        self.assertEqual(len(self.client.describe_endpoints()["Endpoints"]), 1)


class Backups(Boto3Test):
    KEY = {"artist": "Nina Simone", "song": "Sinnerman"}

    def wait_for_backup(self, arn):
        while True:
            details = self.client.describe_backup(BackupArn=arn)["BackupDescription"]["BackupDetails"]
            if details["BackupStatus"] != "CREATING":
                return details
            time.sleep(0.01)

    def restored(self, restore, name, **request):
        description = restore(TargetTableName=name, **request)["TableDescription"]
        self.assertEqual((description["TableStatus"], description["RestoreSummary"]["RestoreInProgress"]), ("CREATING", True))
        self.addCleanup(self.client.delete_table, TableName=name)
        self.client.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
        return self.resource.Table(name).scan()["Items"]

    def test_a_backup_outlives_its_table_and_a_table_is_restored_from_it(self):
        create_table(self.client, "BackedUp")
        table = self.resource.Table("BackedUp")
        table.put_item(Item=self.KEY)
        created = self.client.create_backup(TableName="BackedUp", BackupName="first")["BackupDetails"]
        arn = created["BackupArn"]
        self.assertEqual(self.wait_for_backup(arn), {**created, "BackupStatus": "AVAILABLE"})
        self.client.delete_table(TableName="BackedUp")
        self.assertEqual(self.restored(self.client.restore_table_from_backup, "FromBackup", BackupArn=arn), [self.KEY])
        self.client.delete_backup(BackupArn=arn)
        self.assert_refused("BackupNotFoundException", f"Backup not found: {arn}", self.client.describe_backup,
                            BackupArn=arn)

    def test_backups_are_listed_a_page_at_a_time(self):
        table = self.table()
        arns = []
        for number in range(5):
            created = self.client.create_backup(TableName=table.name, BackupName=f"number-{number}")
            arns.append(created["BackupDetails"]["BackupArn"])
            self.addCleanup(self.client.delete_backup, BackupArn=arns[-1])
        pages = self.client.get_paginator("list_backups").paginate(TableName=table.name, PaginationConfig={"PageSize": 2})
        listed = [backup["BackupArn"] for page in pages for backup in page["BackupSummaries"]]
        self.assertEqual(listed, sorted(arns))

    def test_a_table_is_restored_to_a_point_in_time(self):
        table = self.table()
        self.client.update_continuous_backups(TableName=table.name,
                                              PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        described = self.client.describe_continuous_backups(TableName=table.name)["ContinuousBackupsDescription"]
        recovery = described["PointInTimeRecoveryDescription"]
        self.assertEqual(recovery["PointInTimeRecoveryStatus"], "ENABLED")
        table.put_item(Item=self.KEY)
        restore = self.client.restore_table_to_point_in_time
        self.assertEqual(self.restored(restore, "AsEnabled", SourceTableName=table.name, UseLatestRestorableTime=True), [])
        self.client.update_continuous_backups(TableName=table.name,
                                              PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": False})
        self.assert_refused("PointInTimeRecoveryUnavailableException",
                            f"Point in time recovery is not enabled for table '{table.name}'", restore,
                            SourceTableName=table.name, TargetTableName="None", UseLatestRestorableTime=True)


class Items(Boto3Test):
    KEY = {"artist": "No One You Know", "song": "Call Me Today"}

    def test_an_item_is_put_got_updated_and_deleted(self):
        table = self.table()
        table.put_item(Item={**self.KEY, "year": 2001})
        self.assertEqual(table.get_item(Key=self.KEY)["Item"], {**self.KEY, "year": 2001})
        updated = table.update_item(
            Key=self.KEY, UpdateExpression="SET #y = #y + :one, tags = :tags", ReturnValues="ALL_NEW",
            ExpressionAttributeNames={"#y": "year"}, ExpressionAttributeValues={":one": 1, ":tags": ["a"]})
        self.assertEqual(updated["Attributes"], {**self.KEY, "year": 2002, "tags": ["a"]})
        deleted = table.delete_item(Key=self.KEY, ReturnValues="ALL_OLD")
        self.assertEqual(deleted["Attributes"], updated["Attributes"])
        self.assertNotIn("Item", table.get_item(Key=self.KEY))

    def test_every_type_comes_back_as_it_went(self):
        table = self.table()
        item = {
            **self.KEY, "string": "Zoë ✓ \U0001f600", "empty": "", "number": Decimal("-12345678901234567890.5"),
            "tiny": Decimal("1E-130"),
            "binary": Binary(bytes(range(256))), "none": None, "yes": True, "no": False,
            "list": ["a", Decimal(1), [], {}], "map": {"inner": {"deep": [Decimal("0.1")]}},
            "strings": {"x", "y"}, "numbers": {Decimal(1), Decimal("2.5")}, "binaries": {Binary(b"\0"), Binary(b"\xff")},
        }
        table.put_item(Item=item)
        self.assertEqual(table.get_item(Key=self.KEY, ConsistentRead=True)["Item"], item)

    def test_update_expressions_reach_into_documents(self):
        table = self.table()
        table.put_item(Item={**self.KEY, "doc": {"list": [1, 2, 3], "gone": "x"}, "set": {"a", "b"}, "count": 1})
        table.update_item(
            Key=self.KEY,
            UpdateExpression="SET doc.#l[1] = :two, fresh = if_not_exists(fresh, :two), "
                             "doc.more = list_append(doc.#l, :tail) REMOVE doc.gone ADD #c :two DELETE #s :b",
            ExpressionAttributeNames={"#l": "list", "#c": "count", "#s": "set"},
            ExpressionAttributeValues={":two": 2, ":tail": [4], ":b": {"b"}})
        self.assertEqual(table.get_item(Key=self.KEY)["Item"], {
            **self.KEY, "doc": {"list": [1, 2, 3], "more": [1, 2, 3, 4]}, "set": {"a"}, "count": 3, "fresh": 2})

    def test_a_condition_that_fails_changes_nothing(self):
        table = self.table()
        table.put_item(Item={**self.KEY, "plays": 1}, ConditionExpression=Attr("artist").not_exists())
        refused = self.assert_refused(
            "ConditionalCheckFailedException", "The conditional request failed", table.put_item,
            Item={**self.KEY, "plays": 2}, ConditionExpression=Attr("artist").not_exists() | Attr("plays").gt(5))
        self.assertIsInstance(refused, table.meta.client.exceptions.ConditionalCheckFailedException)
        self.assertEqual(table.get_item(Key=self.KEY)["Item"]["plays"], 1)

    def test_a_projection_returns_what_it_names(self):
        table = self.table()
        table.put_item(Item={**self.KEY, "a": {"b": [1, 2]}, "c": 3})
        got = table.get_item(Key=self.KEY, ProjectionExpression="a.b[1], c, d")
        self.assertEqual(got["Item"], {"a": {"b": [2]}, "c": 3})

    def test_consumed_capacity_is_returned_on_request(self):
        table = self.table()
        put = table.put_item(Item=self.KEY, ReturnConsumedCapacity="TOTAL")
        self.assertEqual(put["ConsumedCapacity"], {"TableName": table.name, "CapacityUnits": 1.0})
        self.assertNotIn("ConsumedCapacity", table.get_item(Key=self.KEY))

    def test_batches_write_and_read_many_items(self):
        table = self.table()
        songs = [{"artist": "Fela Kuti", "song": str(n)} for n in range(60)]
        with table.batch_writer(overwrite_by_pkeys=["artist", "song"]) as batch:
            for song in songs:
                batch.put_item(Item={**song, "plays": 0})
            batch.delete_item(Key=songs[0])
        asked = {"Keys": songs, "ProjectionExpression": "song", "ConsistentRead": True}
        got = self.resource.batch_get_item(RequestItems={table.name: asked}, ReturnConsumedCapacity="TOTAL")
        self.assertEqual(got["Responses"], {table.name: [{"song": song["song"]} for song in songs[1:]]})
        self.assertEqual(got["UnprocessedKeys"], {})
        self.assertEqual(got["ConsumedCapacity"], [{"TableName": table.name, "CapacityUnits": 60.0}])
        self.assert_refused("ValidationException", "Provided list of item keys contains duplicates",
                            self.resource.batch_get_item, RequestItems={table.name: {"Keys": songs[:1] * 2}})

    def test_a_missing_table_is_refused(self):
        self.assert_refused("ResourceNotFoundException", "Requested resource not found",
                            self.resource.Table("nowhere").get_item, Key=self.KEY)

    def test_a_key_of_another_shape_is_refused(self):
        self.assert_refused("ValidationException", "The provided key element does not match the schema",
                            self.table().get_item, Key={"artist": "x"})

    def test_an_unused_value_is_refused(self):
        self.assert_refused(
            "ValidationException",
            "1 validation error detected: Value provided in ExpressionAttributeValues unused in expressions: "
            "keys: {:unused}",
            self.table().update_item, Key=self.KEY, UpdateExpression="SET a = :a",
            ExpressionAttributeValues={":a": 1, ":unused": 2})


class Transactions(Boto3Test):
    @staticmethod
    def key(song):
        return {"artist": "Fela Kuti", "song": song}

    def sell(self, table, song, **wishes):
        return {"Update": {"TableName": table.name, "Key": self.key(song), "UpdateExpression": "SET #l = #l - :one",
                           "ConditionExpression": "#l >= :one", "ExpressionAttributeNames": {"#l": "left"},
                           "ExpressionAttributeValues": {":one": 1}, **wishes}}

    def write(self, actions, **options):
        return self.resource.meta.client.transact_write_items(TransactItems=actions, **options)

    def left(self, table, song):
        return table.get_item(Key=self.key(song), ConsistentRead=True).get("Item", {}).get("left")

    def test_items_are_written_and_read_at_once(self):
        table = self.table()
        table.put_item(Item={**self.key("Lady"), "left": 2})
        table.put_item(Item={**self.key("Water"), "left": 0})
        item = {**self.key("Zombie"), "left": Decimal("1.5"), "tags": {"a", "b"}, "doc": [1, None, Binary(b"\0")]}
        written = self.write([
            self.sell(table, "Lady"),
            {"Delete": {"TableName": table.name, "Key": self.key("Water")}},
            {"Put": {"TableName": table.name, "Item": item}},
            {"ConditionCheck": {"TableName": table.name, "Key": self.key("none"),
                                "ConditionExpression": "attribute_not_exists(song)"}}],
            ReturnConsumedCapacity="TOTAL")
        self.assertEqual(written["ConsumedCapacity"],
                         [{"TableName": table.name, "CapacityUnits": 8.0, "WriteCapacityUnits": 8.0}])
        got = self.resource.meta.client.transact_get_items(TransactItems=[
            {"Get": {"TableName": table.name, "Key": self.key(song)}} for song in ("Zombie", "Water", "Lady")])
        self.assertEqual(got["Responses"], [{"Item": item}, {}, {"Item": {**self.key("Lady"), "left": 1}}])

    def test_a_cancelled_transaction_gives_its_reasons(self):
        table = self.table()
        table.put_item(Item={**self.key("Lady"), "left": 1})
        table.put_item(Item={**self.key("Water"), "left": 0})
        refused = self.assert_refused(
            "TransactionCanceledException",
            "Transaction cancelled, please refer cancellation reasons for specific reasons "
            "[None, ConditionalCheckFailed]", self.write,
            actions=[self.sell(table, "Lady"),
                     self.sell(table, "Water", ReturnValuesOnConditionCheckFailure="ALL_OLD")])
        self.assertIsInstance(refused, table.meta.client.exceptions.TransactionCanceledException)
        item = {"artist": {"S": "Fela Kuti"}, "song": {"S": "Water"}, "left": {"N": "0"}}
        self.assertEqual(refused.response["CancellationReasons"], [
            {"Code": "None"},
            {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed", "Item": item}])
        self.assertEqual(self.left(table, "Lady"), 1)

    def test_a_token_is_for_one_transaction(self):
        table = self.table()
        table.put_item(Item={**self.key("Lady"), "left": 9})
        for _ in range(2):
            self.write([self.sell(table, "Lady")], ClientRequestToken="one sale")
        self.assertEqual(self.left(table, "Lady"), 8)
        refused = self.assert_refused(
            "IdempotentParameterMismatchException",
            "Specified idempotent token was used with different request parameters within the idempotency window",
            self.write, actions=[self.sell(table, "Water")], ClientRequestToken="one sale")
        self.assertIsInstance(refused, table.meta.client.exceptions.IdempotentParameterMismatchException)
        # Without a token of ours, boto3 makes one for each call.
        for _ in range(2):
            self.write([self.sell(table, "Lady")])
        self.assertEqual(self.left(table, "Lady"), 6)

    def test_a_transaction_writes_no_item_twice(self):
        table = self.table()
        self.assert_refused("ValidationException",
                            "Transaction request cannot include multiple operations on one item",
                            self.write, actions=[self.sell(table, "Lady"), self.sell(table, "Lady")])


class Statements(Boto3Test):
    def run_statement(self, statement, *parameters, **wishes):
        if parameters:
            wishes["Parameters"] = list(parameters)
        return self.resource.meta.client.execute_statement(Statement=statement, **wishes)

    def test_statements_write_and_read_items(self):
        name = self.table().name
        for song in ("Lady", "Water", "Zombie"):
            self.run_statement(f"INSERT INTO {name} VALUE {{'artist': ?, 'song': ?, 'plays': 0}}", "Fela Kuti", song)
        updated = self.run_statement(
            f"UPDATE {name} SET plays = plays + ? WHERE artist = 'Fela Kuti' AND song = 'Lady' RETURNING MODIFIED NEW *", 5)
        self.assertEqual(updated["Items"], [{"plays": 5}])
        select = f"SELECT song FROM {name} WHERE artist = ? ORDER BY song DESC"
        first = self.run_statement(select, "Fela Kuti", Limit=2)
        self.assertEqual(first["Items"], [{"song": "Zombie"}, {"song": "Water"}])
        rest = self.run_statement(select, "Fela Kuti", NextToken=first["NextToken"])
        self.assertEqual((rest["Items"], "NextToken" in rest), ([{"song": "Lady"}], False))

    def test_statements_that_fail_say_why(self):
        name = self.table().name
        insert = f"INSERT INTO {name} VALUE {{'artist': 'x', 'song': 'y', 'n': 1}}"
        self.run_statement(insert)
        self.assert_refused("DuplicateItemException", "Duplicate primary key exists in table",
                            self.client.execute_statement, Statement=insert)
        self.assert_refused("ConditionalCheckFailedException", "The conditional request failed",
                            self.client.execute_statement,
                            Statement=f"UPDATE {name} SET n = 2 WHERE artist = 'x' AND song = 'y' AND n = 7")
        self.assert_refused("ValidationException",
                            "Statement wasn't well formed, can't be processed: Expected FROM after SELECT list",
                            self.client.execute_statement, Statement="SELECT n")

    def test_pages_are_read_by_token_until_there_is_none(self):
        table = self.table()
        with table.batch_writer() as batch:
            for n in range(10):
                batch.put_item(Item={"artist": "x", "song": str(n), "n": n})
        select = f"SELECT n FROM {table.name} WHERE artist = ? AND n <> 5"
        pages, wishes = [], {}
        while True:
            page = self.run_statement(select, "x", Limit=4, **wishes)
            pages.append([int(item["n"]) for item in page["Items"]])
            if "NextToken" not in page:
                break
            wishes = {"NextToken": page["NextToken"]}
        self.assertEqual(pages, [[0, 1, 2, 3], [4, 6, 7], [8, 9]])
        self.assert_refused("ValidationException", "NextToken does not match request",
                            self.client.execute_statement, Statement=f"SELECT * FROM {table.name}", **wishes)

    def test_statements_come_in_batches(self):
        name = self.table().name
        execute = self.resource.meta.client.batch_execute_statement
        responses = execute(Statements=[
            {"Statement": f"INSERT INTO {name} VALUE {{'artist': 'x', 'song': ?}}", "Parameters": ["y"]},
            {"Statement": f"DELETE FROM {name} WHERE artist = 'x'"}])["Responses"]
        self.assertEqual(responses, [{"TableName": name}, {"Error": {
            "Code": "ValidationError",
            "Message": "Where clause does not contain a mandatory equality on all key attributes"}}])
        select = f"SELECT * FROM {name} WHERE artist = 'x' AND song = ?"
        responses = execute(Statements=[
            {"Statement": select, "Parameters": ["y"], "ConsistentRead": True},
            {"Statement": select, "Parameters": ["none"]}])["Responses"]
        self.assertEqual(responses, [{"TableName": name, "Item": {"artist": "x", "song": "y"}}, {"TableName": name}])

    def test_statements_come_in_transactions(self):
        name = self.table().name
        execute = self.resource.meta.client.execute_transaction
        insert = f"INSERT INTO {name} VALUE {{'artist': 'x', 'song': ?, 'n': 0}}"
        add = f"UPDATE {name} SET n = n + 1 WHERE artist = 'x' AND song = ?"
        select = f"SELECT n FROM {name} WHERE artist = 'x' AND song = ?"
        written = execute(TransactStatements=[{"Statement": insert, "Parameters": [song]} for song in "ab"])
        self.assertEqual(written["Responses"], [])
        for _ in range(2):
            execute(TransactStatements=[{"Statement": add, "Parameters": ["a"]}], ClientRequestToken="only once")
        got = execute(TransactStatements=[{"Statement": select, "Parameters": [song]} for song in "bac"])
        self.assertEqual(got["Responses"], [{"Item": {"n": 0}}, {"Item": {"n": 1}}, {}])

        refused = self.assert_refused(
            "TransactionCanceledException",
            "Transaction cancelled, please refer cancellation reasons for specific reasons [None, DuplicateItem]",
            execute, TransactStatements=[{"Statement": insert, "Parameters": [song]} for song in "cb"])
        self.assertEqual(refused.response["CancellationReasons"], [
            {"Code": "None"}, {"Code": "DuplicateItem", "Message": "Duplicate primary key exists in table"}])


class Streams(Boto3Test):
    """Kinesis, at the same address."""

    def setUp(self):
        self.kinesis = client(self.server.endpoint, service="kinesis")
        self.name = self.id().rsplit(".", 1)[1]
        self.kinesis.create_stream(StreamName=self.name, ShardCount=2)
        self.kinesis.get_waiter("stream_exists").wait(StreamName=self.name, WaiterConfig={"Delay": 1})

    def read(self, shard):
        start = self.kinesis.get_shard_iterator(StreamName=self.name, ShardId=shard, ShardIteratorType="TRIM_HORIZON")
        return [record["Data"] for record in self.kinesis.get_records(ShardIterator=start["ShardIterator"])["Records"]]

    def test_records_are_put_and_read(self):
        put = self.kinesis.put_record(StreamName=self.name, PartitionKey="a", Data=b"\x00\xff")
        self.assertEqual(put["ShardId"], "shardId-000000000000")
        several = self.kinesis.put_records(StreamName=self.name, Records=[
            {"PartitionKey": key, "Data": key.encode()} for key in "ab"])
        self.assertEqual(several["FailedRecordCount"], 0)
        shards = [shard["ShardId"] for shard in self.kinesis.list_shards(StreamName=self.name)["Shards"]]
        self.assertEqual([self.read(shard) for shard in shards], [[b"\x00\xff", b"a"], [b"b"]])

    def test_a_table_puts_its_changes_into_a_stream(self):
        tables = client(self.server.endpoint)
        tables.create_table(
            TableName=self.name, BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}])
        arn = self.kinesis.describe_stream_summary(StreamName=self.name)["StreamDescriptionSummary"]["StreamARN"]
        destination = {"TableName": self.name, "StreamArn": arn}

        def wait_for(status):
            described = None
            while described != [{"StreamArn": arn, "DestinationStatus": status}]:
                described = tables.describe_kinesis_streaming_destination(TableName=self.name)["KinesisDataStreamDestinations"]

        enabled = tables.enable_kinesis_streaming_destination(**destination)
        self.assertEqual(enabled["DestinationStatus"], "ENABLING")
        wait_for("ACTIVE")
        tables.put_item(TableName=self.name, Item={"pk": {"S": "a"}, "b": {"B": b"\x00\x01\xff"}})
        tables.disable_kinesis_streaming_destination(**destination)
        wait_for("DISABLED")
        shards = self.kinesis.list_shards(StreamName=self.name)["Shards"]
        (record,) = [json.loads(data) for shard in shards for data in self.read(shard["ShardId"])]
        self.assertEqual((record["eventName"], record["tableName"]), ("INSERT", self.name))
        self.assertEqual(record["dynamodb"]["NewImage"], {"pk": {"S": "a"}, "b": {"B": "QUFILw=="}})
        self.assert_refused(
            "ValidationException",
            "Table is not in a valid state to enable Kinesis Streaming Destination: "
            "KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.",
            tables.disable_kinesis_streaming_destination, **destination)

    def test_streams_are_listed_by_the_paginator_and_deleted(self):
        pages = self.kinesis.get_paginator("list_streams").paginate(Limit=1)
        self.assertIn(self.name, [name for page in pages for name in page["StreamNames"]])
        self.kinesis.delete_stream(StreamName=self.name)
        self.kinesis.get_waiter("stream_not_exists").wait(StreamName=self.name, WaiterConfig={"Delay": 1})
        self.assert_refused("ResourceNotFoundException", f"Stream {self.name} under account 000000000000 not found.",
                            self.kinesis.describe_stream, StreamName=self.name)


class Triggers(Boto3Test):
    """Event source mappings of Lambda, at the same address."""

    def setUp(self):
        self.mappings = client(self.server.endpoint, service="lambda")
        self.name = self.id().rsplit(".", 1)[1]
        created = self.client.create_table(
            TableName=self.name, BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"})
        self.stream = created["TableDescription"]["LatestStreamArn"]

    def create(self, function, **more):
        return self.mappings.create_event_source_mapping(
            EventSourceArn=self.stream, FunctionName=function, StartingPosition="TRIM_HORIZON", **more)

    def test_a_mapping_is_created_updated_and_deleted(self):
        created = self.create("index", MaximumRetryAttempts=2, FunctionResponseTypes=["ReportBatchItemFailures"])
        self.assertEqual((created["ResponseMetadata"]["HTTPStatusCode"], created["State"]), (202, "Creating"))
        self.assertEqual((created["BatchSize"], created["MaximumRetryAttempts"]), (100, 2))
        age = datetime.datetime.now(datetime.timezone.utc) - created["LastModified"]
        self.assertLess(abs(age), datetime.timedelta(hours=1))
        uuid = created["UUID"]
        self.assertEqual(self.mappings.update_event_source_mapping(UUID=uuid, Enabled=False)["State"], "Disabling")
        self.assertEqual(self.mappings.get_event_source_mapping(UUID=uuid)["State"], "Disabled")
        self.assertEqual(self.mappings.delete_event_source_mapping(UUID=uuid)["State"], "Deleting")
        while any(mapping["UUID"] == uuid for mapping in self.mappings.list_event_source_mappings()["EventSourceMappings"]):
            pass  # until what polls its stream has ended
        self.assert_refused("ResourceNotFoundException", "The resource you requested does not exist.",
                            self.mappings.get_event_source_mapping, status=404, UUID=uuid)

    def test_mappings_are_listed_by_the_paginator(self):
        for number in range(3):
            self.create(f"page-{number}")
        pages = self.mappings.get_paginator("list_event_source_mappings").paginate(
            EventSourceArn=self.stream, PaginationConfig={"PageSize": 2})
        arns = [mapping["FunctionArn"] for page in pages for mapping in page["EventSourceMappings"]]
        self.assertEqual(sorted(arn.rsplit(":", 1)[1] for arn in arns), ["page-0", "page-1", "page-2"])

    def test_a_conflict_names_the_mapping(self):
        uuid = self.create("index")["UUID"]
        self.assert_refused(
            "ResourceConflictException",
            f'The event source arn (" {self.stream} ") and function (" index ") provided mapping already exists. '
            f"Please update or delete the existing mapping with UUID {uuid}", self.create, status=409, function="index")


if __name__ == "__main__":
    # boto3 leaves closing its connections to the garbage collector.
    unittest.main(warnings="ignore")
