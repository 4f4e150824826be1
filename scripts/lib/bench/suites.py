"""How long the suites of clients for DynamoDB take against our server and against others: what users feel."""

import argparse
import pathlib
import time
import types
from dataclasses import replace

from clients.cases import PASSED
from clients.suites import SUITES
from clients.workshop import Broken, Missing, Workshop, require

from bench.peers import engines_of, left_out, with_version
from bench.report import table
from bench.servers import Server

NAMES = ("electrodb", "onetable", "pynamodb")


def tree(text):
    """Returns the client and the folder of NAME=FOLDER."""
    name, separator, folder = text.partition("=")
    if not separator or name not in NAMES or not pathlib.Path(folder).is_dir():
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=FOLDER with a NAME of {', '.join(NAMES)} and a folder")
    return name, pathlib.Path(folder).resolve()


class TimedWorkshop(Workshop):
    """Knows how long the client's cases took, without what was installed and prepared for them."""

    seconds = 0

    def test(self, *command, under=".", **environment):
        start = time.monotonic()
        printed = super().test(*command, under=under, **environment)
        self.seconds += time.monotonic() - start
        return printed


def _run(suite, source, engine):
    """Returns how long a client's own suite takes against a server, and how many of its cases pass."""
    require(suite.needs)
    arguments = suite.arguments if engine.name == "dinette" else ()
    with Server(replace(engine, command=lambda *of: [*engine.command(*of), *arguments]), anywhere=True) as server:
        shop = TimedWorkshop(f"bench-{suite.name}", types.SimpleNamespace(endpoint=server.address.rstrip("/")), source)
        _, cases = suite.run(shop)
        return {"seconds": round(shop.seconds, 1), "passed": sum(case.state == PASSED for case in cases)}


def _row(name, found):
    return [name, *(of.get("why", f"{of.get('seconds')} s, {of.get('passed')} passed") for of in found.values())]


def suites(options):
    """How long the suites of clients take (--tree) against other servers and ours, and how many cases pass."""
    engines, versions, missing = engines_of(options)
    took = {}
    for suite in SUITES:
        if suite.name not in options.trees:
            continue
        took[suite.name] = {}
        for engine in engines:
            options.progress(f"the suite of {suite.name} against {engine.name}")
            try:
                took[suite.name][engine.name] = _run(suite, options.trees[suite.name], engine)
            except (Missing, Broken) as why:
                took[suite.name][engine.name] = {"why": str(why)}
    if not took:
        return {}, f"No suite was run: give source trees, --tree NAME=FOLDER, of {', '.join(NAMES)}.\n"
    text = table(["suite of", *(with_version(engine, versions) for engine in engines)],
                 [_row(name, found) for name, found in took.items()]) + left_out(missing)
    return {"versions": versions, "suites": took, "missing": missing}, text
