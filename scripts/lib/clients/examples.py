"""What examples/ needs registries for. The examples with Testcontainers are built with the newest libraries, and run if a
Docker engine has the image. Terraform's is applied to the server."""

import json
import subprocess

from building import ROOT

from clients.cases import FAILED, PASSED, SKIPPED, Case
from clients.python import virtual_environment
from clients.sdks import MAVEN, NPM_INSTALL, npm_version
from clients.workshop import Broken, Missing, require

EXAMPLES = ROOT / "examples"
IMAGE = "dinette"


def require_image():
    """Raises Missing unless a Docker engine runs and has the image."""
    require({"docker": 0})
    if subprocess.run(["docker", "image", "inspect", IMAGE], capture_output=True).returncode != 0:
        raise Missing(f"no Docker engine with an image {IMAGE} runs")


def tried(name, shop, command, **environment):
    """Returns the case of a command that must succeed."""
    try:
        shop.run(*command, **environment)
        return Case(name, PASSED)
    except Broken as reason:
        return Case(name, FAILED, str(reason))


class Testcontainers:
    """A client builds its example, and returns the version of Testcontainers; what does not build is Broken. `test`: the
    command that runs it. `needs_to_run`: as `needs`."""
    arguments = ()
    needs_to_run = {}

    @property
    def source(self):
        return EXAMPLES / self.name.replace("-", "/")

    def run(self, shop):
        return self.build(shop), (Case("it builds with the newest libraries", PASSED), self.run_in_container(shop))

    def run_in_container(self, shop):
        name = "it reads an item in a container"
        try:
            require_image()
            require(self.needs_to_run)
        except Missing as missing:
            return Case(name, SKIPPED, f"no container was started, the example is only built: {missing}")
        return tried(name, shop, self.test)


class Node(Testcontainers):
    name, needs = "testcontainers-node", {"npm": 0, "node": 20}
    needs_to_run = {"node": 22}  # of Testcontainers 12
    test = ("node", "--test")

    def build(self, shop):
        shop.fetch(*NPM_INSTALL, "testcontainers@latest", "@aws-sdk/client-dynamodb@latest", "typescript@latest",
                   "@types/node@latest")
        shop.run("npx", "tsc", "--noEmit", "--allowJs", "--checkJs", "--strict", "--skipLibCheck", "--module", "nodenext",
                 "--target", "es2022", "--types", "node", "albums.test.mjs")
        return npm_version(shop, "testcontainers")


class Python(Testcontainers):
    name, needs = "testcontainers-python", {}
    test = ("venv/bin/python", "-m", "pytest", "test_albums.py")

    def build(self, shop):
        python = virtual_environment(shop, "boto3", "mypy", "pytest", "testcontainers")
        # boto3 has no types.
        shop.run(python, "-m", "mypy", "--ignore-missing-imports", "--check-untyped-defs", "test_albums.py")
        show = "import importlib.metadata; print(importlib.metadata.version('testcontainers'))"
        return shop.run(python, "-c", show).strip()


class Java(Testcontainers):
    name, needs = "testcontainers-java", {"mvn": 0}
    test = (*MAVEN, "test")

    def build(self, shop):
        shop.fetch(*MAVEN, "--update-snapshots", "dependency:go-offline")
        shop.run(*MAVEN, "test-compile")
        versions = shop.run(*MAVEN, "dependency:list", "-DincludeArtifactIds=testcontainers")
        return versions.split("org.testcontainers:testcontainers:jar:")[1].split(":")[0]


class Go(Testcontainers):
    name, needs = "testcontainers-go", {"go": 0}
    test = ("go", "test", "-count=1", ".")
    SDK = "github.com/aws/aws-sdk-go-v2"
    MODULE = "github.com/testcontainers/testcontainers-go"

    def build(self, shop):
        modules = (self.MODULE, self.SDK, f"{self.SDK}/credentials", f"{self.SDK}/service/dynamodb")
        shop.fetch("go", "get", *(f"{module}@latest" for module in modules))
        shop.run("go", "vet", ".")
        return shop.run("go", "list", "-m", "-f", "{{.Version}}", self.MODULE).strip()


class Terraform:
    """Its provider must call the server for everything: any other service is at an address where nothing listens."""
    name, source, arguments, needs = "terraform", EXAMPLES / "terraform", (), {"terraform": 0}
    PROVIDER = "registry.terraform.io/hashicorp/aws"

    def run(self, shop):
        shop.fetch("terraform", "init", "-input=false", "-no-color")
        version = json.loads(shop.run("terraform", "version", "-json"))["provider_selections"][self.PROVIDER]
        return version, list(self.cases(shop))

    def cases(self, shop):
        steps = {"it creates the table and the item": ("apply", "-auto-approve"),
                 "then nothing is left to change": ("plan", "-detailed-exitcode"),
                 "it deletes them": ("destroy", "-auto-approve")}
        for name, step in steps.items():
            command = ("terraform", *step, "-input=false", "-no-color", f"-var=dinette={shop.server.endpoint}")
            yield tried(name, shop, command, AWS_ENDPOINT_URL="http://127.0.0.1:1")


FROM_EXAMPLES = (Node(), Python(), Java(), Go(), Terraform())
