"""An index of vectors: how fast it is filled and searched, what it takes of memory, and if it finds what is nearest."""

import json
import math
import multiprocessing
import random
import statistics
import time

from bench.copies import answer
from bench.filling import BATCH, WRITERS, Client
from bench.report import figure, megabytes, table
from bench.servers import ENGINES, Server

DIMENSIONS = 384
TOP_K = 10
SEARCHES = 50
# A vector is put together from one block of each part, so that every score is a sum of a few that are known: to make a
# million vectors, and to know which ones are nearest, takes seconds.
PARTS = 4
BLOCKS = 512
BLOCK_BITS = 9
POLL_SECONDS = 0.05


class Vectors:
    """As many vectors as are wanted, by their numbers."""

    def __init__(self):
        makes = random.Random(1)
        self.blocks = [[[round(makes.gauss(0, 0.3), 3) for _ in range(DIMENSIONS // PARTS)] for _ in range(BLOCKS)]
                       for _ in range(PARTS)]
        self.texts = [[",".join(f'{{"N":"{value}"}}' for value in block) for block in part] for part in self.blocks]
        self.squares = [[math.fsum(value * value for value in block) for block in part] for part in self.blocks]

    @staticmethod
    def choice(number):
        """Returns the block of each part."""
        mixed = number * 0x9E3779B97F4A7C15 % 2 ** 64
        return [mixed >> 64 - BLOCK_BITS * (part + 1) & BLOCKS - 1 for part in range(PARTS)]

    def text(self, number):
        return ",".join(self.texts[part][block] for part, block in enumerate(self.choice(number)))

    def nearest(self, wanted, items):
        """Returns the numbers of the vectors whose cosine distance is the least."""
        size = DIMENSIONS // PARTS
        products = [[sum(a * b for a, b in zip(block, wanted[part * size:])) for block in blocks]
                    for part, blocks in enumerate(self.blocks)]

        def similarity(number):
            chosen = list(enumerate(self.choice(number)))
            length = math.sqrt(sum(self.squares[part][block] for part, block in chosen))
            return sum(products[part][block] for part, block in chosen) / length

        return set(sorted(range(items), key=similarity)[-TOP_K:])


def write(port, vectors, first, last):
    client = Client(port)
    for number in range(first, last, BATCH):
        puts = ",".join(f'{{"PutRequest":{{"Item":{{"pk":{{"N":"{one}"}},"v":{{"L":[{vectors.text(one)}]}}}}}}}}'
                        for one in range(number, min(number + BATCH, last)))
        reply = client.call("BatchWriteItem", f'{{"RequestItems":{{"Vectors":[{puts}]}}}}'.encode())
        if json.loads(reply)["UnprocessedItems"]:
            raise RuntimeError("items were left unprocessed")


def load(server, vectors, items):
    """Puts the items; returns the seconds that it took."""
    bounds = [items * part // WRITERS for part in range(WRITERS + 1)]
    writers = [multiprocessing.Process(target=write, args=(server.port, vectors, first, last))
               for first, last in zip(bounds, bounds[1:])]
    start = time.monotonic()
    for process in writers:
        process.start()
    for process in writers:
        process.join()
    if any(process.exitcode for process in writers):
        raise RuntimeError("not all items were written")
    return time.monotonic() - start


def build_index(server):
    """Creates the index; returns the seconds until all items are in it."""
    definition = {"IndexName": "nearest", "VectorAttribute": {"AttributeName": "v"}, "Dimensions": DIMENSIONS,
                  "DistanceFunction": "COSINE", "Projection": {"ProjectionType": "KEYS_ONLY"}}
    start = time.monotonic()
    answer(server, "UpdateTable", TableName="Vectors", VectorIndexUpdates=[{"Create": definition}])
    while answer(server, "DescribeTable", TableName="Vectors")["Table"]["VectorIndexes"][0]["IndexStatus"] != "ACTIVE":
        time.sleep(POLL_SECONDS)
    return time.monotonic() - start


def search(server, wanted):
    """Returns the numbers of the vectors that are found, and the milliseconds that it took."""
    body = json.dumps({"TableName": "Vectors", "IndexName": "nearest", "TopK": TOP_K,
                       "SearchVector": [{"N": str(value)} for value in wanted]}).encode()
    client = Client(server.port)
    start = time.perf_counter()
    reply = client.call("SearchVectors", body)
    spent = (time.perf_counter() - start) * 1e3
    return {int(result["Item"]["pk"]["N"]) for result in json.loads(reply)["SearchResults"]}, spent


def vectors(options):
    """Vectors of 384 dimensions (--items): loading, filling an index, memory, latency and recall of searches for 10."""
    items = options.items
    options.progress(f"vectors: loading {items:,}")
    made = Vectors()
    with Server(ENGINES["dinette"], anywhere=True) as server:
        answer(server, "CreateTable", TableName="Vectors", BillingMode="PAY_PER_REQUEST",
               AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "N"}],
               KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}])
        found = {"items": items, "load_seconds": load(server, made, items)}
        found["resident_before"] = server.settled_resident_bytes()
        options.progress("vectors: filling the index")
        found["fill_seconds"] = build_index(server)
        found["resident"] = server.settled_resident_bytes()
        options.progress("vectors: searching")
        makes = random.Random(2)
        queries = [[round(makes.gauss(0, 0.3), 3) for _ in range(DIMENSIONS)] for _ in range(SEARCHES)]
        answers = [search(server, wanted) for wanted in queries]
        times = [spent for _, spent in answers]
        found |= {"p50_ms": statistics.median(times), "p99_ms": statistics.quantiles(times, n=100)[98]}
        checked = 5
        hits = sum(len(numbers & made.nearest(wanted, items)) for wanted, (numbers, _) in zip(queries[:checked], answers))
        found["recall"] = hits / (checked * min(TOP_K, items))
    index_bytes = found["resident"] - found["resident_before"]
    return found, table(["", ""], [
        [f"{items:,} items with {DIMENSIONS} numbers, BatchWriteItem on {WRITERS} connections",
         f"{items / found['load_seconds']:,.0f} items/s"],
        ["filling an index with them", f"{items / found['fill_seconds']:,.0f} items/s"],
        ["resident memory of the items, of the index",
         f"{megabytes(found['resident_before'])}, {megabytes(index_bytes)}"],
        ["... of the index, per item", f"{index_bytes / items:,.0f} bytes"],
        [f"SearchVectors, the nearest {TOP_K} of all, p50 and p99",
         f"{figure(found['p50_ms'])} ms, {figure(found['p99_ms'])} ms"],
        ["recall", f"{found['recall']:g}"],
    ])
