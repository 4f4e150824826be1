"""Global tables with boto3, and the administration of their regions. docs/global-tables.md."""

import json
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import boto3_clients
from server import Server

PATIENCE_SECONDS = 60


def eventually(get, is_so):
    """Returns what `get` returns once `is_so` is true of it."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so(value := get()):
        assert time.monotonic() < deadline, f"still {value}"
    return value


class Regions:
    """A table of a server in two regions."""

    def __init__(self, server):
        self.server = server
        self.east = boto3_clients.client(server.endpoint)
        self.west = boto3_clients.client(server.endpoint, region="us-west-2")

    def create(self):
        self.east.create_table(
            TableName="Music", AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}], BillingMode="PAY_PER_REQUEST")
        self.east.update_table(TableName="Music", ReplicaUpdates=[{"Create": {"RegionName": "us-west-2"}}])
        eventually(self.replicas, lambda replicas: [r["ReplicaStatus"] for r in replicas] == ["ACTIVE"])

    def replicas(self):
        return self.east.describe_table(TableName="Music")["Table"].get("Replicas", [])

    @staticmethod
    def put(client, pk, value):
        client.put_item(TableName="Music", Item={"pk": {"S": pk}, "v": {"S": value}})

    @staticmethod
    def get(client, pk):
        item = client.get_item(TableName="Music", Key={"pk": {"S": pk}}, ConsistentRead=True).get("Item")
        return item and item["v"]["S"]

    def admin(self, method="GET", body=None):
        request = urllib.request.Request(f"{self.server.endpoint}/_dinette/regions", method=method,
                                         data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request) as reply:
            return json.load(reply)

    def link(self):
        return next(one for one in self.admin()["replication"] if one["from"] == "us-east-1")


class GlobalTables(unittest.TestCase):
    def test_changes_wait_at_a_link_that_is_cut(self):
        with Server("--isolate", "region") as server:
            regions = Regions(server)
            regions.create()
            regions.admin("PUT", {"cut": [{"from": "us-east-1", "to": "us-west-2"}]})
            regions.put(regions.east, "a", "east")
            self.assertEqual((regions.link()["cut"], regions.link()["pending"]), (True, 1))
            self.assertGreaterEqual(regions.link()["secondsBehind"], 0)
            self.assertIsNone(regions.get(regions.west, "a"))
            regions.admin("PUT", {})
            eventually(lambda: regions.get(regions.west, "a"), lambda value: value == "east")
            eventually(regions.link, lambda link: link["pending"] == 0 and link["applied"] == 1)

    def test_the_clock_of_a_region_decides_who_wins(self):
        with Server("--isolate", "region") as server:
            regions = Regions(server)
            regions.create()
            both = [{"from": "us-east-1", "to": "us-west-2"}, {"from": "us-west-2", "to": "us-east-1"}]
            regions.admin("PUT", {"cut": both, "skews": {"us-east-1": "PT1H"}})
            regions.put(regions.east, "a", "ahead")
            regions.put(regions.west, "a", "later")
            regions.admin("PUT", {"skews": {"us-east-1": 3600}})
            eventually(lambda: regions.get(regions.west, "a"), lambda value: value == "ahead")
            self.assertEqual(regions.get(regions.east, "a"), "ahead")

    def test_a_lag_by_the_clock_of_the_world(self):
        with Server("--isolate", "region", "--replication-lag", "1h") as server:
            regions = Regions(server)
            regions.create()
            regions.put(regions.east, "a", "east")
            self.assertEqual(regions.link()["pending"], 1)
            clock = urllib.request.Request(f"{server.endpoint}/_dinette/clock", method="PUT",
                                           data=json.dumps({"advance": "PT1H"}).encode())
            urllib.request.urlopen(clock).close()
            eventually(lambda: regions.get(regions.west, "a"), lambda value: value == "east")

    def test_a_restart_goes_on_with_what_was_on_its_way(self):
        with tempfile.TemporaryDirectory() as folder:
            with Server("--isolate", "region", "--data", folder) as server:
                regions = Regions(server)
                regions.create()
                regions.admin("PUT", {"cut": [{"from": "us-east-1", "to": "us-west-2"}]})
                for number in range(300):
                    regions.put(regions.east, f"song{number}", "east")
            with Server("--isolate", "region", "--data", folder) as server:
                regions = Regions(server)
                eventually(regions.link, lambda link: link["pending"] == 0)
                count = regions.west.scan(TableName="Music", Select="COUNT", ConsistentRead=True)["Count"]
                self.assertEqual(count, 300)
                self.assertEqual(regions.link()["applied"], 300)

    def test_a_port_of_a_region(self):
        with Server("--region-ports", "eu-west-1=0") as server:
            port = server.printed(r"The region eu-west-1 is at (\S+)\.$")[1]
            client = boto3_clients.client(port, region="us-west-2")
            client.create_table(TableName="There", AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
                                KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}], BillingMode="PAY_PER_REQUEST")
            at_all = boto3_clients.client(server.endpoint, region="eu-west-1")
            self.assertEqual(at_all.describe_table(TableName="There")["Table"]["TableArn"],
                             "arn:aws:dynamodb:eu-west-1:000000000000:table/There")

    def test_a_signature_for_another_region_than_the_port_s(self):
        with tempfile.NamedTemporaryFile("w") as keys:
            keys.write("[default]\naws_access_key_id=key\naws_secret_access_key=secret\n")
            keys.flush()
            with Server("--region-ports", "eu-west-1=0", "--auth", "verify", "--credentials", keys.name) as server:
                port = server.printed(r"The region eu-west-1 is at (\S+)\.$")[1]
                at_home = boto3_clients.client(port, region="eu-west-1", key="key", secret="secret")
                self.assertEqual(at_home.list_tables()["TableNames"], [])
                abroad = boto3_clients.client(port, region="us-west-2", key="key", secret="secret")
                with self.assertRaises(abroad.exceptions.ClientError) as refused:
                    abroad.list_tables()
                self.assertEqual(refused.exception.response["Error"], {
                    "Code": "InvalidSignatureException",
                    "Message": "Credential should be scoped to a valid region, not 'us-west-2'. "})

    def test_a_setting_that_cannot_be_is_refused(self):
        with Server("--isolate", "region") as server:
            regions = Regions(server)
            for body in ({"cut": {}}, {"cut": [{"from": "us-east-1"}]}, {"skews": {"us-east-1": "soon"}}, {"links": []}):
                with self.assertRaises(urllib.error.HTTPError) as refused:
                    regions.admin("PUT", body)
                self.assertEqual(refused.exception.code, 400)
                refused.exception.close()


if __name__ == "__main__":
    unittest.main()
