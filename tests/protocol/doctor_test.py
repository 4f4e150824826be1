"""dinette doctor: what it says about real servers, and about settings in real files."""

import http.server
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest

from boto3_clients import client, create_table
from server import Server, program

GOOD = {"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any"}


class Doctor(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.home = pathlib.Path(temporary.name)

    def doctor(self, *arguments, **environment):
        clean = {"PATH": os.environ["PATH"], "HOME": str(self.home)}
        return subprocess.run([program(), "doctor", *arguments], capture_output=True, text=True, timeout=60,
                              env={**clean, **environment})

    def assert_well(self, *arguments, **environment):
        ended = self.doctor(*arguments, **environment)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""), ended.stdout)
        self.assertTrue(ended.stdout.endswith("\nall is well\n"))

    def assert_found(self, what, *arguments, **environment):
        """One thing is wrong."""
        ended = self.doctor(*arguments, **environment)
        self.assertEqual((ended.returncode, ended.stderr), (1, "dinette: found 1 problem\n"), ended.stdout)
        self.assertIn(what, ended.stdout)

    def test_a_client_and_a_server_that_fit(self):
        with Server() as server:
            self.assert_well(**GOOD, AWS_ENDPOINT_URL_DYNAMODB=server.endpoint)
            self.assert_well(server.endpoint, **GOOD, AWS_ENDPOINT_URL=server.endpoint)
            (self.home / ".aws").mkdir()
            (self.home / ".aws/config").write_text(
                f"[profile dev]\nregion = eu-west-1\nservices = here\n[services here]\ndynamodb =\n  endpoint_url = {server.endpoint}\n")
            (self.home / ".aws/credentials").write_text("[dev]\naws_access_key_id = a\naws_secret_access_key = b\n")
            self.assert_well(AWS_PROFILE="dev")
            self.assert_found("AWS_PROFILE names the profile 'prod', which neither file has.", **GOOD, AWS_PROFILE="prod",
                              AWS_ENDPOINT_URL=server.endpoint)

    def test_tls_where_there_is_none_and_none_where_there_is(self):
        with Server() as server:
            url = server.endpoint.replace("http:", "https:")
            self.assert_found(f"The server at {url} serves no TLS.", **GOOD, AWS_ENDPOINT_URL=url)
        with Server("--tls-self-signed") as server:
            url = server.endpoint.replace("https:", "http:")
            self.assert_found(f"The server at {url} serves TLS, and is called without it.", **GOOD, AWS_ENDPOINT_URL=url)
            self.assert_found(f"The certificate of {server.endpoint} is not trusted", **GOOD, AWS_ENDPOINT_URL=server.endpoint)

    def test_a_certificate_that_is_trusted(self):
        certificate, key = self.home / "c.pem", self.home / "k.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", certificate,
                        "-keyout", key], check=True, capture_output=True)
        with Server("--tls-cert", str(certificate), "--tls-key", str(key)) as server:
            self.assert_well(**GOOD, AWS_ENDPOINT_URL=server.endpoint, AWS_CA_BUNDLE=str(certificate))

    def test_nobody_listens(self):
        with Server() as gone:
            pass
        self.assert_found(f"No server listens on {gone.host}:{gone.port}", **GOOD, AWS_ENDPOINT_URL=gone.endpoint)

    def test_keys_that_the_server_does_not_know(self):
        keys = self.home / "keys.ini"
        keys.write_text("[one]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = secret\n")
        with Server("--auth", "verify", "--credentials", str(keys)) as server:
            self.assert_found("does not know the access key 'any'", **GOOD, AWS_ENDPOINT_URL=server.endpoint)
            wrong = {**GOOD, "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE"}
            self.assert_found("the access key 'AKIDEXAMPLE'", **wrong, AWS_ENDPOINT_URL=server.endpoint)
            self.assert_well(**{**wrong, "AWS_SECRET_ACCESS_KEY": "secret"}, AWS_ENDPOINT_URL=server.endpoint)

    def test_tables_of_another_region(self):
        with Server("--isolate", "account,region") as server:
            dynamodb = client(server.endpoint, region="eu-west-1")
            create_table(dynamodb)
            dynamodb.close()
            self.assert_found("export AWS_REGION=eu-west-1", **GOOD, AWS_ENDPOINT_URL=server.endpoint)
            self.assert_well(**{**GOOD, "AWS_REGION": "eu-west-1"}, AWS_ENDPOINT_URL=server.endpoint)

    def test_other_servers_are_told_by_their_answers(self):
        def canned(server_header, health):
            class Handler(http.server.BaseHTTPRequestHandler):
                server_version, sys_version = server_header, ""

                def answer(self, status, body):
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

                def do_POST(self):
                    self.rfile.read(int(self.headers["Content-Length"]))
                    self.answer(200, b'{"TableNames": []}')

                def do_GET(self):
                    self.answer(200 if health else 404, json.dumps(health).encode())

                def log_message(self, *_):
                    pass

            return http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)

        for header, health, name in (("Jetty(11)", None, "DynamoDB Local"), ("x", {"services": {"s3": "running"}}, "LocalStack"),
                                     ("Werkzeug/3", None, "Moto"), ("x", None, "another server that answers as DynamoDB")):
            with self.subTest(name), canned(header, health) as other:
                threading.Thread(target=other.serve_forever, daemon=True).start()
                url = f"http://127.0.0.1:{other.server_address[1]}"
                try:
                    self.assert_found(f"At {url} there is {name}", **GOOD, AWS_ENDPOINT_URL=url)
                finally:
                    other.shutdown()


if __name__ == "__main__":
    unittest.main()
