"""Sends a program what clients send most, so that one built with DINETTE_PROFILE=record notes what it executes. The
program is DINETTE_PROGRAM. Used by scripts/release.

The workloads are those of scripts/bench, in memory with one and with two threads, in a data folder, and over TLS with
verified signatures. Optimisation wants to know what is executed often, not how fast; so one connection does."""

import os
import tempfile

from bench.servers import ENGINES, Engine, Server
from bench.settings import PLAIN, SETTINGS, Setting
from bench.workloads import WORKLOADS, Scale, prepare

SCALE = Scale(items=2_500, partitions=25, requests=2_500)


def serve_all(server, scale=SCALE):
    for workload in WORKLOADS.values():
        prepare(server, workload.table, scale)
        for request in workload.requests(scale):
            server.call(*request)


def main():
    for setting in (PLAIN, Setting("2 threads", threads=2), SETTINGS["TLS"], SETTINGS["auth verify"]):
        with Server(ENGINES["dinette"], setting) as server:
            serve_all(server)
    with tempfile.TemporaryDirectory(prefix="dinette-profile-") as folder:
        kept = Engine("kept", lambda *_: [os.environ["DINETTE_PROGRAM"], "--data", folder], has_tables=True)
        with Server(kept) as server:
            serve_all(server)


if __name__ == "__main__":
    main()
