"""Citations of docs/service, docs/service-tablestore, docs/service-keyspaces and docs/definitions in code and tests exist: files,
numbered sections, and headings in quotes. A page of docs/service-tablestore is cited as `tablestore/rows.md`, since names are the
same in docs/service, and so are those of docs/service-keyspaces. Each
section of what is served or read is cited by a test, and each row about definitions is in one; this prints which tests are about
which section:

    python3 tests/project/citations_test.py --index
"""

import collections
import re
import sys
import unittest

from repository import ROOT, files

SERVICE = ROOT / "docs/service"
OTHERS = {name: ROOT / f"docs/service-{name}" for name in ("tablestore", "keyspaces")}
DEFINITIONS = ROOT / "docs/definitions"
FOLDERS = ("docs/service/", "docs/definitions/", "tablestore/", "keyspaces/")
CODE = (".h", ".cc", ".py", ".mjs", ".json")
PAGES = {**{page.name: page for folder in (SERVICE, DEFINITIONS) for page in folder.glob("*.md")},
         **{f"{name}/{page.name}": page for name, folder in OTHERS.items() for page in folder.glob("*.md")}}
NAMES = sorted(PAGES, key=len, reverse=True)

# A comment that continues in the next line.
LINE_END = re.compile(r"\s*\n\s*(?:///<|//!|///|//|#|\*)?\s*")
CITATION = re.compile(
    r"(?:docs/(?:service|definitions)/|docs/service-|(?<![\w./-]))(?P<file>" + "|".join(map(re.escape, NAMES)) + r")"
    r"(?: sections? (?P<sections>\d+(?:(?:, (?:and )?| and | to )\d+)*))?"
    r"(?P<headings>(?:(?:, | and |; | )?\"[A-Z][^\"]*\")*)")


def headings_of(page):
    """Returns the headings of a page, without their marks."""
    text = PAGES[page].read_text(encoding="utf-8")
    return [line.lstrip("#").strip() for line in text.splitlines() if line.startswith("#")]


HEADINGS = {name: headings_of(name) for name in NAMES}


# Without a test of each section: what is generated from the model.
GENERATED = {"operations.md"}
# Of Tablestore: what describes clients, messages and suites, which the specs and the protocol tests repeat.
DESCRIPTIONS = {f"tablestore/{page}.md" for page in ("clients", "messages", "tests", "README")}
# Of Keyspaces these sections have tests.
KEYSPACES_SERVED = {"keyspaces/system-tables.md": {1, 2, 3, 5, 8},
                    "keyspaces/ddl.md": {1, 2, 3, 4, 5, 6, 7, 8, 9},
                    "keyspaces/control-plane.md": {1, 2, 3, 4, 5},
                    "keyspaces/capacity.md": {1, 2, 3, 5},
                    "keyspaces/types.md": {1, 2, 3, 4, 5, 6, 7, 8, 9},
                    "keyspaces/protocol.md": {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                    "keyspaces/grammar.md": {1, 2, 3, 4, 5, 6, 7},
                    "keyspaces/dml.md": {1, 2, 3, 4, 5, 6, 7},
                    "keyspaces/timestamps.md": {1, 2, 3, 4, 5, 6},
                    "keyspaces/row-size.md": {1, 2, 3, 4, 5},
                    "keyspaces/errors.md": {2, 3}}


def text_of(page):
    """Returns a page in which the others are cited as code cites them: those of another service name each other without a folder."""
    text = PAGES[page].read_text(encoding="utf-8")
    service, _, _ = page.rpartition("/")
    if service not in OTHERS:
        return text
    own = "|".join(re.escape(path.name) for path in OTHERS[service].glob("*.md"))
    return re.sub(rf"(?<![\w./-])({own})", rf"{service}/\1", text)


def is_served(page, section):
    """Returns true if a test must cite the section."""
    if page.startswith("keyspaces/"):
        return section in KEYSPACES_SERVED.get(page, ())
    return page not in GENERATED | DESCRIPTIONS


def sections_in(text):
    """Returns the numbers in a citation; of a range, all."""
    numbers = [int(number) for number in re.findall(r"\d+", re.sub(r"(\d+) to (\d+)", all_between, text or ""))]
    return sorted(set(numbers))


def all_between(ends):
    return " ".join(str(number) for number in range(int(ends[1]), int(ends[2]) + 1))


def title_of(heading):
    """Returns a heading without its number."""
    return re.sub(r"^\d+\.? ", "", heading)


def sections_of(page):
    """Returns the numbered headings of a page."""
    return {int(found[1]): heading for heading in HEADINGS[page] if (found := re.match(r"(\d+)\.? ", heading))}


def cited_sections(text):
    """Yields the page and number of each section that `text` cites, by its number or its heading."""
    for found in CITATION.finditer(LINE_END.sub(" ", text)):
        page = found["file"]
        quoted = re.findall(r'"([^"]*)"', found["headings"])
        named = (number for number, heading in sections_of(page).items()
                 if any(title_of(heading).startswith(text) for text in quoted))
        yield from ((page, number) for number in (*sections_in(found["sections"]), *named))


def tests_of_sections():
    """Returns the tests that cite each section."""
    tests = collections.defaultdict(set)
    for file in files(*CODE):
        place = file.relative_to(ROOT)
        if place.parts[0] == "tests" and file.name != "citations_test.py":
            for section in cited_sections(file.read_text(encoding="utf-8")):
                tests[section].add(str(place))
    return tests


def problems(text):
    """Yields citations in `text` that do not exist."""
    for found in CITATION.finditer(LINE_END.sub(" ", text)):
        headings = HEADINGS[found["file"]]
        for number in sections_in(found["sections"]):
            if not any(re.match(rf"{number}\b", heading) for heading in headings):
                yield f"{found['file']} has no section {number}"
        for quoted in re.findall(r'"([^"]*)"', found["headings"]):
            if not any(title_of(heading).startswith(quoted) for heading in headings):
                yield f"{found['file']} has no heading \"{quoted}\""


def unknown_pages(text):
    """Returns pages of docs/service and docs/definitions that `text` names but that do not exist."""
    return {name for folder, name in re.findall(r"(docs/(?:service|definitions))/([\w-]+\.md)", text)
            if not (ROOT / folder / name).exists()}


def rows_of(text):
    """Yields the first cell of each row of the tables in a page, without those of headings."""
    lines = text.splitlines()
    for line, following in zip(lines, [*lines[1:], ""]):
        is_rule, heads = (re.match(r"\|[-|]+\|$", one) for one in (line, following))
        if line.startswith("|") and not is_rule and not heads:
            yield re.split(r"(?<!\\)\|", line)[1]


def untested_terms(page, tests):
    """Returns what the rows of a page name in code style, and whose longest word is nowhere in `tests`."""
    terms = [term for cell in rows_of(page) for term in re.findall(r"`([^`]+)`", cell) if re.search(r"\w", term)]
    return [term for term in terms if max(re.findall(r"\w+", term), key=len) not in tests]


class Citations(unittest.TestCase):
    def test_everything_cited_is_there(self):
        cited = 0
        for file in files(*CODE):
            text = file.read_text(encoding="utf-8")
            if file.name == "citations_test.py" or not any(folder in text for folder in FOLDERS):
                continue
            cited += 1
            with self.subTest(file.relative_to(ROOT)):
                self.assertEqual([], [*problems(text), *sorted(unknown_pages(text))])
        self.assertGreater(cited, 100)

    def test_pages_cite_each_other_rightly(self):
        for page in NAMES:
            with self.subTest(page):
                self.assertEqual([], list(problems(text_of(page))))

    def test_each_section_that_is_served_has_a_test(self):
        tests = tests_of_sections()
        without = [f"{page} section {heading}" for page in NAMES
                   for number, heading in sections_of(page).items()
                   if is_served(page, number) and (page, number) not in tests]
        self.assertEqual([], without)

    def test_each_row_about_definitions_is_in_a_test(self):
        tests = "".join(file.read_text(encoding="utf-8") for file in sorted((ROOT / "tests/definitions").rglob("*"))
                        if file.is_file())
        for page in sorted(DEFINITIONS.glob("*.md")):
            with self.subTest(page.name):
                self.assertEqual([], untested_terms(page.read_text(encoding="utf-8"), tests))

    def test_a_row_without_a_test_is_seen(self):
        page = "| member `head` | |\n|---|---|\n| `a.Known`, `Unknown[]` | `Value` |\n\nNot a `Row`.\n"
        self.assertEqual(["Unknown[]"], untested_terms(page, "Known"))

    def test_ranges_and_headings_are_citations_of_sections(self):
        self.assertEqual([("wire.md", 2), ("wire.md", 3), ("wire.md", 4)],
                         list(cited_sections("// docs/service/wire.md sections 2 to 4")))
        number, heading = next(iter(sections_of("tables.md").items()))
        title = title_of(heading)
        self.assertEqual([("tables.md", number)], list(cited_sections(f'// docs/service/tables.md, "{title}"')))

    def test_a_wrong_citation_is_seen(self):
        self.assertEqual(["wire.md has no section 99"], list(problems("// docs/service/wire.md sections 1 and 99.")))
        self.assertEqual(['items.md has no heading "Nowhere"'],
                         list(problems('/// docs/service/items.md\n  /// section 4, "Nowhere".')))
        self.assertEqual([], list(problems('// docs/service/expressions.md section 7, "Order".')))
        self.assertEqual({"nothing.md"}, unknown_pages("docs/service/nothing.md"))
        self.assertEqual({"wire.md"}, unknown_pages("docs/definitions/wire.md"))
        self.assertEqual(["tablestore/wire.md has no section 99"], list(problems("// tablestore/wire.md section 99.")))
        self.assertEqual([("tablestore/wire.md", 3)], list(cited_sections("// docs/service-tablestore/wire.md section 3.")))
        self.assertEqual(["workbench.md has no section 9"], list(problems("// docs/definitions/workbench.md section 9.")))


def print_index():
    tests = tests_of_sections()
    for page in sorted(NAMES):
        for number, heading in sections_of(page).items():
            print(f"{page} {heading}")
            for test in sorted(tests.get((page, number), ())):
                print(f"    {test}")


if __name__ == "__main__":
    print_index() if "--index" in sys.argv else unittest.main()
