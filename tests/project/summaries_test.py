"""The count at the end of scripts/test is right for every kind of output, and after crashes."""

import sys
import unittest

from repository import ROOT

sys.path.insert(0, str(ROOT / "scripts/lib"))
from summaries import Count, count_cases  # noqa: E402


class Summaries(unittest.TestCase):
    def test_catch2(self):
        green = "=====\nAll tests passed (372 assertions in 25 test cases)\n\n"
        self.assertEqual(count_cases(green, True), Count(25, 0))
        self.assertEqual(count_cases("All tests passed (1 assertion in 1 test case)\n", True), Count(1, 0))
        red = "test cases:  25 |  21 passed | 4 failed\nassertions: 369 | 364 passed | 5 failed\n"
        self.assertEqual(count_cases(red, False), Count(21, 4))
        self.assertEqual(count_cases("test cases: 2 | 2 failed\nassertions: 2 | 2 failed\n", False), Count(0, 2))

    def test_unittest(self):
        self.assertEqual(count_cases("Ran 7 tests in 0.1s\n\nOK\n", True), Count(7, 0))
        self.assertEqual(count_cases("Ran 7 tests in 0.1s\n\nFAILED (failures=1, errors=2)\n", False), Count(4, 3))
        self.assertEqual(count_cases("Ran 7 tests in 0.1s\n\nOK (skipped=2)\n", True), Count(5, 0, 2))

    def test_node(self):
        report = "# tests 5\n# suites 1\n# pass 4\n# fail 1\n# cancelled 0\n# skipped 0\n"
        self.assertEqual(count_cases(report, False), Count(4, 1))

    def test_a_program_that_says_nothing_is_one_case(self):
        self.assertEqual(count_cases("", True), Count(1, 0))
        self.assertEqual(count_cases("", False), Count(0, 1))

    def test_a_program_that_dies_after_a_green_summary_has_failed(self):
        leak = "All tests passed (3 assertions in 2 test cases)\nSUMMARY: AddressSanitizer: 8 byte(s) leaked\n"
        self.assertEqual(count_cases(leak, False), Count(2, 1))

    def test_a_program_that_dies_without_a_summary_has_failed(self):
        self.assertEqual(count_cases("Segmentation fault\n", False), Count(0, 1))


if __name__ == "__main__":
    unittest.main()
