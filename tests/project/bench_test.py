"""Errors that would make the benchmarks measure something else than they say."""

import os
import subprocess
import sys
import unittest
from dataclasses import replace

from repository import ROOT

sys.path.insert(0, str(ROOT / "scripts/lib"))
import run_bench  # noqa: E402
from bench import report  # noqa: E402
from bench.cbor import Cbor  # noqa: E402
from bench.compare import Plan, check, median, ratio  # noqa: E402
from bench.instructions import counted  # noqa: E402
from bench.load import Requests, Round, run  # noqa: E402
from bench.servers import ENGINES, Server  # noqa: E402
from bench.settings import SETTINGS, Setting, processors_of_load, processors_of_server  # noqa: E402
from bench.signing import body_of, headers_of  # noqa: E402
from bench.threads import growth_in_process  # noqa: E402
from bench.workloads import WORKLOADS, Scale, get_item, item, partition_item, prepare, uniform, zipfian  # noqa: E402

# Enough for one full page of a scan.
SCALE = Scale(items=1_500, partitions=2, requests=200)


def round_of(cpu_us, requests=1000, p50=5, p99=9):
    return Round(requests, 2.0, p50, p99, cpu_us)


class Workloads(unittest.TestCase):
    def test_every_request_is_answered_as_it_should_be(self):
        with Server(ENGINES["dinette"]) as server:
            for workload in WORKLOADS.values():
                with self.subTest(workload.name):
                    prepare(server, workload.table, SCALE)
                    self.assertGreater(check(server, workload, workload.requests(SCALE)), 0)

    def test_the_same_requests_are_answered_in_process(self):
        found = growth_in_process(WORKLOADS["Mix"], Plan(rounds=1, seconds=1, scale=SCALE))
        self.assertGreater(min(found["requests_per_second"].values()), 0)

    def test_a_failure_in_process_is_seen(self):
        unprepared = replace(WORKLOADS["GetItem"], table=WORKLOADS["Query"].table)
        with self.assertRaisesRegex(SystemExit, "ResourceNotFoundException"):
            growth_in_process(unprepared, Plan(rounds=1, seconds=1, scale=SCALE))

    def test_instructions_are_those_of_the_requests_alone(self):
        few, many = (counted("dinette", WORKLOADS["GetItem"], scale=replace(SCALE, items=50, requests=requests))[0]
                     for requests in (150, 300))
        self.assertGreater(few, counted("fixed", WORKLOADS["GetItem"], 1024, replace(SCALE, requests=150))[0])
        self.assertLess(abs(many - few), few / 20)

    def test_a_reply_without_what_it_should_have_is_seen(self):
        with Server(ENGINES["dinette"]) as server:
            prepare(server, WORKLOADS["GetItem"].table, Scale(items=25))
            with self.assertRaisesRegex(SystemExit, "GetItem without"):
                check(server, WORKLOADS["GetItem"], [get_item(26)])

    def test_items_are_as_large_as_the_tables_of_the_page_say(self):
        """By DynamoDB's measure: names and text, 1 for a boolean, about 2 for a small number, 3 for a container."""
        def size(value):
            (kind, content), = value.items()
            if kind == "M":
                return 3 + sum(1 + len(name) + size(member) for name, member in content.items())
            return {"S": len, "N": lambda n: 2, "BOOL": lambda b: 1, "SS": lambda s: sum(map(len, s))}[kind](content)

        for made, wanted in ((item(7), 1024), (partition_item(7), 200)):
            self.assertAlmostEqual(sum(len(name) + size(value) for name, value in made.items()), wanted, delta=8)

    def test_uniform_keys_are_all_there_and_zipfian_ones_are_not_alike(self):
        scale = Scale(requests=10_000)
        self.assertEqual(sorted(uniform(scale, 10_000)), list(range(10_000)))
        drawn = zipfian(scale, 1_000)
        most = max(set(drawn), key=drawn.count)
        # The first of a thousand ranks has 13 % by Zipf's law with 0.99; a fair share were 0.1 %.
        self.assertGreater(drawn.count(most), 1_000)
        self.assertGreater(len(set(drawn)), 500)


class Load(unittest.TestCase):
    def test_the_load_runs_on_the_servers_processor_by_default(self):
        for setting in SETTINGS.values():
            self.assertEqual(processors_of_load(setting), processors_of_server(setting))
        apart = Setting("apart", load_beside=False)
        every = os.sched_getaffinity(0)
        self.assertEqual(set(processors_of_load(apart)), every - set(processors_of_server(apart)) or every)

    def test_signed_requests_are_let_in_by_a_server_that_verifies(self):
        workload = WORKLOADS["GetItem"]
        with Server(ENGINES["dinette"], SETTINGS["auth verify"]) as server:
            prepare(server, workload.table, Scale(items=100))
            with Requests([get_item(number) for number in range(100)]) as file:
                load = run(server, file, 1)
        self.assertGreater(load.requests, 0)
        self.assertGreaterEqual(load.p99_us, load.p50_us)
        self.assertGreater(load.p50_us, 0)

    def test_requests_that_are_refused_are_no_result(self):
        with Server(ENGINES["dinette"]) as server, Requests([get_item(1)]) as file:
            with self.assertRaisesRegex(SystemExit, "failed under load"):
                run(server, file, 1)

    def test_a_wrong_signature_is_refused(self):
        """Shows that the previous test can fail."""
        with Server(ENGINES["dinette"], SETTINGS["auth verify"]) as server:
            server.connection.request("POST", "/", b"{ }", {**headers_of("ListTables", b"{}"), "content-length": "3"})
            reply = server.connection.getresponse()
            self.assertIn("InvalidSignatureException", reply.read().decode())

    def test_a_server_is_asked_over_tls(self):
        with Server(ENGINES["dinette"], SETTINGS["TLS"]) as server:
            self.assertEqual(server.ask("ListTables", {}), (200, '{"TableNames":[]}'))

    def test_bodies_are_as_compact_as_those_of_sdks(self):
        self.assertEqual(body_of({"A": [1, {"B": True}]}), b'{"A":[1,{"B":true}]}')

    def test_bodies_in_cbor_have_its_content_type(self):
        body = body_of(Cbor({"A": [1, {"B": True}, 300, "x" * 24]}))
        self.assertEqual(body, b"\xa1aA\x84\x01\xa1aB\xf5\x19\x01\x2cx\x18" + b"x" * 24)
        self.assertEqual(headers_of("GetItem", body)["content-type"], "application/x-amz-cbor-1.0")


class Figures(unittest.TestCase):
    def test_medians_are_of_the_rounds(self):
        self.assertEqual(
            median([round_of(10.0, 1000, 5, 9), round_of(30.0, 3000, 7, 99), round_of(11.0, 1500, 6, 10)]),
            {"cpu_us": 11.0, "first_cpu_us": 10.0, "requests_per_second": 750, "p50_us": 6, "p99_us": 10})

    def test_a_ratio_compares_what_ran_at_the_same_time(self):
        quiet_busy_quiet = {"dinette": [round_of(20), round_of(80), round_of(22)],
                            "fixed": [round_of(10), round_of(40), round_of(10)]}
        self.assertEqual(ratio(quiet_busy_quiet, "dinette", "fixed"), 2.0)

    def test_three_digits_that_count(self):
        self.assertEqual([report.figure(x) for x in (1.234, 12.34, 123.4, 12345.6)], ["1.23", "12.3", "123", "12,346"])

    def test_a_table_is_markdown(self):
        self.assertEqual(report.table(["us", "fast"], [["GetItem", "1"]]),
                         "| us      | fast |\n| :------ | ---: |\n| GetItem |    1 |\n")


class Page(unittest.TestCase):
    def test_every_part_has_its_place(self):
        for part in run_bench.PARTS:
            self.assertTrue(report.has_section(part), part)


class Arguments(unittest.TestCase):
    def test_an_unknown_part_is_refused(self):
        program = ROOT / "scripts/lib/run_bench.py"
        ended = subprocess.run([sys.executable, program, "sped"], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("there is no part 'sped'; there are: speed, ", ended.stderr)


if __name__ == "__main__":
    unittest.main()
