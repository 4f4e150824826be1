"""What a server tells of its run: metrics as Prometheus reads them, reports, requests as they come, log lines."""

import json
import pathlib
import re
import signal
import tempfile
import threading
import time
import unittest

import yaml
from admin_test import send
from boto3_clients import client, create_table
from botocore.exceptions import ClientError
from prometheus_client import parser
from prometheus_client.openmetrics import parser as openmetrics_parser
from server import Server

KEY = {"artist": {"S": "a"}, "song": {"S": "b"}}
SONG = {"artist": {"S": "Nina Simone"}, "song": {"S": "Sinnerman"}}  # no words of error messages
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"


OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8"
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"
DOCS = pathlib.Path(__file__).parents[2] / "docs"


def text_of_metrics(server, content_type, headers, path="/_dinette/metrics"):
    reply = send(server, "GET", path, headers=headers)
    assert reply.headers["Content-Type"] == content_type, reply.headers["Content-Type"]
    return reply.body.decode()


def metrics(server):
    """Returns the families by name, read by a parser that refuses what the format does not allow."""
    text = text_of_metrics(server, OPEN_METRICS, {"Accept": OPEN_METRICS})
    return {family.name: family for family in openmetrics_parser.text_string_to_metric_families(text)}


def metrics_of_prometheus(server, path="/_dinette/metrics"):
    """Returns the same in Prometheus' own format, which is the one of all who ask for none."""
    text = text_of_metrics(server, PROMETHEUS, {}, path)
    return {family.name: family for family in parser.text_string_to_metric_families(text)}


def samples_of(families):
    return {(sample.name, tuple(sorted(sample.labels.items()))) for family in families.values() for sample in family.samples}


def metrics_named_in(text):
    return set(re.findall(r"\b(?:dinette|process)_\w+", text))


def value(families, family, suffix="", **labels):
    found = [sample.value for sample in families[family].samples
             if sample.name == family + suffix and labels.items() <= sample.labels.items()]
    assert len(found) == 1, (family, labels, found)
    return found[0]


class Observed(unittest.TestCase):
    OPTIONS = ()

    def setUp(self):
        self.server = Server(*self.OPTIONS)
        self.addCleanup(lambda: self.assertEqual(self.server.stop(), 0))
        self.dynamodb = client(self.server.endpoint)
        create_table(self.dynamodb)

    def json(self, method, path, body=None):
        reply = send(self.server, method, path, body)
        self.assertEqual(reply.status, 200, reply.body)
        return reply.json()


class Metrics(Observed):
    def test_requests_are_counted(self):
        for _ in range(3):
            self.dynamodb.put_item(TableName="Music", Item=KEY)
        self.dynamodb.get_item(TableName="Music", Key=KEY, ConsistentRead=True)
        with self.assertRaises(ClientError):
            self.dynamodb.get_item(TableName="Nothing", Key=KEY)
        families = metrics(self.server)
        requests = "dinette_requests"
        self.assertEqual(value(families, requests, "_total", operation="PutItem"), 3)
        self.assertEqual(value(families, requests, "_total", operation="GetItem", error=""), 1)
        self.assertEqual(value(families, requests, "_total", error="ResourceNotFoundException", status="400"), 1)
        durations = "dinette_request_duration_seconds"
        self.assertEqual(value(families, durations, "_count", operation="PutItem"), 3)
        self.assertEqual(value(families, durations, "_bucket", operation="PutItem", le="+Inf"), 3)
        self.assertGreater(value(families, durations, "_sum", operation="PutItem"), 0)
        self.assertEqual(value(families, "dinette_consumed_write_capacity_units", "_total", table="Music"), 3)
        self.assertEqual(value(families, "dinette_consumed_read_capacity_units", "_total", table="Music"), 1)

    def test_what_is_kept_for_some_time_is_counted(self):
        self.dynamodb.update_table(TableName="Music", StreamSpecification={
            "StreamEnabled": True, "StreamViewType": "NEW_IMAGE"})
        self.dynamodb.update_continuous_backups(TableName="Music", PointInTimeRecoverySpecification={
            "PointInTimeRecoveryEnabled": True})
        for number in range(3):
            self.dynamodb.put_item(TableName="Music", Item={**KEY, "n": {"N": str(number)}})
        families = metrics(self.server)
        self.assertEqual(value(families, "dinette_stream_records"), 3)
        self.assertGreater(value(families, "dinette_stream_bytes"), 3)
        self.assertEqual(value(families, "dinette_former_values"), 3)
        self.assertGreater(value(families, "dinette_former_value_bytes"), 3)
        send(self.server, "PUT", "/_dinette/clock", {"advance": "P40D"})
        families = metrics(self.server)
        self.assertEqual(value(families, "dinette_stream_records"), 0)
        self.assertEqual(value(families, "dinette_former_values"), 0)

    def test_the_server_is_described(self):
        send(self.server, "POST", "/_dinette/worlds", {"name": "copy"})
        families = metrics(self.server)
        self.assertEqual(value(families, "dinette_worlds"), 2)
        self.assertGreaterEqual(value(families, "dinette_connections_open"), 1)
        self.assertGreaterEqual(value(families, "dinette_connections_accepted", "_total"), 2)
        self.assertEqual(value(families, "dinette_connections_refused", "_total"), 0)
        self.assertGreater(value(families, "dinette_engine_values"), 0)
        self.assertGreater(value(families, "process_resident_memory_bytes"), 1e6)
        self.assertLess(abs(value(families, "process_start_time_seconds") - time.time()), 3600)
        self.assertEqual(value(families, "dinette_build", "_info"), 1)

    def test_both_formats_have_the_same_samples(self):
        self.dynamodb.put_item(TableName="Music", Item=KEY)
        older, newer = metrics_of_prometheus(self.server), metrics(self.server)
        self.assertEqual(samples_of(older) - samples_of(newer), set())
        self.assertLess(len(samples_of(newer) - samples_of(older)), 5)  # of the request for the first one
        kinds = {name: family.type for name, family in older.items()}
        self.assertEqual(kinds["dinette_requests"], "counter")  # the parser leaves out _total
        self.assertEqual(kinds["dinette_request_duration_seconds"], "histogram")
        self.assertEqual(kinds["dinette_worlds"], "gauge")
        self.assertEqual(kinds["dinette_build_info"], "gauge")
        self.assertNotIn("unknown", kinds.values())
        self.assertTrue(all(family.documentation.endswith(".") for family in older.values()))

    def test_the_format_of_prometheus_has_nothing_of_the_other(self):
        lines = text_of_metrics(self.server, PROMETHEUS, {}).splitlines()
        declared = [line.split()[2] for line in lines if line.startswith("# TYPE ")]
        self.assertEqual(len(declared), len(set(declared)))
        for line in lines:
            self.assertRegex(line, r"^# HELP \w+ .+\.$|^# TYPE \w+ (counter|gauge|histogram)$|^\w+(\{.*\})? \S+$")
            if not line.startswith("#"):
                name = re.match(r"\w+", line)[0]
                self.assertIn(re.sub("_(bucket|count|sum)$", "", name) if name not in declared else name, declared)

    def test_they_are_also_where_tools_look_for_them(self):
        self.assertEqual(set(metrics_of_prometheus(self.server, "/metrics")), set(metrics_of_prometheus(self.server)))

    def test_every_metric_is_documented(self):
        page = (DOCS / "observing.md").read_text(encoding="utf-8")
        for name, family in metrics(self.server).items():
            suffix = {"counter": "_total", "info": "_info"}.get(family.type, "")
            self.assertIn(f"`{name}{suffix}`", page)


class MetricsOfAFolder(unittest.TestCase):
    def test_there_are_those_of_the_disk(self):
        with tempfile.TemporaryDirectory() as folder, Server("--data", folder) as server:
            families = metrics(server)
            self.assertGreater(value(families, "dinette_engine_memory_limit_bytes"), 0)
            self.assertGreater(value(families, "dinette_rocksdb_cache_limit_bytes"), 0)
            self.assertGreaterEqual(value(families, "dinette_rocksdb_unflushed_bytes"), 0)

    def test_the_dashboard_and_the_alerts_name_only_metrics_that_there_are(self):
        with tempfile.TemporaryDirectory() as folder, Server("--data", folder) as server:
            dynamodb = client(server.endpoint)
            create_table(dynamodb)
            dynamodb.put_item(TableName="Music", Item=KEY)
            dynamodb.get_item(TableName="Music", Key=KEY)
            there = {name for name, _ in samples_of(metrics_of_prometheus(server))}
        dashboard = json.loads((DOCS / "grafana.json").read_text(encoding="utf-8"))
        queries = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
        queries += [variable["query"]["query"] for variable in dashboard["templating"]["list"]
                    if variable["type"] == "query"]
        self.assertGreater(len(queries), 20)
        alerts = yaml.safe_load((DOCS / "prometheus-alerts.yml").read_text(encoding="utf-8"))
        rules = [rule for group in alerts["groups"] for rule in group["rules"]]
        self.assertTrue(all(rule["alert"] and rule["annotations"]["summary"] for rule in rules))
        for text in (*queries, *(rule["expr"] for rule in rules)):
            named = metrics_named_in(text)
            self.assertTrue(named or text.startswith("up{"), text)  # which Prometheus adds
            self.assertLessEqual(named, there, text)


class Dashboard(unittest.TestCase):
    BOARD = json.loads((DOCS / "grafana.json").read_text(encoding="utf-8"))

    def test_every_panel_asks_the_source_that_is_chosen_for_the_instances_that_are_chosen(self):
        source = {"type": "prometheus", "uid": "${datasource}"}
        kinds = {variable["name"]: variable["type"] for variable in self.BOARD["templating"]["list"]}
        self.assertEqual(kinds, {"datasource": "datasource", "job": "query", "instance": "query"})
        for panel in self.BOARD["panels"]:
            if panel["type"] == "row":
                continue
            with self.subTest(panel["title"]):
                self.assertEqual(panel["datasource"], source)
                for target in panel["targets"]:
                    self.assertEqual(target["datasource"], source)
                    selected = target["expr"].count('job=~"$job", instance=~"$instance"')
                    self.assertEqual(selected, len(re.findall(r"\b(?:dinette|process)_\w+(?=\{)", target["expr"])))
                    self.assertGreater(selected, 0)

    def test_panels_do_not_overlap(self):
        ids = [panel["id"] for panel in self.BOARD["panels"]]
        self.assertEqual(len(ids), len(set(ids)))
        places = [panel["gridPos"] for panel in self.BOARD["panels"]]
        cells = [(x, y) for place in places for x in range(place["x"], place["x"] + place["w"])
                 for y in range(place["y"], place["y"] + place["h"])]
        self.assertEqual(len(cells), len(set(cells)))
        self.assertLess(max(x for x, _ in cells), 24)


class Reports(Observed):
    def operations(self):
        return {(line["table"], line["operation"]): line for line in self.json("GET", "/_dinette/report")["operations"]}

    def test_a_report_is_made_while_it_is_switched_on(self):
        self.dynamodb.put_item(TableName="Music", Item=KEY)
        self.assertEqual(self.operations(), {})
        self.assertTrue(self.json("PUT", "/_dinette/report", {"recording": True})["recording"])
        self.dynamodb.put_item(TableName="Music", Item=KEY)
        self.dynamodb.scan(TableName="Music")
        self.json("PUT", "/_dinette/report", {"recording": False})
        self.dynamodb.put_item(TableName="Music", Item=KEY)
        lines = self.operations()
        self.assertEqual(set(lines), {("Music", "PutItem"), ("Music", "Scan")})
        self.assertEqual((lines["Music", "PutItem"]["requests"], lines["Music", "PutItem"]["writeUnits"]), (1, 1))
        self.assertEqual((lines["Music", "Scan"]["scanned"], lines["Music", "Scan"]["withoutKey"]), (1, 1))
        report = self.json("GET", "/_dinette/report")
        self.assertEqual(report["hotPartitions"],
                         [{"table": "Music", "key": "artist = 'a'", "requests": 1, "atMostOver": 0}])
        self.assertEqual(report["biggestItems"],
                         [{"table": "Music", "key": "artist = 'a' AND song = 'b'", "bytes": 12}])
        self.assertAlmostEqual(report["cost"]["writes"], 0.625e-6)
        self.assertEqual(self.json("DELETE", "/_dinette/report")["operations"], [])
        self.assertEqual(self.operations(), {})

    def test_people_can_read_it(self):
        reply = send(self.server, "GET", "/_dinette/report", headers={"Accept": "text/plain"})
        self.assertEqual(reply.headers["Content-Type"], "text/plain; charset=utf-8")
        self.assertIn("\n\nno requests\n\n", reply.body.decode())


class ReportAtTheEnd(Observed):
    OPTIONS = ("--report",)

    def test_it_is_printed(self):
        self.dynamodb.put_item(TableName="Music", Item=KEY)
        self.server.process.send_signal(signal.SIGTERM)
        printed = self.server.process.stdout.read()
        self.assertIn("world default, ", printed)
        self.assertRegex(printed, r"Music +PutItem +1 +0 +0 +1\n")


class Requests(Observed):
    PATH = "/_dinette/requests"

    def test_what_was_answered_before_the_first_call_is_listed(self):
        self.dynamodb.put_item(TableName="Music", Item=KEY)
        with self.assertRaises(ClientError):
            self.dynamodb.get_item(TableName="Missing", Key=KEY)
        requests = self.json("GET", self.PATH)["requests"]
        self.assertEqual([one["operation"] for one in requests], ["CreateTable", "PutItem", "GetItem"])
        put, missing = requests[1:]
        self.assertEqual(put["tables"], [{"name": "Music", "readUnits": 0, "writeUnits": 1}])
        self.assertEqual(json.loads(put["request"]["text"]), {"TableName": "Music", "Item": KEY})
        self.assertEqual(put["response"]["text"], "{}")
        self.assertRegex(put["client"]["agent"], "^Boto3/")
        self.assertRegex(put["client"]["address"], r"^127\.0\.0\.1:\d+$")
        self.assertNotIn("before", put)
        self.assertEqual((missing["error"], missing["tables"][0]["name"]), ("ResourceNotFoundException", "Missing"))

    def test_they_are_listed_in_full_from_the_first_call_on(self):
        first = self.json("GET", self.PATH)
        self.dynamodb.put_item(TableName="Music", Item=KEY)
        page = self.json("GET", f"{self.PATH}?after={first['last']}&wait=30000")
        (request,) = page["requests"]
        self.assertEqual((request["operation"], request["status"], request["world"]), ("PutItem", 200, "default"))
        self.assertEqual(request["tables"], [{"name": "Music", "readUnits": 0, "writeUnits": 1}])
        self.assertEqual(json.loads(request["request"]["text"]), {"TableName": "Music", "Item": KEY})
        self.assertEqual(json.loads(request["after"]["text"]), KEY)
        self.assertNotIn("before", request)
        self.assertEqual(self.json("GET", f"{self.PATH}?after={page['last']}")["requests"], [])

    def test_a_caller_can_wait_for_the_next_one(self):
        last = self.json("GET", self.PATH)["last"]
        pages = []
        path = f"{self.PATH}?after={last}&wait=30000"
        reader = threading.Thread(target=lambda: pages.append(self.json("GET", path)))
        reader.start()
        while reader.is_alive():
            self.dynamodb.get_item(TableName="Music", Key=KEY)
        reader.join()
        self.assertEqual(pages[0]["requests"][0]["operation"], "GetItem")

    def test_the_end_of_the_server_does_not_wait_for_callers(self):
        path = f"{self.PATH}?wait=30000&after={self.json('GET', self.PATH)['last']}"
        replies = []
        readers = [threading.Thread(target=lambda: replies.append(send(self.server, "GET", path)))
                   for _ in range(6)]  # more than may wait
        for reader in readers:
            reader.start()
        while len(replies) < 2:  # until those that may not wait have been answered
            pass
        self.assertEqual(self.server.stop(), 0)
        for reader in readers:
            reader.join()
        # A server that ends without them gives up after 9 seconds, with code 1.
        self.assertEqual([(reply.status, reply.json()["requests"]) for reply in replies], [(200, [])] * 6)


class NoRequests(Observed):
    OPTIONS = ("--requests", "0")

    def test_none_is_kept_before_the_first_call(self):
        self.dynamodb.put_item(TableName="Music", Item=KEY)
        path = Requests.PATH
        self.assertEqual(self.json("GET", path), {"requests": [], "last": 0, "missed": 0})
        self.dynamodb.put_item(TableName="Music", Item=KEY)
        self.assertEqual(len(self.json("GET", path)["requests"]), 1)


class FewRequests(Observed):
    OPTIONS = ("--requests", "2")

    def test_as_many_are_kept_as_are_chosen(self):
        for _ in range(5):
            self.dynamodb.put_item(TableName="Music", Item=KEY)
        page = self.json("GET", Requests.PATH)
        self.assertEqual([one["number"] for one in page["requests"]], [5, 6])  # the first one made the table
        self.assertEqual(page["missed"], 4)


class Logs(Observed):
    OPTIONS = ("--log-level", "info", "--log-format", "json")

    def test_lines_tell_table_units_world_and_trace(self):
        self.dynamodb.put_item(TableName="Music", Item=KEY)
        send(self.server, "POST", "/_dinette/worlds", {"name": "copy"})
        body = {"TableName": "Music", "Key": KEY}
        target = {"X-Amz-Target": "DynamoDB_20120810.GetItem"}
        parent = f"00-{TRACE}-00f067aa0ba902b7-01"
        for headers in ({"X-Dinette-World": "copy"}, {"traceparent": parent}, {"traceparent": parent + "x"}):
            self.assertEqual(send(self.server, "POST", "/", body, {**target, **headers}).status, 200)
        self.assertEqual(self.server.stop(), 0)
        lines = [json.loads(line) for line in self.server.log_text().splitlines()]
        put = [line for line in lines if line.get("target", "").endswith("PutItem")][0]
        self.assertEqual((put["table"], put["write_units"], put["status"], put.get("error")), ("Music", 1, 200, None))
        self.assertRegex(put["id"], "^[0-9A-V]{52}$")
        for absent in ("world", "trace", "read_units"):
            self.assertNotIn(absent, put)
        gets = [line for line in lines if line.get("target", "").endswith("GetItem")]
        self.assertEqual([(line.get("world"), line.get("trace")) for line in gets],
                         [("copy", None), (None, TRACE), (None, None)])
        self.assertEqual([line["read_units"] for line in gets], [0.5] * 3)

    def test_lines_of_errors_say_why_without_what_is_in_items(self):
        with self.assertRaises(ClientError):
            self.dynamodb.put_item(TableName="Music", Item={**SONG, "price": {"N": "Confidential"}})
        self.assertEqual(self.server.stop(), 0)
        lines = [json.loads(line) for line in self.server.log_text().splitlines()]
        put = [line for line in lines if line.get("target", "").endswith("PutItem")][0]
        self.assertEqual((put["message"], put["error"], put["error_message"]), (
            "request", "ValidationException",
            "1 validation error detected: The parameter cannot be converted to a numeric value: ***"))


class LogsOfItems(Observed):
    OPTIONS = ("--log-level", "info", "--log-format", "json", "--log-items")

    def test_lines_of_errors_are_whole(self):
        with self.assertRaises(ClientError):
            self.dynamodb.put_item(TableName="Music", Item={**SONG, "price": {"N": "Confidential"}})
        self.assertEqual(self.server.stop(), 0)
        lines = [json.loads(line) for line in self.server.log_text().splitlines()]
        self.assertIn("1 validation error detected: The parameter cannot be converted to a numeric value: Confidential",
                      [line.get("error_message") for line in lines])


if __name__ == "__main__":
    # boto3 leaves closing its connections to the garbage collector.
    unittest.main(warnings="ignore")
