"""Clients of Apache Cassandra, each against a server without TLS and one with it. Both have a user and an access key."""

import contextlib
import socket

import dinette

from clients.cases import from_go, from_junit
from clients.python import virtual_environment
from clients.sdks import MAVEN, PROGRAMS, REPORT

USER, PASSWORD = "alice", "secret"
KEY, SECRET = "AKIACASSANDRA0000001", "key-of-cassandra"


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return str(free.getsockname()[1])


@contextlib.contextmanager
def both_servers(shop):
    """Starts them. Yields the variables by which programs find them."""
    keys = shop.path / "keys.ini"
    keys.write_text(f"[default]\naws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n")
    log_in = ("--cql-user", f"{USER}={PASSWORD}", "--credentials", str(keys))
    plain, encrypted = free_port(), free_port()
    with dinette.start(arguments=("--cql-port", plain, *log_in)), \
            dinette.start(arguments=("--cql-port", encrypted, "--tls-self-signed", *log_in)):
        yield {"CQL_PORT": plain, "CQL_TLS_PORT": encrypted, "CQL_USER": USER, "CQL_PASSWORD": PASSWORD,
               "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET}


class Python:
    """The driver for Python, with its plug-in for signatures, and cqlsh, which is made of it."""
    name, source, arguments = "cassandra", PROGRAMS / "cassandra", ()
    needs = {}

    def run(self, shop):
        python = virtual_environment(shop, "cassandra-driver", "cassandra-sigv4", "boto3", "cqlsh", "pytest")
        with both_servers(shop) as variables:
            shop.test(python, "-m", "pytest", "cassandra_test.py", f"--junitxml={REPORT}", **variables)
        return shop.run(python, "-c", "import cassandra; print(cassandra.__version__)").strip(), from_junit(shop.read(REPORT))


class Go:
    name, source, arguments = "cassandra-go", PROGRAMS / "cassandra-go", ()
    needs = {"go": 0}
    MODULE = "github.com/gocql/gocql"
    PLUGIN = "github.com/aws/aws-sigv4-auth-cassandra-gocql-driver-plugin"

    def run(self, shop):
        shop.fetch("go", "get", f"{self.MODULE}@latest", f"{self.PLUGIN}@latest")
        shop.fetch("go", "mod", "tidy")
        with both_servers(shop) as variables:
            printed = shop.test("go", "test", "-json", "-count=1", ".", **variables)
        return shop.run("go", "list", "-m", "-f", "{{.Version}}", self.MODULE).strip(), from_go(printed)


class Java:
    name, source, arguments = "cassandra-java", PROGRAMS / "cassandra-java", ()
    needs = {"mvn": 0}

    def run(self, shop):
        shop.fetch(*MAVEN, "--update-snapshots", "dependency:go-offline")
        versions = shop.run(*MAVEN, "dependency:list", "-DincludeArtifactIds=java-driver-core")
        with both_servers(shop) as variables:
            shop.test(*MAVEN, "test", **variables)
        version = versions.split("java-driver-core:jar:")[1].split(":")[0]
        return version, from_junit(shop.read("target/surefire-reports/TEST-dinette.DriverTest.xml"))


CASSANDRA = (Python(), Go(), Java())
