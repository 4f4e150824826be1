"""Clients must not exhaust memory or descriptors, block the log, or stop the server; on a real process."""

import contextlib
import http.client
import json
import os
import resource
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import unittest

from server import PATIENCE_SECONDS, Server

MEGABYTE = 1024 * 1024
LARGEST_BODY = 16 * MEGABYTE
LIST_TABLES = (b"POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n"
               b"Content-Length: 2\r\n\r\n{}")


def large_request(size=LARGEST_BODY):
    """Returns a request that is answered although the table does not exist."""
    body = b'{"TableName":"NoSuchTable","X":"%s"}'
    body = body % (b"x" * (size - len(body) + 2))
    return (b"POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: DynamoDB_20120810.DescribeTable\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body)) + body


def connect(server):
    return socket.create_connection((server.host, server.port), timeout=PATIENCE_SECONDS)


def status_of_answer(connection):
    """Reads one response with a small body."""
    answer = connection.recv(65536)
    return int(answer.split()[1]) if answer else None


def ask(connection, request=LIST_TABLES):
    connection.sendall(request)
    return status_of_answer(connection)


def memory_of(server):
    """Returns resident bytes."""
    with open(f"/proc/{server.process.pid}/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def wait_until(condition):
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("what was waited for did not come")
        time.sleep(0.01)


class Logs(unittest.TestCase):
    def test_a_log_that_is_not_read_blocks_neither_requests_nor_the_end(self):
        with Server("--log-level", "info", stderr=subprocess.PIPE) as server:  # which is not read
            with connect(server) as connection:
                for _ in range(5000):  # their lines fill the pipe ten times
                    self.assertEqual(ask(connection), 200)


class Descriptors(unittest.TestCase):
    def test_clients_are_served_when_idle_ones_have_taken_every_descriptor(self):
        def few():
            resource.setrlimit(resource.RLIMIT_NOFILE, (160, 160))

        with Server(preexec_fn=few) as server:
            idle = [connect(server) for _ in range(200)]
            for _ in range(5):
                with connect(server) as connection:
                    self.assertEqual(ask(connection), 200)
            for connection in idle:
                connection.close()
            server.stop()
            lines = server.log_text().splitlines()
        self.assertEqual(len(lines), 1)
        self.assertIn("fewer connections than requested: the limit of open files (ulimit -n) is too low", lines[0])

    def test_when_files_run_out_no_fork_is_made_and_the_answer_says_what_to_do(self):
        def few():
            resource.setrlimit(resource.RLIMIT_NOFILE, (160, 160))

        with tempfile.TemporaryDirectory() as data, Server("--data", data, preexec_fn=few) as server:
            with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port)) as connection:
                def send(method, path, body="", **headers):
                    connection.request(method, path, body, headers)
                    answer = connection.getresponse()
                    return answer.status, json.loads(answer.read())

                forks = 0
                while (answer := send("POST", "/_dinette/worlds", json.dumps({"name": f"fork{forks}"})))[0] == 201:
                    forks += 1
                    self.assertLess(forks, 160)
                self.assertEqual(answer, (409, {"error": {
                    "code": "Conflict",
                    "message": "There is no room for another world: the server may have 160 files open. Delete worlds that "
                               "are not used, or restart the server with a higher limit (ulimit -n)."}}))
                self.assertGreater(forks, 20)
                last = f"fork{forks - 1}"
                for world in ("default", last):
                    self.assertEqual(send("POST", "/", "{}", **{"X-Amz-Target": "DynamoDB_20120810.ListTables",
                                                                "X-Dinette-World": world}), (200, {"TableNames": []}))
                self.assertEqual(send("DELETE", "/_dinette/worlds/" + last)[0], 200)
                self.assertEqual(send("POST", "/_dinette/worlds", '{"name": "again"}')[0], 201)
            self.assertNotIn("error", server.log_text())

    def test_the_soft_limit_of_a_login_shell_is_raised(self):
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard < 8192:
            self.fail(f"this test needs a hard limit of open files of 8192, not {hard}")

        def soft():
            resource.setrlimit(resource.RLIMIT_NOFILE, (160, hard))

        with Server(preexec_fn=soft) as server:
            connections = [connect(server) for _ in range(200)]
            for connection in connections:
                self.assertEqual(ask(connection), 200)
                connection.close()


class FullDisk(unittest.TestCase):
    def test_health_says_that_data_can_no_longer_be_written(self):
        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4 * MEGABYTE, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

        with tempfile.TemporaryDirectory() as data, Server("--data", data, preexec_fn=small_files) as server:
            with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port)) as connection:
                def send(method, path, body="", **headers):
                    connection.request(method, path, body, headers)
                    answer = connection.getresponse()
                    return answer.status, answer.read().decode()

                def call(operation, **members):
                    return send("POST", "/", json.dumps(members), **{"X-Amz-Target": "DynamoDB_20120810." + operation})[0]

                self.assertEqual(call("CreateTable", TableName="Full", BillingMode="PAY_PER_REQUEST",
                                      AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
                                      KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}]), 200)
                self.assertEqual(send("GET", "/_dinette/health"), (200, "healthy\n"))
                number = 0
                while call("PutItem", TableName="Full", Item={"pk": {"S": str(number)}, "v": {"S": "x" * 300_000}}) == 200:
                    number += 1
                    self.assertLess(number, 20)
                status, text = send("GET", "/_dinette/health")
                self.assertEqual(status, 503)
                self.assertEqual(text, "data can no longer be written; reads continue. Repair the disk, or free space, and "
                                       "restart the server (File too large)\n")
                self.assertEqual(call("GetItem", TableName="Full", Key={"pk": {"S": "0"}}), 200)


class Memory(unittest.TestCase):
    def test_a_byte_after_a_large_request_does_not_keep_its_memory(self):
        with Server() as server:
            before = memory_of(server)
            connections = [connect(server) for _ in range(10)]
            for connection in connections:
                self.assertEqual(ask(connection, large_request() + b"P"), 400)
            wait_until(lambda: memory_of(server) < before + 2 * LARGEST_BODY)
            for connection in connections:  # the byte was the beginning of this request
                self.assertEqual(ask(connection, LIST_TABLES[1:]), 200)
                connection.close()

    def test_requests_that_never_end_hold_a_limited_amount(self):
        with Server("--connection-memory", "64M", "--threads", "1") as server:
            before = memory_of(server)
            half = [connect(server) for _ in range(20)]
            request = large_request()[:-1]
            for connection in half:
                try:
                    connection.sendall(request)
                except ConnectionError:
                    pass  # closed for another one
            with connect(server) as connection:
                self.assertEqual(ask(connection), 200)
            self.assertLess(memory_of(server), before + 64 * MEGABYTE + 2 * LARGEST_BODY)
            for connection in half:
                connection.close()

    def test_tls_connections_leave_no_memory_behind(self):
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        count = 1000
        with Server("--tls-self-signed", "--threads", "1") as server:
            before = memory_of(server)
            connections = [context.wrap_socket(connect(server)) for _ in range(count)]
            for connection in connections:
                self.assertEqual(ask(connection), 200)
            most = memory_of(server)
            for connection in connections:
                connection.close()
            wait_until(lambda: memory_of(server) < before + (most - before) / 2)


if __name__ == "__main__":
    unittest.main()
