"""dinette mcp, by a client that holds every line to the specification of the Model Context Protocol (revisions
2024-11-05 to 2026-07-28: Lifecycle, Versioning, Transports, Tools)."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from boto3_clients import client, create_table
from server import PATIENCE_SECONDS, Server, program

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
# Requests of this one and later ones stand alone.
FIRST_WITHOUT_SESSIONS = "2026-07-28"
META = "io.modelcontextprotocol/"


class Refused(Exception):
    """An error of JSON-RPC."""


class Mcp:
    """with Mcp("--in-memory") as mcp: mcp.call("scan", table="Music")"""

    def __init__(self, *arguments, revision=REVISIONS[-1]):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        self.process = subprocess.Popen([program(), "mcp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=environment)
        self.number = 0
        self.stands_alone = revision >= FIRST_WITHOUT_SESSIONS
        self.meta = {}
        if self.stands_alone:
            self.meta = {"_meta": {META + "protocolVersion": revision, META + "clientCapabilities": {},
                                   META + "clientInfo": {"name": "test", "version": "1"}}}
            return
        self.initialized = self.request("initialize", protocolVersion=revision, capabilities={},
                                        clientInfo={"name": "test", "version": "1"})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        line = json.dumps(message).encode()
        assert b"\n" not in line
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def receive(self):
        line = self.process.stdout.readline()
        assert line.endswith(b"\n") and b"\n" not in line[:-1], line
        message = json.loads(line.decode("utf-8", "strict"))
        assert message["jsonrpc"] == "2.0" and set(message) in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"})
        if "error" in message:
            assert isinstance(message["error"]["code"], int) and isinstance(message["error"]["message"], str), message
        return message

    def request(self, method, /, **params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": {**params, **self.meta}})
        answer = self.receive()
        assert answer["id"] == self.number, answer
        if "error" in answer:
            raise Refused(f"{answer['error']['code']} {answer['error']['message']}")
        result = answer["result"]
        assert isinstance(result, dict)
        if self.stands_alone:
            assert result.pop("resultType") == "complete"
            assert result.pop("_meta")[META + "serverInfo"]["name"] == "dinette"
        return result

    def tools(self):
        return {tool["name"]: tool for tool in self.request("tools/list")["tools"]}

    def call(self, tool, /, **arguments):
        """Returns what a tool answers; a failure as a text."""
        result = self.request("tools/call", name=tool, arguments=arguments)
        assert set(result) == {"content", "isError"}
        [content] = result["content"]
        assert content["type"] == "text" and set(content) == {"type", "text"}
        return content["text"] if result["isError"] else json.loads(content["text"])

    def end(self):
        """Ends the input, as the specification has a client do, and returns exit code and log."""
        self.process.stdin.close()
        code = self.process.wait(PATIENCE_SECONDS)
        rest, log = self.process.stdout.read(), self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        assert rest == b"", rest
        return code, log

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        code, log = self.end()
        if kind is None:
            assert (code, log) == (0, ""), (code, log)


class Sessions(unittest.TestCase):
    def test_every_revision_is_spoken(self):
        for revision in REVISIONS:
            with self.subTest(revision=revision), Mcp("--in-memory", revision=revision) as mcp:
                if mcp.stands_alone:
                    known = mcp.request("server/discover")
                    self.assertEqual(known["supportedVersions"], list(reversed(REVISIONS)))
                    self.assertGreaterEqual(known["ttlMs"], 0)
                else:
                    self.assertEqual(mcp.initialized["protocolVersion"], revision)
                    self.assertEqual(mcp.initialized["serverInfo"]["name"], "dinette")
                    self.assertEqual(mcp.request("ping"), {})
                self.assertEqual(mcp.call("list_tables"), {"tables": []})
                for tool in mcp.tools().values():
                    self.assertEqual("annotations" in tool, revision >= "2025-03-26")
                    self.assertEqual("title" in tool, revision >= "2025-06-18")

    def test_a_server_that_is_not_there_is_said_at_the_start_and_by_each_tool(self):
        with Server() as gone:
            pass
        mcp = Mcp(gone.endpoint)
        self.assertIn("does not answer; is it running on that port?", mcp.call("list_tables"))
        code, log = mcp.end()
        self.assertEqual((code, log), (0, f"dinette: the server at 127.0.0.1:{gone.port} does not answer; is it running on "
                                          "that port? Until it does, the tools fail.\n"))

    def test_the_session_survives_what_is_wrong(self):
        with Mcp("--in-memory") as mcp:
            mcp.process.stdin.write(b"not json\n" + b"[" * 5_000_000 + b"\n")
            mcp.process.stdin.flush()
            self.assertEqual([mcp.receive()["error"]["code"] for _ in range(2)], [-32700, -32600])
            mcp.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
            with self.assertRaisesRegex(Refused, "^-32601 Method not found: prompts/list$"):
                mcp.request("prompts/list")
            with self.assertRaisesRegex(Refused, "^-32602 Invalid params: unknown tool: drop_everything$"):
                mcp.call("drop_everything")
            self.assertEqual(mcp.call("list_tables"), {"tables": []})

    def test_arguments_that_fit_no_command_line(self):
        for arguments in (("--data", "x", "--in-memory"), ("http://127.0.0.1:1", "--in-memory"), ("--load", "x")):
            ended = subprocess.run([program(), "mcp", *arguments], stdin=subprocess.DEVNULL, capture_output=True)
            self.assertEqual((ended.returncode, ended.stdout), (2, b""))
        ended = subprocess.run([program(), "mcp", "nowhere"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertIn("'nowhere' is not the URL of a server", ended.stderr)


class OnAServer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server())
        cls.dynamodb = client(cls.server.endpoint)
        create_table(cls.dynamodb)
        for number in range(30):
            cls.dynamodb.put_item(TableName="Music", Item={
                "artist": {"S": "a"}, "song": {"S": f"{number:02}"}, "n": {"N": "12345678901234567890123"},
                "b": {"B": b"\x00\xff"}, "text": {"S": "x" * 5_000}})

    def test_reading_is_all_that_is_offered_by_default(self):
        with Mcp(self.server.endpoint) as mcp:
            tools = mcp.tools()
            self.assertTrue(all(tool["annotations"]["readOnlyHint"] for tool in tools.values()))
            self.assertNotIn("put_item", tools)
            with self.assertRaisesRegex(Refused, "unknown tool: delete_item, which writes: .* without --allow-writes"):
                mcp.call("delete_item", table="Music", key={"artist": "a", "song": "00"})
            self.assertEqual(mcp.call("execute_statement", statement="DELETE FROM Music WHERE artist='a' AND song='00'"),
                             "only SELECT is allowed: dinette mcp was started without --allow-writes")
            self.assertEqual(mcp.call("list_tables"), {"tables": ["Music"]})
            self.assertEqual(mcp.call("describe_table", table="Music")["table"]["ItemCount"], 30)

    def test_long_answers_come_in_pages(self):
        with Mcp(self.server.endpoint) as mcp:
            for tool, arguments in (("scan", {}), ("execute_statement", {"statement": "SELECT * FROM Music"}),
                                    ("query", {"key_condition": "artist = :a", "values": {":a": "a"}})):
                if tool != "execute_statement":
                    arguments["table"] = "Music"
                songs, page = [], {}
                while True:
                    answer = mcp.call(tool, limit=20, **arguments, **page)
                    self.assertLess(len(json.dumps(answer)), 50_000)
                    songs += [item["song"] for item in answer["items"]]
                    if "next_page" not in answer:
                        break
                    page = {"page": answer["next_page"]}
                self.assertEqual(songs, [f"{number:02}" for number in range(30)], tool)

    def test_items_are_shown_without_loss(self):
        with Mcp(self.server.endpoint) as mcp:
            key = {"artist": "a", "song": "07"}
            self.assertEqual(mcp.call("get_item", table="Music", key=key, attributes=["n", "b", "song"]),
                             {"item": {"b": {"B": "AP8="}, "n": {"N": "12345678901234567890123"}, "song": "07"}})
            self.assertEqual(mcp.call("get_item", table="Music", key={"artist": "nobody", "song": "x"}), {"item": None})

    def test_errors_of_the_service_are_answers(self):
        with Mcp(self.server.endpoint) as mcp:
            self.assertEqual(mcp.call("scan", table="Nothing"),
                             "ResourceNotFoundException: Requested resource not found. Tables: Music.")
            self.assertIn("Tables: Music.", mcp.call("execute_statement", statement="SELECT * FROM music"))
            self.assertIn("the argument 'table' is missing, a string: Name of the table.", mcp.call("scan"))
            self.assertIn("ValidationException", mcp.call("scan", table="Music", filter="x >"))
            self.assertIn("no-such-world", mcp.call("scan", table="Music", world="no-such-world"))

    def test_a_fork_takes_the_writes(self):
        with Mcp(self.server.endpoint, "--allow-writes") as mcp:
            mcp.call("fork_world", name="trial")
            key = {"artist": "a", "song": "00"}
            self.assertEqual(mcp.call("update_item", table="Music", key=key, world="trial", update="SET plays = :one REMOVE #t",
                                      values={":one": 1}, names={"#t": "text"})["item"]["plays"], 1)
            self.assertEqual(mcp.call("delete_item", table="Music", key=key, world="trial")["deleted"]["song"], "00")
            self.assertEqual(mcp.call("scan", table="Music", world="trial", limit=1)["items"][0]["song"], "01")
            self.assertEqual(mcp.call("set_clock", world="trial", now="2030-01-01T00:00:00Z", frozen=True)["world"], "trial")
            self.assertEqual(mcp.call("show_clock", world="trial")["now"], "2030-01-01T00:00:00.000Z")
            self.assertIn("trial", [world["name"] for world in mcp.call("list_worlds")["worlds"]])
            self.assertEqual(mcp.call("drop_world", name="trial"), {"deleted": "trial"})
            self.assertIn("Item", self.dynamodb.get_item(TableName="Music", Key={"artist": {"S": "a"}, "song": {"S": "00"}}))

    def test_a_snapshot_brings_everything_back(self):
        with Mcp("--in-memory", "--allow-writes") as mcp:
            mcp.call("create_table", table="Notes", partition_key={"name": "id", "type": "N"})
            item = {"id": 1, "tags": {"SS": ["a", "b"]}, "list": [1.5, None, {"x": True}], "bytes": {"B": "AP8="}}
            self.assertEqual(mcp.call("put_item", table="Notes", item=item), {"replaced": None})
            kept = mcp.call("take_snapshot")["id"]
            self.assertEqual(mcp.call("put_item", table="Notes", item={"id": 1})["replaced"], item)
            mcp.call("reset_world", world="default")
            self.assertEqual(mcp.call("list_tables"), {"tables": []})
            mcp.call("restore_snapshot", id=kept)
            self.assertEqual(mcp.call("get_item", table="Notes", key={"id": 1}), {"item": item})
            self.assertEqual([one["id"] for one in mcp.call("list_snapshots")["snapshots"]], [kept])

    def test_a_filter_that_few_items_pass_is_read_on_for(self):
        with Mcp("--in-memory", "--allow-writes") as mcp:
            mcp.call("create_table", table="Many", partition_key={"name": "id", "type": "N"})
            for begin in range(0, 3000, 1000):
                items = [{"id": number, "third": number % 1000 == 7} for number in range(begin, begin + 1000)]
                self.assertEqual(mcp.call("import_items", table="Many", items=items), {"written": 1000})
            for tool, arguments in (("scan", {"table": "Many", "filter": "third = :t", "values": {":t": True}}),
                                    ("execute_statement", {"statement": "SELECT * FROM Many WHERE third = true"})):
                with self.subTest(tool=tool):
                    found, looked_at, page = [], 0, {}
                    while True:
                        answer = mcp.call(tool, limit=2, explain=True, **arguments, **page)
                        found += [item["id"] for item in answer["items"]]
                        self.assertEqual(answer["explanation"]["ScannedCount"], answer["looked_at"])
                        self.assertEqual(answer["explanation"]["CapacityUnits"], answer["capacity_units"])
                        looked_at += answer["looked_at"]
                        if "next_page" not in answer:
                            break
                        page = {"page": answer["next_page"]}
                    self.assertEqual(sorted(found), [7, 1007, 2007])
                    self.assertGreaterEqual(looked_at, 3000)

    def test_reads_are_explained_if_that_is_wanted(self):
        for place in ([self.server.endpoint], ["--in-memory", "--allow-writes"]):
            with self.subTest(place=place), Mcp(*place) as mcp:
                if "--in-memory" in place:
                    mcp.call("create_table", table="Music", partition_key={"name": "artist"}, sort_key={"name": "song"})
                    mcp.call("put_item", table="Music", item={"artist": "a", "song": "00"})
                answer = mcp.call("query", table="Music", key_condition="artist = :a", values={":a": "a"}, limit=1, explain=True)
                self.assertEqual(answer["explanation"] | {"CapacityUnits": 0}, {
                    "Operation": "Query", "TableName": "Music", "KeyCondition": "artist = 'a'", "ScannedCount": 1, "Count": 1,
                    "CapacityUnits": 0})
                self.assertEqual((answer["looked_at"], answer["count"]), (1, 1))
                self.assertGreater(answer["capacity_units"], 0)
                self.assertNotIn("explanation", mcp.call("scan", table="Music", limit=1))

    def test_what_programs_did_is_shown_with_their_errors(self):
        with Server() as server, Mcp(server.endpoint, "--allow-writes") as mcp:
            self.assertIn("recording begins with this call", mcp.call("recent_requests")["note"])
            self.assertEqual(mcp.call("record_report", recording=True), {"recording": True})
            program_of_someone = client(server.endpoint)
            create_table(program_of_someone)
            with self.assertRaises(program_of_someone.exceptions.ClientError):
                program_of_someone.put_item(TableName="Music", Item={"artist": {"S": "a"}})
            failed = mcp.call("recent_requests", errors=True)
            [request] = failed["requests"]
            self.assertEqual((request["operation"], request["tables"], request["error"]),
                             ("PutItem", ["Music"], "ValidationException"))
            self.assertIn("Missing the key song", request["message"])
            self.assertEqual(mcp.call("recent_requests", errors=True, after=failed["last"])["requests"], [])
            self.assertEqual({line["operation"] for line in mcp.call("report")["operations"] if line["errors"]}, {"PutItem"})
            metrics = mcp.call("metrics")
            self.assertIn({"ValidationException": 1}, [row.get("errors") for row in metrics["operations"]])
            self.assertEqual(metrics["totals"]["worlds"], 1)
            self.assertIn("dinette_worlds 1", mcp.call("metrics", containing="dinette_worlds")["samples"])

    def test_faults_are_injected_into_requests_and_items_left_unprocessed(self):
        with Server() as server, Mcp(server.endpoint, "--allow-writes") as mcp:
            mcp.call("create_table", table="Notes", partition_key={"name": "id", "type": "N"})
            items = [{"id": number} for number in range(40)]
            mcp.call("inject_faults", rules=[{"operation": "BatchWriteItem", "times": 1, "unprocessed": {"items": [2, 24]}}])
            self.assertEqual(mcp.call("list_faults")["faults"][0]["fired"], 0)
            answer = mcp.call("put_items", table="Notes", items=items)
            self.assertEqual((answer["written"], answer["not_processed"]), (38, [1, 23]))  # those of a rule count from 1
            self.assertEqual(mcp.call("list_faults")["faults"][0]["fired"], 1)
            self.assertEqual(mcp.call("put_items", table="Notes", items=[items[1], items[23]]), {"written": 2})
            mcp.call("inject_faults", rules=[{"key": {"id": 7}, "error": {"type": "ThrottlingException"}}])
            self.assertIn("ThrottlingException", mcp.call("get_item", table="Notes", key={"id": 7}))
            self.assertEqual(mcp.call("clear_faults")["faults"], [])
            self.assertEqual(mcp.call("get_item", table="Notes", key={"id": 7}), {"item": {"id": 7}})
            self.assertIn("unheard", mcp.call("inject_faults", rules=[{"unheard": 1}]))

    def test_files_of_one_folder_are_imported_and_no_others(self):
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary, "fixtures")
            folder.mkdir()
            (folder / "notes.json").write_text('[{"id": 1, "tags": ["a"]}, {"Item": {"id": {"N": "2"}}}]')
            pathlib.Path(temporary, "secret.json").write_text('[{"id": 3}]')
            with Mcp("--in-memory", "--allow-writes", "--import-from", str(folder)) as mcp:
                mcp.call("create_table", table="Notes", partition_key={"name": "id", "type": "N"})
                self.assertEqual(mcp.call("import_items", table="Notes", file="notes.json"), {"written": 2})
                for path in ("../secret.json", str(pathlib.Path(temporary, "secret.json")), "missing.json"):
                    self.assertEqual(mcp.call("import_items", table="Notes", file=path),
                                     f"'{path}' is not a file in the folder of --import-from")
                self.assertEqual(sorted(item["id"] for item in mcp.call("scan", table="Notes")["items"]), [1, 2])
            with Mcp("--in-memory", "--allow-writes") as mcp:
                self.assertIn("no file may be read", mcp.call("import_items", table="Notes", file=str(folder / "notes.json")))

    def test_the_administration_may_need_a_token(self):
        with Server("--admin-token", "secret") as server:
            with Mcp(server.endpoint) as mcp:
                self.assertIn("was started with --admin-token", mcp.call("list_worlds"))
            with Mcp(server.endpoint, "--admin-token", "secret") as mcp:
                self.assertEqual(mcp.call("list_worlds")["worlds"][0]["name"], "default")


class OnAFolder(unittest.TestCase):
    def test_what_is_written_stays(self):
        with tempfile.TemporaryDirectory() as temporary:
            data = pathlib.Path(temporary, "data")
            with Mcp("--data", str(data), "--allow-writes") as mcp:
                mcp.call("create_table", table="Notes", partition_key={"name": "id"})
                mcp.call("put_item", table="Notes", item={"id": "a"})
            with Mcp("--data", str(data)) as mcp:
                self.assertEqual(mcp.call("scan", table="Notes"),
                                 {"count": 1, "looked_at": 1, "capacity_units": 0.5, "items": [{"id": "a"}]})

    def test_fixtures_are_loaded(self):
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary, "Notes")
            folder.mkdir()
            (folder / "items.json").write_text('{"Item":{"id":{"S":"a"}}}\n')
            (folder / "table.json").write_text(json.dumps({"CreateTable": {
                "TableName": "Notes", "BillingMode": "PAY_PER_REQUEST",
                "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
                "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}]}}))
            with Mcp("--in-memory", "--load", temporary) as mcp:
                self.assertEqual(mcp.call("scan", table="Notes")["items"], [{"id": "a"}])


if __name__ == "__main__":
    unittest.main()
