"""Builds and runs every stage of the tests; the last line is "N passed, N failed", and ", N skipped" if so. See scripts/test."""

import argparse
import dataclasses
import json
import sys
import time

import ctest
import run_fuzzers
import run_long
from building import build, folder_of
from fingerprint import fingerprint
from summaries import Count

SHORT_FUZZ_SECONDS = 5


def run_preset(preset):
    if not build(preset):
        return Count(failed=1)
    return ctest.run(preset)


def run_test_programs(preset):
    """Runs what needs no server of its own. `scripts/test long` runs all."""
    if not build(preset, "test_programs"):
        return Count(failed=1)
    return ctest.run(preset, "--label-exclude", "program")


def run_threads(preset):
    """Runs the programs that are about threads. `scripts/test long` runs all."""
    if not build(preset, "threads"):
        return Count(failed=1)
    return ctest.run(preset, "--label-regex", "threads")


STAGES = {
    "release": lambda: run_preset("release"),
    "asan": lambda: run_test_programs("asan"),
    "tsan": lambda: run_threads("tsan"),
    "fuzz": lambda: run_fuzzers.run(SHORT_FUZZ_SECONDS),
    "long": run_long.run,
}
ONLY_BY_NAME = {"long"}


class Record:
    """The last green result of a stage, valid until something that it depends on changes."""

    def __init__(self, stage):
        self.file = folder_of(stage) / "last-green.json"

    def read(self, current):
        if not self.file.exists():
            return None
        kept = json.loads(self.file.read_text())
        return kept if kept["fingerprint"] == current and "count" in kept else None

    def write(self, current, count):
        when = time.strftime("%Y-%m-%d %H:%M:%S")
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(json.dumps({"fingerprint": current, "count": dataclasses.asdict(count), "when": when}))


def run_stage(stage, current, fresh):
    record = Record(stage)
    kept = None if fresh else record.read(current)
    if kept:
        count = Count(**kept["count"])
        print(f"== {stage}: not run again; nothing has changed since {kept['when']}: {count}")
        return count
    print(f"== {stage}", flush=True)
    started = time.monotonic()
    count = STAGES[stage]()
    print(f"== {stage}: {count}, {time.monotonic() - started:.0f} s", flush=True)
    # If the tree was edited meanwhile, the result is not for one tree.
    if count.failed == 0 and fingerprint() == current:
        record.write(current, count)
    return count


def main():
    parser = argparse.ArgumentParser(prog="scripts/test")
    parser.add_argument("stages", nargs="*", metavar="stage", help=f"of: {' '.join(STAGES)} (default: all but {' '.join(ONLY_BY_NAME)})")
    parser.add_argument("--fresh", action="store_true", help="run also what was green and has not changed")
    arguments = parser.parse_args()
    unknown = set(arguments.stages) - set(STAGES)
    if unknown:
        parser.error(f"there is no stage {', '.join(sorted(unknown))}; there are {', '.join(STAGES)}")

    current = fingerprint()
    wanted = arguments.stages or set(STAGES) - ONLY_BY_NAME
    chosen = [stage for stage in STAGES if stage in wanted]
    total = sum((run_stage(stage, current, arguments.fresh) for stage in chosen), Count())
    print(total)
    return 0 if total.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
