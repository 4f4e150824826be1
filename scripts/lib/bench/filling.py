"""Millions of items written in one go to a data folder, and what readers notice of it."""

import http.client
import itertools
import json
import multiprocessing
import os
import pathlib
import random
import statistics
import time

from bench.durable import bench_folder
from bench.report import figure, megabytes, table
from bench.servers import Engine, Server, program
from bench.workloads import Table, create

ITEM_BYTES = 1024  # as the service counts them
BATCH = 25
WRITERS = 4
FILLED = Table("Filled", {"pk": "S"}, None)
# Random, because what repeats would be compressed; of several so that making them costs little.
PAYLOADS = 512


def key_of(number):
    return f"item-{number:011}"


class Client:
    """A connection that sends operations whose bodies are bytes."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)

    def call(self, operation, body):
        self.connection.request("POST", "/", body, {"X-Amz-Target": f"DynamoDB_20120810.{operation}"})
        reply = self.connection.getresponse()
        text = reply.read()
        if reply.status != 200:
            raise RuntimeError(f"{operation} was answered with {reply.status} {text}")
        return text


def write(port, first, last, written):
    """Writes the items from `first` up to `last`, and counts those of all writers."""
    client = Client(port)
    room = ITEM_BYTES - len("pk" + key_of(0) + "payload")
    makes = random.Random(first)
    payloads = [makes.randbytes(room // 2).hex().ljust(room, "0") for _ in range(PAYLOADS)]
    tails = itertools.cycle([f'"}},"payload":{{"S":"{text}"}}}}}}}}' for text in payloads])
    for number in range(first, last, BATCH):
        puts = ",".join(f'{{"PutRequest":{{"Item":{{"pk":{{"S":"{key_of(one)}{next(tails)}'
                        for one in range(number, min(number + BATCH, last)))
        answer = client.call("BatchWriteItem", f'{{"RequestItems":{{"Filled":[{puts}]}}}}'.encode())
        if json.loads(answer)["UnprocessedItems"]:
            raise RuntimeError("items were left unprocessed")
        with written.get_lock():
            written.value += min(BATCH, last - number)


def read(port, first, written, ended, times):
    """Reads items that the first writer has written, one after the other; sends the times in microseconds."""
    client = Client(port)
    taken = []
    while not ended.is_set():
        there = written.value // WRITERS // 2
        if there == 0:
            continue
        body = json.dumps({"TableName": FILLED.name, "Key": {"pk": {"S": key_of(first + random.randrange(there))}}})
        start = time.perf_counter()
        client.call("GetItem", body.encode())
        taken.append((time.perf_counter() - start) * 1e6)
    times.send(taken)


def folder_bytes(folder):
    return sum(path.stat().st_size for path in pathlib.Path(folder).rglob("*") if path.is_file())


def filled(server, items):
    """Fills the table; returns the seconds that it took and the times of the reader."""
    written, ended = multiprocessing.Value("q", 0), multiprocessing.Event()
    receiver, sender = multiprocessing.Pipe(duplex=False)
    reader = multiprocessing.Process(target=read, args=(server.port, 0, written, ended, sender))
    bounds = [items * part // WRITERS for part in range(WRITERS + 1)]
    writers = [multiprocessing.Process(target=write, args=(server.port, first, last, written))
               for first, last in zip(bounds, bounds[1:])]
    start = time.monotonic()
    for process in (reader, *writers):
        process.start()
    for process in writers:
        process.join()
    seconds = time.monotonic() - start
    ended.set()
    times = receiver.recv()
    reader.join()
    if written.value != items:
        raise RuntimeError(f"{written.value} of {items} items were written")
    return seconds, times


def restart_ms(engine):
    start = time.perf_counter()
    with Server(engine, anywhere=True) as server:
        server.health()
        return (time.perf_counter() - start) * 1e3


def filling(options):
    """Items of 1 KB written in one go to a data folder (--items): rate, disk, memory, and a reader's p99."""
    items = options.items
    folder = bench_folder()
    engine = Engine("kept", lambda *_: [os.environ.get("DINETTE_PROGRAM") or program("dinette"), "--data", folder],
                    has_tables=True)
    options.progress(f"filling with {items:,} items")
    with Server(engine, anywhere=True) as server:
        create(server, FILLED)
        seconds, times = filled(server, items)
        found = {"items": items, "seconds": seconds, "cpu_seconds": server.cpu_seconds(),
                 "resident": server.settled_resident_bytes(), "reads": len(times),
                 "p50_us": statistics.median(times), "p99_us": statistics.quantiles(times, n=100)[98]}
    found["disk"] = folder_bytes(folder)
    found["restart_ms"] = restart_ms(engine)
    return found, table(["", ""], [
        [f"{items:,} items of 1 KB, BatchWriteItem on {WRITERS} connections", f"{items / seconds:,.0f} items/s"],
        ["... per second of the server's CPU time", f"{items / found['cpu_seconds']:,.0f}"],
        ["disk per item", f"{found['disk'] / items:,.0f} bytes"],
        ["resident memory, total and per item", f"{megabytes(found['resident'])}, {found['resident'] / items:,.0f} bytes"],
        ["GetItem meanwhile, p50 and p99", f"{figure(found['p50_us'])} us, {figure(found['p99_us'])} us"],
        ["start with these data, until the first response", f"{found['restart_ms']:,.0f} ms"],
    ])
