"""The cases that a client's run reports, and the report files that they are read from."""

import html
import json
import re
import xml.etree.ElementTree
from dataclasses import dataclass

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


@dataclass(frozen=True)
class Case:
    name: str
    state: str
    # Of a failed case the first line of its error, of a skipped one the reason.
    why: str = ""


def _first_line(text):
    return next((line.strip() for line in (text or "").splitlines() if line.strip()), "")


def from_junit(text):
    """Reads JUnit's XML, which pytest, Maven, Mocha, Vitest and Node.js write."""
    for case in xml.etree.ElementTree.fromstring(text).iter("testcase"):
        place = case.get("classname", "")
        name = f"{place} > {case.get('name')}" if place not in ("", "test") else case.get("name")
        state, why = PASSED, ""
        for outcome in case:
            if outcome.tag in ("failure", "error"):
                state, why = FAILED, _first_line(html.unescape(outcome.get("message") or outcome.text or ""))  # Node.js escapes it twice
                break
            if outcome.tag == "skipped":
                state, why = SKIPPED, _first_line(outcome.get("message"))
        yield Case(name, state, why)


def from_jest(text):
    """Reads what `jest --json` writes. A file that cannot be run at all is one failed case."""
    for file in json.loads(text)["testResults"]:
        place = file["name"].rsplit("/", 1)[-1]
        if not file["assertionResults"]:
            yield Case(place, FAILED, _first_line(file["message"]))
        for case in file["assertionResults"]:
            state = case["status"] if case["status"] in (PASSED, FAILED) else SKIPPED
            yield Case(f"{place} > {case['fullName']}", state, _first_line("\n".join(case["failureMessages"] or ())))


def from_go(text):
    """Reads what `go test -json` prints."""
    output = {}
    for line in text.splitlines():
        event = json.loads(line)
        name = event.get("Test")
        if name and event["Action"] == "output":
            output.setdefault(name, []).append(event["Output"])
        states = {"pass": PASSED, "fail": FAILED, "skip": SKIPPED}
        if name and event["Action"] in states:
            said = [line for line in output.get(name, ()) if not re.match(r"\s*(===|---)", line)]
            yield Case(name, states[event["Action"]], _first_line("".join(said)))


def from_cargo(text):
    """Reads what `cargo test` prints."""
    states = {"ok": PASSED, "FAILED": FAILED, "ignored": SKIPPED}
    for name, state, reason in re.findall(r"^test (\S+) \.\.\. (ok|FAILED|ignored)(?:, (.*))?$", text, re.M):
        said = re.search(rf"^---- {re.escape(name)} stdout ----\n(.*?)^(?:----|failures:)", text, re.S | re.M)
        lines = [line for line in (said[1] if said else "").splitlines() if not line.startswith("thread ")]
        yield Case(name, states[state], reason or _first_line("\n".join(lines)))
