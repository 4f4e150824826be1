"""Measures Dinette and prints tables. Used by scripts/bench.

Servers get the same requests in turns (A B A B ...), so that other load on the machine affects all of them; the tables
show medians over the rounds. CPU time is user and system time of the server's process per request. The load runs on the
server's processor, except for `threads`. Needs wrk, and perf for `calls`.
"""

import argparse
import json
import re
import shlex
import sys

from bench import calls, copies, database, durable, expiry, filling, instructions, keyspaces, load, pairs, peers, report, small, soak, speed, suites, threads, vectors, worlds
from bench.compare import Plan
from bench.settings import SETTINGS
from bench.workloads import WORKLOADS
from building import build
from durations import seconds_of

PARTS = {
    "speed": speed.speed,
    "settings": speed.settings,
    "threads": threads.threads,
    "calls": calls.calls,
    "instructions": instructions.instructions,
    "pairs": pairs.pairs,
    "small": small.small,
    "worlds": worlds.worlds,
    "keyspaces": keyspaces.keyspaces,
    "expiry": expiry.expiry,
    "durable": durable.durable,
    "database": database.database,
    "filling": filling.filling,
    "copies": copies.copies,
    "peers": peers.peers,
    "suites": suites.suites,
    "vectors": vectors.vectors,
    "soak": soak.soak,
}
LONG = {"copies", "database", "filling", "peers", "soak", "suites", "vectors"}
TARGETS = ("dinette", "fixed_answer_server", "epoll_answer_server", "threads_bench", "worlds_bench", "cql_bench")


def duration(text):
    seconds = seconds_of(text)
    if not seconds:
        raise argparse.ArgumentTypeError(f"'{text}' is no duration, such as 90s, 5m or 1h")
    return seconds


def count(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is less than 1")
    return number


def output_options():
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--json", metavar="FILE", help="write all figures there")
    parser.add_argument("--write-docs", action="store_true", help="put the tables into docs/performance.md")
    return parser


def parse_arguments():
    parts = "\n".join(f"  {name:14}{part.__doc__}" for name, part in PARTS.items())
    parser = argparse.ArgumentParser(
        prog="scripts/bench", parents=[output_options()], allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=__doc__.split("\n\n", 1)[1], epilog="parts:\n" + parts)
    parser.add_argument("parts", nargs="*", metavar="PART", help="what to measure; default: all but copies, database, filling, peers, soak, suites and vectors")
    parser.add_argument("--workload", action="append", choices=WORKLOADS, help="only this one; may be repeated")
    parser.add_argument("--setting", action="append", choices=SETTINGS,
                        help="only this one of `settings`; may be repeated")
    parser.add_argument("--peer", action="append", type=peers.own, metavar="NAME=COMMAND", default=[],
                        help="measure this server as well in `peers` and `suites`; {port} in COMMAND is replaced")
    parser.add_argument("--tree", action="append", type=suites.tree, metavar="NAME=FOLDER", default=[],
                        help="the source tree of a client, whose suite `suites` runs against each server: "
                             f"{', '.join(suites.NAMES)}")
    parser.add_argument("--before", metavar="PROGRAM",
                        help="measure this earlier build of Dinette as well in `speed` and `durable`: what did a "
                             "change cost?")
    parser.add_argument("--rounds", type=count, default=Plan.rounds, help="of each server; default %(default)s")
    parser.add_argument("--seconds", type=count, default=Plan.seconds, help="length of a round; default %(default)s")
    parser.add_argument("--duration", type=duration, default="5m",
                        help="of the soak, such as 90s, 5m or 1h; default %(default)s")
    parser.add_argument("--items", type=count, default=1_000_000, help="of `filling`, `copies` and `vectors`; default %(default)s")
    arguments = parser.parse_args()
    for part in set(arguments.parts) - set(PARTS):
        parser.error(f"there is no part '{part}'; there are: {', '.join(PARTS)}")
    return arguments


def command():
    """Returns the command line, without its output options and the folders of this machine."""
    given = output_options().parse_known_args()[1]
    return shlex.join(["scripts/bench", *(re.sub(r"^(\w+=)?/\S*/", r"\1", text) for text in given)])


class Options:
    """The options of the parts."""

    def __init__(self, arguments):
        self.plan = Plan(arguments.rounds, arguments.seconds)
        self.workloads = arguments.workload or []
        self.settings = arguments.setting or []
        self.peers = arguments.peer
        self.trees = dict(arguments.tree)
        self.before = arguments.before
        self.duration = arguments.duration
        self.items = arguments.items

    @staticmethod
    def progress(what):
        print(f"bench: {what}", file=sys.stderr, flush=True)


def main():
    arguments = parse_arguments()
    parts = arguments.parts or [part for part in PARTS if part not in LONG]
    load.require()
    if "calls" in parts:
        calls.require()
    if {"instructions", "pairs"} & set(parts):
        instructions.require()
    if not all(build("release", target) for target in TARGETS):
        sys.exit(1)
    options = Options(arguments)
    made = report.circumstances(command())
    figures = {"made": made}
    for name in parts:
        figures[name], text = PARTS[name](options)
        print(f"\n{name}\n\n{text}", flush=True)
        if arguments.write_docs:
            report.write(name, report.caption(made) + text)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)


if __name__ == "__main__":
    main()
