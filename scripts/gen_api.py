#!/usr/bin/env python3
"""Writes everything mechanical about the API from api-specs/: C++ types with their decoding and encoding, the
constraint tables, dispatch, error codes, limits, reserved words, examples, fuzz seeds and docs/operations.md.

    gen_api.py --specs api-specs/dynamodb --out build/generated --docs docs/operations.md

What the specs may say is in api-specs/spec.schema.json. Files are rewritten only when they change, so that a build
after an unrelated edit compiles nothing again. Python's standard library only.
"""
import argparse
import json
import re
import sys
from pathlib import Path

KEYWORDS = {"and", "or", "not", "delete", "default", "new", "null", "in"}
SCALARS = {"String": "std::string", "Boolean": "bool", "Integer": "std::int32_t", "Long": "std::int64_t",
           "Double": "double", "Timestamp": "aws::Timestamp"}
KINDS = {"String": "string", "Boolean": "boolean", "Integer": "integer", "Long": "long_integer",
         "Double": "floating", "Timestamp": "timestamp", "Item": "map", "NewItem": "map", "Values": "map",
         "AttributeValue": "variant"}
INPUTS = {"AttributeValue": "codec::AttributeValueInput", "Values": "codec::ValuesInput",
          "NewItem": "codec::NewItemInput"}
WRITERS = {"String": "string", "Boolean": "boolean", "Integer": "integer", "Long": "integer", "Double": "floating"}
BANNER = "// Written by scripts/gen_api.py from api-specs/. Do not edit.\n"


def snake(name):
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name).lower()
    return name + "_" if name in KEYWORDS else name


def camel(name):
    return name[0].lower() + name[1:]


def in_order_of_hashes(words):
    """Returns words in the service's order: that of a Java HashSet (docs/service/names-limits.md section 4)."""
    def hash_code(word):
        code = 0
        for character in word:
            code = 31 * code + ord(character)
        return code

    return sorted(words, key=lambda word: hash_code(word) % 32)


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


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
        self.strings, self.enums, self.structures = shapes["strings"], shapes["enums"], shapes["structures"]
        self.echoes = shapes["echoes"]
        self.records = json.loads((folder / "records.json").read_text())
        self.service = json.loads((folder / "service.json").read_text())
        self.errors = json.loads((folder / "errors.json").read_text())
        self.limits = json.loads((folder / "limits.json").read_text())
        self.reserved_words = (folder / "reserved-words.txt").read_text().split()
        self.operations = [json.loads(p.read_text()) for p in sorted((folder / "operations").glob("*.json"))]
        for operation in self.operations:
            check_kind(operation)
        self.served = [o for o in self.operations if o["status"] == "served"]
        self.structures.update(self.records)
        self.inputs = self.closure([m["type"] for o in self.served for m in o["input"]] + list(self.records))
        self.outputs = self.closure([m["type"] for o in self.served for m in o["output"]] + list(self.records))

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


# --- C++ types -------------------------------------------------------------------------------------------------

API = "dynamodb/api/"


def in_namespace(lines):
    return ["namespace dinette::dynamodb::api {", "", *lines, "}  // namespace dinette::dynamodb::api"]


def enums_of(specs):
    return [n for n in dict.fromkeys(specs.inputs + specs.outputs) if n in specs.enums]


def structures_of(specs):
    return [n for n in dict.fromkeys(specs.inputs + specs.outputs) if n not in specs.enums]


def enums_header(specs):
    lines = []
    for name in enums_of(specs):
        values = ", ".join(snake(v) for v in specs.enums[name]["values"])
        lines += [f"enum class {name} {{ {values} }};", f"std::string_view to_string({name} value);",
                  f"/// Returns false, and leaves `out` unchanged, if `word` is none of them.",
                  f"bool from_string(std::string_view word, {name}& out);", ""]
    return [BANNER, "#pragma once", "", "#include <string_view>", "", *in_namespace(lines)]


def enums_source(specs):
    lines = []
    for name in enums_of(specs):
        values = specs.enums[name]["values"]
        words = f"words_of_{snake(name)}"
        lines += [f"constexpr std::array<std::string_view, {len(values)}> {words} = "
                  f"{{{', '.join(map(quoted, values))}}};", "",
                  f"std::string_view to_string({name} value) {{",
                  f"  return {words}[static_cast<std::size_t>(value)];", "}", "",
                  f"bool from_string(std::string_view word, {name}& out) {{",
                  f"  const auto found = std::ranges::find({words}, word);",
                  f"  if (found == {words}.end()) return false;",
                  f"  out = static_cast<{name}>(found - {words}.begin());", "  return true;", "}", ""]
    return [BANNER, f'#include "{API}enums.h"', "", "#include <algorithm>", "#include <array>", "",
            *in_namespace(lines)]


def struct_lines(specs, name, members, answer):
    lines = [f"struct {name} {{"]
    for member in members:
        cpp = specs.cpp_type(member["type"], answer)
        if "default" in member:
            start = f" = {specs.default(member)}"
        else:
            start = "{}" if member.get("required") else ""
            cpp = cpp if member.get("required") else f"std::optional<{cpp}>"
        lines.append(f"  {cpp} {snake(member['name'])}{start};")
    return lines + ["};", ""]


def includes_of(specs, members):
    """Returns the generated headers that a header with these members includes."""
    inner = {specs.element(m["type"])[1] for m in members}
    while any(specs.element(name)[0] for name in inner):
        inner = {specs.element(name)[1] for name in inner}
    own = [f'#include "{API}{snake(n)}.h"' for n in sorted(inner) if n in specs.structures]
    return sorted(own + [f'#include "{API}enums.h"'] if any(n in specs.enums for n in inner) else own)


def header_of(specs, members, lines, more=()):
    return [BANNER, "#pragma once", "", "#include <cstdint>", "#include <optional>", "#include <string>",
            "#include <vector>", "", *sorted([*includes_of(specs, members), '#include "dynamodb/codec/inputs.h"',
                                              *more]), "", *lines]


def structure_header(specs, name):
    members = specs.structures[name]
    lines = in_namespace([*struct_lines(specs, name, members, name not in specs.inputs),
                          *mark_declarations(name, members)])
    return header_of(specs, members, lines, more=MARKS if marks_of(name, members) else [])


def operation_header(specs, operation):
    """Returns the operation's types and the declaration of its function in src/dynamodb/ops."""
    name = operation["operation"]
    marks = mark_declarations(name + "Input", operation["input"])
    types = [*struct_lines(specs, name + "Input", operation["input"], False),
             *struct_lines(specs, name + "Output", operation["output"], True), *marks]
    function = ["namespace dinette::dynamodb::ops {", "",
                f"/// {operation['summary']} The input has passed the model's constraints.",
                f"Answer<api::{name}Output> {snake(name)}(const Context& context, api::{name}Input&& input);", "",
                "}  // namespace dinette::dynamodb::ops"]
    return header_of(specs, operation["input"] + operation["output"], [*in_namespace(types), "", *function],
                     more=['#include "dynamodb/request/context.h"', *(MARKS if marks else [])])


def type_headers(specs):
    """Returns one header per structure and per operation, so that a change recompiles little."""
    both = [n for n in specs.inputs if n in specs.outputs and specs.carries_items(n)]
    if both:
        sys.exit(f"gen_api.py: items are in both requests and responses of {both}; give each direction its own")
    headers = {snake(n) + ".h": structure_header(specs, n) for n in structures_of(specs)}
    for operation in specs.served:
        name = snake(operation["operation"]) + ".h"
        if name in headers:
            sys.exit(f"gen_api.py: a structure and an operation are both called {operation['operation']}")
        headers[name] = operation_header(specs, operation)
    return headers


# --- Members by their marks ---------------------------------------------------------------------------------------

MARKS = ['#include "dynamodb/codec/given_members.h"']


def marks_of(name, members):
    """Returns the functions that report which marked members an input has."""
    marks = []
    if any(mark in member for member in members for mark in ("legacy", "legacy_against", "expression")):
        marks.append(f"codec::FamilyMembers families_of(const {name}& input)")
    if any("planned" in member for member in members):
        marks.append(f"codec::GivenMembers planned_members_of(const {name}& input)")
    return marks


def mark_declarations(name, members):
    marks = marks_of(name, members)
    return [*(f"{mark};" for mark in marks), ""] if marks else []


def given(member):
    return f"input.{snake(member['name'])}"


def note_lines(members, mark, where):
    def condition(member):
        return "" if member.get("required") else f"if ({given(member)}) "
    return [f"  {condition(m)}{where}.push_back({quoted(m['name'])});" for m in members if mark in m]


def mark_lines(name, members):
    lines = []
    for function in marks_of(name, members):
        # An input whose marked members are all required is not looked at.
        lines += [function.replace("(const", "([[maybe_unused]] const") + " {"]
        if "planned" in function:
            lines += ["  codec::GivenMembers given;", *note_lines(members, "planned", "given")]
        else:
            lines += ["  codec::FamilyMembers given;", *note_lines(members, "legacy", "given.legacy")]
            lines += [f"  if ({given(m)} && input.{snake(m['legacy_against'])}) "
                      f"given.legacy.push_back({quoted(m['name'])});" for m in members if "legacy_against" in m]
            lines += note_lines(members, "expression", "given.expressions")
        lines += ["  return given;", "}", ""]
    return lines


# --- Decoding and encoding ---------------------------------------------------------------------------------------

def decode_lines(name, members):
    lines = [f"aws::Decoded decode(codec::Decoder& decoder, aws::JsonElement json, {name}& out) {{",
             "  DINETTE_TRY(const aws::JsonObject fields, decoder.object(json));"]
    if not members:
        return lines + ["  static_cast<void>(fields);", "  static_cast<void>(out);", "  return {};", "}", ""]
    lines.append("  const auto read = [&](std::string_view name, aws::JsonElement value) -> aws::Decoded {")
    for member in members:
        read = "read_or_text" if member.get("or_text") else "read"
        lines.append(f"    if (name == {quoted(member['name'])}) "
                     f"return decoder.{read}(value, out.{snake(member['name'])});")
    return lines + ["    return {};", "  };", "  for (const auto field : fields) {",
                    "    if (!field.value.is_null()) DINETTE_CHECK(read(field.key, field.value));", "  }", "  return {};",
                    "}", ""]


def encode_value(specs, type_name, expression, indent):
    pad = "  " * indent
    container, inner = specs.element(type_name)
    if type_name == "list<Item>":
        return [f"{pad}json.begin_array();", f"{pad}json.raw(*{expression}.json);", f"{pad}json.end_array();"]
    if container == "list":
        return [f"{pad}json.begin_array();", f"{pad}for (const auto& element : {expression}) {{",
                *encode_value(specs, inner, "element", indent + 1), f"{pad}}}", f"{pad}json.end_array();"]
    if container == "map":
        return [f"{pad}json.begin_object();", f"{pad}for (const auto& [name, entry] : {expression}) {{",
                f"{pad}  json.escaped_key(name);", *encode_value(specs, inner, "entry", indent + 1), f"{pad}}}",
                f"{pad}json.end_object();"]
    if inner == "Item":
        return [f"{pad}json.raw(*{expression}.json);"]
    if inner == "Values":
        return [f"{pad}codec::write_values(json, {expression});"]
    if inner == "Timestamp":
        return [f"{pad}json.timestamp({expression}.milliseconds);"]
    if inner in specs.enums:
        return [f"{pad}json.string(to_string({expression}));"]
    if inner in specs.structures:
        return [f"{pad}encode(json, {expression});"]
    return [f"{pad}json.{WRITERS['String' if inner in specs.strings else inner]}({expression});"]


def encode_lines(specs, name, members):
    unused = "" if members else "[[maybe_unused]] "
    lines = [f"void encode(aws::JsonWriter& json, {unused}const {name}& value) {{", "  json.begin_object();"]
    for member in members:
        field = f"value.{snake(member['name'])}"
        write = [f"json.key({quoted(member['name'])});"]
        if member.get("required"):
            lines += ["  " + write[0], *encode_value(specs, member["type"], field, 1)]
        else:
            bare = specs.element(member["type"])[0] and member["type"] != "list<Item>"
            held = "*" + field if bare else f"(*{field})"
            lines += [f"  if ({field}) {{", "    " + write[0], *encode_value(specs, member["type"], held, 2), "  }"]
    return lines + ["  json.end_object();", "}", ""]


def enum_decode_lines(name):
    return [f"// An unknown word keeps the initial value: the constraints refuse it before the value is used.",
            f"aws::Decoded decode(codec::Decoder& decoder, aws::JsonElement json, {name}& out) {{",
            "  DINETTE_TRY(const std::string_view word, decoder.text(json));",
            "  from_string(word, out);", "  return {};", "}", ""]


def codec_header(specs):
    """Does not mention members, so that it does not change with them."""
    inputs = specs.inputs + [o["operation"] + "Input" for o in specs.served]
    outputs = [n for n in specs.outputs if n not in specs.enums] + [o["operation"] + "Output" for o in specs.served]
    lines = [f"struct {n};" for n in dict.fromkeys(inputs + outputs) if n not in specs.enums] + [""]
    lines += [f"aws::Decoded decode(codec::Decoder& decoder, aws::JsonElement json, {n}& out);" for n in inputs]
    lines += [f"void encode(aws::JsonWriter& json, const {n}& value);" for n in outputs] + [""]
    return [BANNER, "#pragma once", "", '#include "dinette/aws/json_writer.h"', "", f'#include "{API}enums.h"',
            '#include "dynamodb/codec/decoder.h"', "", *in_namespace(lines)]


def enums_codec_source(specs):
    lines = [line for name in enums_of(specs) if name in specs.inputs for line in enum_decode_lines(name)]
    return [BANNER, f'#include "{API}codec.h"', "", *in_namespace(lines)]


def source_of(name, lines, more=(), after=()):
    """Returns the source next to a header: it alone depends on all that the specs say about the members."""
    return [BANNER, f'#include "{API}{name}.h"', "", f'#include "{API}codec.h"', '#include "dynamodb/codec/item_text.h"',
            *more, "", *in_namespace(lines), *after]


def structure_source(specs, name):
    members = specs.structures[name]
    lines = decode_lines(name, members) + mark_lines(name, members) if name in specs.inputs else []
    lines += encode_lines(specs, name, members) if name in specs.outputs else []
    return source_of(snake(name), lines)


def operation_source(specs, operation):
    name = operation["operation"]
    lines = [*decode_lines(name + "Input", operation["input"]), *mark_lines(name + "Input", operation["input"]),
             *encode_lines(specs, name + "Output", operation["output"])]
    body = ", SuccessBody::none" if operation.get("empty_body") else ""
    serve = ["", "namespace dinette::dynamodb::wire {", "",
             f"Answer<void> serve_{snake(name)}(const aws::Operation& operation, Context& context, "
             "const aws::RequestBody& body, TypeLenience& types, std::string& reply) {",
             f"  return serve<api::{name}Input, &ops::{snake(name)}{body}>(operation, context, body, types, reply);",
             "}", "", "}  // namespace dinette::dynamodb::wire"]
    return source_of(snake(name), lines, ['#include "dynamodb/wire/serve.h"'], serve)


def type_sources(specs):
    """Returns one source per structure and per operation."""
    return {**{snake(n) + ".cc": structure_source(specs, n) for n in structures_of(specs)},
            **{snake(o["operation"]) + ".cc": operation_source(specs, o) for o in specs.served},
            "enums_codec.cc": enums_codec_source(specs)}


# --- Constraint tables ---------------------------------------------------------------------------------------------

def class_test(text):
    """Returns C++ that tests the character `c` for a class of a regular expression, without its brackets."""
    if text.startswith("^"):
        return f"!({class_test(text[1:])})"
    text = text.replace("\\w", "a-zA-Z0-9_")
    one = r"(?:\\x[0-9A-F]{2}|\\.|[^\\])"

    def literal(character):
        return f"'{character}'" if character.startswith(("\\x", "\\t")) else f"'{character[-1]}'"

    tests = []
    for low, high in re.findall(f"({one})(?:(?<!\\\\)-({one}))?", text):
        tests.append(f"(c >= {literal(low)} && c <= {literal(high)})" if high else f"c == {literal(low)}")
    return " || ".join(tests)


def pattern_test(text):
    """Returns C++ that tests `text` for a pattern: [class], with *, + or {n}, ([class]{n})+, or
    [ends]+[class]*[ends]+, where the class has the ends, too."""
    def all_of(characters):
        return f"std::ranges::all_of(text, [](char c) {{ return {class_test(characters)}; }})"

    bare = text.removeprefix("^").removesuffix("$")
    if match := re.fullmatch(r"\[([^\]]+)\]\+", bare):
        return f"!text.empty() && {all_of(match[1])}"
    if match := re.fullmatch(r"\[([^\]]+)\]\*", bare):
        return all_of(match[1])
    if match := re.fullmatch(r"\[([^\]]+)\](?:\{(\d+)\})?", bare):
        return f"text.size() == {match[2] or 1} && {all_of(match[1])}"
    if match := re.fullmatch(r"\(\[([^\]]+)\]\{(\d+)\}\)\+", bare):
        return f"!text.empty() && text.size() % {match[2]} == 0 && {all_of(match[1])}"
    if match := re.fullmatch(r"\[([^\]]+)\]\+\[([^\]]+)\]\*\[([^\]]+)\]\+", bare):
        if match[1] == match[3]:
            ends = f"const auto is_end = [](char c) {{ return {class_test(match[1])}; }};"
            return (f"text.size() > 1 && {all_of(match[2])} && [&] {{ {ends} "
                    "return is_end(text.front()) && is_end(text.back()); }()")
    sys.exit(f"gen_api.py: pattern {text} of a served operation needs support")


class Tables:
    """Collects the read-only tables of aws/shape.h, each named and written once, users after the used."""

    def __init__(self, specs):
        self.specs, self.lines, self.names, self.patterns = specs, [], {}, {}

    def bounds(self, limits):
        low, high = limits or (None, None)
        parts = ([f".min = {low}"] if low is not None else []) + ([f".max = {high}"] if high is not None else [])
        return "{" + ", ".join(parts) + "}"

    def pattern(self, text):
        """Turns a pattern into code; served operations have none of other forms than these."""
        if text not in self.patterns:
            name = self.patterns[text] = f"pattern_{len(self.patterns)}"
            self.lines += [f"constexpr aws::Pattern {name}{{{quoted(text)}, [](std::string_view text) {{",
                           f"  return {pattern_test(text)};", "}};", ""]
        return "&" + self.patterns[text]

    def define(self, key, fields):
        if key not in self.names:
            self.names[key] = f"shape_{len(self.names)}"
            self.lines += [f"constexpr aws::Shape {self.names[key]}{{" + ", ".join(fields) + "};"]
        return "&" + self.names[key]

    def shape(self, type_name, rules):
        """Returns the shape of a member: its type with the member's constraints."""
        container, inner = self.specs.element(type_name)
        key = type_name + json.dumps(rules, sort_keys=True)
        if key in self.names:
            return "&" + self.names[key]
        fields = [f".name = {quoted(type_name)}"]
        if container:
            fields.append(f".kind = aws::Kind::{container}")
            fields.append(f".bounds = {self.bounds(rules.get('items') or rules.get('entries'))}")
            of_element = {"length": rules.get("each_length"), "pattern": rules.get("each_pattern"),
                          "items": rules.get("value_items"), "keys": rules.get("each_keys")}
            fields.append(f".element = {self.shape(inner, {k: v for k, v in of_element.items() if v})}")
            if "keys" in rules:
                fields.append(".key = " + self.shape(rules["keys"], {}))
            elif "key_length" in rules or "key_pattern" in rules:
                fields.append(".key = " + self.shape("String", {k[4:]: v for k, v in rules.items()
                                                                if k in ("key_length", "key_pattern")}))
            return self.define(key, fields)
        if inner in self.specs.enums:
            return self.define(key, fields + [".kind = aws::Kind::string", f".values = {self.enum(inner)}"])
        if inner in self.specs.structures:
            members = self.members(inner, self.specs.structures[inner])
            return self.define(key, fields + [".kind = aws::Kind::structure", f".members = {members}",
                                              *self.echo(inner)])
        rules = {**self.specs.strings.get(inner, {}), **rules}
        fields.append(f".kind = aws::Kind::{KINDS[rules.get('type', inner)]}")
        fields.append(f".bounds = {self.bounds(rules.get('length') or rules.get('range'))}")
        if "pattern" in rules:
            fields.append(f".pattern = {self.pattern(rules['pattern'])}")
        if rules.get("or_arn"):
            fields.append(".name_in_arn = &model::table_name_in_arn")
        if "too_long" in rules:
            fields.append(f".too_long = {quoted(rules['too_long'])}")
        if inner in ("Item", "NewItem", "Values"):
            fields.append(f".element = {self.shape('AttributeValue', {})}")
        if "keys" in rules:
            fields.append(f".key = {self.shape(rules['keys'], {})}")
        return self.define(key, fields + self.echo(inner))

    def echo(self, type_name):
        """Returns the initializer of the members that messages print of a type, if the specs list them."""
        if type_name not in self.specs.echoes:
            return []
        name = "echo_of_" + snake(type_name)
        if name not in self.names:
            self.names[name] = name
            rows = [f"    aws::EchoedMember{{{quoted(member)}, {quoted(camel(member))}}},"
                    for member in self.specs.echoes[type_name]]
            self.lines += [f"constexpr std::array<aws::EchoedMember, {len(rows)}> {name}{{{{", *rows, "}};", ""]
        return [f".echoed = {name}"]

    def enum(self, name):
        key = "enum " + name
        if key not in self.names:
            self.names[key] = f"enum_{len(self.names)}"
            enum = self.specs.enums[name]
            for part in ("values", "printed", "printed_older"):
                words = enum.get(part, in_order_of_hashes(enum["values"]) if part == "printed" else [])
                self.lines.append(f"constexpr std::array<std::string_view, {len(words)}> {self.names[key]}_{part}"
                                  f"{{{', '.join(quoted(w) for w in words)}}};")
            parts = ", ".join(f"{self.names[key]}_{part}" for part in ("values", "printed", "printed_older"))
            self.lines.append(f"constexpr aws::EnumValues {self.names[key]}{{{parts}}};")
        return "&" + self.names[key]

    def members(self, owner, members):
        name = "members_of_" + snake(owner)
        if name in self.names:
            return name
        rows = []
        for member in members:
            rules = {k: v for k, v in member.items() if k in RULES}
            fields = [f".name = {quoted(member['name'])}",
                      f".path = {quoted(camel(member['name']))}",
                      f".shape = {self.shape(member['type'], rules)}"]
            fields += [".required = true"] if member.get("required") else []
            fields += [f".unless = {quoted(member['unless'])}"] if "unless" in member else []
            fields += [f".form = aws::Form::{member['form']}"] if "form" in member else []
            fields += [".empty_alone = true"] if member.get("empty") == "generic alone" else []
            fields += [".alone = true"] if member.get("alone") else []
            fields += [".bare = true"] if member.get("alone") == "bare" else []
            fields += [".keeps_form = true"] if member.get("keeps_form") else []
            fields += [".or_text = true"] if member.get("or_text") else []
            fields += [".empty_in_older = true"] if member.get("empty_in_older") else []
            fields += [".yields = true"] if member.get("yields") else []
            fields += [f".missing_message = {quoted(member['missing'])}"] if "missing" in member else []
            fields += [f".unknown_message = {quoted(member['unknown'])}"] if "unknown" in member else []
            rows.append("    aws::Member{" + ", ".join(fields) + "},")
        self.names[name] = name
        self.lines += [f"constexpr std::array<aws::Member, {len(members)}> {name}{{{{", *rows, "}};", ""]
        return name

    def constrained(self, member):
        """Returns true if a value of the right type may violate a constraint."""
        container, inner = self.specs.element(member["type"])
        if member.get("required") or RULES & member.keys() or inner in self.specs.enums or \
                RULES & self.specs.strings.get(inner, {}).keys():
            return True
        return any(self.constrained(m) for m in self.specs.structures.get(inner, []))

    def layers(self, operation):
        """Returns the initializer of the operation's layers; nothing for the current one everywhere."""
        fields = [".usual = aws::Generation::older"] if operation.get("layer") == "older" else []
        regions = operation.get("other_layer_in")
        fields += [".both = true"] if regions is not None else []
        if regions:
            name = "regions_of_" + snake(operation["operation"])
            self.lines.append(f"constexpr std::array<std::string_view, {len(regions)}> {name}"
                              f"{{{', '.join(map(quoted, regions))}}};")
            fields.append(f".other_in = {name}")
        return f", .layers = {{{', '.join(fields)}}}" if fields else ""

    def naming(self, members):
        """Returns the table of the members that name something."""
        key = "naming " + json.dumps(members)
        if members and key not in self.names:
            rows = []
            for member, names, inside in members:
                more = f", {self.naming(inside)}" if inside else ""
                rows.append(f"    NamingMember{{{quoted(member)}, NamingMember::Names::{names}{more}}},")
            self.names[key] = f"naming_{len(self.names)}"
            self.lines += [f"constexpr std::array<NamingMember, {len(rows)}> {self.names[key]}{{{{", *rows, "}};", ""]
        return self.names[key] if members else "NamingMembers()"

    def operation(self, operation):
        name = operation["operation"]
        members = operation["input"]
        index = {m["name"]: i for i, m in enumerate(members)}

        def order_of(listed):
            order = [index[n] for n in listed]
            return order + [i for i, m in enumerate(members) if self.constrained(m) and i not in order]

        order = order_of(operation.get("constraint_order", []))
        older_order = ""
        if "older_constraint_order" in operation:
            indexes = order_of(operation["older_constraint_order"])
            self.lines.append(f"constexpr std::array<std::uint8_t, {len(indexes)}> older_order_of_{snake(name)}"
                              f"{{{', '.join(map(str, indexes))}}};")
            older_order = f", .older_order = older_order_of_{snake(name)}"
        table = self.members(name + "Input", members)
        layer = self.layers(operation)
        envelope = ", .own_in_envelope = true" if operation.get("envelope") else ""
        older = f", .older_without = {index[operation['older_without']]}" if "older_without" in operation else ""
        self.lines += [f"constexpr std::array<std::uint8_t, {len(order)}> order_of_{snake(name)}"
                       f"{{{', '.join(map(str, order))}}};", "",
                       f"constexpr aws::Operation operation_{snake(name)}{{.name = {quoted(name)}, "
                       f".input = {table}, "
                       f".constraint_order = order_of_{snake(name)}{older_order}{envelope}{layer}{older}}};", ""]


RULES = {"length", "range", "items", "entries", "key_length", "each_length", "value_items", "pattern", "each_pattern",
         "key_pattern", "keys", "each_keys"}


def kind_of(operation):
    """Returns the initializer of wire::OperationKind."""
    fields = [f".{fact} = {fact.capitalize()}::{operation[fact]}" for fact in KIND if fact in operation]
    fields += [".table_operation = true"] if operation.get("table_operation") else []
    return "{" + ", ".join(fields) + "}"


def dispatch_source(specs):
    tables = Tables(specs)
    for operation in specs.served:
        tables.operation(operation)
    served = sorted(specs.served, key=specs.target)
    rows = [f"    {{&operation_{snake(o['operation'])}, &serve_{snake(o['operation'])}, {kind_of(o)}, "
            f"{tables.naming(specs.naming_members(o['input']))}}}," for o in served]
    targets = {"served": list(map(specs.target, served)),
               "planned": sorted(specs.target(o) for o in specs.operations if o not in specs.served)}
    return [BANNER, "#include <array>", "#include <span>", "#include <string_view>", "",
            '#include "dinette/aws/shape.h"', "",
            '#include "dynamodb/model/resource_arn.h"', '#include "dynamodb/wire/endpoint.h"', "",
            "namespace dinette::dynamodb::wire {", "",
            "// Each is defined in the source of its operation.",
            *(f"ServeFunction serve_{snake(o['operation'])};" for o in served), "", "namespace {", "",
            *tables.lines,
            f"constexpr std::array<Endpoint, {len(rows)}> all_endpoints{{{{", *rows, "}};", "",
            *(line for status, names in targets.items() for line in
              (f"constexpr std::array<std::string_view, {len(names)}> {status}{{{{",
               *(f"    {quoted(target)}," for target in names), "}};", "")), "}  // namespace", "",
            "std::span<const Endpoint> endpoints() { return all_endpoints; }",
            *(f"std::span<const std::string_view> {status}_targets() {{ return {status}; }}" for status in targets), "",
            "}  // namespace dinette::dynamodb::wire"]


# --- Errors, limits ------------------------------------------------------------------------------------------------

def errors_header(specs):
    names = sorted(specs.errors)
    rows = []
    for name in names:
        e = specs.errors[name]
        key = quoted(e["message_key"]) if e["message_key"] else '""'
        rows.append(f"    aws::ErrorForm{{{quoted(name)}, {quoted(specs.service['error_prefixes'][e['prefix']] + name)}, {e['status']}, {key}}},")
    return [BANNER, "#pragma once", "", "#include <array>", "#include <cstddef>", "",
            '#include "dinette/aws/error_form.h"', "", "namespace dinette::dynamodb::api {", "",
            "/// Every error that the service declares; there is no other.",
            f"enum class ErrorCode {{ {', '.join(snake(n) for n in names)} }};", "",
            f"inline constexpr std::array<aws::ErrorForm, {len(names)}> error_forms{{{{", *rows, "}};", "",
            "constexpr const aws::ErrorForm& form_of(ErrorCode code) {",
            "  return error_forms[static_cast<std::size_t>(code)];", "}",
            "", "}  // namespace dinette::dynamodb::api"]


def service_header(specs):
    names = [f"inline constexpr std::string_view {name} = {quoted(specs.service[name])};"
             for name in ("signing_name", "content_type")]
    first, *others = specs.service["targets"]
    lines = ["/// How the service appears on the wire.", *names, "",
             "/// Returns what precedes the name of an operation, and a dot, in X-Amz-Target: if there is no such operation,",
             f"/// the same as for those of {first}.",
             "constexpr std::string_view target_prefix_of(std::string_view operation) {"]
    for service in others:
        operations = [o["operation"] for o in specs.operations if o["service"] == service]
        lines += [f"  constexpr std::array<std::string_view, {len(operations)}> of_{service}"
                  f"{{{', '.join(map(quoted, operations))}}};",
                  f"  if (std::ranges::find(of_{service}, operation) != of_{service}.end()) "
                  f"return {quoted(specs.service['targets'][service])};"]
    lines += [f"  return {quoted(specs.service['targets'][first])};", "}", ""]
    return [BANNER, "#pragma once", "", "#include <algorithm>", "#include <array>", "#include <string_view>", "",
            *in_namespace(lines)]


def comparison_operators_header(specs):
    """Returns the number and types of operands of each operator of the legacy conditions."""
    operators = specs.enums["ComparisonOperator"]
    types = {"S": "string", "N": "number", "B": "binary"}
    rows, sets = [], {}
    for word in operators["values"]:
        rule = operators["operands"][word]
        least, most = rule["count"]
        most = "std::numeric_limits<std::size_t>::max()" if most is None else most
        name = "allow_" + "_".join(types[t] for t in rule.get("types", [])) if "types" in rule else "allow_any"
        among = " || ".join(f"type == model::Type::{types[t]}" for t in rule.get("types", []))
        sets[name] = f"constexpr bool {name}(model::Type{' type' if among else ''}) {{ return {among or 'true'}; }}"
        rows.append(f"    OperandRule{{{least}, {most}, &{name}}},  // {word}")
    return [BANNER, "#pragma once", "", "#include <array>", "#include <cstddef>", "#include <limits>", "",
            f'#include "{API}enums.h"', '#include "dynamodb/model/attribute_value.h"', "",
            *in_namespace(["/// What a comparison operator compares an attribute with.", "struct OperandRule {",
                           "  std::size_t least;", "  std::size_t most;", "  bool (*allows)(model::Type type);", "};",
                           "", *sets.values(), "", f"inline constexpr std::array<OperandRule, {len(rows)}> operand_rules{{{{", *rows,
                           "}};", "", "constexpr const OperandRule& operands_of(ComparisonOperator op) {",
                           "  return operand_rules[static_cast<std::size_t>(op)];", "}", ""])]


def limits_header(limits, includes=()):
    lines = [BANNER, "#pragma once", "", "#include <cstddef>", "#include <cstdint>", "", *includes,
             "/// Sizes, counts, depths and quotas of the service, each named once. Limits are inclusive.",
             "namespace dinette::dynamodb::model::limits {", ""]
    for name, limit in limits.items():
        lines += [f"/// {limit['about']}", f"inline constexpr {limit.get('type', 'std::size_t')} {name} = {limit['value']};"]
    return lines + ["", "}  // namespace dinette::dynamodb::model::limits"]


def limits_headers(specs):
    """Keeps the limits of numbers separate, since nearly everything includes number.h."""
    of_numbers = {name: limit for name, limit in specs.limits.items() if name.startswith("number_")}
    others = {name: limit for name, limit in specs.limits.items() if name not in of_numbers}
    return {"number_limits.h": limits_header(of_numbers),
            "limits.h": limits_header(others, [f'#include "{API}number_limits.h"', ""])}


def reserved_words(specs):
    return [BANNER] + [quoted(word) + "," for word in specs.reserved_words]


# --- Examples, seeds, page -------------------------------------------------------------------------------------------

def error_list(name, errors):
    return [f"inline constexpr std::array<std::string_view, {len(errors)}> {name}"
            f"{{{', '.join(map(quoted, errors))}}};"]


def examples_header(specs):
    lines = [BANNER, "#pragma once", "", "#include <array>", "#include <span>", "#include <string_view>", "",
             "/// For tests: the operations of the specs and their examples.",
             "namespace dinette::dynamodb::api {", "",
             "/// An operation of the specs by its whole `X-Amz-Target`.",
             "struct SpecifiedOperation {", "  std::string_view target;", "  bool served;",
             "  std::span<const std::string_view> errors;  ///< that it may return, besides those of every operation",
             "};", ""]
    lines += error_list("errors_of_every_operation", [n for n, e in specs.errors.items() if "every_operation" in e])
    for operation in specs.operations:
        lines += error_list("errors_of_" + snake(operation["operation"]), operation["errors"])
    lines += ["", "inline constexpr SpecifiedOperation specified_operations[] = {"]
    for operation in specs.operations:
        target = specs.target(operation)
        lines.append(f"    {{{quoted(target)}, {'true' if operation['status'] == 'served' else 'false'}, "
                     f"errors_of_{snake(operation['operation'])}}},")
    lines += ["};", "", "/// A request, the status of its response, and members that the response must have.",
              "struct Example {", "  std::string_view operation;", "  std::string_view title;",
              "  std::string_view request;", "  int status;", "  std::string_view answer;", "};", "",
              "inline constexpr Example examples[] = {"]
    for operation in specs.served:
        for example in operation.get("examples", []):
            texts = [f'R"~({json.dumps(example[k], ensure_ascii=False)})~"' for k in ("request", "answer")]
            lines.append(f"    {{{quoted(operation['operation'])}, {quoted(example['title'])}, {texts[0]}, "
                         f"{example.get('status', 200)}, {texts[1]}}},")
    return lines + ["};", "", "}  // namespace dinette::dynamodb::api"]


def sample(specs, type_name, depth=0):
    """Returns a plausible value of a type, as a seed for fuzzers."""
    container, inner = specs.element(type_name)
    if depth > 6:
        return None
    if container == "list":
        return [sample(specs, inner, depth + 1)]
    if container == "map":
        return {"#n" if inner == "String" else "name": sample(specs, inner, depth + 1)}
    if inner in ("Item", "NewItem"):
        return {"pk": {"S": "a"}, "n": {"N": "-1.5e3"}, "b": {"B": "AAE="}, "l": {"L": [{"BOOL": True}, {"NULL": True}]},
                "m": {"M": {"x": {"SS": ["a", "b"]}}}, "ns": {"NS": ["1", "2"]}, "bs": {"BS": ["AA=="]}}
    if inner == "AttributeValue":
        return {"S": "a"}
    if inner == "Values":
        return {":v": {"N": "1"}}
    if inner in specs.enums:
        return specs.enums[inner]["values"][0]
    if inner in specs.structures:
        return {m["name"]: sample(specs, m["type"], depth + 1) for m in specs.structures[inner]}
    return {"Boolean": True, "Integer": 1, "Long": 5, "Double": 0.5, "Timestamp": 1.5}.get(inner, "Music")


def write_seeds(specs, folder):
    for operation in specs.operations:
        target = specs.target(operation)
        body = {m["name"]: sample(specs, m["type"]) for m in operation["input"]}
        bodies = [body] + [e["request"] for e in operation.get("examples", [])]
        for i, request in enumerate(bodies):
            text = json.dumps(request)
            write(folder / "json" / f"{operation['operation']}-{i}.json", operation["operation"] + "\n" + text)
            head = f"POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: {target}\r\nContent-Length: {len(text)}\r\n\r\n"
            write(folder / "http" / f"{operation['operation']}-{i}.http", head + text)


def operations_page(specs):
    lines = ["# Operations", "", "Written by `scripts/gen_api.py` from `api-specs/`; a test fails when it is stale.", "",
             f"{len(specs.served)} of {len(specs.operations)} operations are served. The others have the error type of an operation that the",
             "service does not know, `UnknownOperationException`, and say that Dinette does not serve them yet.", "",
             "| operation | served | what it does |", "|---|---|---|"]
    for o in specs.operations:
        planned = ", ".join(f"`{m['name']}`" for m in o["input"] if "planned" in m)
        summary = o["summary"] + (f" Not yet: {planned}." if planned else "")
        lines.append(f"| {o['operation']} | {'yes' if o['status'] == 'served' else 'planned'} | {summary} |")
    return lines


def write(path, text):
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def sources(specs):
    """Returns every generated C++ file by its name."""
    return {**type_headers(specs), **limits_headers(specs), "enums.h": enums_header(specs),
            "enums.cc": enums_source(specs), "codec.h": codec_header(specs), **type_sources(specs),
            "dispatch.cc": dispatch_source(specs), "errors.h": errors_header(specs), "service.h": service_header(specs),
            "comparison_operators.h": comparison_operators_header(specs),
            "examples.h": examples_header(specs), "reserved_words.inc": reserved_words(specs)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--specs", type=Path, required=True)
    parser.add_argument("--out", type=Path, help="folder of the generated sources")
    parser.add_argument("--list", action="store_true", help="print the names of the generated sources")
    parser.add_argument("--docs", type=Path, help="the operations page to write")
    parser.add_argument("--check-docs", type=Path, help="fail if this operations page is stale")
    arguments = parser.parse_args()
    specs = Specs(arguments.specs)
    page = "\n".join(operations_page(specs)) + "\n"
    if arguments.check_docs and arguments.check_docs.read_text() != page:
        sys.exit(f"{arguments.check_docs} is stale: run scripts/gen_api.py --specs api-specs/dynamodb "
                 "--docs docs/operations.md")
    if arguments.docs:
        write(arguments.docs, page)
    if arguments.list:
        print(";".join(sources(specs)))
    if arguments.out:
        for name, lines in sources(specs).items():
            write(arguments.out / API / name, "\n".join(lines) + "\n")
        write_seeds(specs, arguments.out / "seeds")


if __name__ == "__main__":
    main()
