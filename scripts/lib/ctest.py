"""Runs CTest and counts the cases of the programs that it ran."""

import pathlib
import re
import subprocess
import xml.etree.ElementTree as xml

from building import ROOT, folder_of, jobs
from summaries import Count, count_cases

# A program's complete output, which ends in its summary.
OUTPUT_BYTES = str(16 * 1024 * 1024)
# With more random addresses, the thread sanitizer of clang 14 cannot place its shadow memory.
MOST_RANDOM_BITS = 28
# What a program prints that leaves a case out.
SKIPPED = re.compile(r"^skipped: .*", re.M)


def prefix(preset):
    """Returns what a program of the preset has to be started with."""
    bits = pathlib.Path("/proc/sys/vm/mmap_rnd_bits")
    if preset == "tsan" and bits.exists() and int(bits.read_text()) > MOST_RANDOM_BITS:
        return ["setarch", "--addr-no-randomize"]
    return []


def counts_of(report):
    """Returns the name, count and output of each program in CTest's JUnit report."""
    for case in xml.parse(report).getroot().iter("testcase"):
        green = case.get("status") == "run" and case.find("failure") is None
        output = case.findtext("system-out") or ""
        yield case.get("name"), count_cases(output, green), output


def run(preset, *options):
    """Runs every test of a preset, or those that CTest's options choose; prints its progress and the output of what fails."""
    report = folder_of(preset) / "ctest.xml"
    report.unlink(missing_ok=True)
    command = prefix(preset) + [
        "ctest", "--preset", preset, "--parallel", jobs(), "--output-junit", str(report),
        "--test-output-size-passed", OUTPUT_BYTES, "--test-output-size-failed", OUTPUT_BYTES, *options]
    ended = subprocess.run(command, cwd=ROOT)
    if not report.exists():
        return Count(failed=1)
    total = Count()
    for name, count, output in counts_of(report):
        total += count
        for reason in SKIPPED.findall(output):
            print(f"{name}: {reason}", flush=True)
    if total.passed == 0 or (ended.returncode != 0 and total.failed == 0):
        return total + Count(failed=1)
    return total
