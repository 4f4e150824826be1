"""The newest SDKs, and dynamodb-admin, each with a small program in tests/clients/others."""

import json
import socket

from building import ROOT

from clients.calls import put_object
from clients.cases import from_cargo, from_go, from_junit
from clients.python import virtual_environment
from clients.workshop import FOLDER

PROGRAMS = ROOT / "tests/clients/others"
NPM_INSTALL = ("npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts")
MAVEN = ("mvn", "--batch-mode", "--no-transfer-progress")
REPORT = "report.xml"


def prepare_bucket(server):
    """Puts three items where the programs' bulk writes read them."""
    lines = (json.dumps({"Item": {"p": {"S": "bulk"}, "s": {"N": str(number)}}}) for number in range(3))
    put_object(server.endpoint, "clients")
    put_object(server.endpoint, "clients/in/items.json", "\n".join(lines).encode())


class Boto3:
    name, source, arguments = "boto3", PROGRAMS / "boto3", ()
    needs = {}

    def run(self, shop):
        prepare_bucket(shop.server)
        python = virtual_environment(shop, "boto3", "pytest")
        shop.test(python, "-m", "pytest", "boto3_test.py", f"--junitxml={REPORT}")
        return shop.run(python, "-c", "import boto3; print(boto3.__version__)").strip(), from_junit(shop.read(REPORT))


class Tablestore:
    """The vendor's client for Python, which verifies every reply."""
    name, source, arguments = "tablestore", PROGRAMS / "tablestore", ()
    needs = {}

    def run(self, shop):
        python = virtual_environment(shop, "tablestore", "pytest")
        shop.test(python, "-m", "pytest", "tablestore_test.py", f"--junitxml={REPORT}")
        version = shop.run(python, "-c", "from importlib.metadata import version; print(version('tablestore'))")
        return version.strip(), from_junit(shop.read(REPORT))


class JavaScript:
    name, source, arguments = "js", PROGRAMS / "js", ()
    needs = {"npm": 0, "node": 20}

    def run(self, shop):
        prepare_bucket(shop.server)
        shop.fetch(*NPM_INSTALL)
        shop.test("node", "--test", "--test-reporter=junit", f"--test-reporter-destination={REPORT}", "sdk.test.mjs")
        return npm_version(shop, "@aws-sdk/client-dynamodb"), from_junit(shop.read(REPORT))


def npm_version(shop, package):
    return json.loads(shop.read(f"node_modules/{package}/package.json"))["version"]


class Java:
    name, source, arguments = "java", PROGRAMS / "java", ()
    needs = {"mvn": 0}

    def run(self, shop):
        prepare_bucket(shop.server)
        shop.fetch(*MAVEN, "--update-snapshots", "dependency:go-offline")
        versions = shop.run(*MAVEN, "dependency:list", "-DincludeArtifactIds=dynamodb")
        shop.test(*MAVEN, "test")
        version = versions.split("software.amazon.awssdk:dynamodb:jar:")[1].split(":")[0]
        return version, from_junit(shop.read("target/surefire-reports/TEST-dinette.SdkTest.xml"))


class Kcl:
    """The Kinesis Client Library reads the changes of a table from a stream, and keeps its leases in a table."""
    name, source, arguments = "kcl", PROGRAMS / "kcl", ()
    needs = {"mvn": 0}

    def run(self, shop):
        shop.fetch(*MAVEN, "--update-snapshots", "dependency:go-offline")
        versions = shop.run(*MAVEN, "dependency:list", "-DincludeArtifactIds=amazon-kinesis-client")
        shop.test(*MAVEN, "test")
        version = versions.split("software.amazon.kinesis:amazon-kinesis-client:jar:")[1].split(":")[0]
        return version, from_junit(shop.read("target/surefire-reports/TEST-dinette.KclTest.xml"))


class Go:
    name, source, arguments = "go", PROGRAMS / "go", ()
    needs = {"go": 0}
    MODULE = "github.com/aws/aws-sdk-go-v2"

    def run(self, shop):
        prepare_bucket(shop.server)
        parts = ("config", "service/dynamodb", "service/dynamodbstreams")
        shop.fetch("go", "get", *(f"{self.MODULE}/{part}@latest" for part in parts))
        printed = shop.test("go", "test", "-json", "-count=1", ".")
        version = shop.run("go", "list", "-m", "-f", "{{.Version}}", f"{self.MODULE}/service/dynamodb").strip()
        return version, from_go(printed)


class TablestoreGo:
    """The vendor's client for Go. Versions after 4.1.3 are not among Go modules: SQL, for one, is not tried with it."""
    name, source, arguments = "tablestore-go", PROGRAMS / "tablestore-go", ()
    needs = {"go": 0}
    MODULE = "github.com/aliyun/aliyun-tablestore-go-sdk"

    def run(self, shop):
        shop.fetch("go", "get", f"{self.MODULE}@latest")
        shop.fetch("go", "mod", "tidy")
        printed = shop.test("go", "test", "-json", "-count=1", ".")
        return shop.run("go", "list", "-m", "-f", "{{.Version}}", self.MODULE).strip(), from_go(printed)


class Rust:
    name, source, arguments = "rust", PROGRAMS / "rust", ()
    needs = {"cargo": 0}

    def run(self, shop):
        prepare_bucket(shop.server)
        shop.fetch("cargo", "fetch")
        # Compiling takes minutes, unless the last run's output is still there.
        printed = shop.test("cargo", "test", CARGO_TARGET_DIR=FOLDER / "rust-target")
        version = shop.run("cargo", "pkgid", "aws-sdk-dynamodb").strip().rsplit("@", 1)[-1].rsplit("#", 1)[-1]
        return version, from_cargo(printed)


class DynamodbAdmin:
    """Its page, in Chromium. It sends numbers as strings, as a companion of DynamoDB Local does."""
    name, source, arguments = "dynamodb-admin", PROGRAMS / "dynamodb-admin", ("-inMemory",)
    needs = {"npm": 0, "node": 20, "chromium": 0}

    def run(self, shop):
        shop.fetch(*NPM_INSTALL)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        shop.test("node", "--test", "--test-reporter=junit", f"--test-reporter-destination={REPORT}", "page.test.mjs",
                  PAGE_PORT=port)
        return npm_version(shop, "dynamodb-admin"), from_junit(shop.read(REPORT))


class ServerlessOffline:
    """Its function is called with the changes of a table."""
    name, source = "serverless-offline", PROGRAMS / "serverless-offline"
    arguments = ("--lambda-endpoint", "http://127.0.0.1:3002")
    needs = {"npm": 0, "node": 20}

    def run(self, shop):
        shop.fetch(*NPM_INSTALL)
        shop.test("node", "--test", "--test-reporter=junit", f"--test-reporter-destination={REPORT}", "functions.test.mjs")
        return npm_version(shop, "serverless-offline"), from_junit(shop.read(REPORT))


SDKS = (Boto3(), Tablestore(), JavaScript(), Java(), Kcl(), Go(), TablestoreGo(), Rust(), DynamodbAdmin(),
        ServerlessOffline())
