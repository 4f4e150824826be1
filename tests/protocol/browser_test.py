"""Which web pages may call: a real browser with local pages, foreign pages, and a rebound name."""

import json
import unittest
import urllib.request

from boto3_clients import client
from browser import Web
from server import Server


class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.web = Web()

    @classmethod
    def tearDownClass(cls):
        cls.web.close()

    def visit(self, page, *options):
        """Returns what the page sees, and whether its table was created. `page` maps the server to the page's origin
        and the address that the page calls."""
        with Server(*options) as server:
            origin, api = page(server)
            seen = self.web.visit(origin, api, table="OfThePage")
            return seen, client(server.endpoint).list_tables()["TableNames"] == ["OfThePage"]

    def local(self, server):
        return f"http://localhost:{self.web.port}", server.endpoint

    def elsewhere(self, server):
        return f"http://evil.example:{self.web.port}", server.endpoint

    def rebound(self, server):
        """The page's host name resolves to the server by now, so the call is a same-origin request."""
        return f"http://evil.example:{server.port}", ""

    def assert_served(self, visited):
        seen, created = visited
        self.assertEqual(seen["status"], 200, seen)
        self.assertRegex(seen["id"], r"^[A-Z0-9]{52}$")
        self.assertEqual(json.loads(seen["body"])["TableDescription"]["TableName"], "OfThePage")
        self.assertTrue(created)

    def test_a_page_of_this_machine_may_call(self):
        self.assert_served(self.visit(self.local))

    def test_a_page_of_another_origin_may_not(self):
        self.assertEqual(self.visit(self.elsewhere), ({"error": "TypeError"}, False))

    def test_a_page_of_a_rebound_name_may_not(self):
        seen, created = self.visit(self.rebound)
        self.assertEqual(seen["status"], 403)
        self.assertIn("--cors", json.loads(seen["body"])["Message"])
        self.assertFalse(created)

    # This proves that only the option stops them.
    def test_every_page_may_call_where_the_option_says_so(self):
        for page in (self.elsewhere, self.rebound):
            self.assert_served(self.visit(page, "--cors", "*"))

    def test_a_listed_origin_may_call(self):
        self.assert_served(self.visit(self.elsewhere, "--cors", f"http://evil.example:{self.web.port}"))


class Administration(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.web = Web()

    @classmethod
    def tearDownClass(cls):
        cls.web.close()

    def freeze(self, server, origin, api, body='{"frozen": true}'):
        """Returns what a page sees that freezes the server's clock, and whether the clock is frozen."""
        seen = self.web.visit(origin, api, path="/_dinette/clock", method="PUT", body=body)
        with urllib.request.urlopen(server.endpoint + "/_dinette/clock") as reply:
            return seen, json.load(reply)["frozen"]

    def test_a_page_of_this_machine_may_administrate(self):
        with Server() as server:
            seen, frozen = self.freeze(server, f"http://localhost:{self.web.port}", server.endpoint)
            self.assertEqual((seen["status"], frozen), (200, True), seen)

    def test_no_other_page_may_whatever_cors_says(self):
        with Server("--cors", "*") as server:
            foreign = self.freeze(server, f"http://evil.example:{self.web.port}", server.endpoint)
            self.assertEqual(foreign, ({"error": "TypeError"}, False))
            seen, frozen = self.freeze(server, f"http://evil.example:{server.port}", "")
            self.assertEqual((seen["status"], frozen), (403, False), seen)

    # GET sends no Origin where page and server are of the same origin.
    def test_a_page_of_a_rebound_name_reads_nothing(self):
        with Server("--cors", "*") as server:
            seen = self.web.visit(f"http://evil.example:{server.port}", "", path="/_dinette/clock", method="GET")
            self.assertEqual(seen["status"], 403, seen)
            self.assertIn("--admin-token", seen["body"])


if __name__ == "__main__":
    # boto3 leaves closing its connections to the garbage collector.
    unittest.main(warnings="ignore")
