"""curl: what goes over the wire, byte by byte where it matters."""

import gzip
import json
import re
import subprocess
import unittest
import zlib

from server import Server

CREATE = {
    "TableName": "Music", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
}


class Reply:
    """Parses the last response that curl printed with --include."""

    def __init__(self, output):
        while True:
            head, _, output = output.partition(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 1"):
                break
        lines = head.decode().split("\r\n")
        self.status = int(lines[0].split()[1])
        self.headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:])}
        self.body = output

    def json(self):
        return json.loads(self.body)


class Curl(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.call("CreateTable", CREATE)
        for number in range(3):
            item = {"pk": {"S": str(number)}, "text": {"S": "tra la la " * 3000}}
            cls.call("PutItem", {"TableName": "Music", "Item": item})

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    @classmethod
    def curl(cls, *arguments, data=None, endpoint=None):
        command = ["curl", "--silent", "--show-error", "--include", "--max-time", "60", *arguments,
                   (endpoint or cls.server.endpoint) + "/"]
        if data is not None:
            command += ["--data-binary", "@-"]
        return Reply(subprocess.run(command, check=True, capture_output=True, input=data).stdout)

    @classmethod
    def call(cls, operation, body, *arguments, endpoint=None):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return cls.curl("-H", f"X-Amz-Target: DynamoDB_20120810.{operation}", "-H",
                        "Content-Type: application/x-amz-json-1.0", *arguments, data=data, endpoint=endpoint)

    GET = {"TableName": "Music", "Key": {"pk": {"S": "1"}}}

    def test_an_answer_carries_the_services_headers(self):
        reply = self.call("GetItem", self.GET)
        self.assertEqual(reply.status, 200)
        self.assertEqual(reply.headers["content-type"], "application/x-amz-json-1.0")
        self.assertEqual(int(reply.headers["content-length"]), len(reply.body))
        self.assertEqual(int(reply.headers["x-amz-crc32"]), zlib.crc32(reply.body))
        self.assertRegex(reply.headers["x-amzn-requestid"], r"^[A-Z0-9]{52}$")
        self.assertEqual(reply.headers["server"], "Server")
        self.assertIn("date", reply.headers)

    def test_a_read_that_asks_is_explained(self):
        statement = {"Statement": "SELECT * FROM Music WHERE pk IN ['1', '2', 'none']"}
        reply = self.call("ExecuteStatement", statement, "-H", "X-Dinette-Explain: true")
        self.assertEqual(len(reply.json()["Items"]), 2)
        self.assertEqual(json.loads(reply.headers["x-dinette-explain"]), {
            "Operation": "GetItem", "TableName": "Music", "KeyCondition": "pk IN ['1', '2', 'none']",
            "ScannedCount": 2, "Count": 2, "CapacityUnits": 8.5})
        self.assertRegex(reply.headers["server-timing"], r"^total;dur=\d+\.\d+$")
        plain = self.call("ExecuteStatement", statement).headers
        self.assertNotIn("x-dinette-explain", plain)
        self.assertNotIn("server-timing", plain)

    def test_an_error_has_the_services_envelope(self):
        reply = self.call("GetItem", {**self.GET, "TableName": "nowhere"})
        self.assertEqual(reply.status, 400)
        self.assertEqual(reply.json(), {
            "__type": "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
            "message": "Requested resource not found"})
        self.assertEqual(int(reply.headers["x-amz-crc32"]), zlib.crc32(reply.body))

    def test_answers_are_compressed_when_asked(self):
        plain = self.call("GetItem", self.GET)
        self.assertNotIn("content-encoding", plain.headers)
        for coding, unpack in (("gzip", gzip.decompress), ("deflate", zlib.decompress)):
            packed = self.call("GetItem", self.GET, "-H", f"Accept-Encoding: {coding}")
            self.assertEqual(packed.headers["content-encoding"], coding)
            self.assertLess(len(packed.body), len(plain.body))
            self.assertEqual(json.loads(unpack(packed.body)), plain.json())
            self.assertEqual(int(packed.headers["x-amz-crc32"]), zlib.crc32(packed.body))

    def test_a_small_answer_is_not_compressed(self):
        reply = self.call("ListTables", {}, "-H", "Accept-Encoding: gzip")
        self.assertNotIn("content-encoding", reply.headers)
        self.assertEqual(reply.json(), {"TableNames": ["Music"]})

    def test_compressed_requests_are_read(self):
        for coding, pack in (("gzip", gzip.compress), ("deflate", zlib.compress)):
            reply = self.call("GetItem", pack(json.dumps(self.GET).encode()), "-H", f"Content-Encoding: {coding}")
            self.assertEqual(reply.json()["Item"]["pk"], {"S": "1"})

    def test_requests_that_cannot_be_unpacked_are_refused(self):
        for coding in ("gzip", "deflate", "garbage"):
            reply = self.call("GetItem", self.GET, "-H", f"Content-Encoding: {coding}")
            self.assertEqual((reply.status, reply.json()), (500, {
                "__type": "com.amazonaws.dynamodb.v20120810#InternalServerError",
                "message": "Internal server error"}))

    def test_chunked_requests_are_read(self):
        reply = self.call("GetItem", self.GET, "-H", "Transfer-Encoding: chunked")
        self.assertEqual(reply.json()["Item"]["pk"], {"S": "1"})

    def test_a_large_request_is_asked_for_with_100_continue(self):
        item = {"TableName": "Music", "Item": {"pk": {"S": "large"}, "text": {"S": "x" * 300_000}}}
        reply = self.call("PutItem", item, "-H", "Expect: 100-continue")
        self.assertEqual((reply.status, reply.body), (200, b"{}"))

    def test_a_request_over_16_mebibytes_is_refused_without_a_word(self):
        most = 16 * 1024 * 1024
        self.assertEqual(self.call("ListTables", b"{" + b" " * (most - 2) + b"}").status, 200)
        reply = self.call("ListTables", b"{" + b" " * (most - 1) + b"}")
        self.assertEqual((reply.status, reply.body, reply.headers["content-length"]), (413, b"", "0"))

    def test_headers_over_16_kilobytes_are_refused_without_a_word(self):
        # The HTTP server refuses the second by itself.
        for size in (17 * 1024, 40 * 1024):
            reply = self.call("ListTables", {}, "-H", "X-Large: " + "x" * size)
            self.assertEqual((reply.status, reply.body), (400, b""))

    def test_one_connection_serves_many_requests(self):
        command = ["curl", "--silent", "--write-out", "%{num_connects} %{http_code}\n"]
        urls = [self.server.endpoint + "/"] * 3
        output = subprocess.run(command + [part for url in urls for part in (url, "-o", "/dev/null")],
                                check=True, capture_output=True, text=True).stdout
        self.assertEqual(output.splitlines(), ["1 200", "0 200", "0 200"])

    def test_get_tells_that_it_is_healthy(self):
        reply = self.curl()
        self.assertEqual((reply.status, reply.body), (200, b"healthy: dynamodb.us-east-1.amazonaws.com "))
        head = self.curl("--head")
        self.assertEqual((head.status, head.body), (200, b""))
        self.assertEqual(head.headers["content-length"], reply.headers["content-length"])

    def test_tags_are_changed_without_a_word(self):
        arn = self.call("DescribeTable", {"TableName": "Music"}).json()["Table"]["TableArn"]
        for operation, change in (("TagResource", {"Tags": [{"Key": "team", "Value": "archive"}]}),
                                  ("UntagResource", {"TagKeys": ["team"]})):
            reply = self.call(operation, {"ResourceArn": arn, **change})
            self.assertEqual((reply.status, reply.body, reply.headers["content-length"]), (200, b"", "0"))

    def test_another_path_is_unknown(self):
        # Without a target it would be S3's.
        output = subprocess.run(["curl", "--silent", "--include", "--header", "X-Amz-Target: DynamoDB_20120810.GetItem",
                                 self.server.endpoint + "/shell"],
                                check=True, capture_output=True).stdout
        reply = Reply(output)
        self.assertEqual((reply.status, reply.body), (404, b"<UnknownOperationException/>"))

    def test_an_unknown_operation_is_refused(self):
        for operation in ("Frobnicate", "getitem", ""):
            reply = self.call(operation, {})
            self.assertEqual((reply.status, reply.json()),
                             (400, {"__type": "com.amazon.coral.service#UnknownOperationException"}))

    def test_what_is_no_json_object_is_refused(self):
        for body in (b"", b"[]", b"{", b"nonsense", b'{"a":1}x'):
            with self.subTest(body=body):
                reply = self.call("GetItem", body)
                self.assertEqual(reply.status, 400)
                if body:
                    self.assertEqual(reply.json(), {"__type": "com.amazon.coral.service#SerializationException"})

    def test_a_number_where_a_string_belongs_is_named(self):
        reply = self.call("PutItem", {"TableName": "Music", "Item": {"pk": {"S": 5}}})
        self.assertEqual(reply.json(), {"__type": "com.amazon.coral.service#SerializationException",
                                        "Message": "NUMBER_VALUE cannot be converted to String"})

    def test_pages_of_this_machine_may_call(self):
        asked = self.curl("-X", "OPTIONS", "-H", "Origin: http://localhost:3000",
                          "-H", "Access-Control-Request-Method: POST")
        self.assertEqual(asked.status, 200)
        self.assertIn("access-control-allow-methods", asked.headers)
        called = self.call("GetItem", self.GET, "-H", "Origin: http://localhost:3000")
        self.assertEqual(called.headers["access-control-allow-origin"], "http://localhost:3000")
        self.assertIn("x-amzn-RequestId", called.headers["access-control-expose-headers"])

    def test_only_the_origins_of_the_cors_option_may_call(self):
        with Server("-cors", "http://a.example,http://b.example") as server:
            allowed = self.call("ListTables", {}, "-H", "Origin: http://b.example", endpoint=server.endpoint)
            refused = self.call("ListTables", {}, "-H", "Origin: http://c.example", endpoint=server.endpoint)
        self.assertEqual(allowed.headers["access-control-allow-origin"], "http://b.example")
        self.assertEqual(refused.status, 403)
        self.assertNotIn("access-control-allow-origin", refused.headers)

    def test_every_page_may_call_where_the_option_says_so(self):
        for option in ("--cors", "-cors"):
            with Server(option, "*") as server:
                reply = self.call("ListTables", {}, "-H", "Origin: https://evil.example", endpoint=server.endpoint)
            self.assertEqual((reply.status, reply.headers["access-control-allow-origin"]), (200, "*"))

    def test_tls_12_and_13_are_spoken(self):
        with Server("--tls-self-signed") as server:
            for version in ("1.2", "1.3"):
                reply = self.call("ListTables", {}, "--insecure", "--tlsv" + version, "--tls-max", version,
                                  endpoint=server.endpoint)
                self.assertEqual(reply.json(), {"TableNames": []})
            old = subprocess.run(["curl", "--silent", "--insecure", "--tls-max", "1.1", server.endpoint])
            self.assertNotEqual(old.returncode, 0)

    def test_request_ids_differ(self):
        ids = {self.call("ListTables", {}).headers["x-amzn-requestid"] for _ in range(3)}
        self.assertEqual(len(ids), 3)
        self.assertTrue(all(re.fullmatch(r"[A-Z0-9]{52}", one) for one in ids))

    def test_tables_pass_through_their_states_when_asked(self):
        with Server("--state-delay", "1m") as server:
            self.call("CreateTable", CREATE, endpoint=server.endpoint)
            table = self.call("DescribeTable", {"TableName": "Music"}, endpoint=server.endpoint).json()["Table"]
            self.assertEqual(table["TableStatus"], "CREATING")


    # RFC 9112 section 3.2.2, as clients of proxies send it.
    def test_targets_in_absolute_form_are_served_by_every_service(self):
        def status(method, target, *headers, data=""):
            command = ["curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--request", method,
                       "--request-target", target, *[word for header in headers for word in ("-H", header)],
                       "--data-binary", data, self.server.endpoint]
            return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        self.assertEqual(status("POST", "http://localhost/", "X-Amz-Target: DynamoDB_20120810.ListTables", data="{}"), 200)
        self.assertEqual(status("GET", "http://localhost:1234/_dinette/clock"), 200)
        self.assertEqual(status("GET", "http://evil.example/_dinette/clock"), 403)
        self.assertEqual(status("PUT", "http://localhost/a-bucket"), 200)
        self.assertEqual(status("GET", "http://localhost/a-bucket"), 200)
        self.assertEqual(status("GET", "http://evil.example/a-bucket"), 403)
        self.assertEqual(status("GET", "http://user@localhost/"), 400)


if __name__ == "__main__":
    unittest.main()
