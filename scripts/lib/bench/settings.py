"""The circumstances of a measurement: connections, threads, TLS, signatures, and which processor does what."""

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Setting:
    name: str
    connections: int = 16
    threads: int = 1
    tls: bool = False
    verify: bool = False
    # Whether the load runs on the server's processor. On a processor of its own the load often sleeps, and the server
    # pays for waking it: on virtual machines more than for the request, though not always, and not equally for all
    # servers.
    load_beside: bool = True


PLAIN = Setting("16 connections")
SETTINGS = {setting.name: setting for setting in (
    PLAIN,
    Setting("1 connection", connections=1),
    Setting("256 connections", connections=256),
    Setting("TLS", tls=True),
    Setting("auth verify", verify=True),
)}


def processors_of_server(setting):
    """Returns the last processors, so that the load has the others."""
    return sorted(os.sched_getaffinity(0))[-setting.threads:]


def processors_of_load(setting):
    """Returns the server's first processor, or those that the server leaves; if it leaves none, one of the server's."""
    if setting.load_beside:
        return processors_of_server(setting)[:1]
    every = sorted(os.sched_getaffinity(0))
    return every[:-setting.threads] or every[:1]


def pinned(processors, command):
    """Returns the command line that runs another on these processors only."""
    return ["taskset", "--cpu-list", ",".join(map(str, processors)), *command]
