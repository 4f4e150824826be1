"""Names and texts of generated C++."""

import json
import re

KEYWORDS = {"and", "or", "not", "delete", "default", "new", "null", "in"}
BANNER = "// Written by scripts/gen_api.py from api-specs/. Do not edit.\n"


def snake(name):
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name).lower()
    return name + "_" if name in KEYWORDS else name


def camel(name):
    return name[0].lower() + name[1:]


def in_order_of_hashes(words):
    """Returns words in the service's order: that of a Java HashSet (docs/service/names-limits.md section 4)."""
    def hash_code(word):
        code = 0
        for character in word:
            code = 31 * code + ord(character)
        return code

    return sorted(words, key=lambda word: hash_code(word) % 32)


def quoted(text):
    return json.dumps(text, ensure_ascii=False)
