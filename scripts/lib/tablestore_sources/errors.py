"""Error codes, and a function for each regular text."""

import re

from api_sources.names import quoted, snake
from tablestore_sources.specs import BANNER, in_namespace

PARAMETER = re.compile(r"\{(\w+)(:int)?\}")


def code_name(code):
    return snake(code.removeprefix("OTS"))


def codes_header(specs):
    codes = sorted(specs.errors["codes"])
    rows = [f"    ErrorForm{{{quoted(code)}, {specs.errors['codes'][code]}}}," for code in codes]
    lines = ["/// A code of the service, and the status of HTTP that it comes with.", "struct ErrorForm {",
             "  std::string_view name;", "  int status;", "};", "",
             f"enum class ErrorCode {{ {', '.join(map(code_name, codes))} }};", "",
             f"inline constexpr std::array<ErrorForm, {len(codes)}> error_forms{{{{", *rows, "}};", "",
             "constexpr const ErrorForm& form_of(ErrorCode code) {",
             "  return error_forms[static_cast<std::size_t>(code)];", "}", ""]
    return [BANNER, "#pragma once", "", "#include <array>", "#include <cstddef>", "#include <string_view>", "",
            *in_namespace(lines)]


def parameters_of(text):
    kinds = {None: "std::string_view", "": "std::string_view", ":int": "std::int64_t"}
    return ", ".join(f"{kinds[kind]} {name}" for name, kind in PARAMETER.findall(text))


def pieces_of(text):
    """Returns the text as C++ expressions to be appended one after the other."""
    pieces, end = [], 0
    for found in PARAMETER.finditer(text):
        pieces.append(quoted(text[end:found.start()]))
        pieces.append(f"std::to_string({found[1]})" if found[2] else found[1])
        end = found.end()
    return [piece for piece in [*pieces, quoted(text[end:])] if piece != '""']


def function_lines(name, text):
    code = code_name(text["code"])
    pieces = pieces_of(text["text"])
    head = f"base::Failure<ApiError> {name}({parameters_of(text['text'])}) {{"
    if len(pieces) == 1:
        return [head, f"  return refusal(api::ErrorCode::{code}, {pieces[0]});", "}", ""]
    return [head, f"  std::string message({pieces[0]});" if pieces[0][0] == '"' else f"  std::string message = std::string({pieces[0]});",
            *(f"  message += {piece};" for piece in pieces[1:]),
            f"  return refusal(api::ErrorCode::{code}, std::move(message));", "}", ""]


def refusals_header(specs):
    lines = [f"[[gnu::cold]] base::Failure<ApiError> {name}({parameters_of(text['text'])});"
             for name, text in specs.errors["texts"].items()]
    return [BANNER, "#pragma once", "", "#include <cstdint>", "#include <string_view>", "",
            '#include "tablestore/request/api_error.h"', "",
            "/// The regular errors: each a code and a text of tablestore/errors.md.",
            *in_namespace([*lines, ""], "refuse")]


def refusals_source(specs):
    lines = [line for name, text in specs.errors["texts"].items() for line in function_lines(name, text)]
    return [BANNER, '#include "tablestore/api/refusals.h"', "", "#include <string>", "#include <utility>", "",
            *in_namespace(lines, "refuse")]


def files(specs):
    return {"errors.h": codes_header(specs), "refusals.h": refusals_header(specs), "refusals.cc": refusals_source(specs)}
