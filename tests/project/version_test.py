"""Every file that has the version has the same one."""

import json
import re
import unittest

from repository import read


class Version(unittest.TestCase):
    def test_it_is_the_same_everywhere(self):
        version = re.search(r"^project\(dinette VERSION (\S+)", read("CMakeLists.txt"), re.M)[1]
        self.assertEqual(json.loads(read("clients/js/package.json"))["version"], version)
        self.assertIn(f'\nversion = "{version}"\n', read("clients/python/pyproject.toml"))
        self.assertEqual(re.search(r"^## ([\d.]+)", read("CHANGELOG.md"), re.M)[1], version)
        feature = json.loads(read("examples/devcontainer/.devcontainer/dinette/devcontainer-feature.json"))
        self.assertEqual([feature["version"], feature["options"]["version"]["default"]], [version, version])
        self.assertIn(f"\nversion=${{VERSION:-{version}}}\n", read("examples/devcontainer/.devcontainer/dinette/install.sh"))
        for runner in ("jest", "vitest"):
            self.assertEqual(json.loads(read(f"examples/{runner}/package.json"))["devDependencies"]["dinette"], f"^{version}")
        self.assertIn(f"dinette~={version}\n", read("examples/pytest/requirements.txt"))
        for page in ("README.md", "examples/README.md", "docs/installing.md", "docs/admin-api.md", "api-specs/admin/openapi.json"):
            for found in re.findall(r'dinette[-_](\d+\.\d+\.\d+)|"version": "(\d+\.\d+\.\d+)"', read(page)):
                self.assertIn(version, found, page)


if __name__ == "__main__":
    unittest.main()
