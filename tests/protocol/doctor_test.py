"""dinette doctor: what it says about real servers, and about settings in real files."""

import contextlib
import http.server
import json
import os
import pathlib
import re
import shlex
import signal
import socket
import subprocess
import tempfile
import threading
import unittest
import urllib.request

from boto3_clients import client, create_table
from server import Server, loopback_addresses, program

GOOD = {"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any"}


class Doctor(unittest.TestCase):
    """What tests of the doctor have in common."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.home = pathlib.Path(temporary.name)

    def clean(self, environment):
        return {"PATH": os.environ["PATH"], "HOME": str(self.home), **environment}

    def doctor(self, *arguments, **environment):
        return subprocess.run([program(), "doctor", *arguments], capture_output=True, text=True, timeout=60, cwd=self.home,
                              env=self.clean(environment))

    def assert_well(self, *arguments, **environment):
        ended = self.doctor(*arguments, **environment)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""), ended.stdout)
        self.assertTrue(ended.stdout.endswith("\nall is well\n"))

    def assert_found(self, what, *arguments, **environment):
        """One thing is wrong."""
        ended = self.doctor(*arguments, **environment)
        self.assertEqual((ended.returncode, ended.stderr), (1, "dinette: found 1 problem\n"), ended.stdout)
        self.assertIn(what, ended.stdout)


class Findings(Doctor):
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
            self.assert_found(f"The server at {url} does not serve TLS.", **GOOD, AWS_ENDPOINT_URL=url)
        with Server("--tls-self-signed") as server:
            url = server.endpoint.replace("https:", "http:")
            self.assert_found(f"The server at {url} serves TLS, and is called without it.", **GOOD, AWS_ENDPOINT_URL=url)
            self.assert_found(f"The certificate of {server.endpoint} is not trusted", **GOOD, AWS_ENDPOINT_URL=server.endpoint)

    def test_a_certificate_that_is_trusted(self):
        certificate, key = make_certificate(self.home, ["localhost", "127.0.0.1"])
        with Server("--tls-cert", str(certificate), "--tls-key", str(key)) as server:
            self.assert_well(**GOOD, AWS_ENDPOINT_URL=server.endpoint, AWS_CA_BUNDLE=str(certificate))

    def test_no_server_listens(self):
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

    def test_other_servers_are_recognized_by_their_responses(self):
        for header, health, name in (("Jetty(11)", None, "DynamoDB Local"), ("x", {"services": {"s3": "running"}}, "LocalStack"),
                                     ("Werkzeug/3", None, "Moto"), ("x", None, "another server that answers as DynamoDB")):
            with self.subTest(name), canned(header, health) as url:
                self.assert_found(f"At {url} there is {name}", **GOOD, AWS_ENDPOINT_URL=url)

    def test_a_server_that_is_no_dynamodb_is_one_problem_whatever_its_clock(self):
        with canned("x", None, body=b"hello", date="Thu, 01 Jan 1970 00:00:00 GMT") as url:
            self.assert_found(f"At {url} there is a server that does not answer as DynamoDB", **GOOD, AWS_ENDPOINT_URL=url)


@contextlib.contextmanager
def canned(server_header, health, body=b'{"TableNames": []}', date=None):
    """A server that always answers the same. Yields its URL."""
    class Handler(http.server.BaseHTTPRequestHandler):
        server_version, sys_version = server_header, ""

        def date_time_string(self, timestamp=None):
            return date or super().date_time_string(timestamp)

        def answer(self, status, text):
            self.send_response(status)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.answer(200, body)

        def do_GET(self):
            self.answer(200 if health else 404, json.dumps(health).encode())

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()


def make_certificate(folder, names, authority=None):
    """Returns the files of a certificate, signed by itself or by an authority, and of its key."""
    certificate, key = folder / f"{names[0]}.pem", folder / f"{names[0]}.key"
    signed = [] if authority is None else ["-CA", authority[0], "-CAkey", authority[1]]
    alternatives = ",".join(f"IP:{name}" if name[0].isdigit() else f"DNS:{name}" for name in names)
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
                    "-subj", f"/CN={names[0]}", "-addext", f"subjectAltName={alternatives}", *signed, "-out", certificate,
                    "-keyout", key], check=True, capture_output=True)
    return certificate, key


class Remedies(Doctor):
    """What the doctor says is done, as it stands there, and then it does not find the same again."""

    def remedy_of(self, what, report):
        """Returns the lines to type for a finding."""
        findings = re.split(r"\n\n\d+\. ", report)
        (found,) = [finding for finding in findings[1:] if finding.startswith(what)]
        lines = [line[5:] for line in found.splitlines() if line.startswith("     ")]
        self.assertTrue(lines, found)
        return lines

    def assert_cured(self, what, *arguments, well=False, replace=(), **environment):
        """`replace`: pairs of what the remedy leaves open, and what the user knows. `well`: nothing else is wrong, either."""
        report = self.doctor(*arguments, **environment).stdout
        self.assertIn(f". {what}", report)
        lines = self.remedy_of(what, report)
        for left_open, known in replace:
            self.assertIn(left_open, lines[0])
            lines[0] = lines[0].replace(left_open, known)
        starts = [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("dinette ")]
        typed = [line for line in lines if not line.startswith("dinette ")]
        with contextlib.ExitStack() as running:
            for started in starts:
                running.enter_context(started_server(started, self.home))
            script = "\n".join(["set -e", *typed, 'exec "$@"'])
            again = subprocess.run(["bash", "-c", script, "bash", program(), "doctor", *arguments], capture_output=True, text=True,
                                   timeout=60, cwd=self.home, env=self.clean(environment))
        self.assertIn("server  ", again.stdout, again.stderr)
        self.assertNotIn(what, again.stdout)
        if well:
            self.assertTrue(again.stdout.endswith("\nall is well\n"), again.stdout)

    def profile(self, config, credentials=""):
        (self.home / ".aws").mkdir(exist_ok=True)
        (self.home / ".aws/config").write_text(config)
        (self.home / ".aws/credentials").write_text(credentials)

    def test_of_settings(self):
        with Server() as server:
            good = {**GOOD, "AWS_ENDPOINT_URL": server.endpoint}
            without = lambda *names: {name: value for name, value in good.items() if name not in names}
            cured = lambda what, *arguments, **environment: self.assert_cured(what, *arguments, well=True, **environment)
            cured("No endpoint is configured.", server.endpoint, **without("AWS_ENDPOINT_URL"))
            cured("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS makes", **good, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS="true")
            place = f"127.0.0.1:{server.port}"
            cured(f"The endpoint '{place}'", **GOOD, AWS_ENDPOINT_URL=place)
            cured(f"The endpoint 'http://{place}/dynamodb'", **GOOD, AWS_ENDPOINT_URL_DYNAMODB=f"http://{place}/dynamodb")
            cured("Clients are configured to call http://127.0.0.1:1 ", server.endpoint, **GOOD, AWS_ENDPOINT_URL="http://127.0.0.1:1")
            cured("No region is configured.", **without("AWS_REGION"))
            cured("AWS_REGION is us-east-1 and AWS_DEFAULT_REGION is eu-west-1.", **good, AWS_DEFAULT_REGION="eu-west-1")
            cured("There are no access keys.", **without("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"))
            cured("AWS_ACCESS_KEY_ID is set,", **without("AWS_SECRET_ACCESS_KEY"))
            cured("AWS_SECRET_ACCESS_KEY is set,", **without("AWS_ACCESS_KEY_ID"))
            cured("AWS_PROFILE names the profile 'prod'", **good, AWS_PROFILE="prod")
            cured("The file of certificates /gone.pem", **good, AWS_CA_BUNDLE="/gone.pem")

    def test_of_settings_in_files(self):
        with Server() as server:
            good = {**GOOD, "AWS_ENDPOINT_URL": server.endpoint}
            self.profile("[default]\nignore_configured_endpoint_urls = true\n")
            self.assert_cured("ignore_configured_endpoint_urls of profile default makes", well=True, **good)
            self.profile("[default]\n", "[default]\naws_access_key_id = a\n")
            half = {"AWS_REGION": "us-east-1", "AWS_ENDPOINT_URL": server.endpoint}
            self.assert_cured("aws_access_key_id of profile default is set,", well=True, **half)
            self.profile("[default]\n", "[default]\naws_secret_access_key = it's $HOME\n")
            self.assert_cured("aws_secret_access_key of profile default is set,", well=True, **half)

    def test_of_a_proxy(self):
        for host in ("127.0.0.1", "127.0.0.2", *("::1" for address in loopback_addresses() if address == "::1")):
            with self.subTest(host), Server("--host", host) as server:
                self.assert_cured(f"http_proxy sends requests for {host} ", well=True, **GOOD, AWS_ENDPOINT_URL=server.endpoint,
                                  http_proxy="http://127.0.0.1:1", no_proxy="a.example")

    def test_of_no_server(self):
        with Server() as gone:
            pass
        for url in (f"http://127.0.0.1:{gone.port}", f"http://localhost:{gone.port}", f"http://127.0.0.2:{gone.port}",
                    f"https://localhost:{gone.port}"):
            with self.subTest(url):
                place = url.partition("//")[2]
                self.assert_cured(f"No server listens on {place}", **GOOD, AWS_ENDPOINT_URL=url)
        self.assert_cured("The host name no-such-service cannot be resolved", **GOOD,
                          AWS_ENDPOINT_URL=f"http://no-such-service:{gone.port}")

    def test_of_a_server_at_another_address(self):
        with Server("--host", "127.0.0.1") as server:
            self.assert_cured(f"No server listens on [::1]:{server.port}, but Dinette answers at", **GOOD,
                              AWS_ENDPOINT_URL=f"http://[::1]:{server.port}")
            known = {found[4][0] for found in socket.getaddrinfo("localhost", None)}
            if "::1" in known:
                self.assert_cured("The name localhost is ", well=True, **GOOD, AWS_ENDPOINT_URL=f"http://localhost:{server.port}")
            else:
                self.assert_well(**GOOD, AWS_ENDPOINT_URL=f"http://localhost:{server.port}")

    def test_of_tls(self):
        with Server() as server:
            url = server.endpoint.replace("http:", "https:")
            self.assert_cured(f"The server at {url} does not serve TLS.", well=True, **GOOD, AWS_ENDPOINT_URL=url)
        with Server("--tls-self-signed") as server:
            url = server.endpoint.replace("https:", "http:")
            self.assert_cured(f"The server at {url} serves TLS", **GOOD, AWS_ENDPOINT_URL=url)
            self.assert_cured(f"The certificate of {server.endpoint} is not trusted", well=True, **GOOD,
                              AWS_ENDPOINT_URL=server.endpoint)

    def test_of_certificates(self):
        own = make_certificate(self.home, ["localhost", "127.0.0.1"])
        signed = make_certificate(self.home, ["signed", "localhost", "127.0.0.1"], own)
        other = make_certificate(self.home, ["other", "localhost"])
        for (certificate, key), what, open_parts in (
                (own, "is not trusted", ()),
                (signed, "is not trusted", [("authority.pem", str(own[0]))]),
                (other, "is for another host.", ())):
            with self.subTest(certificate.name), Server("--tls-cert", str(certificate), "--tls-key", str(key)) as server:
                self.assert_cured(f"The certificate of {server.endpoint} {what}", replace=open_parts, **GOOD,
                                  AWS_ENDPOINT_URL=server.endpoint)

    def test_of_a_server_that_is_stopped(self):
        with Server() as server:
            server.process.send_signal(signal.SIGSTOP)
            try:
                self.assert_cured(f"The server at {server.endpoint} accepts connections but", well=True, **GOOD,
                                  AWS_ENDPOINT_URL=server.endpoint)
            finally:
                server.process.send_signal(signal.SIGCONT)

    def test_of_something_else(self):
        with canned("x", None, body=b"hello") as url:
            self.assert_cured(f"At {url} there is", **GOOD, AWS_ENDPOINT_URL=url)
        with canned("Jetty(11)", None) as url:
            self.assert_cured(f"At {url} there is DynamoDB Local", **GOOD, AWS_ENDPOINT_URL=url)
        with socket.create_server(("127.0.0.1", 0)) as nonsense:
            def answer():
                with contextlib.suppress(OSError):
                    while True:
                        with nonsense.accept()[0] as called:
                            called.sendall(b"220 mail.example\r\n" * 100)
            threading.Thread(target=answer, daemon=True).start()
            url = f"http://127.0.0.1:{nonsense.getsockname()[1]}"
            self.assert_cured(f"What listens at {url} does not answer in HTTP.", **GOOD, AWS_ENDPOINT_URL=url)
            nonsense.shutdown(socket.SHUT_RDWR)

    def test_of_faults(self):
        with tempfile.NamedTemporaryFile("w") as faults:
            json.dump({"rules": [{"operation": "ListTables", "error": {"type": "ThrottlingException"}}]}, faults)
            faults.flush()
            with Server("--faults", faults.name) as server:
                self.assert_cured("ListTables is refused: ThrottlingException", well=True, **GOOD, AWS_ENDPOINT_URL=server.endpoint)

    def test_of_keys(self):
        keys = self.home / "keys.ini"
        keys.write_text("[one]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = secret\n")
        with Server("--auth", "verify", "--credentials", str(keys)) as server:
            pair = [("AWS_ACCESS_KEY_ID=...", "AWS_ACCESS_KEY_ID=AKIDEXAMPLE"), ("SECRET_ACCESS_KEY=...", "SECRET_ACCESS_KEY=secret")]
            self.assert_cured("The server verifies signatures, and does not know the access key 'any'", well=True, replace=pair,
                              **GOOD, AWS_ENDPOINT_URL=server.endpoint)
            wrong = {**GOOD, "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE"}
            self.assert_cured("The server verifies signatures", well=True, replace=pair[1:], **wrong,
                              AWS_ENDPOINT_URL=server.endpoint)

    def test_of_worlds(self):
        with Server("--isolate", "account,region") as server:
            dynamodb = client(server.endpoint, region="eu-west-1")
            create_table(dynamodb)
            dynamodb.close()
            self.assert_cured("With this access key and region (us-east-1) there are no tables", well=True, **GOOD,
                              AWS_ENDPOINT_URL=server.endpoint)
            self.assert_cured("With this access key and region (eu-west-1) there are no tables", well=True,
                              **{**GOOD, "AWS_ACCESS_KEY_ID": "123456789012", "AWS_REGION": "eu-west-1"},
                              AWS_ENDPOINT_URL=server.endpoint)
        with Server() as server:
            request = urllib.request.Request(server.endpoint + "/_dinette/worlds", b'{"name": "mine"}', method="POST")
            urllib.request.urlopen(request).close()
            self.assert_cured("The access key 'mine'", well=True, **{**GOOD, "AWS_ACCESS_KEY_ID": "mine"},
                              AWS_ENDPOINT_URL=server.endpoint)


class FixedEnvironment(Doctor):
    def test_prints_settings_alone_and_all_of_them(self):
        with Server() as server:
            for environment in ({"AWS_ENDPOINT_URL": f"127.0.0.1:{server.port}"},
                                {"AWS_ENDPOINT_URL": f"https://127.0.0.1:{server.port}", "AWS_PROFILE": "gone", "AWS_REGION": "a-b-1",
                                 "AWS_DEFAULT_REGION": "it's $(touch x)", "http_proxy": "http://127.0.0.1:1"},
                                {**GOOD, "AWS_ENDPOINT_URL": server.endpoint}):
                with self.subTest(environment):
                    fixed = self.doctor("--fix-env", **environment)
                    self.assertEqual((fixed.returncode, fixed.stderr), (0, ""))
                    for line in fixed.stdout.splitlines():
                        self.assertRegex(line, r"^(export|unset) ")
                    again = subprocess.run(["bash", "-c", f'{fixed.stdout}\nexec "$@"', "bash", program(), "doctor"],
                                           capture_output=True, text=True, timeout=60, cwd=self.home, env=self.clean(environment))
                    self.assertTrue(again.stdout.endswith("\nall is well\n"), again.stdout)
        self.assertEqual([file.name for file in self.home.iterdir()], [])

    def test_says_what_settings_do_not_solve(self):
        with Server("--tls-self-signed") as server:
            fixed = self.doctor("--fix-env", **GOOD, AWS_ENDPOINT_URL=server.endpoint.replace("https:", "http:"))
        self.assertEqual((fixed.returncode, fixed.stdout),
                         (1, f"export AWS_ENDPOINT_URL_DYNAMODB={server.endpoint}\n"))
        self.assertIn(f"1. The certificate of {server.endpoint} is not trusted.", fixed.stderr)


@contextlib.contextmanager
def started_server(arguments, folder):
    """A server with exactly these arguments."""
    with subprocess.Popen([program(), *arguments], stdout=subprocess.PIPE, text=True, cwd=folder) as process:
        try:
            for line in process.stdout:
                if line.startswith("dinette: ready on "):
                    break
            else:
                raise AssertionError(f"dinette {arguments} did not start")
            yield
        finally:
            process.terminate()


if __name__ == "__main__":
    unittest.main()
