"""Properties of the sources that the build relies on."""

import re
import unittest

from repository import ROOT, files

FIRST_INCLUDE = re.compile(r'^#include ["<](.+)[">]$', re.M)
# Includes and comments, then the namespace in which everything is defined.
TEST_SOURCE = re.compile(r"(?:(?:#.*|//.*)?\n)*namespace (\S+) \{\n(?:.*\n)*\}  // namespace \1\n")


def own_source(header):
    """Returns the source that implements a header, if it exists: the one of the same name in the layer's folder."""
    parts = header.relative_to(ROOT).parts
    below = parts[2:] if parts[:2] == ("include", "dinette") else parts[1:]
    return (ROOT / "src").joinpath(*below).with_suffix(".cc")


class Sources(unittest.TestCase):
    def test_a_source_includes_its_own_header_first(self):
        """This proves that the header compiles alone; CMakeLists.txt relies on it."""
        headers = [file for file in files(".h") if file.relative_to(ROOT).parts[0] in ("include", "src")]
        proven = [header for header in headers if own_source(header).exists()]
        self.assertTrue(proven)
        for header in proven:
            source = own_source(header)
            first = FIRST_INCLUDE.search(source.read_text(encoding="utf-8"))[1]
            spellings = (header.name, str(header.relative_to(ROOT)).split("/", 1)[1])
            self.assertIn(first, spellings, f"{source} does not begin with {header}")

    def test_a_test_source_has_a_namespace_of_its_own(self):
        """Several are compiled as one (dinette_test_code), and must not see each other's definitions."""
        sources = list(files("_test.cc"))
        self.assertTrue(sources)
        for source in sources:
            namespace = TEST_SOURCE.fullmatch(source.read_text(encoding="utf-8"))
            self.assertTrue(namespace, f"{source} does not define everything in a namespace of its own")
            self.assertEqual(namespace[1].split("::")[-1], source.stem, source)

    def test_constants_are_named_as_variables_are(self):
        for source in (*files(".h"), *files(".cc")):
            self.assertNotRegex(source.read_text(encoding="utf-8"), r"(?<!rocksdb::)\bk[A-Z][a-z]\w*\b", source)

    def test_a_test_source_is_part_of_a_program(self):
        for source in files("_test.cc"):
            lists = [folder / "CMakeLists.txt" for folder in source.parents if (folder / "CMakeLists.txt").exists()]
            name = str(source.relative_to(lists[0].parent))
            self.assertIn(name, lists[0].read_text(encoding="utf-8").split(), f"{source} is in no program")


if __name__ == "__main__":
    unittest.main()
