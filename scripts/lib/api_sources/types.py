"""The C++ types of inputs and outputs."""

import sys

from api_sources.marks import mark_declarations, marks_header, marks_of
from api_sources.names import BANNER, quoted, snake


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
    return [BANNER, "#pragma once", "", "#include <string_view>", "", *specs.in_namespace(lines)]


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
    return [BANNER, f'#include "{specs.api}enums.h"', "", "#include <algorithm>", "#include <array>", "",
            *specs.in_namespace(lines)]


def struct_lines(specs, name, members, answer):
    lines = [f"struct {name} {{"]
    for member in members:
        cpp = specs.cpp_type("Long" if "wide" in member else member["type"], answer)
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
    own = [f'#include "{specs.api}{snake(n)}.h"' for n in sorted(inner) if n in specs.structures]
    return sorted(own + [f'#include "{specs.api}enums.h"'] if any(n in specs.enums for n in inner) else own)


def header_of(specs, members, lines, more=()):
    return [BANNER, "#pragma once", "", "#include <cstdint>", "#include <optional>", "#include <string>",
            "#include <vector>", "", *sorted([*includes_of(specs, members), *specs.includes("type_headers"), *more]),
            "", *lines]


def structure_header(specs, name):
    members = specs.structures[name]
    lines = specs.in_namespace([*struct_lines(specs, name, members, name not in specs.inputs),
                                *mark_declarations(name, members)])
    return header_of(specs, members, lines, more=marks_header(specs) if marks_of(name, members) else [])


def operation_header(specs, operation):
    """Returns the operation's types and the declaration of its function in `ops` of the layer."""
    name = operation["operation"]
    marks = mark_declarations(name + "Input", operation["input"])
    shared = operation.get("output_structure")
    output = [f"using {name}Output = {shared};", ""] if shared else \
        struct_lines(specs, name + "Output", operation["output"], True)
    types = [*struct_lines(specs, name + "Input", operation["input"], False), *output, *marks]
    function = specs.in_namespace([
        f"/// {operation['summary']} The input has passed the model's constraints.",
        f"Answer<api::{name}Output> {snake(name)}(const Context& context, api::{name}Input&& input);", ""], "ops")
    members = operation["input"] + ([{"type": shared}] if shared else operation["output"])
    return header_of(specs, members, [*specs.in_namespace(types), "", *function],
                     more=[f'#include "{specs.layer}/request/context.h"', *(marks_header(specs) if marks else [])])


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
