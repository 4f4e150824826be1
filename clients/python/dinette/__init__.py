"""Starts Dinette, a stand-in for Amazon DynamoDB, forks its tables for each test, and moves their clock.

    import dinette

    with dinette.start() as server:
        world = server.world.fork()
        dynamodb = boto3.client("dynamodb", **world.client_arguments)
        world.clock.advance("PT25H")

What the server offers is in docs/admin-api.md. Python's standard library only.
"""

import atexit
import datetime
import json
import os
import re
import subprocess
import sysconfig
import urllib.error
import urllib.parse
import urllib.request

__all__ = ["Clock", "DinetteError", "Server", "World", "connect", "start"]

_READY = re.compile(r"dinette: ready on (\S+)\n")
_STOP_SECONDS = 15
# Proxies are for other machines.
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class DinetteError(Exception):
    """A refusal of the administration, with its HTTP status and code."""

    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.code = status, code


class _Administration:
    def __init__(self, endpoint, token):
        self.endpoint, self.token = endpoint, token

    def call(self, method, path, body=None):
        headers = {"X-Dinette-Admin-Token": self.token} if self.token else {}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.endpoint}/_dinette/{path}", data, headers, method=method)
        try:
            with _OPENER.open(request) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as refused:
            with refused:
                error = json.load(refused)["error"]
            raise DinetteError(refused.code, error["code"], error["message"]) from None


class Clock:
    """The clock of a world. Every change returns when all that is due by the new time has happened."""

    def __init__(self, administration, world):
        self._administration, self._world = administration, world

    def _change(self, **change):
        return self._administration.call("PUT", "clock", {"world": self._world, **change})

    def read(self):
        """Returns now, epochMilliseconds, frozen and rate."""
        return self._administration.call("GET", "clock?" + urllib.parse.urlencode({"world": self._world}))

    def set(self, now):
        """Sets the time: a datetime with a zone, ISO 8601, or seconds since 1970."""
        return self._change(now=now.isoformat() if isinstance(now, datetime.datetime) else now)

    def advance(self, step):
        """Moves the time by a timedelta, by seconds, or by an ISO 8601 duration such as "PT25H"."""
        return self._change(advance=step.total_seconds() if isinstance(step, datetime.timedelta) else step)

    def freeze(self):
        return self._change(frozen=True)

    def unfreeze(self):
        return self._change(frozen=False)

    def set_rate(self, rate):
        return self._change(rate=rate)


class World:
    """Tables and a clock of their own. A fork as context manager is dropped at the end."""

    def __init__(self, administration, name):
        self._administration = administration
        self.name = name
        self.clock = Clock(administration, name)

    @property
    def _path(self):
        return "worlds/" + urllib.parse.quote(self.name, safe="")

    @property
    def client_arguments(self):
        """What boto3.client("dynamodb", ...) and boto3.resource need to be in this world."""
        return {"endpoint_url": self._administration.endpoint, "region_name": "us-east-1",
                "aws_access_key_id": self.name, "aws_secret_access_key": "any"}

    def fork(self, name=None, ttl=None):
        """Copies the world, in microseconds. The copy is dropped after `ttl` seconds without use, if given."""
        options = {key: value for key, value in (("name", name), ("ttl", ttl)) if value is not None}
        forked = self._administration.call("POST", "worlds", {"from": self.name, **options})
        return World(self._administration, forked["name"])

    def reset(self):
        """Drops all tables, and sets the clock to real time."""
        self._administration.call("POST", "reset", {"world": self.name})

    def drop(self):
        self._administration.call("DELETE", self._path)

    def snapshot(self):
        """Returns the id of a snapshot, for restore()."""
        return self._administration.call("POST", "snapshots", {"world": self.name})["id"]

    def restore(self, snapshot):
        self._administration.call("POST", f"snapshots/{snapshot}/restore", {"world": self.name})

    def describe(self):
        """Returns name, tables, items, bytes, fork, ttl and regions."""
        return self._administration.call("GET", self._path)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.drop()


class Server:
    """A server, and its default world."""

    def __init__(self, endpoint, token=None, process=None):
        self.endpoint = endpoint.rstrip("/")
        self.world = World(_Administration(self.endpoint, token), "default")
        self._process = process

    def stop(self):
        """Stops the server, if start() started it."""
        if self._process is None:
            return
        atexit.unregister(self.stop)
        self._process.terminate()
        self._process.wait(_STOP_SECONDS)
        self._process.stdout.close()
        self._process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def _token_or_default(token):
    return token or os.environ.get("DINETTE_ADMIN_TOKEN")


def connect(endpoint, token=None):
    """Uses a server that runs already. `token`: of its --admin-token, or that it printed when it started; by default
    $DINETTE_ADMIN_TOKEN."""
    return Server(endpoint, _token_or_default(token))


def _default_program():
    """Returns $DINETTE_PROGRAM, or what pip has installed with this library, or `dinette` in the PATH."""
    given = os.environ.get("DINETTE_PROGRAM")
    if given:
        return given
    folders = (sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user"))
    installed = (os.path.join(folder, "dinette") for folder in folders)
    return next((program for program in installed if os.access(program, os.X_OK)), "dinette")


def start(program=None, arguments=(), token=None):
    """Starts a server on a free port, which ends with this process at the latest. `program`: by default $DINETTE_PROGRAM, or the
    one that was installed with this library, or `dinette` in the PATH. `token`: with which the server is administrated; by
    default $DINETTE_ADMIN_TOKEN, or none."""
    command = [program or _default_program(), "--port", "0", *arguments]
    token = _token_or_default(token)
    # Other users of the machine can list arguments.
    environment = {**os.environ, "DINETTE_ADMIN_TOKEN": token} if token else None
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    except (FileNotFoundError, PermissionError) as error:
        why = "there is no such program" if isinstance(error, FileNotFoundError) else "it may not be executed"
        raise type(error)(error.errno, f"Cannot start {command[0]}: {why}. Install Dinette (docs/installing.md), or set "
                                       "DINETTE_PROGRAM to its path") from None
    for line in process.stdout:
        ready = _READY.fullmatch(line)
        if ready:
            server = Server(ready[1], token, process)
            atexit.register(server.stop)
            return server
    process.stdout.close()
    raise RuntimeError(f"{command[0]} ended with {process.wait()} before it was ready")
