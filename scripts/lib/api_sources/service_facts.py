"""Errors, limits and other facts of the service."""

from api_sources.names import BANNER, quoted, snake


# The members of aws::CommonErrors, and the error of every service; the internal one has a name in each service.
COMMON_ERRORS = {"access_denied": "AccessDeniedException", "incomplete_signature": "IncompleteSignatureException",
                 "internal": None, "invalid_signature": "InvalidSignatureException",
                 "missing_token": "MissingAuthenticationTokenException", "serialization": "SerializationException",
                 "unknown_operation": "UnknownOperationException",
                 "unrecognized_client": "UnrecognizedClientException", "validation": "ValidationException"}


def common_errors(specs):
    return ["inline constexpr aws::CommonErrors common_errors{",
            *(f"    .{member} = &form_of(ErrorCode::{snake(name or specs.service['internal_error'])}),"
              for member, name in COMMON_ERRORS.items()), "};", ""]


def errors_header(specs):
    names = sorted(specs.errors)
    rows = []
    for name in names:
        e = specs.errors[name]
        key = quoted(e["message_key"]) if e["message_key"] else '""'
        fault = f", {quoted(e['fault'])}" if "fault" in e else ""
        rows.append(f"    aws::ErrorForm{{{quoted(name)}, {quoted(specs.service['error_prefixes'][e['prefix']] + name)}, {e['status']}, {key}{fault}}},")
    return [BANNER, "#pragma once", "", "#include <array>", "#include <cstddef>", "",
            '#include "dinette/aws/error_form.h"', "", *specs.in_namespace([
            "/// Every error that the service declares; there is no other.",
            f"enum class ErrorCode {{ {', '.join(snake(n) for n in names)} }};", "",
            f"inline constexpr std::array<aws::ErrorForm, {len(names)}> error_forms{{{{", *rows, "}};", "",
            "constexpr const aws::ErrorForm& form_of(ErrorCode code) {",
            "  return error_forms[static_cast<std::size_t>(code)];", "}", "", *common_errors(specs)])]


def service_header(specs):
    names = [f"inline constexpr std::string_view {name} = {quoted(specs.service[name])};"
             for name in ("signing_name", "content_type")]
    first, *others = specs.service["targets"]
    smithy = [f"    {{{quoted(specs.service['targets'][service])}, {quoted(name_space)}}},"
              for service, name_space in specs.service.get("smithy_namespaces", {}).items()]
    lines = ["/// How the service appears on the wire.", *names,
             f"inline constexpr std::array<aws::SmithyService, {len(smithy)}> smithy_services{{{{", *smithy, "}};", "",
             "/// Returns what precedes the name of an operation, and a dot, in X-Amz-Target: if there is no such operation,",
             f"/// the same as for those of {first}.",
             "constexpr std::string_view target_prefix_of([[maybe_unused]] std::string_view operation) {"]
    for service in others:
        operations = [o["operation"] for o in specs.operations if o["service"] == service]
        lines += [f"  constexpr std::array<std::string_view, {len(operations)}> of_{service}"
                  f"{{{', '.join(map(quoted, operations))}}};",
                  f"  if (std::ranges::find(of_{service}, operation) != of_{service}.end()) "
                  f"return {quoted(specs.service['targets'][service])};"]
    lines += [f"  return {quoted(specs.service['targets'][first])};", "}", ""]
    return [BANNER, "#pragma once", "", "#include <algorithm>", "#include <array>", "#include <string_view>", "",
            '#include "dinette/aws/smithy.h"', "", *specs.in_namespace(lines)]


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
            f'#include "{specs.api}enums.h"', f'#include "{specs.layer}/model/attribute_value.h"', "",
            *specs.in_namespace(["/// What a comparison operator compares an attribute with.", "struct OperandRule {",
                           "  std::size_t least;", "  std::size_t most;", "  bool (*allows)(model::Type type);", "};",
                           "", *sets.values(), "", f"inline constexpr std::array<OperandRule, {len(rows)}> operand_rules{{{{", *rows,
                           "}};", "", "constexpr const OperandRule& operands_of(ComparisonOperator op) {",
                           "  return operand_rules[static_cast<std::size_t>(op)];", "}", ""])]


def limits_header(specs, limits, includes=()):
    lines = []
    for name, limit in limits.items():
        lines += [f"/// {limit['about']}", f"inline constexpr {limit.get('type', 'std::size_t')} {name} = {limit['value']};"]
    return [BANNER, "#pragma once", "", "#include <cstddef>", "#include <cstdint>", "", *includes,
            "/// Sizes, counts, depths and quotas of the service, each named once. Limits are inclusive.",
            *specs.in_namespace([*lines, ""], "model::limits")]


def limits_headers(specs):
    """Keeps the limits of numbers separate, since nearly everything includes number.h."""
    of_numbers = {name: limit for name, limit in specs.limits.items() if name.startswith("number_")}
    others = {name: limit for name, limit in specs.limits.items() if name not in of_numbers}
    if not of_numbers:
        return {"limits.h": limits_header(specs, others)}
    return {"number_limits.h": limits_header(specs, of_numbers),
            "limits.h": limits_header(specs, others, [f'#include "{specs.api}number_limits.h"', ""])}


def reserved_words(specs):
    return [BANNER] + [quoted(word) + "," for word in specs.reserved_words]
