"""The table of operations by target."""

from api_sources.constraints import Tables
from api_sources.names import BANNER, quoted, snake
from api_sources.specs import KIND


def kind_of(operation):
    """Returns the initializer of aws::OperationKind."""
    fields = [f".{fact} = aws::{fact.capitalize()}::{operation[fact]}" for fact in KIND if fact in operation]
    fields += [".table_operation = true"] if operation.get("table_operation") else []
    return "{" + ", ".join(fields) + "}"


def kind_in_query(member):
    kind = "texts" if member["type"].startswith("list<") else "number" if member["type"] == "Integer" else "text"
    return "aws::QueryMember::Kind::" + kind


def route_lines(served):
    """Returns the table of routes to operations; nothing for a service whose requests name them."""
    if not any("route" in operation for operation in served):
        return []
    tables, rows = [], []
    for operation in served:
        route, name = operation["route"], "query_of_" + snake(operation["operation"])
        fields = [f".method = {quoted(route['method'])}", f".path = {quoted(route['path'])}"]
        query = [f"    {{{quoted(m.get('parameter', m['name']))}, {quoted(m['name'])}, {kind_in_query(m)}}}," for m in operation["input"]
                 if m.get("location") == "query"]
        if query:
            tables += [f"constexpr std::array<aws::QueryMember, {len(query)}> {name}{{{{", *query, "}};", ""]
            fields.append(f".query = {name}")
        fields += [f".status = {route['status']}"] if "status" in route else []
        rows.append(f"    {{{', '.join(fields)}}},")
    return [*tables, f"constexpr std::array<aws::RestRoute, {len(rows)}> all_routes{{{{", *rows, "}};", ""]


def dispatch_source(specs):
    tables = Tables(specs)
    for operation in specs.served:
        tables.operation(operation)
    served = sorted(specs.served, key=specs.target)
    rows = [f"    {{&operation_{snake(o['operation'])}, &serve_{snake(o['operation'])}, {kind_of(o)}"
            f"{tables.naming(specs.naming_members(o['input']))}}}," for o in served]
    targets = {"served": list(map(specs.target, served)),
               "planned": sorted(specs.target(o) for o in specs.operations if o not in specs.served)}
    routes = route_lines(served)
    lines = ["// Each is defined in the source of its operation.",
             *(f"ServeFunction serve_{snake(o['operation'])};" for o in served), "", "namespace {", "",
             *tables.lines,
             f"constexpr std::array<Endpoint, {len(rows)}> all_endpoints{{{{", *rows, "}};", "",
             *(line for status, names in targets.items() for line in
               (f"constexpr std::array<std::string_view, {len(names)}> {status}{{{{",
                *(f"    {quoted(target)}," for target in names), "}};", "")), *routes, "}  // namespace", "",
             "std::span<const Endpoint> endpoints() { return all_endpoints; }",
             *(f"std::span<const std::string_view> {status}_targets() {{ return {status}; }}" for status in targets),
             *(["std::span<const aws::RestRoute> routes() { return all_routes; }"] if routes else []), ""]
    return [BANNER, "#include <algorithm>", "#include <array>", "#include <span>", "#include <string_view>", "",
            '#include "dinette/aws/shape.h"', "", *specs.includes("constraint_headers"),
            f'#include "{specs.layer}/wire/endpoint.h"', "", *specs.in_namespace(lines, "wire")]
