"""Citations of docs/service in code and tests exist: files, numbered sections, and headings in quotes."""

import re
import unittest

from repository import ROOT, files

SERVICE = ROOT / "docs/service"
CODE = (".h", ".cc", ".py", ".mjs", ".json")
NAMES = sorted((page.name for page in SERVICE.glob("*.md")), key=len, reverse=True)

# A comment that continues in the next line.
LINE_END = re.compile(r"\s*\n\s*(?:///<|//!|///|//|#|\*)?\s*")
CITATION = re.compile(
    r"(?:docs/service/|(?<![\w./-]))(?P<file>" + "|".join(map(re.escape, NAMES)) + r")"
    r"(?: sections? (?P<sections>\d+(?:(?:, (?:and )?| and | to )\d+)*))?"
    r"(?P<headings>(?:(?:, | and |; | )?\"[A-Z][^\"]*\")*)")


def headings_of(page):
    """Returns the headings of a page, without their marks."""
    text = (SERVICE / page).read_text(encoding="utf-8")
    return [line.lstrip("#").strip() for line in text.splitlines() if line.startswith("#")]


HEADINGS = {name: headings_of(name) for name in NAMES}


def sections_in(text):
    """Returns the numbers in a citation; of a range, its two ends."""
    return [int(number) for number in re.findall(r"\d+", text or "")]


def problems(text):
    """Yields citations in `text` that do not exist."""
    for found in CITATION.finditer(LINE_END.sub(" ", text)):
        headings = HEADINGS[found["file"]]
        for number in sections_in(found["sections"]):
            if not any(re.match(rf"{number}\b", heading) for heading in headings):
                yield f"{found['file']} has no section {number}"
        for quoted in re.findall(r'"([^"]*)"', found["headings"]):
            if not any(re.sub(r"^\d+ ", "", heading).startswith(quoted) for heading in headings):
                yield f"{found['file']} has no heading \"{quoted}\""


def unknown_pages(text):
    """Returns pages of docs/service that `text` names but that do not exist."""
    return set(re.findall(r"docs/service/([\w-]+\.md)", text)) - set(NAMES)


class Citations(unittest.TestCase):
    def test_everything_cited_is_there(self):
        cited = 0
        for file in files(*CODE):
            text = file.read_text(encoding="utf-8")
            if file.name == "citations_test.py" or "docs/service/" not in text:
                continue
            cited += 1
            with self.subTest(file.relative_to(ROOT)):
                self.assertEqual([], [*problems(text), *sorted(unknown_pages(text))])
        self.assertGreater(cited, 100)

    def test_pages_cite_each_other_rightly(self):
        for page in NAMES:
            with self.subTest(page):
                self.assertEqual([], list(problems((SERVICE / page).read_text(encoding="utf-8"))))

    def test_a_wrong_citation_is_seen(self):
        self.assertEqual(["wire.md has no section 99"], list(problems("// docs/service/wire.md sections 1 and 99.")))
        self.assertEqual(['items.md has no heading "Nowhere"'],
                         list(problems('/// docs/service/items.md\n  /// section 4, "Nowhere".')))
        self.assertEqual([], list(problems('// docs/service/expressions.md section 7, "Order".')))
        self.assertEqual({"nothing.md"}, unknown_pages("docs/service/nothing.md"))


if __name__ == "__main__":
    unittest.main()
