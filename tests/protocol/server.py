"""A Dinette process for one test: started on a free port, stopped at the end, with its exit code checked."""

import fcntl
import os
import re
import secrets
import select
import signal
import socket
import subprocess
import tempfile
import time

READY = re.compile(r"dinette: ready on (https?)://(\S+):(\d+)\n")
# Only reached if a server hangs.
PATIENCE_SECONDS = 60


def program():
    return os.environ["DINETTE_PROGRAM"]


def loopback_addresses():
    """Returns those that this machine has."""
    def is_there(family, address):
        try:
            with socket.socket(family) as one:
                one.bind((address, 0))
            return True
        except OSError:
            return False

    return [address for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")) if is_there(family, address)]


def _new_database():
    """Returns the URL of an empty one, where with_postgres.py has started PostgreSQL."""
    sockets, name = os.environ["DINETTE_TEST_SOCKETS"], f"test_{secrets.token_hex(8)}"
    subprocess.run(["createdb", "-h", sockets, "-U", "dinette", name], check=True)
    return f"postgresql:///{name}?user=dinette&host={sockets}"


class Server:
    """with Server("--auth", "present") as server: ... server.endpoint ...

    `process` is for subprocess.Popen; the log is there to be read unless it names another place for stderr.
    `called_as` starts the program by another name.
    """

    def __init__(self, *arguments, called_as=None, **process):
        self.log = tempfile.TemporaryFile("w+")
        # Reading it moves the position that the server shares: what it writes goes to the end all the same.
        fcntl.fcntl(self.log, fcntl.F_SETFL, fcntl.fcntl(self.log, fcntl.F_GETFL) | os.O_APPEND)
        self.data = None
        if os.environ.get("DINETTE_TEST_ENGINE") == "durable" and "--data" not in arguments:
            self.data = tempfile.TemporaryDirectory()
            arguments = (*arguments, "--data", self.data.name)
        if os.environ.get("DINETTE_TEST_ENGINE") == "postgres" and not {"--data", "--store"} & set(arguments):
            arguments = (*arguments, "--store", _new_database())
        settings = {"stdout": subprocess.PIPE, "stderr": self.log, "text": True, **process}
        self.process = subprocess.Popen([called_as or program(), "--port", "0", *arguments], **settings)
        self.first_lines = self._greeting()
        ready = READY.fullmatch(self.first_lines[-1])
        if not ready:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"the server did not become ready:\n{self.log_text()}")
        self.scheme, self.host, self.port = ready[1], ready[2], int(ready[3])
        self.endpoint = f"{self.scheme}://{self.host}:{self.port}"

    def _greeting(self):
        """Reads the lines up to the one that says that the server is ready; they are printed at once."""
        readable, _, _ = select.select([self.process.stdout], [], [], PATIENCE_SECONDS)
        lines = [self.process.stdout.readline() if readable else ""]
        while lines[-1] and not READY.fullmatch(lines[-1]):
            lines.append(self.process.stdout.readline())
        return lines

    def printed(self, pattern):
        """Returns the match in the next line that has one, of those that follow the first."""
        while True:
            line = self.process.stdout.readline()
            assert line, f"the server has ended without printing {pattern}"
            found = re.search(pattern, line)
            if found:
                return found

    def log_text(self):
        self.log.seek(0)
        return self.log.read()

    def wait_for_log(self, text):
        """Returns when the log contains the text. It is written by a thread of its own, after what it tells of."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while text not in self.log_text():
            if time.monotonic() > deadline:
                raise AssertionError(f"'{text}' is not in the log:\n{self.log_text()}")

    def stop(self, how=signal.SIGTERM):
        """Stops the server and returns its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            self.process.stdout.close()
            if self.process.stderr:
                self.process.stderr.close()
            if self.data:
                self.data.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        code = self.stop()
        if kind is None and code != 0:
            raise AssertionError(f"the server ended with {code}:\n{self.log_text()}")
        self.log.close()
