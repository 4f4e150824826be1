"""The compiler cache never returns the object of other sources than those in the folder."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from repository import ROOT

PROJECT = f"""
cmake_minimum_required(VERSION 3.25)
project(tells CXX)
set(DINETTE_TESTS OFF)
include({ROOT}/cmake/DinetteBuild.cmake)
add_executable(tells tells.cc)
target_include_directories(tells PRIVATE ${{PROJECT_SOURCE_DIR}})
dinette_precompile(tells <told.h> <cstdio>)
"""


class Clone:
    """A program that prints a macro of its precompiled header, built as this project is."""

    def __init__(self, parent, name):
        self.folder = parent / name
        self.folder.mkdir()
        self.environment = dict(os.environ, CCACHE_DIR=str(parent / "cache"))
        (self.folder / "CMakeLists.txt").write_text(PROJECT)
        (self.folder / "tells.cc").write_text("int main() { std::puts(TOLD); }\n")

    def prints(self, told):
        (self.folder / "told.h").write_text(f'#pragma once\n#define TOLD "{told}"\n')
        if not (self.folder / "build").exists():
            self.run("cmake", "-G", "Ninja", "-B", "build")
        self.run("cmake", "--build", "build")
        return self.run("build/bin/tells").strip()

    def run(self, *command):
        done = subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


class CompilerCache(unittest.TestCase):
    def test_a_macro_of_a_precompiled_header_is_that_of_the_folder(self):
        with tempfile.TemporaryDirectory() as parent:
            parent = pathlib.Path(parent)
            first = Clone(parent, "first")
            self.assertEqual(first.prints("one"), "one")
            self.assertEqual(first.prints("two"), "two")
            self.assertEqual(Clone(parent, "second").prints("six"), "six")
            self.assertEqual(Clone(parent, "third").prints("one"), "one")


if __name__ == "__main__":
    unittest.main()
