"""The program as a process: ready line, signals, errors at start, health check, logs."""

import gzip
import http.client
import json
import os
import pathlib
import re
import resource
import signal
import socket
import subprocess
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

import boto3_clients
from boto3_clients import client, create_table
from server import Server, loopback_addresses, program


def run(*arguments):
    return subprocess.run([program(), *arguments], capture_output=True, text=True, timeout=60)


def status_at(address, port, path):
    connection = http.client.HTTPConnection(address, port, timeout=60)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


class Signals(unittest.TestCase):
    def test_both_signals_end_it_well(self):
        for how in (signal.SIGTERM, signal.SIGINT):
            self.assertEqual(Server().stop(how), 0)

    def test_a_request_in_flight_is_answered_before_the_end(self):
        with Server() as server:
            body = b"{}"
            head = (f"POST / HTTP/1.1\r\nHost: x\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n"
                    f"Content-Type: application/x-amz-json-1.0\r\nExpect: 100-continue\r\n"
                    f"Content-Length: {len(body)}\r\n\r\n").encode()
            with socket.create_connection((server.host, server.port), timeout=60) as connection:
                connection.sendall(head)
                # The server is handling this request once it asks for its body.
                self.assertTrue(connection.recv(1024).startswith(b"HTTP/1.1 100"))
                server.process.send_signal(signal.SIGTERM)
                connection.sendall(body)
                reply = b"".join(iter(lambda: connection.recv(4096), b""))
            self.assertTrue(reply.startswith(b"HTTP/1.1 200"), reply)
            self.assertTrue(reply.endswith(b'{"TableNames":[]}'), reply)
            self.assertEqual(server.process.wait(60), 0)

    def test_idle_connections_do_not_hold_it_up(self):
        with Server() as server:
            with socket.create_connection((server.host, server.port), timeout=60) as connection:
                connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                self.assertTrue(connection.recv(4096).startswith(b"HTTP/1.1 200"))
                self.assertEqual(server.stop(), 0)
                self.assertEqual(connection.recv(4096), b"")

    def test_an_import_under_way_does_not_hold_it_up(self):
        lines = gzip.compress(b"\n" * (128 << 20), 1)  # none has an item
        with Server() as server:
            for path, body in (("/source", b""), ("/source/lines", lines * 10)):
                urllib.request.urlopen(urllib.request.Request(server.endpoint + path, body, method="PUT"), timeout=60)
            client(server.endpoint).import_table(
                S3BucketSource={"S3Bucket": "source"}, InputFormat="CSV", InputCompressionType="GZIP",
                TableCreationParameters={"TableName": "Music", "BillingMode": "PAY_PER_REQUEST",
                                         "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                                         "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}]})
            self.assertEqual(server.stop(), 0)

    def test_a_clock_that_is_moved_does_not_hold_it_up(self):
        """The move would take seconds: in each second of it an item expires."""
        with Server() as server:
            dynamodb = client(server.endpoint)
            create_table(dynamodb)
            dynamodb.update_time_to_live(TableName="Music", TimeToLiveSpecification={
                "Enabled": True, "AttributeName": "end"})
            with boto3_clients.resource(server.endpoint).Table("Music").batch_writer() as writer:
                for number in range(25_000):
                    writer.put_item(Item={"artist": "a", "song": str(number), "end": 4_000_000_000 + number})
            answers = []

            def move():
                request = urllib.request.Request(server.endpoint + "/_dinette/clock", b'{"now": 4000100000}', method="PUT")
                try:
                    answers.append(urllib.request.urlopen(request, timeout=60).status)
                except urllib.error.HTTPError as refused:
                    answers.append(refused.code)

            thread = threading.Thread(target=move)
            thread.start()
            while "movingTo" not in json.load(urllib.request.urlopen(server.endpoint + "/_dinette/clock", timeout=60)):
                pass
            self.assertEqual(server.stop(), 0)
            thread.join()
            self.assertEqual(answers, [503])

    def test_writers_see_each_write_answered_or_the_connection_closed(self):
        with Server() as server:
            writer = client(server.endpoint)
            create_table(writer)
            started, answers = threading.Event(), []

            def write():
                while True:
                    try:
                        reply = writer.put_item(TableName="Music", Item={"artist": {"S": "a"}, "song": {"S": "s"}})
                        answers.append(reply["ResponseMetadata"]["HTTPStatusCode"])
                    except Exception as ended:
                        answers.append(type(ended).__name__)
                        return
                    finally:
                        started.set()

            thread = threading.Thread(target=write)
            thread.start()
            started.wait()
            self.assertEqual(server.stop(), 0)
            thread.join()
            self.assertEqual(set(answers[:-1]), {200})
            self.assertIn(answers[-1], ("EndpointConnectionError", "ConnectionClosedError", "ConnectionError"))


class Staleness(unittest.TestCase):
    KEY = {"artist": {"S": "a"}, "song": {"S": "s"}}

    def test_indexes_lag_behind_as_configured(self):
        with Server("--index-lag", "60m") as server:
            dynamodb = client(server.endpoint)
            dynamodb.create_table(
                TableName="Music", BillingMode="PAY_PER_REQUEST",
                AttributeDefinitions=[{"AttributeName": "artist", "AttributeType": "S"}],
                KeySchema=[{"AttributeName": "artist", "KeyType": "HASH"}],
                GlobalSecondaryIndexes=[{
                    "IndexName": "byArtist", "KeySchema": [{"AttributeName": "artist", "KeyType": "HASH"}],
                    "Projection": {"ProjectionType": "ALL"}}])
            dynamodb.put_item(TableName="Music", Item=self.KEY)
            self.assertEqual(dynamodb.scan(TableName="Music")["Count"], 1)
            self.assertEqual(dynamodb.scan(TableName="Music", IndexName="byArtist")["Count"], 0)

    def test_reads_are_stale_unless_they_are_consistent(self):
        with Server("--stale-reads", "--seed", "7") as server:
            dynamodb = client(server.endpoint)
            create_table(dynamodb)

            def read(consistent):
                reply = dynamodb.get_item(TableName="Music", Key=self.KEY, ConsistentRead=consistent)
                return int(reply.get("Item", {"version": {"N": "0"}})["version"]["N"])

            stale = 0
            for version in range(1, 1000):
                dynamodb.put_item(TableName="Music", Item={**self.KEY, "version": {"N": str(version)}})
                self.assertEqual(read(consistent=True), version)
                stale += read(consistent=False) < version
                if stale > 2:
                    return
            self.fail(f"of {version} reads right after a write, {stale} saw what was there before")


class Start(unittest.TestCase):
    def test_the_ready_line_names_the_port_that_it_got(self):
        with Server() as server:
            self.assertGreater(server.port, 0)
            self.assertEqual(server.endpoint, f"http://127.0.0.1:{server.port}")

    def test_localhost_is_both_addresses_of_this_machine(self):
        """Node.js 17 to 19 calls the first address of `localhost`, which is ::1, and no other."""
        for options in ((), ("--host", "localhost")):
            with Server(*options) as server:
                self.assertEqual(server.host, "127.0.0.1")
                for address in loopback_addresses():
                    self.assertEqual(status_at(address, server.port, "/"), 200)
                    self.assertEqual(status_at(address, server.port, "/_dinette/worlds"), 200)

    def test_every_network_is_both_families(self):
        with Server("--host", "::") as server:
            for address in loopback_addresses():
                self.assertEqual(status_at(address, server.port, "/"), 200)
                self.assertEqual(status_at(address, server.port, "/_dinette/worlds"), 200)

    def test_several_addresses_are_named_by_one_option(self):
        with Server("--host", "127.0.0.1,127.0.0.2") as server:
            self.assertEqual([status_at(f"127.0.0.{i}", server.port, "/") for i in (1, 2)], [200, 200])
            with self.assertRaises(OSError):
                status_at("127.0.0.3", server.port, "/")

    def test_the_log_shows_clients_of_ipv4_as_such(self):
        with Server("--host", "::", "--log-level", "info") as server:
            client(server.endpoint).list_tables()
            server.stop()
            self.assertRegex(server.log_text(), r" remote=127\.0\.0\.1:\d+ ")

    def test_how_to_point_a_client_at_it_follows(self):
        with Server("--tls-self-signed") as server:
            server.process.send_signal(signal.SIGTERM)
            advice = server.process.stdout.read()
        self.assertIn(f"--endpoint-url {server.endpoint} ", advice)

    def test_a_port_in_use_is_explained(self):
        with Server() as server:
            second = run("--port", str(server.port))
        self.assertEqual(second.returncode, 1)
        self.assertEqual(second.stdout, "")
        self.assertEqual(second.stderr, f"dinette: Cannot listen on 127.0.0.1:{server.port}: another program has this "
                                        "port. Stop it, or choose another port (0 takes a free one).\n")

    def test_threads_that_cannot_start_are_explained(self):
        few_files = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4))
        ended = subprocess.run([program(), "--port", "0", "--threads", "2"], capture_output=True, text=True, timeout=60,
                               preexec_fn=few_files)
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertRegex(ended.stderr, r"^dinette: Cannot start 2 threads \(.*Too many open files.*\): choose fewer, "
                                       r"or allow the program more threads and open files\.\n$")

    def test_a_wrong_option_is_explained(self):
        wrong = run("--prot", "1")
        self.assertEqual(wrong.returncode, 2)
        self.assertEqual(wrong.stderr, "dinette: unknown option --prot; did you mean --port?\n"
                                       "Try 'dinette --help'.\n")

    def test_a_missing_certificate_is_explained(self):
        wrong = run("--port", "0", "--tls-cert", "/nowhere/cert.pem", "--tls-key", "/nowhere/key.pem")
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("/nowhere/cert.pem", wrong.stderr)

    def test_wrong_faults_are_explained(self):
        self.assertEqual(run("--port", "0", "--faults", "/nowhere/faults").stderr,
                         "dinette: cannot read the faults file /nowhere/faults: No such file or directory\n")
        with tempfile.NamedTemporaryFile("w") as file:
            file.write('{"rules": [{"operation": "PutItems", "drop": true}]}')
            file.flush()
            wrong = run("--port", "0", "--faults", file.name)
            self.assertEqual((wrong.returncode, wrong.stderr), (
                1, f"dinette: faults file {file.name}: Rule 1: Dinette serves no operation 'PutItems'.\n"))
            file.write("\n]")
            file.flush()
            self.assertEqual(run("--port", "0", "--faults", file.name).stderr,
                             f"dinette: faults file {file.name}, line 2, column 1 is not JSON (unexpected ']'; expected end of "
                             "input)\n")

    def test_missing_credentials_are_explained(self):
        wrong = run("--port", "0", "--auth", "verify", "--credentials", "/nowhere/keys")
        self.assertEqual(wrong.returncode, 1)
        self.assertEqual(wrong.stderr, "dinette: cannot read the credentials file /nowhere/keys: No such file or directory\n")

    def test_help_and_version_go_to_standard_output(self):
        for arguments, begins in ((["--help"], "Dinette serves"), (["-version"], "dinette "),
                                  (["healthcheck", "--help"], "Checks a running Dinette")):
            shown = run(*arguments)
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))
            self.assertTrue(shown.stdout.startswith(begins))


class AsDynamodbLocal(unittest.TestCase):
    """Started as DynamoDB Local, the program behaves as its tools expect."""

    LINES = ["Initializing DynamoDB Local with the following configuration:\n", "Port:\t{port}\n", "InMemory:\ttrue\n",
             "Version:\t{version}\n", "DbPath:\tnull\n", "SharedDb:\ttrue\n",
             "shouldDelayTransientStatuses:\tfalse\n", "CorsParams:\tlocal\n", "\n"]

    def status_of(self, server, method):
        connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
        connection.request(method, "/")
        reply = connection.getresponse()
        reply.read()
        connection.close()
        return reply.status

    def assert_behaves_as_dynamodb_local(self, server):
        version = run("--version").stdout.split()[1]
        self.assertEqual(server.first_lines[:-1],
                         [line.format(port=server.port, version=version) for line in self.LINES])
        self.assertEqual([self.status_of(server, method) for method in ("GET", "HEAD")], [400, 400])
        self.assertEqual(client(server.endpoint).list_tables()["TableNames"], [])
        self.assertEqual(run("healthcheck", "--port", str(server.port)).returncode, 0)

    def test_in_its_spelling(self):
        for options in (["-jar", "DynamoDBLocal.jar", "-inMemory", "-sharedDb"], ["-sharedDb"],
                        ["-Djava.library.path=./DynamoDBLocal_lib", "-cp", "DynamoDBLocal.jar:DynamoDBLocal_lib/*",
                         "com.amazonaws.services.dynamodbv2.local.main.ServerRunner", "-inMemory"]):
            with Server(*options) as server:
                self.assert_behaves_as_dynamodb_local(server)

    def test_called_as_java(self):
        with tempfile.TemporaryDirectory() as folder:
            java = os.path.join(folder, "java")
            os.symlink(program(), java)
            with Server(called_as=java) as server:
                self.assert_behaves_as_dynamodb_local(server)

    def test_not_otherwise(self):
        with Server() as server:
            self.assertEqual(len(server.first_lines), 1)
            self.assertEqual([self.status_of(server, method) for method in ("GET", "HEAD")], [200, 200])


class Healthcheck(unittest.TestCase):
    def test_a_running_server_is_well(self):
        for options, flags in (((), ()), (("--tls-self-signed",), ("--tls",))):
            with Server(*options) as server:
                checked = run("healthcheck", "--port", str(server.port), *flags)
                self.assertEqual((checked.returncode, checked.stdout, checked.stderr),
                                 (0, f"dinette: the server at localhost:{server.port} is healthy\n", ""))
                for named in ((server.endpoint,), (f"127.0.0.1:{server.port}", *flags)):
                    by_name = run("healthcheck", *named)
                    self.assertEqual((by_name.returncode, by_name.stdout, by_name.stderr),
                                     (0, f"dinette: the server at 127.0.0.1:{server.port} is healthy\n", ""))

    def test_a_server_on_every_network_is_well(self):
        for host in ("0.0.0.0", "::"):
            with Server("--host", host) as server:
                for called in ("localhost", host):
                    self.assertEqual(run("healthcheck", "--host", called, "--port", str(server.port)).returncode, 0)

    def test_a_server_that_is_not_there_is_not(self):
        with Server() as server:
            port = server.port
        checked = run("healthcheck", "--port", str(port))
        self.assertEqual(checked.returncode, 1)
        self.assertEqual(checked.stderr, f"dinette: the server at localhost:{port} does not answer; "
                                         "is it running on that port?\n")

    def test_the_wrong_scheme_is_not_well(self):
        with Server("--tls-self-signed") as server:
            self.assertEqual(run("healthcheck", "--port", str(server.port)).returncode, 1)
        with Server() as server:
            self.assertEqual(run("healthcheck", "--port", str(server.port), "--tls").returncode, 1)


class Logs(unittest.TestCase):
    ITEM = {"artist": {"S": "Confidential"}, "song": {"S": "Private"}}

    def lines_after_a_put(self, *options):
        with Server(*options) as server:
            dynamodb = client(server.endpoint)
            create_table(dynamodb)
            dynamodb.put_item(TableName="Music", Item=self.ITEM)
            server.stop()
            return server.log_text().splitlines()

    def test_nothing_is_said_unless_asked(self):
        self.assertEqual(self.lines_after_a_put(), [])

    def test_info_adds_one_line_per_request_without_items(self):
        lines = self.lines_after_a_put("--log-level", "info")
        self.assertEqual(len([line for line in lines if "CreateTable" in line]), 1)
        self.assertEqual(len([line for line in lines if "PutItem" in line]), 1)
        self.assertNotIn("Confidential", "\n".join(lines))

    def test_requests_that_never_reach_an_operation_have_a_line_too(self):
        with Server("--log-level", "info") as server:
            for head in ("PUT / HTTP/1.1\r\nHost: h\r\n\r\n",
                         "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 16777217\r\n\r\n", "nonsense\r\n\r\n"):
                with socket.create_connection((server.host, server.port), timeout=60) as connection:
                    connection.sendall(head.encode())
                    reply = connection.recv(4096).decode()
                self.assertRegex(reply, r"\r\nx-amzn-RequestId: [0-9A-V]{52}\r\nx-amz-crc32: \d+\r\n")
            server.stop()
            statuses = re.findall(r"status=(\d+)", server.log_text())
        self.assertEqual(statuses, ["404", "413", "400"])

    def test_json_lines_are_json(self):
        lines = self.lines_after_a_put("--log-level", "info", "--log-format", "json")
        requests = [line for line in map(json.loads, lines) if line["target"] == "DynamoDB_20120810.PutItem"]
        self.assertEqual(len(requests), 1)

    def test_a_web_page_that_may_not_call_is_named_once(self):
        with Server() as server:
            for _ in range(3):
                request = urllib.request.Request(server.endpoint, b"{}", {"Origin": "https://evil.example"})
                with self.assertRaises(urllib.error.HTTPError) as refused:
                    urllib.request.urlopen(request)
                self.assertEqual(refused.exception.code, 403)
                refused.exception.close()
            server.stop()
            lines = server.log_text().splitlines()
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r" warn a web page was refused; --cors says which origins may call "
                                   r"origin=https://evil\.example$")

    def test_an_operation_that_is_not_served_yet_is_named_once(self):
        specs = pathlib.Path(__file__).parents[2].joinpath("api-specs/kinesis/operations")
        planned = next(path.stem for path in sorted(specs.iterdir()) if '"status": "planned"' in path.read_text())
        with Server() as server:
            targets = [f"Kinesis_20131202.{name}" for name in (planned, "NoSuchOperation")]
            for target in targets * 3:
                request = urllib.request.Request(server.endpoint, b"{}", {"X-Amz-Target": target})
                with self.assertRaises(urllib.error.HTTPError) as refused:
                    urllib.request.urlopen(request)
                self.assertEqual(refused.exception.code, 400)
                refused.exception.close()
            server.stop()
            lines = server.log_text().splitlines()
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], rf" warn Dinette does not serve this operation yet target=\S+\.{planned}$")

    def test_items_are_shown_when_asked(self):
        lines = self.lines_after_a_put("--log-level", "info", "--log-items")
        self.assertIn("Confidential", "\n".join(lines))


class Certificates(unittest.TestCase):
    def trusting(self, certificate, server):
        """Returns what curl and Node.js say that trust the certificate, by each name of this machine."""
        names = ["localhost", "127.0.0.1", *("[::1]" for address in loopback_addresses() if address == "::1")]
        script = ("for (const name of process.argv.slice(2)) await fetch(name).then(r => console.log(r.status),"
                  " e => console.log(e.cause.code))")
        for name in names:
            url = f"https://{name}:{server.port}/"
            said = subprocess.run(["curl", "--silent", "--show-error", "--cacert", certificate, url], capture_output=True,
                                  text=True, timeout=60)
            self.assertEqual((said.returncode, said.stderr), (0, ""), name)
            if name == "[::1]" and not self.node_knows_ipv6_addresses():
                print("skipped: TLS by an IPv6 address with Node.js, which here recognizes none in any certificate", flush=True)
                continue
            node = subprocess.run(["node", "--input-type=module", "--eval", script, "-", url], capture_output=True, text=True,
                                  timeout=60, env={**os.environ, "NODE_EXTRA_CA_CERTS": certificate})
            self.assertEqual((node.stdout, node.stderr), ("200\n", ""), name)
        self.assertEqual(client(server.endpoint, verify=certificate).list_tables()["TableNames"], [])

    @staticmethod
    def node_knows_ipv6_addresses():
        """False of Debian 13's Node.js 20.19.2."""
        script = ("const certificate = {subject: {}, subjectaltname: 'IP Address:0:0:0:0:0:0:0:1'};"
                  "process.exit(require('tls').checkServerIdentity('::1', certificate) ? 1 : 0)")
        return subprocess.run(["node", "--eval", script], check=False, timeout=60).returncode == 0

    def test_a_self_signed_certificate_is_fetched_and_trusted(self):
        with tempfile.TemporaryDirectory() as folder:
            certificate = os.path.join(folder, "dinette.pem")
            with Server("--tls-self-signed") as server:
                subprocess.run(["curl", "--silent", "--fail", "--insecure", "--output", certificate,
                                f"{server.endpoint}/_dinette/certificate.pem"], check=True, timeout=60)
                self.trusting(certificate, server)

    def test_a_self_signed_certificate_outlives_the_server_in_its_file(self):
        with tempfile.TemporaryDirectory() as folder:
            certificate = os.path.join(folder, "dinette.pem")
            for _ in range(2):
                with Server("--tls-self-signed", certificate) as server:
                    self.assertEqual(sorted(os.listdir(folder)), ["dinette.pem", "dinette.pem.key"])
                    with open(certificate, encoding="utf-8") as file:
                        kept = file.read()
                    self.trusting(certificate, server)
            with open(certificate, encoding="utf-8") as file:
                self.assertEqual(file.read(), kept)

    def test_a_certificate_of_ones_own_is_served_and_trusted(self):
        with tempfile.TemporaryDirectory() as folder:
            certificate, key = os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                 "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
                 "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
            with Server("--tls-cert", certificate, "--tls-key", key) as server:
                self.assertEqual(server.scheme, "https")
                self.assertEqual(client(server.endpoint, verify=certificate).list_tables()["TableNames"], [])


if __name__ == "__main__":
    # boto3 leaves closing its connections to the garbage collector.
    unittest.main(warnings="ignore")
