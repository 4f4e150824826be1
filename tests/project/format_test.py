"""Every C++ file is formatted by clang-format 14, which Debian 12 has. Version 19 of Debian 13 formats some constructs
otherwise: a `requires` clause, for example."""

import shutil
import subprocess
import unittest

from repository import ROOT, files

FORMATTER = "clang-format-14"
IS_MISSING = shutil.which(FORMATTER) is None
if IS_MISSING:
    print(f"skipped: the format of the sources is not checked, because this release has no {FORMATTER}")


class Format(unittest.TestCase):
    @unittest.skipIf(IS_MISSING, f"{FORMATTER} is missing")
    def test_every_file_is_formatted(self):
        names = [str(file.relative_to(ROOT)) for file in files(".h", ".cc")]
        self.assertTrue(names)
        checked = subprocess.run([FORMATTER, "--dry-run", "-Werror", *names], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(checked.returncode, 0, f"run {FORMATTER} -i on these:\n{checked.stderr}")


if __name__ == "__main__":
    unittest.main()
