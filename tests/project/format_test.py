"""Every C++ file is formatted by clang-format."""

import subprocess
import unittest

from repository import ROOT, files

FORMATTER = "clang-format-14"


class Format(unittest.TestCase):
    def test_every_file_is_formatted(self):
        names = [str(file.relative_to(ROOT)) for file in files(".h", ".cc")]
        self.assertTrue(names)
        checked = subprocess.run([FORMATTER, "--dry-run", "-Werror", *names], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(checked.returncode, 0, f"run {FORMATTER} -i on these:\n{checked.stderr}")


if __name__ == "__main__":
    unittest.main()
