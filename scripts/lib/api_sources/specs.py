"""What api-specs/<service> says, with queries for those who write sources."""

import json
import re
import sys

from api_sources.names import snake

SCALARS = {"String": "std::string", "Boolean": "bool", "Integer": "std::int32_t", "Long": "std::int64_t",
           "Double": "double", "Timestamp": "aws::Timestamp", "Blob": "aws::Blob"}
# Values that only a layer of their own reads: its `codec/inputs.h` has these types.
INPUTS = {"AttributeValue": "codec::AttributeValueInput", "Values": "codec::ValuesInput",
          "NewItem": "codec::NewItemInput"}
KIND = {"plane": ("data", "control", "streams"), "effect": ("read", "write"),
        "grouping": ("none", "batch", "transaction")}


def check_kind(operation):
    """Refuses an operation that does not say what kind of operation it is."""
    for fact, words in KIND.items():
        needed = fact != "grouping" or operation["plane"] == "data"
        if needed and operation.get(fact) not in words or not needed and fact in operation:
            sys.exit(f"gen_api.py: {operation['operation']} has no good `{fact}`; of the data plane all have a "
                     f"`grouping`, others none; the words are: {', '.join(words)}")


class Specs:
    """All of api-specs/<service>, with queries for the writers below."""

    def __init__(self, folder):
        shapes = json.loads((folder / "shapes.json").read_text())
        self.layer = folder.resolve().name  # of src/, and the C++ namespace
        self.api = self.layer + "/api/"
        self.strings, self.enums, self.structures = shapes["strings"], shapes["enums"], shapes["structures"]
        self.echoes = shapes["echoes"]
        self.records = json.loads((folder / "records.json").read_text())
        self.service = json.loads((folder / "service.json").read_text())
        self.errors = json.loads((folder / "errors.json").read_text())
        self.limits = json.loads((folder / "limits.json").read_text())
        words = folder / "reserved-words.txt"
        self.reserved_words = words.read_text().split() if words.exists() else []
        self.operations = [json.loads(p.read_text()) for p in sorted((folder / "operations").glob("*.json"))]
        for operation in self.operations:
            check_kind(operation)
            self.resolve_output(operation)
        self.served = [o for o in self.operations if o["status"] == "served"]
        self.structures.update(self.records)
        self.inputs = self.closure([m["type"] for o in self.served for m in o["input"]] + list(self.records))
        self.outputs = self.closure([t for o in self.served for t in self.types_of_output(o)] + list(self.records))

    def resolve_output(self, operation):
        """Notes the name of an output that is a structure of shapes.json as a whole, and gives it the members of that."""
        if isinstance(operation["output"], str):
            operation["output_structure"] = operation["output"]
            operation["output"] = self.structures[operation["output"]]

    @staticmethod
    def types_of_output(operation):
        return [operation["output_structure"]] if "output_structure" in operation else \
            [m["type"] for m in operation["output"]]

    def in_namespace(self, lines, inner="api"):
        name = f"dinette::{self.layer}::{inner}"
        return [f"namespace {name} {{", "", *lines, f"}}  // namespace {name}"]

    def includes(self, headers):
        """Returns the directives for headers of service.json, such as `type_headers`."""
        return [f'#include "{header}"' for header in self.service.get(headers, [])]

    def target(self, operation):
        """Returns the X-Amz-Target of the operation."""
        return self.service["targets"][operation["service"]] + "." + operation["operation"]

    @staticmethod
    def element(type_name):
        """Returns ('list' | 'map' | None, inner type)."""
        match = re.fullmatch(r"(list|map)<(.+)>", type_name)
        return (match[1], match[2]) if match else (None, type_name)

    def closure(self, types):
        """Returns the enumerations and structures reachable from the types, each after those that it uses."""
        order = []

        def visit(type_name):
            container, inner = self.element(type_name)
            if container:
                return visit(inner)
            if inner in order or inner not in self.enums and inner not in self.structures:
                return None
            for member in self.structures.get(inner, []):
                visit(member["type"])
            order.append(inner)

        for type_name in types:
            visit(type_name)
        return order

    def naming_members(self, members):
        """Returns (name, what it names, the same of the members inside) of each that names something, or in which
        one does."""
        found = []
        for member in members:
            rules = self.strings.get(member["type"], {})
            names = member.get("names", rules.get("names", "nothing"))
            if self.strings.get(member.get("keys"), {}).get("names") == "table":
                names = "tables"
            inner = member["type"]
            while self.element(inner)[0]:
                inner = self.element(inner)[1]
            inside = self.naming_members(self.structures.get(inner, []))
            if inside and names == "nothing" and member["type"].startswith("map<"):
                sys.exit(f"gen_api.py: values of the map {member['name']} name something; named_tables.h has no such map")
            if inside or names != "nothing":
                found.append((member["name"], names, inside))
        return found

    def carries_items(self, name):
        return any(self.element(m["type"])[1] in ("Item", *INPUTS) and m["type"] != "Values" or
                   self.carries_items(self.element(m["type"])[1]) for m in self.structures.get(name, []))

    @staticmethod
    def default(member):
        """Returns the C++ value of an absent member."""
        value = member["default"]
        return f"{member['type']}::{snake(value)}" if isinstance(value, str) else json.dumps(value)

    def cpp_type(self, type_name, answer):
        container, inner = self.element(type_name)
        if answer and type_name == "list<Item>":
            return "codec::ItemListText"
        if container == "list":
            return f"std::vector<{self.cpp_type(inner, answer)}>"
        if container == "map":
            return f"aws::Entries<{self.cpp_type(inner, answer)}>"
        if inner == "Item":
            return "codec::ItemText" if answer else "codec::ItemInput"
        if inner in INPUTS:
            return INPUTS[inner]
        if inner in self.strings:
            return SCALARS["String"]
        return SCALARS.get(inner, inner)
