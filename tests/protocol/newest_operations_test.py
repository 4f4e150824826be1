"""Operations that Debian's boto3 and AWS CLI do not have yet, with both, which get the served model: resource policies, lists
of bulk writes; and those of the account."""

import json
import unittest

from boto3_clients import create_table
from botocore.exceptions import ClientError
from served_model import ServedModel
from server import Server

TABLE = "arn:aws:dynamodb:us-east-1:000000000000:table/Music"
NO_OPERATION = TABLE + "/bulk-operation/01700000000000-00000000"


def policy(action):
    return json.dumps({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::000000000000:user/alice"}, "Action": action, "Resource": TABLE}]})


class NewestOperations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.served = ServedModel()
        cls.server = Server()
        cls.client = cls.served.client(cls.server.endpoint)
        create_table(cls.client)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.served.close()

    def assert_refused(self, code, message, call, **arguments):
        with self.assertRaises(ClientError) as refused:
            call(**arguments)
        self.assertEqual(refused.exception.response["Error"], {"Code": code, "Message": message})

    def aws(self, *arguments):
        code, printed, errors = self.served.aws(self.server.endpoint, *arguments)
        self.assertEqual((code, errors), (0, ""))
        return printed

    def test_boto3_keeps_a_policy_with_its_revisions(self):
        first = self.client.put_resource_policy(ResourceArn=TABLE, Policy=policy("dynamodb:GetItem"))["RevisionId"]
        self.assertEqual(
            self.client.put_resource_policy(ResourceArn=TABLE, Policy=policy("dynamodb:GetItem"))["RevisionId"], first)
        second = self.client.put_resource_policy(
            ResourceArn=TABLE, Policy=policy("dynamodb:PutItem"), ExpectedRevisionId=first)["RevisionId"]
        self.assertNotEqual(second, first)
        kept = self.client.get_resource_policy(ResourceArn=TABLE)
        self.assertEqual(kept["RevisionId"], second)
        self.assertEqual(json.loads(kept["Policy"]), json.loads(policy("dynamodb:PutItem")))
        self.assert_refused(
            "PolicyNotFoundException",
            f"Resource-based policy not found for the provided ResourceArn: Requested update for policy with revision id {first}, "
            f"but the policy associated to target table Music has revision id {second}.",
            self.client.delete_resource_policy, ResourceArn=TABLE, ExpectedRevisionId=first)
        self.assertEqual(self.client.delete_resource_policy(ResourceArn=TABLE)["RevisionId"], second)
        self.assert_refused("PolicyNotFoundException", f"Resource-based policy not found for the provided ResourceArn: {TABLE}",
                            self.client.get_resource_policy, ResourceArn=TABLE)

    def test_aws_cli_keeps_a_policy(self):
        about = ("--resource-arn", TABLE)
        put = self.aws("put-resource-policy", *about, "--policy", policy("dynamodb:GetItem"))
        kept = self.aws("get-resource-policy", *about)
        self.assertEqual((kept["RevisionId"], json.loads(kept["Policy"])),
                         (put["RevisionId"], json.loads(policy("dynamodb:GetItem"))))
        self.assertEqual(self.aws("delete-resource-policy", *about), put)
        code, _, errors = self.served.aws(self.server.endpoint, "get-resource-policy", *about)
        self.assertEqual(code, 254)
        self.assertIn("An error occurred (PolicyNotFoundException) when calling the GetResourcePolicy operation", errors)

    def test_bulk_writes_are_listed_and_looked_up(self):
        self.assertEqual(self.client.list_bulk_operations()["BulkOperationsSummaryList"], [])
        self.assertEqual(self.aws("list-bulk-operations"), {"BulkOperationsSummaryList": []})
        for operation in ("describe", "cancel"):
            with self.assertRaises(ClientError) as refused:
                getattr(self.client, f"{operation}_bulk_operation")(BulkOperationArn=NO_OPERATION)
            code, _, errors = self.served.aws(
                self.server.endpoint, f"{operation}-bulk-operation", "--bulk-operation-arn", NO_OPERATION)
            self.assertEqual(code, 254)
            self.assertTrue(errors.endswith(": " + refused.exception.response["Error"]["Message"]), errors)
            self.assertIn("Bulk operation", errors)

    def test_an_account_has_limits_and_an_endpoint(self):
        limits = {"AccountMaxReadCapacityUnits": 80000, "AccountMaxWriteCapacityUnits": 80000,
                  "TableMaxReadCapacityUnits": 40000, "TableMaxWriteCapacityUnits": 40000}
        answered = self.client.describe_limits()
        self.assertEqual({name: answered[name] for name in limits}, limits)
        self.assertEqual(self.aws("describe-limits"), limits)
        (endpoint,) = self.client.describe_endpoints()["Endpoints"]
        self.assertEqual(self.aws("describe-endpoints"), {"Endpoints": [endpoint]})
        self.assertEqual(self.server.endpoint, "http://" + endpoint["Address"])


if __name__ == "__main__":
    unittest.main()
