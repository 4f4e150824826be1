"""boto3's client of Amazon Keyspaces, unmodified: keyspaces, tables, tags, errors; and the metrics of what CQL consumes."""

import os
import sys
import unittest
import urllib.request

from boto3_clients import client
from server import Server

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "crash"))

from cql_wire import Connection  # noqa: E402

SCHEMA = {
    "allColumns": [{"name": "customer", "type": "text"}, {"name": "number", "type": "int"}, {"name": "total", "type": "int"}],
    "partitionKeys": [{"name": "customer"}],
    "clusteringKeys": [{"name": "number", "orderBy": "DESC"}],
    "staticColumns": [],
}


class KeyspacesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("--cql-port", "0")
        port = cls.server.printed(r"\(CQL\) is at 127\.0\.0\.1:(\d+)")[1]
        cls.cql = Connection(int(port))
        cls.client = client(cls.server.endpoint, service="keyspaces")

    @classmethod
    def tearDownClass(cls):
        cls.cql.socket.close()
        code = cls.server.stop()
        if code != 0:
            raise AssertionError(f"the server ended with {code}")

    def keyspace(self):
        """Creates a keyspace for this case."""
        name = self.id().rsplit(".", 1)[1][:48]
        arn = self.client.create_keyspace(keyspaceName=name)["resourceArn"]
        self.assertEqual(arn, f"arn:aws:cassandra:us-east-1:000000000000:/keyspace/{name}/")
        return name

    def test_a_table_is_created_described_and_used_by_cql(self):
        name = self.keyspace()
        self.client.create_table(keyspaceName=name, tableName="orders", schemaDefinition=SCHEMA)
        table = self.client.get_table(keyspaceName=name, tableName="orders")
        self.assertEqual((table["status"], table["schemaDefinition"]), ("ACTIVE", SCHEMA))
        self.assertEqual(table["capacitySpecification"]["throughputMode"], "PAY_PER_REQUEST")
        self.cql.run(f"INSERT INTO {name}.orders (customer, number, total) VALUES ('a', 1, 5)")
        self.assertEqual(self.cql.run(f"SELECT * FROM {name}.orders"), [{"customer": "a", "number": 1, "total": 5}])
        self.client.update_table(keyspaceName=name, tableName="orders", addColumns=[{"name": "note", "type": "text"}])
        self.cql.run(f"UPDATE {name}.orders SET note = 'x' WHERE customer = 'a' AND number = 1")
        self.client.delete_table(keyspaceName=name, tableName="orders")
        with self.assertRaises(self.client.exceptions.ResourceNotFoundException):
            self.client.get_table(keyspaceName=name, tableName="orders")

    def test_a_table_is_restored_with_settings_of_its_own(self):
        name = self.keyspace()
        self.client.create_table(keyspaceName=name, tableName="orders", schemaDefinition=SCHEMA, comment={"message": "ours"},
                                 pointInTimeRecovery={"status": "ENABLED"}, ttl={"status": "ENABLED"},
                                 tags=[{"key": "a", "value": "1"}])
        self.cql.run(f"INSERT INTO {name}.orders (customer, number, total) VALUES ('a', 1, 5)")
        self.client.restore_table(sourceKeyspaceName=name, sourceTableName="orders", targetKeyspaceName=name,
                                  targetTableName="again", pointInTimeRecoveryOverride={"status": "DISABLED"},
                                  capacitySpecificationOverride={"throughputMode": "PROVISIONED", "readCapacityUnits": 3,
                                                                 "writeCapacityUnits": 4})
        self.assertEqual(self.cql.run(f"SELECT total FROM {name}.again"), [{"total": 5}])
        table = self.client.get_table(keyspaceName=name, tableName="again")
        self.assertEqual((table["pointInTimeRecovery"]["status"], table["ttl"]["status"], table["comment"]["message"]),
                         ("DISABLED", "ENABLED", "ours"))
        self.assertEqual(table["capacitySpecification"],
                         {"throughputMode": "PROVISIONED", "readCapacityUnits": 3, "writeCapacityUnits": 4})
        self.assertEqual(self.client.list_tags_for_resource(resourceArn=table["resourceArn"])["tags"], [])
        with self.assertRaisesRegex(self.client.exceptions.ValidationException, "Point-in-time recovery is not enabled"):
            self.client.restore_table(sourceKeyspaceName=name, sourceTableName="again", targetKeyspaceName=name,
                                      targetTableName="third")

    def test_lists_have_pages(self):
        name = self.keyspace()
        for table in ("a", "b", "c"):
            self.client.create_table(keyspaceName=name, tableName=table, schemaDefinition=SCHEMA)
        pages = self.client.get_paginator("list_tables").paginate(keyspaceName=name, PaginationConfig={"PageSize": 2})
        self.assertEqual([[one["tableName"] for one in page["tables"]] for page in pages], [["a", "b"], ["c"]])
        keyspaces = self.client.get_paginator("list_keyspaces").paginate().build_full_result()["keyspaces"]
        self.assertIn(name, [one["keyspaceName"] for one in keyspaces])

    def test_tags(self):
        arn = f"arn:aws:cassandra:us-east-1:000000000000:/keyspace/{self.keyspace()}/"
        tags = [{"key": "a", "value": "1"}, {"key": "b", "value": "2"}]
        self.client.tag_resource(resourceArn=arn, tags=tags)
        self.client.untag_resource(resourceArn=arn, tags=tags[:1])
        self.assertEqual(self.client.list_tags_for_resource(resourceArn=arn)["tags"], tags[1:])

    def test_errors_have_the_types_of_the_client(self):
        name = self.keyspace()
        with self.assertRaises(self.client.exceptions.ConflictException):
            self.client.create_keyspace(keyspaceName=name)
        with self.assertRaises(self.client.exceptions.ValidationException):
            self.client.create_table(keyspaceName=name, tableName="t", schemaDefinition={**SCHEMA, "partitionKeys": [{"name": "x"}]})
        self.client.delete_keyspace(keyspaceName=name)
        with self.assertRaises(self.client.exceptions.ResourceNotFoundException):
            self.client.get_keyspace(keyspaceName=name)

    def test_metrics_have_what_tables_consume(self):
        name = self.keyspace()
        self.cql.run(f"CREATE TABLE {name}.t (p int PRIMARY KEY)")
        self.cql.run(f"INSERT INTO {name}.t (p) VALUES (1)")
        self.cql.run(f"SELECT * FROM {name}.t WHERE p = 1")
        with urllib.request.urlopen(self.server.endpoint + "/_dinette/metrics") as answer:
            text = answer.read().decode()
        self.assertIn(f'dinette_keyspaces_consumed_write_capacity_units_total{{table="{name}.t"}} 1\n', text)
        self.assertIn(f'dinette_keyspaces_consumed_read_capacity_units_total{{table="{name}.t"}} 1\n', text)


if __name__ == "__main__":
    unittest.main()
