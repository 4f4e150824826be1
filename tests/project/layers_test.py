"""The layers are in order, and the checker notices if they are not."""

import pathlib
import re
import subprocess
import tempfile
import unittest

from repository import ROOT, files

CHECKER = ROOT / "scripts/check_layers.py"

# Words that the code of a layer must not contain; comments may have examples.
COMMENT = re.compile(r"//.*")
UNKNOWN = {layer: re.compile(r"dynamo|amazon|\baws|amz", re.I) for layer in ("base", "kv", "tcp", "http", "store")}
UNKNOWN["aws"] = re.compile("dynamo", re.I)


def check(*arguments):
    return subprocess.run([CHECKER, *arguments], capture_output=True, text=True)


class Layers(unittest.TestCase):
    def test_this_repository_is_in_order(self):
        checked = check()
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def verdict(self, path, include):
        """Returns what the checker prints for a tree of one file with one include."""
        with tempfile.TemporaryDirectory() as root:
            file = pathlib.Path(root, path)
            file.parent.mkdir(parents=True)
            file.write_text(f"#pragma once\n#include {include}\n", encoding="utf-8")
            checked = check(root)
            self.assertEqual(checked.returncode != 0, checked.stdout.startswith(f"{path}:2: "), checked.stdout)
            return checked.stdout.strip().removeprefix(f"{path}:2: ")

    def assert_allowed(self, path, include):
        self.assertEqual(self.verdict(path, include), "the layers are in order")

    def test_downward_is_allowed(self):
        self.assert_allowed("src/dynamodb/ops/put_item.cc", '"dinette/store/store.h"')
        self.assert_allowed("src/store/store.cc", '"dinette/kv/engine.h"')
        self.assert_allowed("src/app/main.cc", '"dinette/http/server.h"')
        self.assert_allowed("src/kv/memory/tree.cc", '"kv/memory/tree.h"')
        self.assert_allowed("src/http/request_reader.cc", "<boost/beast/http.hpp>")
        self.assert_allowed("src/dynamodb/wire/serve.cc", '"dinette/aws/constraints.h"')

    def test_tests_may_see_all(self):
        self.assert_allowed("tests/kv/tree_test.cc", '"kv/memory/tree.h"')
        self.assert_allowed("tests/dynamodb/put_item_test.cc", '"dynamodb/ops/put_item.h"')

    def test_upward_is_refused(self):
        self.assertEqual(self.verdict("src/base/log.cc", '"dinette/tcp/server.h"'), "base may not include tcp")
        self.assertEqual(self.verdict("src/tcp/loop.cc", '"dinette/http/message.h"'), "tcp may not include http")
        self.assertEqual(self.verdict("src/http/server.cc", '"dinette/aws/shape.h"'), "http may not include aws")
        self.assertEqual(self.verdict("src/aws/json_service.cc", '"dinette/dynamodb/service.h"'),
                         "aws may not include dynamodb")

    def test_siblings_are_refused(self):
        self.assertEqual(self.verdict("src/kv/engine.cc", '"dinette/tcp/server.h"'), "kv may not include tcp")
        self.assertEqual(self.verdict("src/store/store.cc", '"dinette/http/message.h"'), "store may not include http")
        self.assertEqual(self.verdict("src/aws/json_service.cc", '"dinette/store/store.h"'), "aws may not include store")

    def test_private_headers_of_others_are_refused(self):
        self.assertEqual(self.verdict("src/store/store.cc", '"kv/memory/tree.h"'),
                         "kv's header is private: what others may use is in include/dinette/kv")
        self.assertEqual(self.verdict("include/dinette/kv/engine.h", '"kv/memory/tree.h"'),
                         "a public header may not include a private one")

    def test_the_parts_of_dynamodb_have_an_order(self):
        self.assert_allowed("src/dynamodb/ops/put_item.cc", '"dynamodb/expr/parser.h"')
        self.assertEqual(self.verdict("src/dynamodb/expr/parser.cc", '"dynamodb/codec/json.h"'),
                         "dynamodb/expr may not include dynamodb/codec")
        self.assertEqual(self.verdict("src/dynamodb/model/item.h", '"dynamodb/ops/put_item.h"'),
                         "dynamodb/model may not include dynamodb/ops")

    def test_the_rooms_of_the_program_have_an_order(self):
        self.assert_allowed("src/app/pull/run_pull.cc", '"app/transfer/transfer.h"')
        self.assertEqual(self.verdict("src/app/serve/serve.cc", '"app/transfer/transfer_commands.h"'),
                         "app/serve may not include app/transfer")
        self.assert_allowed("src/app/serve/serve.cc", '"app/options.h"')
        self.assertEqual(self.verdict("src/app/transfer/transfer.cc", '"app/serve/serve.h"'),
                         "app/transfer may not include app/serve")

    def test_lower_layers_do_not_know_the_services(self):
        seen = set()
        for file in files(".h", ".cc"):
            parts = file.relative_to(ROOT).parts
            layer = parts[2] if parts[0] == "include" else parts[1]
            if parts[0] == "tests" or layer not in UNKNOWN:
                continue
            seen.add(layer)
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
                self.assertIsNone(UNKNOWN[layer].search(COMMENT.sub("", line)), f"{file}:{number}: {line}")
        self.assertEqual(seen, set(UNKNOWN))

    def test_third_party_headers_stay_in_their_places(self):
        for header in ("<boost/asio.hpp>", "<nlohmann/json.hpp>", "<openssl/evp.h>", "<simdjson.h>", "<libdeflate.h>",
                       "<isa-l/crc.h>"):
            self.assertNotEqual(self.verdict("include/dinette/base/x.h", header), "the layers are in order", header)
        self.assert_allowed("include/dinette/aws/json.h", "<simdjson.h>")
        self.assertIn("Boost.Beast is used only in", self.verdict("src/http/server.cc", "<boost/beast/core.hpp>"))
        self.assertIn("OpenSSL is used only in", self.verdict("src/tcp/tls_session.cc", "<openssl/ssl.h>"))
        self.assertIn("nlohmann/json is used only in", self.verdict("src/store/x.cc", "<nlohmann/json.hpp>"))


if __name__ == "__main__":
    unittest.main()
