"""What scripts/release does besides building: which libraries it says are in the programs, and which files it keeps."""

import contextlib
import hashlib
import json
import pathlib
import re
import tempfile
import types
import unittest
from unittest import mock

from repository import packages, read

import run_release
from notices import package_of
from release import linked, sbom, sysroot
from release.platforms import Platform
from release.programs import version

# What GNU ld and mold write of what they have linked. The first also names libraries of which it has used nothing.
GNU_LD = """Archive member included to satisfy reference by file (symbol)

{root}/usr/lib/x86_64-linux-gnu/libexpat.a(xmlparse.o)
                              src/s3/libdinette_s3.a(xml_reader.cc.o) (XML_ParserCreate)
/usr/lib/gcc/x86_64-linux-gnu/12/libstdc++.a(string.o)

LOAD {root}/usr/lib/x86_64-linux-gnu/libsqlite3.a
"""
MOLD = """             VMA       Size Align Out     In      Symbol
        0x4c5000       1203    16         {root}/usr/lib/x86_64-linux-gnu/libzstd.a(zstd.o):(.text)
        0x4c6000         12    16         {root}/usr/lib/x86_64-linux-gnu/libc_nonshared.a(atexit.oS):(.text)
        0x4c6000         12    16         src/base/libdinette_base.a(log.cc.o):(.text)
"""
OWNERS = {"libexpat1-dev": "/usr/lib/x86_64-linux-gnu/libexpat.a", "libzstd-dev": "/usr/lib/x86_64-linux-gnu/libzstd.a",
          "libsqlite3-dev": "/usr/lib/x86_64-linux-gnu/libsqlite3.a", "libboost1.81-dev": "/usr/include/boost/version.hpp",
          "nlohmann-json3-dev": "/usr/include/nlohmann/json.hpp"}
IN_THE_PROGRAMS = ["libboost1.81-dev", "libexpat1-dev", "libzstd-dev", "nlohmann-json3-dev"]


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()


class Linked(Folder):
    """Which packages are in programs that a linker has described in its maps."""

    def setUp(self):
        super().setUp()
        described = {name: {"version": "1.2+3", "files": [file]} for name, file in OWNERS.items()}
        (self.folder / sysroot.LIBRARY_PACKAGES).write_text(json.dumps(described))
        (self.folder / sysroot.IMAGE_PACKAGES).write_text(json.dumps({"libc6": {"version": "2.36"}}))
        self.write_maps(GNU_LD, MOLD)

    def write_maps(self, *texts):
        for program, text in zip(linked.PROGRAMS, texts):
            (self.folder / f"{program}.map").write_text(text.format(root=self.folder))

    def test_they_are_those_of_archives_that_were_used_and_of_headers(self):
        self.assertEqual(linked.linked_packages(self.folder, self.folder), IN_THE_PROGRAMS)

    def test_an_archive_of_no_package_is_refused(self):
        self.write_maps(GNU_LD, "{root}/usr/lib/x86_64-linux-gnu/libother.a(o.o)\n")
        with self.assertRaisesRegex(SystemExit, "no package in .* has /usr/lib/x86_64-linux-gnu/libother.a"):
            linked.linked_packages(self.folder, self.folder)

    def test_maps_that_name_nothing_are_refused(self):
        self.write_maps("", "")
        with self.assertRaisesRegex(SystemExit, "name no library"):
            linked.linked_packages(self.folder, self.folder)

    def bill(self, *names):
        platform = types.SimpleNamespace(sysroot=self.folder, build=self.folder)
        files = [self.folder / name for name in names]
        for file in files:
            file.touch()
        with mock.patch.object(sbom, "output_of", return_value="12"):
            return sbom.bill([platform], files)

    def test_the_bill_of_materials_lists_them(self):
        listed = self.bill("dinette-1-linux-x64.tar.gz")
        static = [each["relatedSpdxElement"].removeprefix("SPDXRef-Package-") for each in listed["relationships"]
                  if each["relationshipType"] == "STATIC_LINK"]
        self.assertEqual(static, sorted([*IN_THE_PROGRAMS, sbom.identifier("", "libstdc++-12-dev").removeprefix("SPDXRef--")]))
        self.assertNotIn("libc6", [each["name"] for each in listed["packages"]])

    def test_it_says_what_an_image_has_besides(self):
        image = "dinette-1-docker-amd64.tar"
        listed = self.bill(image, "dinette-1-linux-x64.tar.gz")
        (glibc,) = [each for each in listed["packages"] if each["name"] == "libc6"]
        self.assertEqual(glibc["versionInfo"], "2.36")
        self.assertEqual([each["spdxElementId"] for each in listed["relationships"] if each["relatedSpdxElement"] == glibc["SPDXID"]],
                         [f"SPDXRef-File-{image}"])


class Libraries(unittest.TestCase):
    def test_every_static_library_comes_from_a_package_of_the_sysroot(self):
        text = read("cmake/DinetteLibraries.cmake")
        names = {*re.findall(r"^ *dinette_static_library\(\S+ ([\w-]+)[ )]", text, re.M),
                 *re.search(r"foreach\(compression (.*)\)", text)[1].split()}
        self.assertGreater(len(names), 10)
        for name in sorted(names):
            found = next(file for kind in ("so", "a") for file in pathlib.Path("/usr/lib").glob(f"*-linux-gnu/lib{name}.{kind}"))
            package = package_of(found.parent.resolve() / found.name)
            self.assertIn(package, sysroot.LIBRARIES, name)

    def test_what_is_new_in_the_sysroot_is_also_installed_for_building(self):
        listed = {package for choices in packages("build") for package in choices}
        # Those that others of them need are installed with these.
        needed = {"libbz2-1.0", "libbz2-dev", "zlib1g-dev"}
        self.assertEqual(set(sysroot.LIBRARIES) - needed - listed, set())


class Pack(Folder):
    """What is packed lands in a folder with what was made earlier."""

    def pack(self, *kinds):
        with contextlib.ExitStack() as patches:
            fakes = {kind: types.SimpleNamespace(pack=self.writer(kind)) for kind in ("tarball", "deb")}
            for name, value in (("OUTPUT", self.folder), ("KINDS", fakes)):
                patches.enter_context(mock.patch.object(run_release, name, value))
            patches.enter_context(mock.patch.object(run_release.sbom, "bill", return_value={}))
            run_release.pack(kinds, [Platform("x64", "amd64", "x86_64")])
            run_release.describe()

    @staticmethod
    def writer(kind):
        def pack(platform, _, output):
            name = f"dinette_{version()}_{platform.debian}.deb" if kind == "deb" else f"dinette-{version()}-linux-{platform.name}.tar.gz"
            (output / name).write_text(kind)
        return pack

    def listed(self):
        lines = (self.folder / "SHA256SUMS").read_text().splitlines()
        return {name: digest for digest, name in (line.split("  ") for line in lines)}

    def test_files_of_other_kinds_stay_and_have_their_checksums(self):
        self.pack("tarball")
        self.pack("deb")
        bill = f"dinette-{version()}.spdx.json"
        tarball, deb = f"dinette-{version()}-linux-x64.tar.gz", f"dinette_{version()}_amd64.deb"
        self.assertEqual({file.name for file in self.folder.iterdir()}, {tarball, deb, bill, "SHA256SUMS"})
        self.assertEqual(set(self.listed()), {tarball, deb, bill})
        for name, digest in self.listed().items():
            self.assertEqual(digest, hashlib.sha256((self.folder / name).read_bytes()).hexdigest())

    def test_files_of_other_versions_are_removed(self):
        for name in ("dinette-0.0.1.tgz", f"dinette-1{version()}.tgz", "other"):
            (self.folder / name).touch()
        self.pack("deb")
        self.assertEqual(set(self.listed()), {f"dinette_{version()}_amd64.deb", f"dinette-{version()}.spdx.json"})


if __name__ == "__main__":
    unittest.main()
