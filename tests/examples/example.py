"""Where the examples are, and what their tests share."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
for folder in ("project", "protocol"):
    sys.path.insert(0, str(HERE.parent / folder))

from repository import ROOT, output_of, program, read  # noqa: E402, F401

EXAMPLES = ROOT / "examples"


def not_run(what):
    """Prints what a test leaves out, for the summary of scripts/test."""
    print(f"skipped: {what}", flush=True)
