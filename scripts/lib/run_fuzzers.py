"""Builds and runs the libFuzzer targets. Used by scripts/fuzz and by the fuzz stage of scripts/test."""

import concurrent.futures
import os
import re
import subprocess
import sys
from dataclasses import dataclass

from building import ROOT, build, folder_of
from durations import seconds_of
from summaries import Count

# The targets are built with the tests, from the same instrumented layers.
PRESET = "asan"
KEPT = folder_of("fuzz")
DEFAULT_SECONDS = 600
LONGEST_INPUT_BYTES = 65536
SECONDS_FOR_ONE_INPUT = 10
LINES_OF_A_FINDING = 60


@dataclass(frozen=True)
class Target:
    name: str
    seeds: str
    dictionary: str


def targets():
    lines = (folder_of(PRESET) / "fuzz-targets.txt").read_text().splitlines()
    return [Target(*line.split("\t")) for line in lines]


def fuzz(target, seconds):
    """Runs one target. Returns True if no input broke it."""
    corpus = KEPT / "corpus" / target.name
    findings = KEPT / "findings" / target.name
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    program = folder_of(PRESET) / "bin" / target.name
    command = [
        str(program), f"-max_total_time={seconds}", f"-max_len={LONGEST_INPUT_BYTES}",
        f"-timeout={SECONDS_FOR_ONE_INPUT}", f"-artifact_prefix={findings}/", "-print_final_stats=1", str(corpus)]
    if target.seeds:
        command.append(target.seeds)
    if target.dictionary:
        command.append(f"-dict={target.dictionary}")
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace")
    runs = re.search(r"number_of_executed_units: *(\d+)", ended.stderr)
    if ended.returncode == 0 and runs and int(runs[1]) > 0:
        print(f"{target.name}: {runs[1]} inputs, none broke it", flush=True)
        return True
    print("\n".join(ended.stderr.splitlines()[-LINES_OF_A_FINDING:]))
    print(f"{target.name}: FAILED; run it again with {program} FILE, files are in {findings}", flush=True)
    return False


def run(seconds, names=()):
    """Builds and fuzzes the named targets (default: all), one per core."""
    if not build(PRESET, "fuzzers"):
        return Count(failed=1)
    chosen = [target for target in targets() if not names or target.name in names]
    missing = set(names) - {target.name for target in chosen}
    if missing or not chosen:
        print(f"no such fuzz target: {', '.join(sorted(missing))}; there are: {', '.join(t.name for t in targets())}")
        return Count(failed=1)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        green = list(pool.map(lambda target: fuzz(target, seconds), chosen))
    return Count(green.count(True), green.count(False))


def main(arguments):
    seconds = DEFAULT_SECONDS
    if arguments and seconds_of(arguments[0]) is not None:
        seconds = seconds_of(arguments.pop(0))
    count = run(seconds, arguments)
    print(count)
    return 0 if count.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
