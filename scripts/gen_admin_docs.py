#!/usr/bin/env python3
"""Writes docs/admin-api.md from api-specs/admin/openapi.json.

    gen_admin_docs.py                 # writes the page
    gen_admin_docs.py --check         # fails if the page is stale

Python's standard library only.
"""
import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SPEC = ROOT / "api-specs/admin/openapi.json"
PAGE = ROOT / "docs/admin-api.md"
JSON = "application/json"


def resolved(spec, value):
    """Returns the target of a {"$ref": "#/..."}, or the value itself."""
    if "$ref" not in value:
        return value
    for part in value["$ref"].removeprefix("#/").split("/"):
        spec = spec[part]
    return spec


def type_of(schema):
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[-1]
    kind = schema["type"]
    if kind == "array":
        return f"array of {type_of(schema['items'])}"
    return kind if isinstance(kind, str) else " or ".join(kind)


def members_table(schema):
    rows = [f"| `{name}` | {type_of(member)} | {member.get('description', '')} |"
            for name, member in schema["properties"].items()]
    return ["| member | type | |", "|---|---|---|", *rows, ""]


def example(content):
    """The example of a body in each of its media types."""
    lines = []
    for media_type, body in content.items():
        text, language = body["example"], "text"
        if media_type == JSON:
            text, language = json.dumps(text, ensure_ascii=False), "json"
        lines += [f"```{language}", text.rstrip("\n"), "```", ""]
    return lines


def parameters_of(spec, operation):
    parameters = [resolved(spec, one) for one in operation.get("parameters", [])]
    places = {"path": "path", "query": "query", "header": "header"}
    return [f"- `{one['name']}` ({places[one['in']]}): {one['description']}" for one in parameters]


def operation_lines(spec, method, path, operation):
    lines = [f"### {method.upper()} {path}", "", operation["summary"]]
    if "description" in operation:
        lines[-1] += " " + operation["description"]
    lines.append("")
    if parameters := parameters_of(spec, operation):
        lines += [*parameters, ""]
    if "requestBody" in operation:
        body = operation["requestBody"]["content"][JSON]
        lines += members_table(body["schema"]) + example(operation["requestBody"]["content"])
    for status, response in operation["responses"].items():
        if not status.startswith("2"):
            continue
        lines += [f"{status}: {response['description']}", ""] + example(response["content"])
    errors = [status for status in operation["responses"] if not status.startswith("2")]
    if errors:
        lines += [f"Errors: {', '.join(errors)}.", ""]
    return lines


def page_of(spec):
    lines = [f"# {spec['info']['title']}", "",
             "Written by `scripts/gen_admin_docs.py` from `api-specs/admin/openapi.json`; a test fails when it is stale.",
             "", spec["info"]["description"], ""]
    for tag in spec["tags"]:
        lines += [f"## {tag['name']}", ""]
        for path, methods in spec["paths"].items():
            for method, operation in methods.items():
                if tag["name"] in operation["tags"]:
                    lines += operation_lines(spec, method, path, operation)
    lines += ["## Structures", ""]
    for name, schema in spec["components"]["schemas"].items():
        lines += [f"### {name}", "", *members_table(schema)]
    return "\n".join(lines).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fail if the page is stale")
    arguments = parser.parse_args()
    page = page_of(json.loads(SPEC.read_text(encoding="utf-8")))
    if not arguments.check:
        PAGE.write_text(page, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page:
        sys.exit(f"{PAGE} is stale: run scripts/gen_admin_docs.py")


if __name__ == "__main__":
    main()
