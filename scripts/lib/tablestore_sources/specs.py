"""What api-specs/tablestore says, with queries for those who write sources."""

import json

from api_sources.names import snake

BANNER = "// Written by scripts/gen_tablestore.py from api-specs/tablestore. Do not edit.\n"
NUMBERS = {"bool": "bool", "int32": "std::int32_t", "int64": "std::int64_t", "sint64": "std::int64_t", "float": "float", "double": "double"}
TEXTS = ("string", "bytes")
WORDS_OF_CPP = {"bool", "double", "float", "long", "operator", "public"}


def name_of(word):
    """Returns a word of an enumeration, or the name of a field, as C++ spells it."""
    word = snake(word)
    return word + "_" if word in WORDS_OF_CPP else word


def in_namespace(lines, inner="api"):
    name = f"dinette::tablestore::{inner}"
    return [f"namespace {name} {{", "", *lines, f"}}  // namespace {name}"]


class Specs:
    def __init__(self, folder):
        parts = json.loads((folder / "messages.json").read_text())
        self.enums, self.shared = parts["enums"], parts["messages"]
        self.errors = json.loads((folder / "errors.json").read_text())
        self.limits = json.loads((folder / "limits.json").read_text())
        self.operations = [json.loads(path.read_text()) for path in sorted((folder / "operations").glob("*.json"))]
        self.served = [o for o in self.operations if o["status"] == "served"]
        self.messages = dict(self.shared)
        requests, responses = ([o["operation"] + kind.title() for o in self.operations]
                               for kind in ("request", "response"))
        for operation in self.operations:
            for kind in ("request", "response"):
                self.messages[operation["operation"] + kind.title()] = operation[kind]
        self.read = set(self.reachable([*requests, *parts["within_bytes"]]))
        self.written = set(self.reachable([*responses, *parts["within_response_bytes"]]))

    def reachable(self, names):
        """Returns these messages and all inside them, each after those that it has."""
        order = []

        def visit(name):
            if name in self.messages and name not in order:
                for field in self.messages[name]:
                    visit(field["type"])
                order.append(name)

        for name in names:
            visit(name)
        return order

    def cpp_type(self, message, field):
        """Returns the type of a member. Texts that are only read are views."""
        inner = field["type"]
        if inner in TEXTS:
            inner = "std::string" if message in self.written else "std::string_view"
        inner = NUMBERS.get(inner, inner)
        if field.get("repeated"):
            return f"std::vector<{inner}>"
        return inner if field.get("required") or "default" in field else f"std::optional<{inner}>"
