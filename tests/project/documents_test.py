"""Documents agree with the program, and their links work."""

import re
import unittest

from repository import ROOT, files, output_of, program, read

DOCUMENTS = sorted(str(path.relative_to(ROOT)) for path in files(".md"))


class Readme(unittest.TestCase):
    def test_the_table_of_options_is_the_programs_own(self):
        shown = re.search(r"<!-- options -->\n(.*?)<!-- end of options -->", read("docs/options.md"), re.S)
        self.assertIsNotNone(shown)
        self.assertEqual(shown[1], output_of(program(), "--help-markdown"),
                         "put what `dinette --help-markdown` prints between the marks of docs/options.md")


class EveryDocument(unittest.TestCase):
    def test_links_within_the_repository_lead_to_files(self):
        for document in DOCUMENTS:
            for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", read(document)):
                self.assertTrue(((ROOT / document).parent / link).exists(), f"{document}: {link}")

    def test_scripts_that_are_named_exist(self):
        for document in DOCUMENTS:
            for name in set(re.findall(r"\bscripts/[\w./]*\w", read(document))):
                self.assertTrue((ROOT / name).exists(), f"{document}: {name}")

    def test_sources_that_are_named_exist(self):
        sources = [str(path) for path in files(".h", ".cc", ".py", ".json", ".md", ".txt")]
        for document in DOCUMENTS:
            for name in set(re.findall(r"`([\w./]+\.(?:h|cc|py|json|md))`", read(document))):
                found = any(source.endswith("/" + name) for source in sources)
                self.assertTrue(found, f"{document}: {name}")


if __name__ == "__main__":
    unittest.main()
