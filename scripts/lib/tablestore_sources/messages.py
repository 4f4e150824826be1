"""Types of messages, their reading and writing, and limits."""

from api_sources.names import snake
from tablestore_sources.specs import BANNER, in_namespace, name_of

INCLUDES = ["#include <cstdint>", "#include <optional>", "#include <string>", "#include <string_view>",
            "#include <vector>", ""]


def enums_header(specs):
    lines = []
    for name, values in specs.enums.items():
        words = ", ".join(f"{name_of(word)} = {number}" for word, number in values.items())
        cases = " ".join(f"case {number}:" for number in values.values())
        lines += [f"enum class {name} : std::int32_t {{ {words} }};",
                  "/// Returns false, and leaves `out` unchanged, if there is no such number.",
                  f"constexpr bool from_number(std::int32_t number, {name}& out) {{", "  switch (number) {",
                  f"    {cases}", f"      out = static_cast<{name}>(number);", "      return true;", "    default:",
                  "      return false;", "  }", "}",
                  f"std::string_view to_string({name} value);", ""]
    return [BANNER, "#pragma once", "", "#include <cstdint>", "#include <string_view>", "", *in_namespace(lines)]


def enums_source(specs):
    lines = []
    for name, values in specs.enums.items():
        lines += [f"std::string_view to_string({name} value) {{", "  switch (value) {"]
        for word in values:
            lines += [f"    case {name}::{name_of(word)}:", f'      return "{word}";']
        lines += ["  }", '  return "";', "}", ""]
    return [BANNER, '#include "tablestore/api/enums.h"', "", *in_namespace(lines)]


def struct_lines(specs, name):
    lines = [f"struct {name} {{"]
    for field in specs.messages[name]:
        start = f" = {str(field['default']).lower()}" if "default" in field else " = {}"
        lines.append(f"  {specs.cpp_type(name, field)} {name_of(field['name'])}{start};")
    return lines + ["};", ""]


def unused(specs, name):
    return "" if specs.messages[name] else "[[maybe_unused]] "


def reading_declaration(name):
    return f"bool decode(codec::FieldReader& in, {name}& out)"


def writing_declaration(specs, name):
    return f"void encode({unused(specs, name)}codec::FieldWriter& out, {unused(specs, name)}const {name}& message)"


def reading_lines(specs, name):
    fields = specs.messages[name]
    required = [field for field in fields if field.get("required")]
    bits = {field["name"]: 1 << place for place, field in enumerate(required)}
    lines = [f"bool decode(codec::FieldReader& in, {unused(specs, name)}{name}& out) {{"]
    if not fields:
        return lines + ["  while (in.next()) {", "  }", "  return in.ok();", "}", ""]
    if required:
        lines.append(f"  std::uint32_t missing = {(1 << len(required)) - 1};  // a bit for each required field")
    lines += ["  while (in.next()) {", "    switch (in.field()) {"]
    for field in fields:
        take = f"in.{'take_zigzag' if field['type'] == 'sint64' else 'take'}(out.{name_of(field['name'])})"
        clear = f"if ({take}) missing &= ~{bits.get(field['name'])}U;" if field.get("required") else take + ";"
        lines += [f"      case {field['number']}:", f"        {clear}", "        break;"]
    lines += ["      default:", "        break;", "    }", "  }"]
    return lines + [f"  return in.ok(){' && missing == 0' if required else ''};", "}", ""]


def writing_lines(specs, name):
    lines = [writing_declaration(specs, name) + " {"]
    for field in specs.messages[name]:
        put = "put_zigzag" if field["type"] == "sint64" else "put"
        lines.append(f"  out.{put}({field['number']}, message.{name_of(field['name'])});")
    return lines + ["}", ""]


def declarations(specs, name, reads, writes):
    return [f"{reading_declaration(name)};"] * reads + [f"{writing_declaration(specs, name)};"] * writes


def definitions(specs, name, reads, writes):
    return (reading_lines(specs, name) if reads else []) + (writing_lines(specs, name) if writes else [])


def own_ways(specs, name):
    """Returns whether the server reads a message, and whether it writes it."""
    return name in specs.read, name in specs.written


def codec_includes():
    return ['#include "tablestore/codec/field_reader.h"', '#include "tablestore/codec/field_writer.h"', ""]


def shared_header(specs):
    lines = []
    for name in specs.reachable(specs.shared):
        lines += struct_lines(specs, name)
        lines += [*declarations(specs, name, *own_ways(specs, name)), ""]
    return [BANNER, "#pragma once", "", *INCLUDES, '#include "tablestore/api/enums.h"', *codec_includes(),
            "// Views in messages that are only read are of the bytes that these were read from.",
            *in_namespace(lines)]


def shared_source(specs):
    lines = [line for name in specs.reachable(specs.shared)
             for line in definitions(specs, name, *own_ways(specs, name))]
    return [BANNER, '#include "tablestore/api/messages.h"', "", *in_namespace(lines)]


def names_of(operation):
    return operation["operation"] + "Request", operation["operation"] + "Response"


def operation_header(specs, operation):
    """Returns the operation's types and the declaration of its function in `ops`."""
    request, response = names_of(operation)
    lines = [*struct_lines(specs, request), *declarations(specs, request, True, False), "",
             *struct_lines(specs, response), *declarations(specs, response, False, True), ""]
    function = [f"/// {operation['summary']}",
                f"Answer<api::{response}> {snake(operation['operation'])}(const Context& context, "
                f"api::{request}&& request);", ""]
    return [BANNER, "#pragma once", "", *INCLUDES, '#include "tablestore/api/messages.h"',
            '#include "tablestore/request/context.h"', "", *in_namespace(lines), "", *in_namespace(function, "ops")]


def operation_source(specs, operation):
    request, response = names_of(operation)
    lines = [*definitions(specs, request, True, False), *definitions(specs, response, False, True)]
    return [BANNER, f'#include "tablestore/api/{snake(operation["operation"])}.h"', "", *in_namespace(lines)]


def client_ways(specs):
    """Yields each message with what only a client does with it."""
    for name in specs.reachable(specs.messages):
        reads, writes = own_ways(specs, name)
        yield name, not reads, not writes


def client_header(specs):
    operations = [f'#include "tablestore/api/{snake(o["operation"])}.h"' for o in specs.operations]
    lines = [line for ways in client_ways(specs) for line in declarations(specs, *ways)]
    return [BANNER, "#pragma once", "", *operations, "",
            "// What only clients do with messages: for tests.", *in_namespace([*lines, ""])]


def client_source(specs):
    lines = [line for ways in client_ways(specs) for line in definitions(specs, *ways)]
    return [BANNER, '#include "tablestore/api/client.h"', "", *in_namespace(lines)]


def limits_header(specs):
    lines = []
    for name, limit in specs.limits.items():
        lines += [f"/// {limit['about']}",
                  f"inline constexpr {limit.get('type', 'std::size_t')} {name} = {limit['value']};"]
    return [BANNER, "#pragma once", "", "#include <cstddef>", "#include <cstdint>", "",
            "/// Sizes, counts and times of the service, each named once (tablestore/names-limits.md section 2). Inclusive.",
            *in_namespace([*lines, ""], "limits")]


def files(specs):
    of_operations = {}
    for operation in specs.operations:
        name = snake(operation["operation"])
        of_operations[name + ".h"] = operation_header(specs, operation)
        of_operations[name + ".cc"] = operation_source(specs, operation)
    return {"enums.h": enums_header(specs), "enums.cc": enums_source(specs), "messages.h": shared_header(specs),
            "messages.cc": shared_source(specs), **of_operations, "limits.h": limits_header(specs),
            "client.h": client_header(specs), "client.cc": client_source(specs)}
