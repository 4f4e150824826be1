#!/usr/bin/env python3
"""Bundles the page into one C++ source, by Debian's esbuild: build_page.py ESBUILD page_files.cc

The scripts are split where the page imports one when it is needed, so that its first view runs little (docs/page.md). All but the
document and the icon have a digest of their content in their names, and are kept by browsers."""

import gzip
import hashlib
import json
import os
import pathlib
import re
import string
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
# npm packages. esbuild prefers those of node_modules, which need not exist (copy_packages.py).
PACKAGES = FOLDER / "third_party"
FIRST = "ui/first.js"  # not a module: those run after the document is painted
SCRIPT = "ui/main.jsx"
TABLES = "views/table_views.js"
OTHERS = "views/other_views.js"
STYLE = "ui/style.css"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml"}
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


def bundle(esbuild, folder, *options):
    """Writes bundles to a folder. Returns esbuild's descriptions of them, by their names, and of what they consist of."""
    description = pathlib.Path(folder, "description.json")
    subprocess.run(
        [esbuild, *options, "--bundle", "--minify", "--target=chrome123,firefox120,safari17.5", "--jsx=automatic",
         "--jsx-import-source=preact", "--legal-comments=none", "--log-level=warning", "--entry-names=[name]-[hash]",
         "--chunk-names=[name]-[hash]", f"--outdir={folder}/page", f"--metafile={description}"],
        cwd=FOLDER, env=dict(os.environ, NODE_PATH=PACKAGES), check=True)
    described = json.loads(description.read_text())
    description.unlink()
    return {pathlib.Path(name).name: output for name, output in described["outputs"].items()}, set(described["inputs"])


class Page:
    """The files of the page: `files` by their paths, `scripts` as esbuild describes them, `inputs` of which they consist."""

    def __init__(self, esbuild):
        with tempfile.TemporaryDirectory() as folder:
            self.scripts, self.inputs = bundle(esbuild, folder, SCRIPT, STYLE, "--format=esm", "--splitting")
            first, inputs = bundle(esbuild, folder, FIRST, "--format=iife")
            self.inputs |= inputs
            self.files = {f"page/{file.name}": file.read_bytes() for file in sorted(pathlib.Path(folder, "page").iterdir())}
        self.names = {output["entryPoint"]: name for name, output in {**self.scripts, **first}.items() if "entryPoint" in output}
        self.files["page/icon.svg"] = (FOLDER / "icon.svg").read_bytes()
        self.files[""] = self._document().encode()

    def needed_by(self, entry):
        """Returns the names of the scripts that are loaded with one: itself, and what it imports."""
        found = [self.names[entry]]
        for name in found:
            imported = (pathlib.Path(other["path"]).name for other in self.scripts[name]["imports"] if other["kind"] == "import-statement")
            found += [other for other in imported if other not in found]
        return found

    def _document(self):
        icons = json.loads((FOLDER / "ui/icons.json").read_text())
        started, tables, others = (self.needed_by(entry) for entry in (SCRIPT, TABLES, OTHERS))
        places = {"first": f"page/{self.names[FIRST]}", "style": f"page/{self.names[STYLE]}", "script": f"page/{started[0]}",
                  "preloads": "\n".join(f'<link rel="modulepreload" href="page/{name}">' for name in started[1:]),
                  "tables": " ".join(f"page/{name}" for name in tables if name not in started),
                  "others": " ".join(f"page/{name}" for name in others if name not in started)}
        # As ui/icon.jsx draws them.
        places |= {f"icon {name}": '<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">'
                                   f'<path d="{path}"></path></svg>' for name, path in icons.items()}
        text = re.sub(r"{([a-z ]+)}", lambda found: places[found[1]], (FOLDER / "index.html").read_text())
        return re.sub(r">\n<!--.*-->\n<|>\n<", "><", text)  # ui/app.jsx has no blanks there either


def literal(content):
    """Returns a C++ string literal of bytes."""
    return '"' + "".join(chr(byte) if byte in PLAIN else f"\\{byte:03o}" for byte in content) + '"'


def element(path, content):
    zipped = gzip.compress(content, 9, mtime=0)
    digest = hashlib.sha256(content).hexdigest()[:32]
    kind = TYPES[pathlib.Path(path).suffix or ".html"]
    is_named_by_content = "true" if pathlib.Path(path).suffix in (".js", ".css") else "false"
    return (f'    {{"/_dinette/{path}", "{kind}", {{{literal(zipped)}, {len(zipped)}}}, {len(content)}, "{digest}", '
            f"{is_named_by_content}}},\n")


def main(esbuild, output):
    elements = (element(path, content) for path, content in sorted(Page(esbuild).files.items()))
    output = pathlib.Path(output)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(SOURCE % "".join(elements), encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
