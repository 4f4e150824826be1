#!/usr/bin/env python3
"""Writes src/page/lib/code/shapes.js, what the page must know of requests to write them in Java and Go, from
api-specs/dynamodb. A test fails when it is stale: gen_page_shapes.py [--check]"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SPECS = ROOT / "api-specs/dynamodb"
OUTPUT = ROOT / "src/page/lib/code/shapes.js"

# Attribute values by their names in the specifications; names that only limit a String.
ITEMS = {"Item": "map<AttributeValue>", "NewItem": "map<AttributeValue>", "Values": "map<AttributeValue>"}
HEAD = """// Written by scripts/gen_page_shapes.py from api-specs/dynamodb.
//
// The members of requests and of the structures in them: "Name:Type Name ...", a String where no type is named. Enum stands
// for all enumerations. Members with times are left out.
"""


def read(file):
    return json.loads(file.read_text(encoding="utf-8"))


class Shapes:
    def __init__(self):
        specified = read(SPECS / "shapes.json")
        self.structures = specified["structures"]
        self.plain = {**ITEMS, **dict.fromkeys(specified["strings"], "String"), **dict.fromkeys(specified["enums"], "Enum")}
        self.used = {}

    def type_of(self, name):
        """Returns the type as shapes.js has it, and keeps the structures that are in it."""
        if wrapped := re.fullmatch(r"(list|map)<(.+)>", name):
            return f"{wrapped[1]}<{self.type_of(wrapped[2])}>"
        if name in self.structures and name not in self.used:
            self.used[name] = ""
            self.used[name] = self.members(self.structures[name])
        return self.plain.get(name, name)

    def members(self, described):
        typed = [(one["name"], self.type_of(one["type"])) for one in described if "Timestamp" not in one["type"]]
        return " ".join(name if kind == "String" else f"{name}:{kind}" for name, kind in typed)


def text():
    shapes = Shapes()
    operations = {}
    for file in sorted((SPECS / "operations").glob("*.json")):
        operation = read(file)
        operations[operation["operation"]] = shapes.members(operation["input"])

    def written(name, described):
        lines = "".join(f"  {key}: {json.dumps(value)},\n" for key, value in sorted(described.items()))
        return f"\nexport const {name} = {{\n{lines}}};\n"

    return HEAD + written("requests", operations) + written("structures", shapes.used)


def main(arguments):
    if arguments == ["--check"]:
        return 0 if OUTPUT.read_text(encoding="utf-8") == text() else "src/page/lib/code/shapes.js is stale: scripts/gen_page_shapes.py"
    OUTPUT.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
