"""Counts the test cases that a program's output reports."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Count:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other):
        return Count(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self):
        return f"{self.passed} passed, {self.failed} failed" + (f", {self.skipped} skipped" if self.skipped else "")


CATCH_GREEN = re.compile(r"^All tests passed \(\d+ assertions? in (\d+) test cases?\)$", re.M)
CATCH_RED = re.compile(r"^test cases: +(\d+)((?: +\| +\d+ [a-z ]+)*)$", re.M)
UNITTEST_RAN = re.compile(r"^Ran (\d+) tests? in ", re.M)
UNITTEST_RED = re.compile(r"^FAILED \(([^)]*)\)$", re.M)
UNITTEST_SKIPPED = re.compile(r"\bskipped=(\d+)")
NODE = re.compile(r"^# pass (\d+)\n# fail (\d+)\n# cancelled (\d+)\n# skipped (\d+)$", re.M)


def _catch2(output):
    if found := CATCH_GREEN.search(output):
        return Count(int(found[1]), 0)
    if found := CATCH_RED.search(output):
        failed = re.search(r"\| +(\d+) failed(?! as expected)", found[2])
        failures = int(failed[1]) if failed else 0
        return Count(int(found[1]) - failures, failures)
    return None


def _unittest(output):
    ran = UNITTEST_RAN.search(output)
    if not ran:
        return None
    red = UNITTEST_RED.search(output)
    failures = sum(int(n) for n in re.findall(r"\b(?:failures|errors|unexpected successes)=(\d+)", red[1])) if red else 0
    skipped = sum(int(n) for n in UNITTEST_SKIPPED.findall(output))
    return Count(max(int(ran[1]) - failures - skipped, 0), failures, skipped)


def _node(output):
    if found := NODE.search(output):
        return Count(int(found[1]), int(found[2]) + int(found[3]), int(found[4]))
    return None


def count_cases(output, green):
    """Returns the cases of one program, which succeeded (`green`) or not. Output without a known summary counts as one
    case; a program that failed has at least one failed case, whatever it printed."""
    for reader in (_catch2, _unittest, _node):
        count = reader(output)
        if count is None:
            continue
        if green or count.failed > 0:
            return count
        return count + Count(failed=1)
    return Count(passed=1) if green else Count(failed=1)
