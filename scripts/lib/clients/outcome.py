"""What became of a client's cases, and the table of all clients."""

import json
import pathlib
from collections import Counter
from dataclasses import dataclass, field

from clients.cases import FAILED, PASSED

KNOWN_FILE = pathlib.Path(__file__).with_name("known.json")
HEADER = ("client", "version", "passed", "failed", "known", "skipped")


def read_known(file=KNOWN_FILE):
    """Returns the reasons of the cases that are known to fail: by client, then by the case's name."""
    return {client: {case: entry["reason"] for entry in entries for case in entry["cases"]}
            for client, entries in json.loads(file.read_text(encoding="utf-8")).items()}


@dataclass
class Outcome:
    client: str
    version: str = "-"
    counts: Counter = field(default_factory=Counter)
    # Everything but what passed, one line each.
    notes: list = field(default_factory=list)

    def row(self):
        return (self.client, self.version, *(str(self.counts[column]) for column in HEADER[2:]))


def skipped(client, reason):
    """The outcome of a client that did not run."""
    return Outcome(client, counts=Counter(skipped=1), notes=[f"skipped: all of it: {reason}"])


def broken(client, reason):
    """The outcome of a client whose run told nothing of its cases."""
    return Outcome(client, counts=Counter(failed=1), notes=[f"failed: {reason}"])


def judged(client, version, cases, known):
    """Sorts the cases of a run. One that is known to fail must exist and fail."""
    outcome = Outcome(client, version)
    cases = list(cases)
    if not cases:
        return broken(client, f"no case ran; see build/clients/{client}.log")
    for case in cases:
        reason = known.get(case.name)
        if case.state == PASSED and reason is None:
            outcome.counts[PASSED] += 1
        elif case.state == PASSED:
            outcome.counts[FAILED] += 1
            outcome.notes.append(f"failed: {case.name}: passes now; remove it from {KNOWN_FILE.name}")
        elif case.state == FAILED and reason is not None:
            outcome.counts["known"] += 1
            outcome.notes.append(f"known: {case.name}: {reason}")
        else:
            outcome.counts[case.state] += 1
            outcome.notes.append(f"{case.state}: {case.name}: {case.why or 'without a reason'}")
    for name in known.keys() - {case.name for case in cases}:
        outcome.counts[FAILED] += 1
        outcome.notes.append(f"failed: {name}: did not run; correct or remove it in {KNOWN_FILE.name}")
    return outcome


def table(outcomes):
    """Returns the lines of the table, and below it what did not pass."""
    rows = [HEADER, *(outcome.row() for outcome in outcomes)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADER))]
    for row in rows:
        words = [word.ljust(width) if column < 2 else word.rjust(width)
                 for column, (word, width) in enumerate(zip(row, widths))]
        yield "  ".join(words)
    for outcome in outcomes:
        if outcome.notes:
            yield ""
            yield from (f"{outcome.client}: {note}" for note in outcome.notes)


def total(outcomes):
    """Returns how many cases passed and failed."""
    counts = sum((outcome.counts for outcome in outcomes), Counter())
    return counts[PASSED], counts[FAILED]
