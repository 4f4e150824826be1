"""boto3, as it is used: every case has a table of its own. The environment leads it to the server."""

import json
import unittest
from decimal import Decimal

import boto3
from boto3.dynamodb.conditions import Attr, Key

# The runner has put a line per item there.
BUCKET, PREFIX = "clients", "in/"
SOON = {"Delay": 1, "MaxAttempts": 60}


class Boto3(unittest.TestCase):
    def setUp(self):
        self.dynamodb = boto3.client("dynamodb")
        name = self.id().rsplit(".", 1)[1]
        self.table = boto3.resource("dynamodb").create_table(
            TableName=name, BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": "p", "AttributeType": "S"}, {"AttributeName": "s", "AttributeType": "N"}],
            KeySchema=[{"AttributeName": "p", "KeyType": "HASH"}, {"AttributeName": "s", "KeyType": "RANGE"}],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"})
        self.table.wait_until_exists()
        self.addCleanup(self.drop)

    def drop(self):
        self.table.delete()
        self.table.wait_until_not_exists()

    def put(self, count):
        with self.table.batch_writer() as writer:
            for number in range(count):
                writer.put_item(Item={"p": "a", "s": number})

    def test_tables(self):
        described = self.dynamodb.describe_table(TableName=self.table.name)["Table"]
        self.assertEqual(described["TableStatus"], "ACTIVE")
        pages = self.dynamodb.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 1})
        self.assertIn(self.table.name, [name for page in pages for name in page["TableNames"]])

    def test_items(self):
        item = {"p": "a", "s": Decimal("1.50"), "bytes": b"\x00\xff", "map": {"deep": [True, None, "ü"]}, "set": {"x", "y"}}
        self.table.put_item(Item=item)
        self.assertEqual(self.table.get_item(Key={"p": "a", "s": Decimal("1.5")})["Item"], item)
        updated = self.table.update_item(
            Key={"p": "a", "s": Decimal("1.5")}, UpdateExpression="ADD #n :one REMOVE #m.deep[1]", ReturnValues="UPDATED_NEW",
            ExpressionAttributeNames={"#n": "n", "#m": "map"}, ExpressionAttributeValues={":one": 1})["Attributes"]
        self.assertEqual(updated["n"], 1)
        deleted = self.table.delete_item(Key={"p": "a", "s": Decimal("1.5")}, ReturnValues="ALL_OLD")["Attributes"]
        self.assertEqual(deleted["map"], {"deep": [True, "ü"]})

    def test_conditions(self):
        self.put(1)
        with self.assertRaises(self.dynamodb.exceptions.ConditionalCheckFailedException) as failed:
            self.table.put_item(Item={"p": "a", "s": 0}, ConditionExpression=Attr("p").not_exists(),
                                ReturnValuesOnConditionCheckFailure="ALL_OLD")
        self.assertEqual(failed.exception.response["Item"], {"p": {"S": "a"}, "s": {"N": "0"}})

    def test_query_in_pages(self):
        self.put(30)
        pages = list(self.table.meta.client.get_paginator("query").paginate(
            TableName=self.table.name, KeyConditionExpression=Key("p").eq("a") & Key("s").gte(10),
            ScanIndexForward=False, PaginationConfig={"PageSize": 7}))
        self.assertEqual([item["s"] for page in pages for item in page["Items"]], list(range(29, 9, -1)))
        self.assertEqual(len(pages), 3)

    def test_batches(self):
        self.put(30)
        keys = [{"p": "a", "s": number} for number in range(30)]
        found = boto3.resource("dynamodb").batch_get_item(RequestItems={self.table.name: {"Keys": keys}})
        self.assertEqual(len(found["Responses"][self.table.name]), 30)

    def test_transactions(self):
        put = {"TableName": self.table.name, "Item": {"p": {"S": "a"}, "s": {"N": "1"}}}
        self.dynamodb.transact_write_items(TransactItems=[{"Put": put}])
        with self.assertRaises(self.dynamodb.exceptions.TransactionCanceledException) as cancelled:
            self.dynamodb.transact_write_items(
                TransactItems=[{"Put": {**put, "ConditionExpression": "attribute_not_exists(p)"}}])
        self.assertEqual(cancelled.exception.response["CancellationReasons"][0]["Code"], "ConditionalCheckFailed")
        read = self.dynamodb.transact_get_items(
            TransactItems=[{"Get": {"TableName": self.table.name, "Key": put["Item"]}}])
        self.assertEqual(read["Responses"], [{"Item": put["Item"]}])

    def test_statements(self):
        self.put(3)
        selected = self.dynamodb.execute_statement(
            Statement=f'SELECT s FROM "{self.table.name}" WHERE p = ? AND s >= 1', Parameters=[{"S": "a"}])
        self.assertEqual(selected["Items"], [{"s": {"N": "1"}}, {"s": {"N": "2"}}])

    def test_streams(self):
        self.put(1)
        self.table.delete_item(Key={"p": "a", "s": 0})
        streams = boto3.client("dynamodbstreams")
        arn = self.table.latest_stream_arn
        records = []
        for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
            iterator = streams.get_shard_iterator(
                StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            records += streams.get_records(ShardIterator=iterator)["Records"]
        self.assertEqual([record["eventName"] for record in records], ["INSERT", "REMOVE"])
        self.assertEqual(records[1]["dynamodb"]["OldImage"], {"p": {"S": "a"}, "s": {"N": "0"}})

    def test_resource_policies(self):
        arn = self.table.table_arn
        policy = {"Version": "2012-10-17", "Statement": [{
            "Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::000000000000:user/alice"}, "Action": "dynamodb:GetItem",
            "Resource": arn}]}
        revision = self.dynamodb.put_resource_policy(ResourceArn=arn, Policy=json.dumps(policy))["RevisionId"]
        kept = self.dynamodb.get_resource_policy(ResourceArn=arn)
        self.assertEqual((json.loads(kept["Policy"]), kept["RevisionId"]), (policy, revision))
        self.dynamodb.delete_resource_policy(ResourceArn=arn, ExpectedRevisionId=revision)
        with self.assertRaises(self.dynamodb.exceptions.PolicyNotFoundException):
            self.dynamodb.get_resource_policy(ResourceArn=arn)

    def test_contributor_insights_and_limits(self):
        self.dynamodb.update_contributor_insights(TableName=self.table.name, ContributorInsightsAction="ENABLE")
        self.dynamodb.get_waiter("contributor_insights_enabled").wait(TableName=self.table.name, WaiterConfig=SOON)
        listed = self.dynamodb.list_contributor_insights(TableName=self.table.name)["ContributorInsightsSummaries"]
        self.assertEqual([one["ContributorInsightsStatus"] for one in listed], ["ENABLED"])
        self.assertEqual(self.dynamodb.describe_limits()["TableMaxReadCapacityUnits"], 40_000)
        self.assertEqual(len(self.dynamodb.describe_endpoints()["Endpoints"]), 1)

    def test_vectors(self):
        index = {"IndexName": "near", "VectorAttribute": {"AttributeName": "v"}, "Dimensions": 2,
                 "DistanceFunction": "EUCLIDEAN", "Projection": {"ProjectionType": "KEYS_ONLY"}}
        self.dynamodb.update_table(TableName=self.table.name, VectorIndexUpdates=[{"Create": index}])
        self.dynamodb.get_waiter("table_exists").wait(TableName=self.table.name, WaiterConfig=SOON)
        for number in range(3):
            self.table.put_item(Item={"p": "a", "s": number, "v": [number, 0]})
        found = self.dynamodb.search_vectors(
            TableName=self.table.name, IndexName="near", TopK=2, SearchVector=[{"N": "2.25"}, {"N": "0"}])["SearchResults"]
        self.assertEqual([(one["Item"]["s"]["N"], one["Score"]) for one in found], [("2", 0.25), ("1", 1.25)])

    def test_bulk_writes(self):
        started = self.dynamodb.start_bulk_put_items(
            TableName=self.table.name,
            InputS3Configuration={"S3Bucket": BUCKET, "S3KeyPrefix": PREFIX, "InputFormat": "DYNAMODB_JSON"},
            OutputS3Configuration={"S3Bucket": BUCKET, "S3KeyPrefix": "reports", "OutputType": ["ERROR"]})
        arn = started["BulkOperationDescription"]["BulkOperationArn"]
        self.dynamodb.get_waiter("bulk_operation_completed").wait(BulkOperationArn=arn, WaiterConfig=SOON)
        done = self.dynamodb.describe_bulk_operation(BulkOperationArn=arn)["BulkOperationDescription"]
        self.assertEqual((done["BulkOperationStatus"], done["ProcessedItemCount"]), ("COMPLETED", 3))
        self.assertEqual(self.table.scan()["Count"], 3)

    def test_filtered_exports(self):
        self.put(10)
        self.dynamodb.update_continuous_backups(
            TableName=self.table.name, PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        arn = self.dynamodb.export_table_to_point_in_time(
            TableArn=self.table.table_arn, S3Bucket=BUCKET,
            FilterSpecification={"FilterExpression": "s < :n", "ExpressionAttributeValues": {":n": {"N": "4"}}},
        )["ExportDescription"]["ExportArn"]
        self.dynamodb.get_waiter("export_completed").wait(ExportArn=arn, WaiterConfig=SOON)
        self.assertEqual(self.dynamodb.describe_export(ExportArn=arn)["ExportDescription"]["ItemCount"], 4)
