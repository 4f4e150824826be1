"""dinette mcp, by a client that holds every line to the specification of the Model Context Protocol (revisions
2024-11-05, 2025-03-26, 2025-06-18: Lifecycle, Transports, Tools)."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from boto3_clients import client, create_table
from server import PATIENCE_SECONDS, Server, program

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18")


class Refused(Exception):
    """An error of JSON-RPC."""


class Mcp:
    """with Mcp("--in-memory") as mcp: mcp.call("scan", table="Music")"""

    def __init__(self, *arguments, revision=REVISIONS[-1]):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        self.process = subprocess.Popen([program(), "mcp", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=environment)
        self.number = 0
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
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        answer = self.receive()
        assert answer["id"] == self.number, answer
        if "error" in answer:
            raise Refused(f"{answer['error']['code']} {answer['error']['message']}")
        assert isinstance(answer["result"], dict)
        return answer["result"]

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
                self.assertEqual(mcp.initialized["protocolVersion"], revision)
                self.assertEqual(mcp.initialized["serverInfo"]["name"], "dinette")
                self.assertEqual(mcp.request("ping"), {})
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
            with self.assertRaisesRegex(Refused, "unknown tool: delete_item"):
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
                             "ResourceNotFoundException: Requested resource not found")
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
                self.assertEqual(mcp.call("scan", table="Notes"), {"count": 1, "items": [{"id": "a"}]})

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
