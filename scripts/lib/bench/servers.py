"""The servers that are measured: starting them, calling them, and what they cost."""

import atexit
import http.client
import json
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass

from building import ROOT, folder_of

from bench.settings import PLAIN, pinned, processors_of_server
from bench.signing import CREDENTIALS_FILE, body_of, headers_of, path_of

START_SECONDS = 30
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def fail(message):
    sys.exit("bench: " + message)


def program(name):
    path = folder_of("release") / name
    if not path.exists():
        fail(f"{path} is missing; build it: cmake --preset release && cmake --build --preset release")
    return str(path)


def _credentials():
    file = pathlib.Path(tempfile.mkdtemp(prefix="dinette-bench-"), "credentials")
    file.write_text(CREDENTIALS_FILE)
    atexit.register(shutil.rmtree, file.parent)
    return str(file)


def dinette(setting, _):
    # Tests set the program of their own build.
    return [os.environ.get("DINETTE_PROGRAM") or program("dinette"), *_options(setting)]


def _options(setting):
    tls = ["--tls-self-signed"] if setting.tls else []
    verify = ["--auth", "verify", "--credentials", _credentials()] if setting.verify else []
    return ["--threads", str(setting.threads), *tls, *verify]


def fixed(setting, reply_bytes):
    tls = ["--tls"] if setting.tls else []
    return [program("bin/fixed_answer_server"), "--threads", str(setting.threads), "--size", str(reply_bytes), *tls]


def bare(_, reply_bytes):
    return [program("bin/epoll_answer_server"), "--size", str(reply_bytes)]


@dataclass(frozen=True)
class Engine:
    """A kind of server. `command` returns its command line for a setting and a size of responses; `{port}` in it is
    replaced, or else there is an option --port."""

    name: str
    command: Callable
    has_tables: bool = False
    announces: bool = True  # its first line of output says that it listens, and on which port
    begin: Callable = lambda server: None  # is called with a server that has started


ENGINES = {engine.name: engine for engine in (
    Engine("dinette", dinette, has_tables=True),
    Engine("regions", lambda setting, size: [*dinette(setting, size), "--isolate", "region"], has_tables=True),
    Engine("fixed", fixed),
    Engine("bare", bare),
)}


def earlier(path):
    """An earlier build of Dinette."""
    if not os.access(path, os.X_OK):
        fail(f"{path} is no program")
    return Engine("before", lambda setting, _: [path, *_options(setting)], has_tables=True)


def _on_port(command, port):
    placed = [part.replace("{port}", str(port)) for part in command]
    return placed if placed != command else [*command, "--port", str(port)]


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A started engine, optionally run by another program, the `wrapper`."""

    def __init__(self, engine, setting=PLAIN, reply_bytes=1024, anywhere=False, wrapper=()):
        self.engine, self.setting = engine, setting
        port = _free_port()
        command = [*wrapper, *_on_port(engine.command(setting, reply_bytes), port)]
        if not anywhere:
            command = pinned(processors_of_server(setting), command)
        output = subprocess.PIPE if engine.announces else subprocess.DEVNULL
        self.process = subprocess.Popen(command, stdout=output, stderr=None if engine.announces else output, text=True)
        self.port = self._announced_port() if engine.announces else self._once_open(port)
        if not self.port:
            self.stop()
            fail(f"{' '.join(command)} does not serve")
        self.address = f"{'https' if setting.tls else 'http'}://127.0.0.1:{self.port}/"
        self.tables = set()
        self.function = None
        self.connection = self._connect()
        engine.begin(self)

    def _announced_port(self):
        ready = re.search(r":(\d+)/?$", self._first_line())
        return ready and int(ready[1])

    def _once_open(self, port):
        """Returns the port once something listens there, or None."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return port
            time.sleep(0.001)
        return None

    def _first_line(self):
        readable, _, _ = select.select([self.process.stdout], [], [], START_SECONDS)
        return self.process.stdout.readline() if readable else ""

    def _connect(self):
        if self.setting.tls:
            trusting = ssl.create_default_context()
            trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
            return http.client.HTTPSConnection("127.0.0.1", self.port, context=trusting)
        return http.client.HTTPConnection("127.0.0.1", self.port)

    def ask(self, operation, members):
        """Returns status and text of the response, also if not all of it is text."""
        body = body_of(members)
        self.connection.request("POST", path_of(operation, body), body, headers_of(operation, body))
        reply = self.connection.getresponse()
        return reply.status, reply.read().decode(errors="surrogateescape")

    def call(self, operation, members):
        """Returns the text of the response, which must be a success."""
        status, text = self.ask(operation, members)
        if status != 200:
            fail(f"{self.engine.name} answered {operation} with {status} {text}")
        return text

    def call_on_changes(self, table):
        """Has a function called with the changes of a table, which has a stream: a server whose answer is always the same."""
        self.function = self.function or Server(ENGINES["fixed"], anywhere=True)
        trigger = {"name": table, "table": table, "url": self.function.address, "batchSize": 1000}
        self.connection.request("PUT", "/_dinette/triggers", json.dumps({"triggers": [trigger]}))
        reply = self.connection.getresponse()
        text = reply.read().decode()
        if reply.status != 200:
            fail(f"{self.engine.name} answered with {reply.status} {text}")

    def health(self):
        """Returns the response to a minimal request."""
        self.connection.request("GET", "/")
        self.connection.getresponse().read()

    def cpu_seconds(self):
        """Returns user and system time so far."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_A_SECOND

    def resident_bytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024

    def settled_resident_bytes(self, patience_seconds=10):
        """Returns resident memory once it has stopped falling, since memory is released gradually."""
        end = time.monotonic() + patience_seconds
        lowest = self.resident_bytes()
        while time.monotonic() < end:
            time.sleep(1)
            now = self.resident_bytes()
            if now >= lowest:
                break
            lowest = now
        return lowest

    def stop(self):
        if self.function:
            self.function.stop()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(START_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()
        self.stop()
