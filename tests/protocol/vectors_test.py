"""Vector indexes with boto3 and the AWS CLI, which get the served model, and with restarts of a data folder: what is found
equals what a search in Python finds."""

import json
import math
import os
import random
import tempfile
import unittest

from botocore.exceptions import ClientError
from served_model import ServedModel
from server import Server

DIMENSIONS = 8
TENANTS = ("red", "green", "blue")
TABLE = {
    "TableName": "Films", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "tenant")],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}


def index(name, distance, schema=()):
    definition = {"IndexName": name, "VectorAttribute": {"AttributeName": "v"}, "Dimensions": DIMENSIONS,
                  "DistanceFunction": distance, "Projection": {"ProjectionType": "KEYS_ONLY"}}
    if schema:
        definition["SearchSchema"] = [{"AttributeName": "tenant", "SearchSchemaElementType": role} for role in schema]
    return definition


INDEXES = [index("cosine", "COSINE"), index("euclid", "EUCLIDEAN", ["HASH"]), index("dot", "DOT_PRODUCT", ["INLINE_FILTER"])]


def score(distance, a, b):
    dot = math.fsum(x * y for x, y in zip(a, b))
    if distance == "DOT_PRODUCT":
        return dot
    if distance == "EUCLIDEAN":
        return math.dist(a, b)
    return 1 - dot / math.hypot(*a) / math.hypot(*b)


def numbers(vector):
    return [{"N": repr(value)} for value in vector]


def made_vector(makes):
    """Returns values that 32-bit floats have exactly."""
    return [makes.randrange(-512, 513) / 256 for _ in range(DIMENSIONS)]


class Vectors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.served = ServedModel()

    @classmethod
    def tearDownClass(cls):
        cls.served.close()

    def assert_nearest(self, client, items, definition, wanted, tenant=None):
        distance = definition["DistanceFunction"]
        request = {"TableName": "Films", "IndexName": definition["IndexName"], "SearchVector": numbers(wanted), "TopK": 7}
        if tenant:
            request |= {"SearchConditionExpression": "tenant = :t", "ExpressionAttributeValues": {":t": {"S": tenant}}}
        found = client.search_vectors(**request)["SearchResults"]
        expected = sorted((score(distance, wanted, vector) for vector, of in items.values() if tenant in (None, of)),
                          reverse=distance == "DOT_PRODUCT")[:7]
        self.assertEqual(len(found), len(expected))
        for result, one in zip(found, expected):
            self.assertAlmostEqual(result["Score"], one, places=5)
            vector, of = items[result["Item"]["pk"]["S"]]
            self.assertAlmostEqual(result["Score"], score(distance, wanted, vector), places=5)
            self.assertIn(tenant, (None, of))

    def assert_all_found(self, client, items, makes):
        wanted = made_vector(makes)
        self.assert_nearest(client, items, INDEXES[0], wanted)
        for tenant in TENANTS:
            self.assert_nearest(client, items, INDEXES[1], wanted, tenant)
            self.assert_nearest(client, items, INDEXES[2], wanted, tenant)
        self.assert_nearest(client, items, INDEXES[2], wanted)

    def write_some(self, client, items, makes):
        """Puts, replaces and deletes items, and does the same to those in `items`."""
        for _ in range(120):
            pk = str(makes.randrange(150))
            if makes.random() < 0.2:
                client.delete_item(TableName="Films", Key={"pk": {"S": pk}})
                items.pop(pk, None)
                continue
            vector, tenant = made_vector(makes), makes.choice(TENANTS)
            client.put_item(TableName="Films", Item={"pk": {"S": pk}, "v": {"L": numbers(vector)}, "tenant": {"S": tenant}})
            items[pk] = (vector, tenant)

    def test_what_is_found_is_what_a_search_in_python_finds_also_after_restarts(self):
        makes, items = random.Random(7), {}
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "data")
            with Server("--data", data) as server:
                client = self.served.client(server.endpoint)
                client.create_table(**TABLE, VectorIndexes=INDEXES)
                for _ in range(3):
                    self.write_some(client, items, makes)
                    self.assert_all_found(client, items, makes)
            for _ in range(2):
                with Server("--data", data) as server:
                    client = self.served.client(server.endpoint)
                    self.assert_all_found(client, items, makes)
                    self.write_some(client, items, makes)
                    self.assert_all_found(client, items, makes)

    def test_an_index_is_added_searched_and_deleted(self):
        with Server() as server:
            client = self.served.client(server.endpoint)
            client.create_table(**{**TABLE, "AttributeDefinitions": TABLE["AttributeDefinitions"][:1]})
            client.put_item(TableName="Films", Item={"pk": {"S": "a"}, "v": {"L": numbers([1.0] * DIMENSIONS)}})
            updated = client.update_table(TableName="Films", VectorIndexUpdates=[{"Create": INDEXES[0]}])
            self.assertEqual(updated["TableDescription"]["VectorIndexes"][0]["IndexStatus"], "CREATING")
            while client.describe_table(TableName="Films")["Table"]["VectorIndexes"][0]["IndexStatus"] != "ACTIVE":
                pass
            request = {"TableName": "Films", "IndexName": "cosine", "SearchVector": numbers([1.0] * DIMENSIONS), "TopK": 1}
            found = client.search_vectors(**request, ReturnConsumedCapacity="TOTAL")
            self.assertEqual(found["SearchResults"], [{"Item": {"pk": {"S": "a"}}, "Score": 0.0}])
            self.assertGreaterEqual(found["ConsumedCapacity"]["VectorSearchRequestBytes"], 1024)
            client.update_table(TableName="Films", VectorIndexUpdates=[{"Delete": {"IndexName": "cosine"}}])
            with self.assertRaises(ClientError) as refused:
                client.search_vectors(**request)
            self.assertEqual(refused.exception.response["Error"]["Message"],
                             "The table does not have the specified index: cosine")

    def test_aws_cli(self):
        with Server() as server:
            def aws(*arguments):
                code, printed, errors = self.served.aws(server.endpoint, *arguments)
                self.assertEqual((code, errors), (0, ""))
                return printed

            aws("create-table", "--cli-input-json", json.dumps({**TABLE, "VectorIndexes": INDEXES}))
            self.served.client(server.endpoint).put_item(
                TableName="Films", Item={"pk": {"S": "a"}, "v": {"L": numbers([1.0] * DIMENSIONS)}, "tenant": {"S": "red"}})
            described = aws("describe-table", "--table-name", "Films")["Table"]["VectorIndexes"]
            self.assertEqual([one["ItemCount"] for one in described], [1, 1, 1])
            found = aws("search-vectors", "--table-name", "Films", "--index-name", "dot", "--top-k", "5",
                        "--search-vector", json.dumps(numbers([0.5] * DIMENSIONS)))
            self.assertEqual(found, {"SearchResults": [{"Item": {"pk": {"S": "a"}, "tenant": {"S": "red"}}, "Score": 4.0}]})


if __name__ == "__main__":
    unittest.main()
