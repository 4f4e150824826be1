"""The specification of the administration agrees with itself and with docs/admin-api.md. What the program does is
compared with it in tests/admin and tests/protocol."""

import json
import pathlib
import subprocess
import sys
import unittest

from json_schema import Checker

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPEC = json.loads((ROOT / "api-specs/admin/openapi.json").read_text(encoding="utf-8"))
JSON = "application/json"


def resolved(value):
    if "$ref" not in value:
        return value
    found = SPEC
    for part in value["$ref"].removeprefix("#/").split("/"):
        found = found[part]
    return found


def operations():
    return [(method, path, operation) for path, methods in SPEC["paths"].items()
            for method, operation in methods.items()]


def contents():
    """Every body of a request or response, with where it stands."""
    for method, path, operation in operations():
        if "requestBody" in operation:
            yield f"{method} {path}", operation["requestBody"]["content"][JSON]
        for status, response in operation["responses"].items():
            for content in resolved(response)["content"].values():
                yield f"{method} {path} {status}", content


class Specification(unittest.TestCase):
    def test_every_example_has_the_form_that_it_is_an_example_of(self):
        checker = Checker(SPEC, SPEC["components"]["schemas"])
        for where, content in contents():
            self.assertEqual(checker.errors(content["example"], content["schema"]), [], where)

    def test_names_of_operations_are_unique(self):
        names = [operation["operationId"] for _, _, operation in operations()]
        self.assertEqual(sorted(set(names)), sorted(names))

    def test_every_operation_has_a_known_tag_and_the_parameters_of_its_path(self):
        tags = {tag["name"] for tag in SPEC["tags"]}
        for method, path, operation in operations():
            self.assertLessEqual(set(operation["tags"]), tags, path)
            in_path = {one["name"] for one in map(resolved, operation.get("parameters", [])) if one["in"] == "path"}
            self.assertEqual({part[1:-1] for part in path.split("/") if part.startswith("{")}, in_path, path)

    def test_the_document_is_up_to_date(self):
        run = subprocess.run([sys.executable, "-B", ROOT / "scripts/gen_admin_docs.py", "--check"],
                             capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        self.assertEqual(run.returncode, 0)


if __name__ == "__main__":
    unittest.main()
