"""The tarball: what is in it, and that it works wherever it is unpacked."""

import os
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / part) for part in ("scripts/lib", "tests/protocol")]

from commands import output_of  # noqa: E402
from release import tarball  # noqa: E402
from release.platforms import PLATFORMS  # noqa: E402
from release.programs import version  # noqa: E402
from server import Server  # noqa: E402

BUILD = pathlib.Path(os.environ["DINETTE_PROGRAM"]).parent
NAME = f"dinette-{version()}-linux-x64"  # whose place this machine takes


class Tarball(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        tarball.pack(PLATFORMS["x64"], BUILD, pathlib.Path(folder.name))
        output_of("tar", "-xf", f"{folder.name}/{NAME}.tar.gz", "-C", folder.name)
        cls.unpacked = pathlib.Path(folder.name, NAME)

    def test_the_program_finds_the_one_for_data_folders(self):
        program = str(self.unpacked / "bin/dinette")
        self.assertEqual(output_of(program, "--version"), f"dinette {version()}\n")
        data = str(self.unpacked / "data")
        with Server("--data", data, called_as=program):
            pass
        self.assertIn("all is well", output_of(program, "check", data))

    def test_shells_and_man_find_its_files_below_usr_local(self):
        for file in ("bash-completion/completions/dinette", "fish/vendor_completions.d/dinette.fish", "man/man1/dinette.1.gz",
                     "zsh/site-functions/_dinette", "doc/dinette/THIRD-PARTY-NOTICES.gz"):
            self.assertTrue((self.unpacked / "share" / file).is_file(), file)
        self.assertFalse((self.unpacked / "share/zsh/vendor-completions").exists())

    def test_its_page_says_how_to_copy_all_of_it(self):
        folders = ",".join(sorted(path.name for path in self.unpacked.iterdir() if path.is_dir() and path.name != "data"))
        self.assertIn(f"sudo cp -r {NAME}/{{{folders}}} /usr/local\n", (ROOT / "docs/installing.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
