"""The installed library: programs in C++ and C that are built against it, by find_package alone."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from bare_debian import output_of

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples/embed"
BUILD = pathlib.Path(os.environ["DINETTE_PROGRAM"]).parent

CPP_PRINTS = """CreateTable 200
UpdateTimeToLive 200
PutItem 200
Scan 200
{"Items":[],"Count":0,"ScannedCount":0}
served
"""
C_PRINTS = """CreateTable 200
PutItem 200
PutItem 400
{"__type":"com.amazon.coral.validate#ValidationException",\
"message":"One or more parameter values were invalid: Missing the key artist in the item"}
served
"""


class InstallTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.installed, cls.built = (pathlib.Path(folder.name, name) for name in ("installed", "built"))
        output_of("cmake", "--install", str(BUILD), "--prefix", str(cls.installed))
        output_of("cmake", "-S", str(EXAMPLES), "-B", str(cls.built), "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={cls.installed}")
        output_of("cmake", "--build", str(cls.built))

    def test_the_example_in_cpp_is_that_of_its_page(self):
        page = (HERE.parents[1] / "docs/installing.md").read_text(encoding="utf-8")
        self.assertIn(f"<!-- albums.cc -->\n```cpp\n{(EXAMPLES / 'albums.cc').read_text(encoding='utf-8')}```\n", page)
        for line in re.search(r"```cmake\n(.*?)```", page, re.S)[1].splitlines():
            self.assertIn(line, (EXAMPLES / "CMakeLists.txt").read_text(encoding="utf-8").splitlines())

    def test_the_example_in_cpp(self):
        self.assertEqual(output_of(str(self.built / "albums_cpp")), CPP_PRINTS)

    def test_the_example_in_c(self):
        self.assertEqual(output_of(str(self.built / "albums_c")), C_PRINTS)

    def test_only_the_headers_for_embedding_are_installed(self):
        headers = {str(file.relative_to(self.installed)) for file in self.installed.rglob("*.h")}
        self.assertEqual(headers, {"include/dinette/dinette.h", "include/dinette/embedded.h",
                                   "include/dinette/base/result.h"})

    def test_the_tree_can_be_moved(self):
        config = (self.installed / "lib/cmake/Dinette/DinetteConfig.cmake").read_text(encoding="utf-8")
        self.assertNotIn(str(self.installed), config)
        self.assertNotIn(str(BUILD), config)

    def test_the_program_runs_from_it(self):
        program = self.installed / "bin/dinette"
        data = self.built / "data"
        data.mkdir()
        checked = subprocess.run([program, "check", data], capture_output=True, text=True)
        self.assertEqual((checked.returncode, checked.stderr),
                         (1, f"dinette: {data} is empty: it is not a data folder\n"))


if __name__ == "__main__":
    unittest.main()
