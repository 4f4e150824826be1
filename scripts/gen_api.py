#!/usr/bin/env python3
"""Writes everything mechanical about the API from api-specs/: C++ types with their decoding and encoding, the
constraint tables, the shapes of outputs, dispatch, error codes, limits, reserved words, examples, fuzz seeds and
docs/operations.md.

    gen_api.py --specs api-specs/dynamodb --out build/generated --docs docs/operations.md

What the specs may say is in api-specs/spec.schema.json. Files are rewritten only when they change, so that a build
after an unrelated edit compiles nothing again. Python's standard library only; each kind of source has its file in
lib/api_sources.
"""
import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "lib"))

from api_sources import codec, dispatch, examples, outputs, service_facts, types
from api_sources.specs import Specs


def served_lines(served, all_of_them):
    if served == all_of_them:
        return [f"{served} of {all_of_them} operations are served."]
    return [f"{served} of {all_of_them} operations are served. The others have the error type of an operation that the",
            "service does not know, `UnknownOperationException`, and say that Dinette does not serve them yet."]


def operations_page(specs):
    lines = ["# Operations", "", "Written by `scripts/gen_api.py` from `api-specs/`; a test fails when it is stale.", "",
             *served_lines(len(specs.served), len(specs.operations)), "",
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
    own = {}
    if specs.reserved_words:
        own["reserved_words.inc"] = service_facts.reserved_words(specs)
    if "ComparisonOperator" in specs.enums:
        own["comparison_operators.h"] = service_facts.comparison_operators_header(specs)
    return {**own, **types.type_headers(specs), **service_facts.limits_headers(specs), **codec.type_sources(specs),
            "enums.h": types.enums_header(specs),
            "enums.cc": types.enums_source(specs),
            "codec.h": codec.codec_header(specs),
            "dispatch.cc": dispatch.dispatch_source(specs),
            "output_shapes.cc": outputs.outputs_source(specs),
            "errors.h": service_facts.errors_header(specs),
            "service.h": service_facts.service_header(specs),
            "examples.h": examples.examples_header(specs)}


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
        sys.exit(f"{arguments.check_docs} is stale: run scripts/gen_api.py --specs {arguments.specs} "
                 f"--docs {arguments.check_docs}")
    if arguments.docs:
        write(arguments.docs, page)
    if arguments.list:
        print(";".join(sources(specs)))
    if arguments.out:
        for name, lines in sources(specs).items():
            write(arguments.out / specs.api / name, "\n".join(lines) + "\n")
        for name, text in examples.seeds(specs).items():
            write(arguments.out / "seeds" / name, text)


if __name__ == "__main__":
    main()
