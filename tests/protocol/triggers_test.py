"""Streams that call functions: event source mappings by boto3, triggers by the administration, through restarts, forks and failures.
docs/service/triggers.md."""

import base64
import json
import os
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import boto3_clients
from botocore.exceptions import ClientError
from function_server import PATIENCE_SECONDS, FunctionServer
from server import Server


def eventually(get, is_so):
    """Returns what `get` returns once `is_so` is true of it."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so(value := get()):
        assert time.monotonic() < deadline, f"still {value}"
    return value


def number(record):
    return int(record["dynamodb"]["NewImage"]["n"]["N"])


class Triggers(unittest.TestCase):
    def setUp(self):
        self.functions = self.enterContext(FunctionServer()) if hasattr(self, "enterContext") else self.entered(FunctionServer())
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "data")
        self.start()
        self.addCleanup(lambda: self.server and self.server.__exit__(None))

    def entered(self, context):
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def start(self, *options):
        self.server = Server("--data", self.folder, "--lambda-endpoint", self.functions.url, *options)
        self.db = boto3_clients.client(self.server.endpoint)
        self.mappings = boto3_clients.client(self.server.endpoint, service="lambda")

    def restart(self):
        self.assertEqual(self.server.stop(), 0)
        self.start()

    def table(self, name="Music"):
        """Creates a table with a stream of one shard, and returns the ARN of the stream."""
        return self.db.create_table(
            TableName=name, AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        )["TableDescription"]["LatestStreamArn"]

    def put(self, *numbers, table="Music", client=None):
        for n in numbers:
            (client or self.db).put_item(TableName=table, Item={"pk": {"S": f"k{n}"}, "n": {"N": str(n)}})

    def map(self, stream, function="fn", **settings):
        return self.mappings.create_event_source_mapping(
            **{"FunctionName": function, "EventSourceArn": stream, "StartingPosition": "TRIM_HORIZON", **settings})["UUID"]

    def admin(self, method, path, body=None):
        request = urllib.request.Request(self.server.endpoint + "/_dinette/" + path, method=method,
                                         data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def trigger(self, name):
        return next(one for one in self.admin("GET", "triggers")["triggers"] if one["trigger"]["name"] == name)

    def test_a_mapping_calls_its_function_with_all_records_once(self):
        stream = self.table()
        self.put(1, 2)
        self.map(stream)
        self.put(3)
        records = self.functions.wait_for_records(3)
        self.assertEqual(sorted(map(number, records)), [1, 2, 3])
        self.assertEqual({record["eventSourceARN"] for record in records}, {stream})
        self.assertEqual({name for name, _ in self.functions.events}, {"fn"})

    def test_what_was_delivered_is_not_repeated_after_a_restart(self):
        uuid = self.map(self.table())
        self.put(1)
        self.functions.wait_for_records(1)
        eventually(lambda: self.mappings.get_event_source_mapping(UUID=uuid)["LastProcessingResult"], lambda result: result == "OK")
        self.restart()
        self.put(2)
        self.assertEqual(sorted(map(number, self.functions.wait_for_records(2))), [1, 2])

    def test_what_was_not_delivered_comes_after_a_restart(self):
        uuid = self.map(self.table(), Enabled=False)
        self.put(1)
        self.restart()
        self.assertEqual(self.functions.events, [])
        self.mappings.update_event_source_mapping(UUID=uuid, Enabled=True)
        self.assertEqual([number(record) for record in self.functions.wait_for_records(1)], [1])

    def test_latest_begins_where_the_stream_ends_when_the_mapping_is_made(self):
        stream = self.table()
        self.put(1)
        self.map(stream, StartingPosition="LATEST")
        self.put(2)
        self.assertEqual([number(record) for record in self.functions.wait_for_records(1)], [2])

    def test_a_function_that_fails_one_record_loses_no_other(self):
        self.functions.answer = lambda _, event: ValueError("no") if 2 in map(number, event["Records"]) else None
        stream = self.table()
        self.put(1, 2, 3, 4)
        uuid = self.map(stream, MaximumRetryAttempts=1, BisectBatchOnFunctionError=True)
        done = lambda: {n for _, event in self.functions.events for n in map(number, event["Records"])
                        if 2 not in map(number, event["Records"])}
        self.functions.wait_for(lambda: done() == {1, 3, 4})
        alone = [event for _, event in self.functions.events if list(map(number, event["Records"])) == [2]]
        self.assertEqual(len(alone), 2)
        eventually(lambda: self.admin("GET", "triggers")["triggers"][0]["counts"], lambda of: (of["discarded"], of["records"]) == (1, 3))
        self.put(5)
        self.functions.wait_for(lambda: 5 in done())
        self.assertEqual(self.mappings.get_event_source_mapping(UUID=uuid)["State"], "Enabled")

    def test_reported_failures_come_again_with_all_after_them(self):
        failed = []

        def answer(_, event):
            for record in event["Records"]:
                if number(record) == 2 and not failed:
                    failed.append(record)
                    return {"batchItemFailures": [{"itemIdentifier": record["dynamodb"]["SequenceNumber"]}]}
            return {"batchItemFailures": []}

        self.functions.answer = answer
        stream = self.table()
        self.put(1, 2, 3)
        self.map(stream, FunctionResponseTypes=["ReportBatchItemFailures"])
        self.functions.wait_for_records(5)
        self.assertEqual([list(map(number, event["Records"])) for _, event in self.functions.events], [[1, 2, 3], [2, 3]])

    def test_records_wait_for_a_function_that_is_not_there(self):
        self.functions.__exit__()
        self.map(self.table(), MaximumRetryAttempts=0)
        self.put(1, 2)
        state = eventually(lambda: self.admin("GET", "triggers")["triggers"][0], lambda one: "reason" in one)
        self.assertIn("does not accept connections", state["reason"])
        self.functions = self.entered(FunctionServer(port=self.functions.port))
        self.assertEqual(sorted(map(number, self.functions.wait_for_records(2))), [1, 2])

    def test_one_function_that_does_not_answer_delays_no_other(self):
        release = []
        self.functions.answer = lambda name, _: eventually(lambda: release, bool) and None if name == "slow" else None
        stream = self.table()
        self.map(stream, "slow")
        self.map(stream, "quick")
        self.put(1)
        self.functions.wait_for_records(1, "slow")
        for n in (2, 3, 4):
            self.put(n)
        self.functions.wait_for_records(4, "quick")
        release.append(True)
        self.functions.wait_for_records(4, "slow")

    def test_filters_choose_records(self):
        stream = self.table()
        pattern = {"dynamodb": {"NewImage": {"n": {"N": ["2"]}}}, "eventName": ["INSERT"]}
        self.map(stream, FilterCriteria={"Filters": [{"Pattern": json.dumps(pattern)}]})
        self.put(1, 2, 3, 2)
        self.assertEqual([number(record) for record in self.functions.wait_for_records(1)], [2])

    def test_a_change_of_settings_counts_from_the_next_batch(self):
        stream = self.table()
        uuid = self.map(stream, Enabled=False)
        self.put(1, 2, 3, 4)
        self.mappings.update_event_source_mapping(UUID=uuid, BatchSize=2, Enabled=True)
        self.functions.wait_for_records(4)
        self.assertEqual([len(event["Records"]) for _, event in self.functions.events], [2, 2])
        self.mappings.update_event_source_mapping(UUID=uuid, FunctionName="other")
        self.put(5)
        self.assertEqual([number(record) for record in self.functions.wait_for_records(1, "other")], [5])

    def test_a_deleted_mapping_is_gone_and_calls_nothing(self):
        stream = self.table()
        uuid = self.map(stream)
        self.put(1)
        self.functions.wait_for_records(1)
        self.assertEqual(self.mappings.delete_event_source_mapping(UUID=uuid)["State"], "Deleting")

        def is_gone():
            try:
                return self.mappings.get_event_source_mapping(UUID=uuid) is None
            except ClientError as error:
                return error.response["Error"]["Code"] == "ResourceNotFoundException"

        eventually(is_gone, bool)
        self.map(stream, "witness", StartingPosition="LATEST")
        self.put(2)
        self.functions.wait_for_records(1, "witness")
        self.assertEqual(len(self.functions.records("fn")), 1)

    def test_a_batching_window_moves_by_the_clock_of_the_world(self):
        self.admin("PUT", "clock", {"frozen": True})
        self.map(self.table(), MaximumBatchingWindowInSeconds=300)
        self.put(1, 2)
        self.assertEqual(self.functions.events, [])
        # The window begins with the first record that is read, which may be after the first move.
        eventually(lambda: self.admin("PUT", "clock", {"advance": 301}) and self.functions.events, bool)
        self.assertEqual([list(map(number, event["Records"])) for _, event in self.functions.events], [[1, 2]])

    def test_a_tumbling_window_has_a_state_and_an_end(self):
        self.functions.answer = lambda _, event: {"state": {"sum": event["state"].get("sum", 0) + sum(map(number, event["Records"]))}}
        self.admin("PUT", "clock", {"frozen": True})
        self.map(self.table(), TumblingWindowInSeconds=60)
        self.put(1)
        self.functions.wait_for_records(1)
        self.put(2)
        self.functions.wait_for_records(2)
        self.admin("PUT", "clock", {"advance": 120})
        final = lambda: [event for _, event in self.functions.events if event["isFinalInvokeForWindow"]]
        self.functions.wait_for(lambda: len(final()) == 1)
        self.assertEqual((final()[0]["Records"], final()[0]["state"]), ([], {"sum": 3}))

    def test_what_is_given_up_is_in_a_bucket_with_its_event(self):
        s3 = boto3_clients.client(self.server.endpoint, service="s3")
        s3.create_bucket(Bucket="failures")
        self.functions.answer = lambda *_: ValueError("no")
        uuid = self.map(self.table(), MaximumRetryAttempts=0, DestinationConfig={"OnFailure": {"Destination": "arn:aws:s3:::failures"}})
        self.put(1)
        key = eventually(lambda: s3.list_objects_v2(Bucket="failures").get("Contents"), bool)[0]["Key"]
        self.assertTrue(key.startswith(f"aws/lambda/{uuid}/shardId-"))
        document = json.load(s3.get_object(Bucket="failures", Key=key)["Body"])
        self.assertEqual(document["requestContext"]["condition"], "RetryAttemptsExhausted")
        self.assertEqual(number(json.loads(document["payload"])["Records"][0]), 1)

    def test_a_fork_calls_with_its_own_changes_only(self):
        self.map(self.table())
        self.put(1)
        self.functions.wait_for_records(1)
        eventually(lambda: self.admin("GET", "triggers")["triggers"][0]["counts"]["records"], lambda done: done == 1)
        self.admin("POST", "worlds", {"name": "fork"})
        fork = boto3_clients.client(self.server.endpoint, key="fork")
        self.put(2, client=fork)
        self.functions.wait_for_records(2)
        self.put(3)
        self.assertEqual([number(record) for record in self.functions.wait_for_records(3)], [1, 2, 3])

    def test_a_reset_ends_all_mappings(self):
        self.map(self.table())
        self.admin("POST", "reset", {})
        self.assertEqual(self.mappings.list_event_source_mappings()["EventSourceMappings"], [])
        self.table()
        self.put(1)
        self.map(self.db.describe_table(TableName="Music")["Table"]["LatestStreamArn"], "new")
        self.functions.wait_for_records(1, "new")
        self.assertEqual(self.functions.records("fn"), [])

    def test_a_trigger_follows_a_table_that_is_made_again(self):
        self.admin("PUT", "triggers", {"triggers": [{"name": "music", "table": "Music", "url": self.functions.url + "/hook"}]})
        self.assertEqual(self.trigger("music")["id"], "")
        self.table()
        self.put(1)
        self.functions.wait_for_records(1)
        self.db.delete_table(TableName="Music")
        self.table()
        self.put(2)
        self.assertEqual(list(map(number, self.functions.wait_for_records(2))), [1, 2])
        self.assertEqual({name for name, _ in self.functions.events}, {"/hook"})

    def test_a_trigger_waits_for_its_table_also_after_a_restart(self):
        self.admin("PUT", "triggers", {"triggers": [{"name": "music", "table": "Music", "url": self.functions.url + "/hook"}]})
        self.restart()
        self.table()
        self.put(1)
        self.functions.wait_for_records(1, "/hook")

    def test_a_trigger_goes_on_when_its_settings_change(self):
        self.table()
        music = {"name": "music", "table": "Music", "url": self.functions.url + "/hook"}
        self.admin("PUT", "triggers", {"triggers": [music]})
        self.put(1)
        self.functions.wait_for_records(1)
        self.admin("PUT", "triggers", {"triggers": [{**music, "batchSize": 7, "url": self.functions.url + "/other"}]})
        self.put(2)
        self.assertEqual([number(record) for record in self.functions.wait_for_records(1, "/other")], [2])
        self.assertEqual([number(record) for record in self.functions.records("/hook")], [1])
        self.assertEqual(self.trigger("music")["trigger"]["batchSize"], 7)
        self.admin("PUT", "triggers", {"triggers": []})
        self.assertEqual(self.admin("GET", "triggers")["triggers"], [])

    def refusal(self, triggers):
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.admin("PUT", "triggers", {"triggers": triggers})
        self.assertEqual(refused.exception.code, 400)
        return json.load(refused.exception)["error"]["message"]

    def test_triggers_of_which_one_cannot_be_made_change_nothing(self):
        stream = self.table()
        other = self.table("Other")
        mapping = self.map(stream, "taken")
        kept = {"name": "kept", "table": "Other", "function": "fn"}
        self.admin("PUT", "triggers", {"triggers": [kept]})
        before = self.admin("GET", "triggers")["triggers"]
        new = {"name": "new", "stream": other, "function": "new"}
        taken = self.mappings.get_event_source_mapping(UUID=mapping)["FunctionArn"]
        self.assertEqual(
            self.refusal([new, {"name": "clash", "table": "Music", "function": taken}]),
            f"The trigger 'clash': there is an event source mapping of its function and {stream}: {mapping}.")
        self.assertEqual(
            self.refusal([new, {"name": "twice", "table": "Other", "function": "new"}]),
            "The trigger 'twice': 'new' calls the same function with that stream.")
        self.assertEqual(self.admin("GET", "triggers")["triggers"], before)
        # What the present triggers have is free for those that replace them.
        self.admin("PUT", "triggers", {"triggers": [{**kept, "name": "renamed"}]})
        self.assertEqual(self.trigger("renamed")["functionArn"], before[0]["functionArn"])

    def test_the_mappings_of_a_trigger_end_with_it_those_of_former_streams_included(self):
        self.functions.answer = lambda name, event: ValueError("not today")
        self.table()
        self.admin("PUT", "triggers", {"triggers": [{"name": "music", "table": "Music", "url": self.functions.url + "/hook"}]})
        self.put(1)
        former = self.trigger("music")["id"]
        self.db.delete_table(TableName="Music")
        self.table()
        eventually(lambda: self.trigger("music")["id"], lambda uuid: uuid != former)
        self.admin("PUT", "triggers", {"triggers": []})
        eventually(lambda: self.mappings.list_event_source_mappings()["EventSourceMappings"], lambda mappings: mappings == [])

    def test_a_program_is_called_again_after_a_restart(self):
        events = self.folder + ".events"
        with open(self.folder + ".json", "w", encoding="utf-8") as file:
            json.dump({"triggers": [{"name": "music", "table": "Music", "command": ["sh", "-c", f"cat >> {events}; echo >> {events}"]}]}, file)
        self.server.stop()
        self.start("--triggers", file.name)
        self.table()

        def called_with():
            if not os.path.exists(events):
                return []
            # All at once: a line may be ended after a part of it was read, whose end would then be one of its own.
            with open(events, encoding="utf-8") as file:
                lines = file.read().splitlines(keepends=True)
            return [number(record) for line in lines if line.endswith("\n") for record in json.loads(line)["Records"]]

        self.put(1)
        eventually(called_with, lambda numbers: numbers == [1])
        self.server.stop()
        self.start("--triggers", file.name)
        self.put(2)
        eventually(called_with, lambda numbers: numbers[-1] == 2)

    def test_a_delivery_is_sent_again(self):
        self.map(self.table())
        self.put(1)
        self.functions.wait_for_records(1)
        delivery = eventually(lambda: self.admin("GET", "triggers/deliveries")["deliveries"], bool)[0]
        self.admin("POST", f"triggers/deliveries/{delivery['number']}/repeat")
        first, second = [event for _, event in self.functions.events]
        self.assertEqual(first, second)

    def test_a_kinesis_stream_calls_in_order_through_resharding(self):
        kinesis = boto3_clients.client(self.server.endpoint, service="kinesis")
        kinesis.create_stream(StreamName="clicks", ShardCount=1)
        arn = kinesis.describe_stream_summary(StreamName="clicks")["StreamDescriptionSummary"]["StreamARN"]
        self.map(arn, BatchSize=3)
        for n in range(10):
            kinesis.put_record(StreamName="clicks", PartitionKey="one", Data=str(n).encode())
        shard = kinesis.list_shards(StreamName="clicks")["Shards"][0]
        kinesis.split_shard(StreamName="clicks", ShardToSplit=shard["ShardId"], NewStartingHashKey=str(2 ** 127))
        for n in range(10, 20):
            kinesis.put_record(StreamName="clicks", PartitionKey="one", Data=str(n).encode())
        records = self.functions.wait_for_records(20)
        self.assertEqual([int(base64.b64decode(record["kinesis"]["data"])) for record in records], list(range(20)))
        self.assertEqual({record["eventName"] for record in records}, {"aws:kinesis:record"})

    def test_parts_of_a_shard_are_called_side_by_side_and_in_order_per_item(self):
        self.map(self.table(), ParallelizationFactor=4, BatchSize=1)
        for n in range(40):
            self.db.put_item(TableName="Music", Item={"pk": {"S": f"k{n % 4}"}, "n": {"N": str(n)}})
        records = self.functions.wait_for_records(40)
        for key in range(4):
            of_key = [number(record) for record in records if record["dynamodb"]["Keys"]["pk"]["S"] == f"k{key}"]
            self.assertEqual(of_key, list(range(key, 40, 4)))


if __name__ == "__main__":
    unittest.main()
