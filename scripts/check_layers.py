#!/usr/bin/env python3
"""Checks includes against scripts/layers.json; prints each breach as file:line and exits with 1.

usage: check_layers.py [root of the repository]
"""

import fnmatch
import json
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


class Place:
    """The layer, and the part of it, that a file or an included header belongs to."""

    def __init__(self, layer, part, public):
        self.layer, self.part, self.public = layer, part, public

    def __str__(self):
        return f"{self.layer}/{self.part}" if self.part else self.layer


class Rules:
    def __init__(self, declared):
        self.layers = declared["layers"]
        self.sublayers = declared["sublayers"]
        self.third_party = declared["third_party"]
        self.not_public = declared["not_in_public_headers"]

    def place_of(self, parts, public):
        """`parts`: path components below src/ or include/dinette/. Returns None if they are in no layer."""
        if not parts or parts[0] not in self.layers:
            return None
        known = self.sublayers.get(parts[0], {})
        part = parts[1] if len(parts) > 2 and parts[1] in known else None
        return Place(parts[0], part, public)

    def place_of_file(self, path):
        """`path`: relative to the root, as a tuple of components. Returns None for tests."""
        if path[0] == "src":
            return self.place_of(path[1:], public=False)
        if path[:2] == ("include", "dinette"):
            return self.place_of(path[2:], public=True)
        return None

    def place_of_include(self, header):
        parts = tuple(header.split("/"))
        if parts[0] == "dinette":
            return self.place_of(parts[1:], public=True)
        return self.place_of(parts, public=False)

    def breach(self, source, target):
        """Returns why `source` may not include `target`, or None."""
        if source.layer == target.layer:
            return self.breach_within_layer(source, target)
        if target.layer not in self.layers[source.layer]:
            return f"{source.layer} may not include {target.layer}"
        if not target.public:
            return f"{target.layer}'s header is private: what others may use is in include/dinette/{target.layer}"
        return None

    def breach_within_layer(self, source, target):
        if source.public and not target.public:
            return "a public header may not include a private one"
        if source.part and target.part and source.part != target.part:
            if target.part not in self.sublayers[source.layer][source.part]:
                return f"{source} may not include {target}"
        return None

    def third_party_breach(self, path, header):
        for library in self.third_party:
            if header.startswith(library["headers"]):
                if path in library["allowed"]:
                    return None
                if not any(fnmatch.fnmatch(path, pattern) for pattern in library["allowed"]):
                    return f"{library['name']} is used only in {', '.join(library['allowed'])}"
        if path.startswith("include/"):
            if any(header.startswith(prefix) for prefix in self.not_public):
                return f"a public header shows no third-party library, and <{header}> is one"
        return None


def includes_of(file):
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        found = INCLUDE.match(line)
        if found:
            yield number, found.group(2)


def sources(root):
    for top in ("include", "src", "tests"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix in (".h", ".cc") and "node_modules" not in file.parts:
                yield file


def breaches(root, rules):
    for file in sources(root):
        relative = file.relative_to(root)
        place = rules.place_of_file(relative.parts)
        for line, header in includes_of(file):
            target = rules.place_of_include(header)
            why = rules.third_party_breach(relative.as_posix(), header)
            if not why and place and target:
                why = rules.breach(place, target)
            if why:
                yield f"{relative}:{line}: {why}"


def main():
    here = pathlib.Path(__file__).resolve().parent
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here.parent
    rules = Rules(json.loads((here / "layers.json").read_text(encoding="utf-8")))
    found = list(breaches(root, rules))
    print("\n".join(found) if found else "the layers are in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
