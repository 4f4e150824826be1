"""Examples for tests, and seeds for fuzzers."""

import json
import re

from api_sources.names import BANNER, quoted, snake


def error_list(name, errors):
    return [f"inline constexpr std::array<std::string_view, {len(errors)}> {name}"
            f"{{{', '.join(map(quoted, errors))}}};"]


def examples_header(specs):
    lines = [BANNER, "#pragma once", "", "#include <array>", "#include <span>", "#include <string_view>", "",
             "/// For tests: the operations of the specs and their examples.",
             f"namespace dinette::{specs.layer}::api {{", "",
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
        success = operation.get("route", {}).get("status", 200)
        for example in operation.get("examples", []):
            texts = [f'R"~({json.dumps(example[k], ensure_ascii=False)})~"' for k in ("request", "answer")]
            lines.append(f"    {{{quoted(operation['operation'])}, {quoted(example['title'])}, {texts[0]}, "
                         f"{example.get('status', success)}, {texts[1]}}},")
    return lines + ["};", "", f"}}  // namespace dinette::{specs.layer}::api"]


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
    return {"Boolean": True, "Integer": 1, "Long": 5, "Double": 0.5, "Timestamp": 1.5, "Blob": "AAE="}.get(inner, "Music")


def seeds(specs):
    """Returns the seeds of fuzzers by their path. A body follows the name of its operation, or the method and the path."""
    files = {}
    for operation in specs.operations:
        target = specs.target(operation)
        body = {m["name"]: sample(specs, m["type"]) for m in operation["input"]}
        bodies = [body] + [e["request"] for e in operation.get("examples", [])]
        for i, request in enumerate(bodies):
            text = json.dumps(request)
            route = operation.get("route", {"method": "POST", "path": "/"})
            line = f"{route['method']} " + re.sub(r"{\w+}", "$", route["path"])
            call = line if "route" in operation else operation["operation"]
            files[f"{specs.layer}/json/{operation['operation']}-{i}.json"] = call + "\n" + text
            head = f"{line} HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: {target}\r\nContent-Length: {len(text)}\r\n\r\n"
            files[f"{specs.layer}/http/{operation['operation']}-{i}.http"] = head + text
    return files
