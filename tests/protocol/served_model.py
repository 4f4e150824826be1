"""The API model of botocore, made of api-specs: with the operations and members that Debian's botocore does not have yet. boto3
and the AWS CLI read models in a folder that AWS_DATA_PATH names."""

import json
import pathlib
import re
import subprocess
import tempfile

import boto3
import boto3_clients
import botocore.loaders

CLI = "/usr/bin/aws"
SPECS = pathlib.Path(__file__).parents[2] / "api-specs/dynamodb"
SIMPLE = {"String": "string", "Boolean": "boolean", "Integer": "integer", "Long": "long", "Double": "double",
          "Timestamp": "timestamp", "Blob": "blob"}
ITEMS = ("Item", "NewItem", "Values")
ATTRIBUTE_VALUE = {"S": "String", "N": "String", "B": "Blob", "SS": "list<String>", "NS": "list<String>", "BS": "list<Blob>",
                   "M": "Item", "L": "list<AttributeValue>", "NULL": "Boolean", "BOOL": "Boolean"}


def _shape_name(type_):
    return re.sub(r"[<>]", "Of", type_)


class _Shapes:
    """The shapes of a model, each made when it is first needed."""

    def __init__(self):
        specified = json.loads((SPECS / "shapes.json").read_text())
        self.structures, self.words = specified["structures"], {*specified["enums"], *specified["strings"]}
        self.made = {}

    def reference(self, type_):
        name = _shape_name(type_)
        if name not in self.made:
            self.made[name] = {}  # first, as attribute values hold attribute values
            self.made[name].update(self._make(type_))
        return {"shape": name}

    def structure(self, members):
        required = [member["name"] for member in members if member.get("required")]
        return {"type": "structure", "required": required,
                "members": {member["name"]: self.reference(member["type"]) for member in members}}

    def _make(self, type_):
        if type_ in SIMPLE or type_ in self.words:
            return {"type": SIMPLE.get(type_, "string")}
        if type_.startswith("list<"):
            return {"type": "list", "member": self.reference(type_[5:-1])}
        if type_.startswith("map<") or type_ in ITEMS:
            of = "AttributeValue" if type_ in ITEMS else type_[4:-1]
            return {"type": "map", "key": self.reference("String"), "value": self.reference(of)}
        if type_ == "AttributeValue":
            return self.structure([{"name": name, "type": of} for name, of in ATTRIBUTE_VALUE.items()])
        return self.structure(self.structures[type_])


def _model(metadata):
    shapes = _Shapes()
    operations = {}
    for path in sorted((SPECS / "operations").glob("*.json")):
        spec = json.loads(path.read_text())
        if spec["service"] != "dynamodb":
            continue
        name = spec["operation"]
        for side in ("input", "output"):
            shapes.made[f"{name}.{side}"] = shapes.structure(spec[side])
        operations[name] = {"name": name, "http": {"method": "POST", "requestUri": "/"}, "input": {"shape": f"{name}.input"},
                            "output": {"shape": f"{name}.output"}, "errors": []}
    return {"version": "2.0", "metadata": metadata, "operations": operations, "shapes": shapes.made}


class ServedModel:
    """Clients that know every operation that is served. Close it to remove its folder."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        metadata = botocore.loaders.Loader().load_service_model("dynamodb", "service-2")["metadata"]
        place = pathlib.Path(self._folder.name) / "dynamodb" / metadata["apiVersion"]
        place.mkdir(parents=True)
        (place / "service-2.json").write_text(json.dumps(_model(metadata)))

    def close(self):
        self._folder.cleanup()

    def client(self, endpoint):
        session = boto3.Session()
        session._session.get_component("data_loader").search_paths.insert(0, self._folder.name)
        return session.client("dynamodb", endpoint_url=endpoint, region_name="us-east-1", aws_access_key_id="key",
                              aws_secret_access_key="secret", config=boto3_clients.ONE_ATTEMPT)

    def aws(self, endpoint, *arguments):
        """Returns the exit code of `aws dynamodb`, what it printed, as JSON, and its errors."""
        environment = {"PATH": "/usr/bin:/bin", "HOME": self._folder.name, "AWS_DATA_PATH": self._folder.name,
                       "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1",
                       "AWS_EC2_METADATA_DISABLED": "true", "AWS_PAGER": "", "LANG": "C.UTF-8"}
        done = subprocess.run([CLI, "--endpoint-url", endpoint, "--output", "json", "dynamodb", *arguments],
                              env=environment, capture_output=True, text=True)
        return done.returncode, json.loads(done.stdout or "null"), done.stderr.strip()
