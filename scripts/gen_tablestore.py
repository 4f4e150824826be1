#!/usr/bin/env python3
"""Writes everything mechanical about Tablestore from api-specs/tablestore: C++ types of messages with their reading and
writing as protocol buffers, dispatch, error codes and texts, and limits.

    gen_tablestore.py --specs api-specs/tablestore --out build/generated

What the specs may say is in api-specs/tablestore/spec.schema.json. Files are rewritten only when they change. Python's
standard library only; each kind of source has its file in lib/tablestore_sources.
"""
import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "lib"))

from tablestore_sources import dispatch, errors, messages
from tablestore_sources.specs import Specs


def sources(specs):
    """Returns every generated file by its name; those of `client` are for tests."""
    return {**messages.files(specs), **errors.files(specs), "dispatch.cc": dispatch.source(specs)}


def write(path, text):
    if path.exists() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--specs", type=Path, required=True)
    parser.add_argument("--out", type=Path, help="folder of the generated sources")
    parser.add_argument("--list", action="store_true", help="print the names of the generated sources")
    arguments = parser.parse_args()
    specs = Specs(arguments.specs)
    if arguments.list:
        print(";".join(sources(specs)))
    if arguments.out:
        for name, lines in sources(specs).items():
            write(arguments.out / "tablestore/api" / name, "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
