#!/usr/bin/env python3
"""Bundles the page into one C++ source, by Debian's esbuild: build_page.py ESBUILD page_files.cc"""

import gzip
import hashlib
import os
import pathlib
import string
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
# npm packages. esbuild prefers those of node_modules, which need not exist (copy_packages.py).
PACKAGES = FOLDER / "third_party"
SCRIPT = "ui/main.jsx"
STYLE = "ui/style.css"
EDITOR = "editor/editor.js"  # larger than the rest, and loaded when an item is opened
ENTRIES = (SCRIPT, STYLE, EDITOR)
PLAIN = set((string.ascii_letters + string.digits + " ").encode())
SOURCE = """// Made by src/page/build_page.py.
#include "admin/page.h"

namespace dinette::admin {

std::span<const PageFile> page_files() {
  static constexpr PageFile files[] = {
%s  };
  return files;
}

}  // namespace dinette::admin
"""


def bundle(esbuild, entry, *options):
    return subprocess.run(
        [esbuild, entry, "--bundle", "--minify", "--format=esm", "--target=chrome123,firefox120,safari17.5", "--jsx=automatic",
         "--jsx-import-source=preact", "--legal-comments=none", "--log-level=warning", *options],
        cwd=FOLDER, env=dict(os.environ, NODE_PATH=PACKAGES), check=True, stdout=subprocess.PIPE).stdout


def literal(content):
    """Returns a C++ string literal of bytes."""
    return '"' + "".join(chr(byte) if byte in PLAIN else f"\\{byte:03o}" for byte in content) + '"'


def element(path, kind, content):
    zipped = gzip.compress(content, 9, mtime=0)
    digest = hashlib.sha256(content).hexdigest()[:32]
    return f'    {{"{path}", "{kind}", {{{literal(zipped)}, {len(zipped)}}}, {len(content)}, "{digest}"}},\n'


def main(esbuild, output):
    elements = (
        element("/_dinette/", "text/html; charset=utf-8", (FOLDER / "index.html").read_bytes()),
        element("/_dinette/page/app.js", "text/javascript; charset=utf-8", bundle(esbuild, SCRIPT)),
        element("/_dinette/page/editor.js", "text/javascript; charset=utf-8", bundle(esbuild, EDITOR)),
        element("/_dinette/page/app.css", "text/css; charset=utf-8", bundle(esbuild, STYLE)),
        element("/_dinette/page/icon.svg", "image/svg+xml", (FOLDER / "icon.svg").read_bytes()))
    output = pathlib.Path(output)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(SOURCE % "".join(elements), encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
