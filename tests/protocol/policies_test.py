"""Identities and their policies with real SigV4 clients, and `dinette policy` on the same file (docs/policies.md). Resource
policies are in newest_operations_test.py and js/policies.test.mjs."""

import json
import os
import subprocess
import tempfile
import unittest

from admin_test import send
from boto3_clients import client, create_table
from botocore.exceptions import ClientError
from server import Server, program

CREDENTIALS = """\
[root]
aws_access_key_id = AKIAROOT
aws_secret_access_key = rootsecret

[alice]
aws_access_key_id = AKIAALICE
aws_secret_access_key = alicesecret
"""
TABLE = "arn:aws:dynamodb:us-east-1:000000000000:table/Music"
OWN_ITEMS = {
    "Version": "2012-10-17",
    "Statement": [{
        "Sid": "OwnItems", "Effect": "Allow", "Action": ["dynamodb:GetItem", "dynamodb:PutItem"], "Resource": TABLE,
        "Condition": {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["${aws:username}"]}}}]}
IDENTITIES = {
    "UserDetailList": [{
        "UserName": "alice", "UserId": "AIDA1", "Arn": "arn:aws:iam::000000000000:user/alice",
        "UserPolicyList": [{"PolicyName": "own-items", "PolicyDocument": OWN_ITEMS}]}],
    "AccessKeyMetadata": [{"UserName": "alice", "AccessKeyId": "AKIAALICE", "Status": "Active"}]}


class Policies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.identities = os.path.join(cls.folder.name, "iam.json")
        keys = os.path.join(cls.folder.name, "keys.ini")
        with open(cls.identities, "w") as file:
            json.dump(IDENTITIES, file)
        with open(keys, "w") as file:
            file.write(CREDENTIALS)
        cls.server = Server("--auth", "verify", "--credentials", keys, "--iam", cls.identities)
        cls.root = client(cls.server.endpoint, key="AKIAROOT", secret="rootsecret")
        cls.alice = client(cls.server.endpoint, key="AKIAALICE", secret="alicesecret")
        create_table(cls.root)

    @classmethod
    def tearDownClass(cls):
        code = cls.server.stop()
        cls.folder.cleanup()
        if code != 0:
            raise AssertionError(f"the server ended with {code}")

    def assert_refused(self, action, resource, call, **arguments):
        with self.assertRaises(ClientError) as refused:
            call(**arguments)
        error = refused.exception.response["Error"]
        self.assertEqual(error["Code"], "AccessDeniedException")
        self.assertEqual(
            error["Message"],
            f"User: arn:aws:iam::000000000000:user/alice is not authorized to perform: dynamodb:{action} on resource: "
            f"{resource} because no identity-based policy allows the dynamodb:{action} action")

    def test_a_user_reaches_its_own_items_alone(self):
        self.alice.put_item(TableName="Music", Item={"artist": {"S": "alice"}, "song": {"S": "one"}})
        got = self.alice.get_item(TableName="Music", Key={"artist": {"S": "alice"}, "song": {"S": "one"}})
        self.assertEqual(got["Item"]["artist"], {"S": "alice"})
        self.assert_refused("GetItem", TABLE, self.alice.get_item, TableName="Music",
                            Key={"artist": {"S": "bob"}, "song": {"S": "one"}})
        self.assert_refused("ListTables", "*", self.alice.list_tables)
        self.assertEqual(self.root.list_tables()["TableNames"], ["Music"])

    def policy(self, *arguments):
        """Returns the exit code of `dinette policy`, and what it prints."""
        done = subprocess.run([program(), "policy", self.identities, *arguments], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_the_command_explains_a_verdict(self):
        about = ("--user", "alice", "--action", "dynamodb:GetItem", "--resource", TABLE)
        self.assertEqual(self.policy(*about, "--context", "dynamodb:LeadingKeys=alice"), (
            0, f"allowed: dynamodb:GetItem on {TABLE}\n  by statement 1 (OwnItems) of the policy own-items of the identity\n"))
        self.assertEqual(self.policy(*about, "--context", "dynamodb:LeadingKeys=bob"), (
            1, f"refused: dynamodb:GetItem on {TABLE}\n"
               "  User: arn:aws:iam::000000000000:user/alice is not authorized to perform: dynamodb:GetItem on resource: "
               f"{TABLE} because no identity-based policy allows the dynamodb:GetItem action\n"))
        code, printed = self.policy("--user", "bob", "--action", "dynamodb:GetItem")
        self.assertEqual(code, 1)
        self.assertIn("has no user, session or access key bob", printed)

    def test_the_command_knows_the_policy_of_a_resource(self):
        path = os.path.join(self.folder.name, "resource.json")
        with open(path, "w") as file:
            json.dump({"Statement": {"Effect": "Deny", "Principal": "*", "Action": "dynamodb:*", "Resource": TABLE}}, file)
        code, printed = self.policy("--user", "AKIAALICE", "--action", "dynamodb:GetItem", "--resource", TABLE,
                                    "--resource-policy", path, "--context", "dynamodb:LeadingKeys=alice")
        self.assertEqual(code, 1)
        self.assertIn("by statement 1 of the policy of the resource\n", printed)
        self.assertIn("with an explicit deny in a resource-based policy", printed)

    def test_a_file_that_cannot_be_read_is_refused_at_the_start(self):
        path = os.path.join(self.folder.name, "wrong.json")
        with open(path, "w") as file:
            json.dump({"UserDetailList": [{"UserName": "alice"}]}, file)
        done = subprocess.run([program(), "--port", "0", "--iam", path], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"file of identities {path}: user alice has no Arn", done.stderr)


class Insights(unittest.TestCase):
    def test_keys_are_counted_where_insights_are_enabled(self):
        with Server() as server:
            dynamodb = client(server.endpoint)
            create_table(dynamodb)
            answer = dynamodb.update_contributor_insights(TableName="Music", ContributorInsightsAction="ENABLE")
            self.assertEqual(answer["ContributorInsightsStatus"], "ENABLING")
            described = dynamodb.describe_contributor_insights(TableName="Music")
            self.assertEqual(described["ContributorInsightsStatus"], "ENABLED")
            self.assertEqual(len(described["ContributorInsightsRuleList"]), 4)
            listed = dynamodb.list_contributor_insights()["ContributorInsightsSummaries"]
            self.assertEqual([one["TableName"] for one in listed], ["Music"])
            for song in ("one", "two"):
                dynamodb.put_item(TableName="Music", Item={"artist": {"S": "a"}, "song": {"S": song}})
            rules = send(server, "GET", "/_dinette/contributors").json()["rules"]
            self.assertEqual(rules[0]["keys"], [{"key": "artist = a", "count": 2, "atMostOver": 0}])
            self.assertEqual([rule["rule"] for rule in rules], described["ContributorInsightsRuleList"])


if __name__ == "__main__":
    unittest.main()
