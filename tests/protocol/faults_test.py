"""Faults to order, as boto3 meets them: its own retries, lost answers, dropped connections, delays."""

import http.client
import json
import tempfile
import threading
import unittest

import boto3
from admin_test import send
from boto3_clients import client, create_table
from botocore.config import Config
from botocore.exceptions import ClientError, ConnectionClosedError
from server import Server

PATH = "/_dinette/faults"
KEY = {"artist": {"S": "a"}, "song": {"S": "b"}}
MANY = 80  # more than the server has threads that may wait
THROTTLE = {"type": "ProvisionedThroughputExceededException"}


def retrying(server, attempts):
    """Returns a client that makes so many attempts."""
    return boto3.Session().client(
        "dynamodb", endpoint_url=server.endpoint, region_name="us-east-1", aws_access_key_id="key",
        aws_secret_access_key="secret", config=Config(retries={"total_max_attempts": attempts, "mode": "standard"}))


def begin(server, operation, body, headers=None):
    """Sends a request, and returns its connection."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    headers = {"X-Amz-Target": "DynamoDB_20120810." + operation, "Content-Type": "application/x-amz-json-1.0", **(headers or {})}
    connection.request("POST", "/", json.dumps(body), headers)
    return connection


class Faults(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(lambda: self.assertEqual(self.server.stop(), 0))
        self.plain = client(self.server.endpoint)  # makes one attempt
        create_table(self.plain)

    def order(self, *rules):
        self.assertEqual(send(self.server, "PUT", PATH, {"rules": rules}).status, 200)

    def counts(self):
        faults = send(self.server, "GET", PATH).json()["faults"]
        return [(fault["matched"], fault["fired"]) for fault in faults]

    def stored(self):
        send(self.server, "DELETE", PATH)
        return "Item" in self.plain.get_item(TableName="Music", Key=KEY)

    def test_an_sdk_retries_throttling_and_succeeds(self):
        self.order({"operation": "PutItem", "table": "Music", "times": 2, "error": THROTTLE})
        dynamodb = retrying(self.server, 3)
        answer = dynamodb.put_item(TableName="Music", Item=KEY)
        self.assertEqual(answer["ResponseMetadata"]["RetryAttempts"], 2)
        self.assertEqual(self.counts(), [(3, 2)])
        self.assertTrue(self.stored())

    def test_an_sdk_gives_up_with_the_error(self):
        self.order({"operation": "PutItem", "error": THROTTLE})
        dynamodb = retrying(self.server, 2)
        with self.assertRaises(dynamodb.exceptions.ProvisionedThroughputExceededException):
            dynamodb.put_item(TableName="Music", Item=KEY)
        self.assertEqual(self.counts(), [(2, 2)])
        self.assertFalse(self.stored())

    def test_a_lost_answer_leaves_what_was_written(self):
        self.order({"operation": "PutItem", "phase": "after", "error": {"type": "InternalServerError"}})
        with self.assertRaises(ClientError) as lost:
            self.plain.put_item(TableName="Music", Item=KEY)
        self.assertEqual(lost.exception.response["ResponseMetadata"]["HTTPStatusCode"], 500)
        self.assertTrue(self.stored())

    def test_a_dropped_connection(self):
        for phase in ("before", "after"):
            with self.subTest(phase):
                self.order({"operation": "PutItem", "phase": phase, "drop": True})
                with self.assertRaises(ConnectionClosedError):
                    self.plain.put_item(TableName="Music", Item=KEY)
                self.assertEqual(self.stored(), phase == "after")

    def test_an_sdk_retries_after_a_dropped_connection(self):
        self.order({"operation": "PutItem", "nth": 1, "drop": True})
        dynamodb = retrying(self.server, 2)
        answer = dynamodb.put_item(TableName="Music", Item=KEY)
        self.assertEqual(answer["ResponseMetadata"]["RetryAttempts"], 1)

    def delayed_put(self):
        """Returns a thread whose request a rule delays for ten minutes."""
        self.order({"operation": "PutItem", "delayMilliseconds": 600_000})
        delayed = threading.Thread(target=lambda: self.plain.put_item(TableName="Music", Item=KEY))
        delayed.start()
        while self.counts() != [(1, 1)]:
            pass
        return delayed

    def test_a_delay_holds_up_no_other_request_and_ends_with_its_rule(self):
        delayed = self.delayed_put()
        other = client(self.server.endpoint)
        self.assertNotIn("Item", other.get_item(TableName="Music", Key=KEY))
        send(self.server, "DELETE", PATH)
        delayed.join()
        self.assertTrue(self.stored())

    def test_a_delay_does_not_hold_up_the_end_of_the_server(self):
        delayed = self.delayed_put()
        self.assertEqual(self.server.stop(), 0)
        delayed.join()

    def test_a_reset_of_the_world_ends_a_delay(self):
        delayed = self.delayed_put()
        send(self.server, "POST", "/_dinette/reset")
        delayed.join()
        self.assertEqual(self.plain.list_tables()["TableNames"], [])

    def test_more_delayed_requests_than_threads_hold_up_no_other(self):
        for phase in ("before", "after"):
            with self.subTest(phase):
                self.order({"operation": "PutItem", "phase": phase, "delayMilliseconds": 600_000})
                waiting = [begin(self.server, "PutItem", {"TableName": "Music", "Item": KEY}) for _ in range(MANY)]
                while self.counts() != [(MANY, MANY)]:
                    pass
                self.assertEqual("Item" in self.plain.get_item(TableName="Music", Key=KEY), phase == "after")
                send(self.server, "DELETE", PATH)
                self.assertEqual([connection.getresponse().status for connection in waiting], [200] * MANY)
                for connection in waiting:
                    connection.close()
                self.plain.delete_item(TableName="Music", Key=KEY)

    def test_clients_that_leave_during_a_delay_do_no_harm(self):
        for phase in ("before", "after"):
            with self.subTest(phase):
                self.order({"operation": "PutItem", "phase": phase, "delayMilliseconds": 600_000})
                waiting = [begin(self.server, "PutItem", {"TableName": "Music", "Item": KEY}) for _ in range(5)]
                while self.counts() != [(5, 5)]:
                    pass
                for connection in waiting:
                    connection.close()
                send(self.server, "DELETE", PATH)
                self.assertEqual(self.plain.list_tables()["TableNames"], ["Music"])

    def test_a_world_that_is_dropped_ends_its_delays(self):
        fork = send(self.server, "POST", "/_dinette/worlds").json()["name"]
        rules = {"world": fork, "rules": [{"operation": "ListTables", "delayMilliseconds": 600_000}]}
        self.assertEqual(send(self.server, "PUT", PATH, rules).status, 200)
        waiting = begin(self.server, "ListTables", {}, {"X-Dinette-World": fork})
        while send(self.server, "GET", f"{PATH}?world={fork}").json()["faults"][0]["fired"] == 0:
            pass
        self.assertEqual(send(self.server, "DELETE", f"/_dinette/worlds/{fork}").status, 200)
        self.assertEqual(json.loads(waiting.getresponse().read()), {"TableNames": ["Music"]})
        waiting.close()

    def test_a_delay_over_tls(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"rules": [{"operation": "ListTables", "delayMilliseconds": {"from": 1, "to": 5}},
                                 {"operation": "DescribeLimits", "phase": "after", "delayMilliseconds": {"mean": 2}}]}, file)
            file.flush()
            with Server("--tls-self-signed", "--faults", file.name) as server:
                dynamodb = client(server.endpoint, verify=False)
                self.assertEqual(dynamodb.list_tables()["TableNames"], [])
                self.assertIn("AccountMaxReadCapacityUnits", dynamodb.describe_limits())

    def test_an_sdk_is_throttled_for_one_item(self):
        self.order({"table": "Music", "key": KEY, "error": THROTTLE})
        other = {"artist": {"S": "a"}, "song": {"S": "c"}}
        self.plain.batch_write_item(RequestItems={"Music": [{"PutRequest": {"Item": other}}]})
        for call in (lambda: self.plain.put_item(TableName="Music", Item={**KEY, "year": {"N": "1"}}),
                     lambda: self.plain.batch_get_item(RequestItems={"Music": {"Keys": [other, KEY]}}),
                     lambda: self.plain.transact_get_items(TransactItems=[{"Get": {"TableName": "Music", "Key": KEY}}])):
            with self.assertRaises(self.plain.exceptions.ProvisionedThroughputExceededException):
                call()
        self.assertEqual(self.plain.get_item(TableName="Music", Key=other)["Item"], other)
        self.assertEqual(self.counts(), [(3, 3)])

    def test_an_sdk_retries_a_statement(self):
        self.order({"table": "Music", "times": 1, "error": THROTTLE})
        dynamodb = retrying(self.server, 2)
        answer = dynamodb.execute_statement(Statement="INSERT INTO Music VALUE {'artist': 'a', 'song': 'b'}")
        self.assertEqual(answer["ResponseMetadata"]["RetryAttempts"], 1)
        self.assertTrue(self.stored())

    def test_an_sdk_sees_which_statement_of_a_batch_was_throttled(self):
        self.order({"operation": "BatchExecuteStatement", "unprocessed": {"items": [1]}})
        statements = [{"Statement": "INSERT INTO Music VALUE {'artist': 'a', 'song': '%s'}" % song} for song in "bc"]
        throttled, done = self.plain.batch_execute_statement(Statements=statements)["Responses"]
        self.assertEqual(throttled["Error"]["Code"], "ProvisionedThroughputExceeded")
        self.assertEqual(done, {"TableName": "Music"})
        self.assertFalse(self.stored())

    def test_faults_are_those_of_one_world(self):
        fork = send(self.server, "POST", "/_dinette/worlds").json()["name"]
        self.order({"error": THROTTLE})
        self.assertEqual(client(self.server.endpoint, key=fork).list_tables()["TableNames"], ["Music"])
        with self.assertRaises(ClientError):
            self.plain.list_tables()

    def test_a_server_begins_with_the_faults_of_a_file(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"rules": [{"operation": "ListTables", "times": 1, "error": THROTTLE}]}, file)
            file.flush()
            with Server("--faults", file.name) as server:
                dynamodb = client(server.endpoint)
                with self.assertRaises(dynamodb.exceptions.ProvisionedThroughputExceededException):
                    dynamodb.list_tables()
                self.assertEqual(dynamodb.list_tables()["TableNames"], [])

    def test_names_that_do_not_exist_are_refused(self):
        for rule, message in (({"operation": "PutItems", "drop": True}, "Rule 1: Dinette serves no operation 'PutItems'."),
                              ({"error": {"type": "Busy"}}, "Rule 1: DynamoDB has no error 'Busy'.")):
            reply = send(self.server, "PUT", PATH, {"rules": [rule]})
            self.assertEqual((reply.status, reply.json()["error"]["message"]), (400, message))


if __name__ == "__main__":
    # boto3 leaves closing its connections to the garbage collector.
    unittest.main(warnings="ignore")
