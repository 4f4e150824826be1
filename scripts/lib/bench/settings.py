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


PLAIN = Setting("16 connections")
SETTINGS = {setting.name: setting for setting in (
    PLAIN,
    Setting("1 connection", connections=1),
    Setting("256 connections", connections=256),
    Setting("TLS", tls=True),
    Setting("--auth verify", verify=True),
)}


def processors_of_server(threads):
    """The last ones, so that the load has the others."""
    return set(sorted(os.sched_getaffinity(0))[-threads:])


def processors_of_load(threads):
    """What the server leaves; where it leaves none, the load shares one with it."""
    every = sorted(os.sched_getaffinity(0))
    return set(every[:-threads] or every[:1])
