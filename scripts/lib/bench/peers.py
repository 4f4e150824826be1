"""Servers of others, next to ours: the same data, the same requests, in one run."""

import argparse
import shlex
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, replace

from building import ROOT
from clients.workshop import Missing, require

from bench.compare import compare, median
from bench.report import figure, megabytes, table
from bench.servers import ENGINES, Engine, Server
from bench.settings import PLAIN, SETTINGS
from bench.workloads import ITEMS, WORKLOADS, Scale, Table, create, fill

FOLDER = ROOT / "build/bench"
IN_PEERS = ("GetItem", "PutItem", "Query", "BatchWriteItem")
STARTS = 5
LOADED = Scale()
# Does a request cost more with more data, and with more tables?
FEW, MANY = Scale(items=200, partitions=2), Scale(items=20_000, partitions=200)
OTHER_TABLES = 200
# Some take long for one of these requests: several at once would be given up.
ALONE = SETTINGS["1 connection"]
GROWING = ("GetItem", "Query")


@dataclass(frozen=True)
class Registry:
    """Where a program comes from: the command that is needed, and how it installs the program into a folder."""

    needs: str
    install: tuple
    program: str  # in the folder
    version: tuple  # a command that prints it last


@dataclass(frozen=True)
class Peer:
    name: str
    registry: Registry
    options: tuple = ()

    @property
    def folder(self):
        return FOLDER / self.name

    def command(self):
        """Returns the command that starts it. Installs it first, if it is not there. Raises Missing if that fails."""
        program = self.folder / self.registry.program
        if not program.exists():
            require({self.registry.needs: 0})
            self.folder.mkdir(parents=True, exist_ok=True)
            self._install(self.folder.with_suffix(".log"))
        return ["node", str(program), *self.options] if program.suffix == ".js" else [str(program), *self.options]

    def _install(self, log):
        print(f"bench: installing {self.name}; output goes to {log}", file=sys.stderr, flush=True)
        with log.open("w", encoding="utf-8") as output:
            for command in self.registry.install:
                command = [part.format(folder=self.folder) for part in command]
                if subprocess.run(command, stdout=output, stderr=output).returncode != 0:
                    raise Missing(f"{shlex.join(command)} failed; see {log}")

    def version(self):
        command = [part.format(folder=self.folder) for part in self.registry.version]
        printed = subprocess.run(command, capture_output=True, text=True).stdout.split()
        return printed[-1] if printed else "of unknown version"


def _npm(name):
    return Registry("npm", (("npm", "install", "--no-fund", "--no-audit", "--ignore-scripts", "--loglevel=error",
                             "--prefix", "{folder}", name),), f"node_modules/{name}/cli.js",
                    ("node", "-p", f"require('{{folder}}/node_modules/{name}/package.json').version"))


def _pip(package, program):
    name = package.split("[")[0]
    return Registry("python3", (("python3", "-m", "venv", "{folder}"),
                                ("{folder}/bin/pip", "install", "--quiet", "--disable-pip-version-check", package)), f"bin/{program}",
                    ("{folder}/bin/python", "-c", f"import importlib.metadata as m; print(m.version('{name}'))"))


def _cargo(crate, program):
    return Registry("cargo", (("cargo", "install", "--quiet", crate, "--root", "{folder}"),), f"bin/{program}",
                    (f"{{folder}}/bin/{program}", "--version"))


PEERS = {peer.name: peer for peer in (
    Peer("dynalite", _npm("dynalite"), ("--createTableMs", "0")),
    Peer("dynoxide", _cargo("dynoxide-rs", "dynoxide")),
    Peer("moto", _pip("moto[dynamodb,server]", "moto_server")),
)}


def engine_of(peer):
    """Returns the engine of a peer of a registry."""
    command = peer.command()
    return Engine(peer.name, lambda *_: command, has_tables=True, announces=False)


def own(text):
    """Returns the engine of NAME=COMMAND, a server that the user has."""
    name, separator, command = text.partition("=")
    if not separator:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=COMMAND")
    return Engine(name, lambda *_: shlex.split(command), has_tables=True, announces=False)


def engines_of(options):
    """Returns the engines that can be started, with their versions, and why the others cannot."""
    engines, versions, missing = [ENGINES["dinette"]], {}, []
    for peer in PEERS.values():
        try:
            engines.append(engine_of(peer))
            versions[peer.name] = peer.version()
        except Missing as why:
            missing.append(f"{peer.name} is not in the table: {why}.")
    return engines + options.peers, versions, missing


def _first_response_ms(engine):
    start = time.perf_counter()
    with Server(engine, anywhere=True) as server:
        server.health()
        return (time.perf_counter() - start) * 1e3


def _start_and_load(engine):
    """Returns the figures of one server that is loaded with the items."""
    with Server(engine) as server:
        server.health()
        idle = server.resident_bytes()
        create(server, ITEMS)
        before, start = server.cpu_seconds(), time.perf_counter()
        fill(server, ITEMS, LOADED)
        return {
            "start_ms": statistics.median(_first_response_ms(engine) for _ in range(STARTS)),
            "idle_bytes": idle,
            "loaded_bytes": server.resident_bytes(),
            "items_per_second": LOADED.items / (time.perf_counter() - start),
            "load_cpu_us": (server.cpu_seconds() - before) / LOADED.items * 1e6,
        }


def _with_tables(engine, count):
    """An engine whose servers have so many other tables."""
    def prepare_tables(server):
        for number in range(count):
            create(server, Table(f"Other{number}", ITEMS.keys, ITEMS.items))
    return replace(engine, begin=prepare_tables)


def _cpu(options, name, engines, scale, setting=PLAIN):
    """Returns the CPU time per request of each engine."""
    plan = type(options.plan)(options.plan.rounds, options.plan.seconds, scale)
    rounds, _ = compare(WORKLOADS[name], setting, engines, plan)
    return {engine: median(of) for engine, of in rounds.items()}


def _rows(loaded, cpu, grown):
    def row(what, show):
        return [what, *(show(name) for name in loaded)]
    yield row("start until the first response, ms", lambda name: figure(loaded[name]["start_ms"]))
    yield row("resident when idle", lambda name: megabytes(loaded[name]["idle_bytes"]))
    yield row(f"... with {LOADED.items:,} items of 1 KB", lambda name: megabytes(loaded[name]["loaded_bytes"]))
    yield row("items loaded per second", lambda name: f"{loaded[name]['items_per_second']:,.0f}")
    yield row("... CPU per item, us", lambda name: figure(loaded[name]["load_cpu_us"]))
    for workload, of in cpu.items():
        yield row(f"{workload}, CPU per request, us", lambda name, of=of: figure(of[name]["cpu_us"]))
        yield row("... requests per second", lambda name, of=of: f"{of[name]['requests_per_second']:,}")
    for what, (before, after) in grown.items():
        yield row(what, lambda name, a=after, b=before: figure(a[name]["cpu_us"] / b[name]["cpu_us"]) + " x")


def left_out(missing):
    """Returns the paragraphs that say which engines are not in a table."""
    return "".join(f"\n{line}\n" for line in missing)


def with_version(engine, versions):
    return f"{engine.name} {versions[engine.name]}" if engine.name in versions else engine.name


def peers(options):
    """Other servers, next to ours: CPU time, start, memory, load and growth."""
    engines, versions, missing = engines_of(options)
    ENGINES.update({engine.name: engine for engine in engines})
    names = [engine.name for engine in engines]
    loaded = {}
    for engine in engines:
        options.progress(f"start and load of {engine.name}")
        loaded[engine.name] = _start_and_load(engine)
    cpu = {}
    for name in options.workloads or IN_PEERS:
        options.progress(name)
        cpu[name] = _cpu(options, name, names, LOADED)
    grown = {}
    for name in GROWING:
        options.progress(f"{name} of more data")
        grown[f"{name} of {MANY.items // FEW.items} times the data"] = (
            _cpu(options, name, names, FEW, ALONE), _cpu(options, name, names, MANY, ALONE))
    options.progress("GetItem beside other tables")
    ENGINES.update({engine.name: _with_tables(engine, OTHER_TABLES) for engine in engines})
    beside = _cpu(options, "GetItem", names, LOADED, ALONE)
    ENGINES.update({engine.name: engine for engine in engines})
    grown[f"GetItem beside {OTHER_TABLES} other tables"] = _cpu(options, "GetItem", names, LOADED, ALONE), beside
    text = table(["", *(with_version(engine, versions) for engine in engines)], _rows(loaded, cpu, grown)) + left_out(missing)
    return {"versions": versions, "loaded": loaded, "cpu": cpu, "grown": grown, "missing": missing}, text
