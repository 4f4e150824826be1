"""The page, the administration and the helpers, used by those who are not on the server's machine: from another machine, by
IPv4 and IPv6 and by name, through a published port and a reverse proxy; and on this machine by [::1]."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import unittest

from network import ADDRESSES, MAY_MAKE, WHY_NOT, Network
from server import Server

HERE = pathlib.Path(__file__).resolve().parent
CLIENTS = HERE.parents[1] / "clients"
INSIDE_IPV4, INSIDE_IPV6 = ADDRESSES["inside"]

ADMINISTRATING = {"Tablestore", "Keyspaces", "Requests", "Triggers", "Clock", "Worlds", "Regions", "Faults", "Metrics", "Report"}
ALL = ADMINISTRATING | {"Tables", "PartiQL", "Streams"}

FORK_IN_PYTHON = """
import sys
sys.path.insert(0, sys.argv[1])
import dinette
world = dinette.connect(sys.argv[2]).world.fork()
print(world.name, world.clock.advance("PT1H")["world"])
"""
FORK_IN_JAVASCRIPT = """
const { connect } = require(process.argv[1] + "/index.cjs");
connect(process.argv[2]).world.fork().then(async (world) => console.log(world.name, (await world.clock.advance("PT1H")).world));
"""


def link_of(server):
    """Returns the token of the link that the server has printed."""
    for line in server.process.stdout:
        found = re.search(r"/_dinette/#token=(\w+)$", line)
        if found:
            return found[1]
    raise AssertionError("the server has printed no link")


def visit(prefix, **asked):
    """Returns what the views of the page show: {name: {locked, alerts}}."""
    done = subprocess.run([*prefix, "node", str(HERE / "js/visit_views.mjs"), json.dumps(asked)], capture_output=True,
                          text=True, timeout=240)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


class Views(unittest.TestCase):
    def assert_shown(self, visited, locked=frozenset()):
        seen = visited["seen"]
        self.assertEqual(set(seen), ALL, visited["text"])
        self.assertEqual({name for name, view in seen.items() if view["locked"]}, set(locked))
        self.assertEqual({name: view["alerts"] for name, view in seen.items() if view["alerts"] and not view["locked"]}, {})

    def assert_works(self, visited):
        self.assert_shown(visited)
        for operation in ("CreateTable", "PutItem", "GetItem"):
            self.assertIn(operation, visited["worked"])


class Loopback(Views):
    def test_the_page_and_administration_work_by_an_address_of_ipv6(self):
        with Server("--host", "::1") as server:
            self.assert_shown(visit([], url=f"http://[::1]:{server.port}/_dinette/"))


@unittest.skipUnless(MAY_MAKE, WHY_NOT)
class AnotherMachine(Views):
    """Also what a container is to those outside of it."""

    @classmethod
    def setUpClass(cls):
        cls.network = Network()
        cls.network.__enter__()
        cls.addClassCleanup(cls.network.__exit__)
        cls.outside = cls.network.command("outside")

    def server(self, *options, **process):
        return Server("--host", "::", *options, called_as=self.network.program(), **process)

    def url(self, server, host=INSIDE_IPV4):
        return f"http://{host}:{server.port}"

    def test_the_link_that_the_server_prints_shows_every_view(self):
        for host in (INSIDE_IPV4, f"[{INSIDE_IPV6}]"):
            with self.server() as server:
                page = f"{self.url(server, host)}/_dinette/"
                visited = visit(self.outside, url=f"{page}#token={link_of(server)}", works=True)
                self.assert_works(visited)
                self.assertEqual(visited["url"], page + "#/requests")

    def test_without_the_token_tables_are_shown_and_administration_asks_for_it(self):
        with self.server() as server:
            page = f"{self.url(server)}/_dinette/"
            visited = visit(self.outside, url=page)
            self.assert_shown(visited, locked=ADMINISTRATING)
            self.assertIn("the token that it printed at its start", visited["seen"]["Clock"]["alerts"][0])
            self.assert_shown(visit(self.outside, url=page, token=link_of(server)))

    def test_the_token_comes_from_the_environment_of_a_container(self):
        with self.server(env={**os.environ, "DINETTE_ADMIN_TOKEN": "of the container"}) as server:
            self.assert_works(visit(self.outside, url=f"{self.url(server)}/_dinette/#token=of%20the%20container", works=True))

    def test_a_machine_s_own_address_shows_the_page_and_is_not_this_machine_without_the_token(self):
        with self.server() as server:
            self.assert_shown(visit(self.network.command("inside"), url=f"{self.url(server)}/_dinette/"),
                              locked=ADMINISTRATING)

    def test_a_name_must_be_listed_since_it_may_have_been_rebound(self):
        resolve = f"MAP app.test {INSIDE_IPV4}"
        with self.server("--cors", "local,app.test") as server:
            url = f"http://app.test:{server.port}/_dinette/#token={link_of(server)}"
            self.assert_shown(visit(self.outside, url=url, resolve=resolve))
        with self.server() as server:
            url = f"http://app.test:{server.port}/_dinette/#token={link_of(server)}"
            seen = visit(self.outside, url=url, resolve=resolve)["seen"]
            self.assertIn("--cors local,app.test", seen["Tables"]["alerts"][0])

    def test_a_published_port_of_localhost_is_another_machine_s(self):
        forward = textwrap.dedent("""
            import select, socket, sys, threading
            def relay(one, other):
                for source, target in ((one, other), (other, one)):
                    def copy(source=source, target=target):
                        while data := source.recv(65536):
                            target.sendall(data)
                        target.shutdown(socket.SHUT_WR)
                    threading.Thread(target=copy, daemon=True).start()
            listener = socket.create_server(("127.0.0.1", 0))
            print(listener.getsockname()[1], flush=True)
            while True:
                relay(listener.accept()[0], socket.create_connection((sys.argv[1], int(sys.argv[2]))))
            """)
        with self.server() as server:
            token = link_of(server)
            publisher = subprocess.Popen([*self.outside, sys.executable, "-c", forward, INSIDE_IPV4, str(server.port)],
                                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            try:
                page = f"http://localhost:{int(publisher.stdout.readline())}/_dinette/"
                self.assert_shown(visit(self.outside, url=page), locked=ADMINISTRATING)
                self.assert_shown(visit(self.outside, url=f"{page}#token={token}"))
            finally:
                publisher.kill()
                publisher.wait()
                publisher.stdout.close()

    def test_the_helpers_take_the_token_from_the_environment(self):
        python = ["/usr/bin/python3", "-c", FORK_IN_PYTHON, str(CLIENTS / "python")]
        javascript = ["node", "-e", FORK_IN_JAVASCRIPT, str(CLIENTS / "js")]
        with self.server() as server:
            environment = {**os.environ, "DINETTE_ADMIN_TOKEN": link_of(server)}
            for number, command in enumerate((python, javascript), start=1):
                said = self.network.output_of("outside", *command, self.url(server), env=environment)
                self.assertEqual(said, f"world-{number} world-{number}\n")
                with self.assertRaisesRegex(AssertionError, "the token that it printed at its start"):
                    self.network.output_of("outside", *command, self.url(server))

    def test_through_a_proxy_that_keeps_the_host_everything_works_with_the_token(self):
        with self.server("--cors", "local,app.test") as server, Proxy(self.network, self.url(server), keeps_host=True) as proxy:
            page = f"http://app.test:{proxy.port}/_dinette/"
            resolve = "MAP app.test 127.0.0.1"
            self.assert_shown(visit(self.outside, url=page, resolve=resolve), locked=ADMINISTRATING)
            self.assert_works(visit(self.outside, url=f"{page}#token={link_of(server)}", resolve=resolve, works=True))

    def test_a_proxy_that_does_not_is_told_when_a_page_changes_something(self):
        with self.server("--cors", "local,app.test") as server, Proxy(self.network, self.url(server), keeps_host=False) as proxy:
            said = self.network.output_of(
                "outside", "curl", "-s", "-X", "POST", "-H", f"Origin: http://app.test:{proxy.port}",
                "-H", f"X-Dinette-Admin-Token: {link_of(server)}", f"http://127.0.0.1:{proxy.port}/_dinette/snapshots")
            self.assertIn("a proxy must keep the Host header", said)

    def test_a_proxy_on_the_server_s_machine_does_not_make_its_callers_local(self):
        with self.server() as server:
            with Proxy(self.network, f"http://127.0.0.1:{server.port}", keeps_host=False, machine="inside") as proxy:
                said = self.network.output_of("outside", "curl", "-s", f"http://{INSIDE_IPV4}:{proxy.port}/_dinette/worlds")
                self.assertIn("Only programs on the server's own machine may administrate it", said)


@unittest.skipUnless(MAY_MAKE, WHY_NOT)
class WithoutIpv4(Views):
    def test_the_page_and_administration_work_in_a_network_of_ipv6_alone(self):
        with Network(ipv4=False) as network, Server("--host", "::", called_as=network.program()) as server:
            outside = network.command("outside")
            page = f"http://[{INSIDE_IPV6}]:{server.port}/_dinette/"
            self.assert_shown(visit(outside, url=page), locked=ADMINISTRATING)
            self.assert_shown(visit(outside, url=f"{page}#token={link_of(server)}"))


class Proxy:
    """nginx, as a reverse proxy of the server."""

    def __init__(self, network, upstream, keeps_host, machine="outside"):
        self.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.folder.name)
        self.port = 8080
        own_lines = "proxy_set_header Host $http_host;" if keeps_host else ""
        temporary = "".join(f"{name}_temp_path {folder}/{name};\n"
                            for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (folder / "nginx.conf").write_text(textwrap.dedent(f"""
            daemon off; error_log stderr; pid {folder}/pid; user root;
            events {{}}
            http {{
              access_log off; {temporary}
              server {{
                listen {self.port};
                location / {{
                  proxy_pass {upstream};
                  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                  {own_lines}
                }}
              }}
            }}
            """), encoding="utf-8")
        self.process = subprocess.Popen(
            network.command(machine, "/usr/sbin/nginx", "-e", "stderr", "-c", str(folder / "nginx.conf")),
            stderr=subprocess.DEVNULL)
        self.network, self.machine = network, machine

    def __enter__(self):
        self.network.output_of(self.machine, "curl", "-s", "-o", "/dev/null", "--retry", "20", "--retry-connrefused",
                               "--retry-delay", "1", f"http://127.0.0.1:{self.port}/_localstack/health")
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


if __name__ == "__main__":
    if not MAY_MAKE:
        print(f"skipped: {WHY_NOT}", flush=True)
    unittest.main(warnings="ignore")
