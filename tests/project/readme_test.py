"""What README.md repeats of the program is what the program says, and its links lead somewhere."""

import re
import unittest

from repository import ROOT, output_of, program, read


class Readme(unittest.TestCase):
    def test_the_table_of_options_is_the_programs_own(self):
        shown = re.search(r"<!-- options -->\n(.*?)<!-- end of options -->", read("README.md"), re.S)
        self.assertIsNotNone(shown)
        self.assertEqual(shown[1], output_of(program(), "--help-markdown"),
                         "put what `dinette --help-markdown` prints between the marks of README.md")

    def test_every_link_within_the_repository_leads_to_a_file(self):
        links = re.findall(r"\]\((?!https?:|#)([^)#]+)", read("README.md"))
        self.assertTrue(links)
        for link in links:
            self.assertTrue((ROOT / link).exists(), link)

    def test_every_script_that_it_names_exists(self):
        for name in set(re.findall(r"\bscripts/[\w.]+", read("README.md"))):
            self.assertTrue((ROOT / name).exists(), name)


if __name__ == "__main__":
    unittest.main()
