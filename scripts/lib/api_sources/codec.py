"""Decoding and encoding of the types."""

import json

from api_sources.marks import mark_lines
from api_sources.names import BANNER, quoted, snake
from api_sources.types import enums_of, structures_of

WRITERS = {"String": "string", "Boolean": "boolean", "Integer": "integer", "Long": "integer", "Double": "floating",
           "Blob": "blob"}


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
    outputs = [n for n in specs.outputs if n not in specs.enums] + [o["operation"] + "Output" for o in specs.served
                                                                    if "output_structure" not in o]
    lines = [f"struct {n};" for n in dict.fromkeys(inputs + outputs) if n not in specs.enums] + [""]
    lines += [f"aws::Decoded decode(codec::Decoder& decoder, aws::JsonElement json, {n}& out);" for n in inputs]
    lines += [f"void encode(aws::JsonWriter& json, const {n}& value);" for n in outputs] + [""]
    return [BANNER, "#pragma once", "", '#include "dinette/aws/json_writer.h"', "", f'#include "{specs.api}enums.h"',
            f'#include "{specs.layer}/codec/decoder.h"', "", *specs.in_namespace(lines)]


def enums_codec_source(specs):
    lines = [line for name in enums_of(specs) if name in specs.inputs for line in enum_decode_lines(name)]
    return [BANNER, f'#include "{specs.api}codec.h"', "", *specs.in_namespace(lines)]


def source_of(specs, name, lines, more=(), after=()):
    """Returns the source next to a header: it alone depends on all that the specs say about the members."""
    return [BANNER, f'#include "{specs.api}{name}.h"', "", f'#include "{specs.api}codec.h"',
            *specs.includes("codec_headers"), *more, "", *specs.in_namespace(lines), *after]


def structure_source(specs, name):
    members = specs.structures[name]
    lines = decode_lines(name, members) + mark_lines(name, members) if name in specs.inputs else []
    lines += encode_lines(specs, name, members) if name in specs.outputs else []
    return source_of(specs, snake(name), lines)


def operation_source(specs, operation):
    name = operation["operation"]
    lines = [*decode_lines(name + "Input", operation["input"]), *mark_lines(name + "Input", operation["input"]),
             *([] if "output_structure" in operation else encode_lines(specs, name + "Output", operation["output"]))]
    body = ", SuccessBody::none" if operation.get("empty_body") else ""
    serve = ["", *specs.in_namespace([
        f"Answer<void> serve_{snake(name)}(const Call& call, std::string& reply) {{",
        f"  return serve<api::{name}Input, &ops::{snake(name)}{body}>(call, reply);", "}", ""], "wire")]
    return source_of(specs, snake(name), lines, [f'#include "{specs.layer}/wire/serve.h"'], serve)


def type_sources(specs):
    """Returns one source per structure and per operation."""
    return {**{snake(n) + ".cc": structure_source(specs, n) for n in structures_of(specs)},
            **{snake(o["operation"]) + ".cc": operation_source(specs, o) for o in specs.served},
            "enums_codec.cc": enums_codec_source(specs)}
