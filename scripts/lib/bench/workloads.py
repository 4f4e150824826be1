"""The workloads: the tables that each needs and the requests that are sent in turn."""

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass

from bench import rows
from bench.cbor import Cbor

BATCH = 25
# The largest transaction, which has as many puts as four of the largest batches, and a small one.
TRANSACTION = 100
FEW = 4
PARTITION_ITEMS = 100
# Zipf's exponent of the common benchmarks of key-value stores.
ZIPF = 0.99


@dataclass(frozen=True)
class Scale:
    """The amount of data and the number of different requests."""

    items: int = 10_000
    partitions: int = 100
    requests: int = 10_000


@dataclass(frozen=True)
class Table:
    name: str
    keys: dict  # attribute to type; the partition key first
    items: Callable  # of a Scale
    stream: bool = False  # of new and old images
    recovery: bool = False  # to any point in time
    destination: bool = False  # a Kinesis stream that gets its changes
    trigger: bool = False  # calls a function with the changes of its stream
    is_of_rows: bool = False  # a table of Tablestore, with the same data
    replicas: tuple = ()  # regions that get its changes


@dataclass(frozen=True)
class Workload:
    name: str
    what: str
    table: Table
    requests: Callable  # of a Scale: pairs of operation and members
    expected: tuple  # texts that are in every reply
    scanned_bytes: int = 0  # per request


def key(number):
    return {"pk": {"S": f"customer#{number:08}"}}


def text(number, size):
    return "".join(random.Random(number).choices("abcdefghij klmnop", k=size))


def item(number):
    """1 KB as DynamoDB counts: all but the note is about 108 bytes."""
    return {
        **key(number),
        "name": {"S": "Ada Lovelace"},
        "visits": {"N": "12"},
        "active": {"BOOL": True},
        "group": {"N": str(number % 100)},
        "tags": {"SS": ["one", "three", "two"]},
        "address": {"M": {"city": {"S": "London"}, "zip": {"S": "W1J 7NT"}}},
        "note": {"S": text(number, 1024 - 108)},
    }


def partition_item(number):
    """200 bytes: all but the note is about 40."""
    partition, place = divmod(number, PARTITION_ITEMS)
    return {
        "pk": {"S": f"order#{partition:06}"},
        "sk": {"N": str(place)},
        "state": {"S": "delivered"},
        "note": {"S": text(number, 200 - 40)},
    }


ITEMS = Table("Items", {"pk": "S"}, lambda scale: map(item, range(scale.items)))
RECOVERED = Table("Recovered", ITEMS.keys, ITEMS.items, recovery=True)
DELIVERED = Table("Delivered", ITEMS.keys, ITEMS.items, destination=True)
REPLICATED = Table("Replicated", ITEMS.keys, ITEMS.items, replicas=("us-west-2", "eu-west-1"))
TRIGGERING = Table("Triggering", ITEMS.keys, ITEMS.items, stream=True, trigger=True)
STREAMED = Table("Streamed", ITEMS.keys, ITEMS.items, stream=True)
ROWS = Table("Rows", {"pk": "S"}, ITEMS.items, is_of_rows=True)
PARTITIONS = Table("Partitions", {"pk": "S", "sk": "N"},
                   lambda scale: map(partition_item, range(scale.partitions * PARTITION_ITEMS)))
ROW_PARTITIONS = Table("RowPartitions", PARTITIONS.keys, PARTITIONS.items, is_of_rows=True)


def puts(table, items):
    return "BatchWriteItem", {"RequestItems": {table.name: [{"PutRequest": {"Item": i}} for i in items]}}


def batches(values, size=BATCH):
    values = iter(values)
    while batch := list(itertools.islice(values, size)):
        yield batch


def create(server, table):
    if table.is_of_rows:
        kinds = {"N": 1, "S": 2}
        server.call(*rows.create(table.name, {name: kinds[kind] for name, kind in table.keys.items()}))
        return
    server.call("CreateTable", {
        "TableName": table.name,
        "AttributeDefinitions": [{"AttributeName": n, "AttributeType": t} for n, t in table.keys.items()],
        "KeySchema": [{"AttributeName": n, "KeyType": k} for n, k in zip(table.keys, ("HASH", "RANGE"))],
        "BillingMode": "PAY_PER_REQUEST",
        **({"StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}}
           if table.stream else {}),
    })
    while "ACTIVE" not in server.call("DescribeTable", {"TableName": table.name}):
        pass
    if table.recovery:
        server.call("UpdateContinuousBackups", {
            "TableName": table.name, "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}})
    if table.destination:
        deliver(server, table.name)
    for region in table.replicas:
        replicate(server, table.name, region)
    if table.trigger:
        server.call_on_changes(table.name)


def replicate(server, name, region):
    """Makes a replica of a table."""
    server.call("UpdateTable", {"TableName": name, "ReplicaUpdates": [{"Create": {"RegionName": region}}]})
    while '"ReplicaStatus":"CREATING"' in server.call("DescribeTable", {"TableName": name}):
        pass


def deliver(server, name):
    """Has the changes of a table put into a Kinesis stream of its name."""
    server.call("Kinesis_20131202.CreateStream", {"StreamName": name, "ShardCount": 1})
    arn = f"arn:aws:kinesis:us-east-1:000000000000:stream/{name}"
    server.call("EnableKinesisStreamingDestination", {"TableName": name, "StreamArn": arn})
    while '"ACTIVE"' not in server.call("DescribeKinesisStreamingDestination", {"TableName": name}):
        pass


def column_of(value):
    """Returns an attribute as a column has it: sets and maps are texts."""
    ((kind, content),) = value.items()
    if kind == "N":
        return int(content)
    return content if kind in ("BOOL", "S") else str(content)


def put_row(table, item):
    columns = {name: column_of(value) for name, value in item.items()}
    key = {name: columns.pop(name) for name in table.keys}
    return rows.put(table.name, key, columns)


def fill(server, table, scale):
    if table.is_of_rows:
        for one in table.items(scale):
            server.call(*put_row(table, one))
        return
    for batch in batches(table.items(scale)):
        server.call(*puts(table, batch))


def prepare(server, table, scale):
    """Creates the table with its items, unless it exists."""
    if table.name in server.tables:
        return
    create(server, table)
    fill(server, table, scale)
    server.tables.add(table.name)


def uniform(scale, count):
    """Yields numbers below `count` with equal frequency, in random order."""
    numbers = [number % count for number in range(scale.requests)]
    random.Random(1).shuffle(numbers)
    return numbers


def zipfian(scale, count):
    """Yields a few numbers most of the time."""
    numbers = list(range(count))
    random.Random(2).shuffle(numbers)
    weights = [1 / rank**ZIPF for rank in range(1, count + 1)]
    return random.Random(3).choices(numbers, weights, k=scale.requests)


def get_item(number):
    return "GetItem", {"TableName": ITEMS.name, "Key": key(number)}


def put_item(number):
    return "PutItem", {"TableName": ITEMS.name, "Item": item(number)}


def changes(table):
    """Returns requests that put other items than those that are there, so that each is a change."""
    def put(number, visits):
        return "PutItem", {"TableName": table.name, "Item": {**item(number), "visits": {"N": str(visits)}}}
    return lambda scale: [put(number, visits) for visits, number in enumerate(uniform(scale, scale.items))] + [
        put(number, -visits) for visits, number in enumerate(uniform(scale, scale.items))]


def update_item(number):
    return "UpdateItem", {
        "TableName": ITEMS.name,
        "Key": key(number),
        "UpdateExpression": "SET visits = visits + :one, #n = :name",
        "ConditionExpression": "attribute_exists(pk) AND active = :yes",
        "ExpressionAttributeNames": {"#n": "name"},
        "ExpressionAttributeValues": {":one": {"N": "1"}, ":name": {"S": "Grace Hopper"}, ":yes": {"BOOL": True}},
    }


def in_cbor(request, number):
    operation, members = request(number)
    return operation, Cbor(members)


def query(partition):
    return "Query", {
        "TableName": PARTITIONS.name,
        "KeyConditionExpression": "pk = :pk",
        "ExpressionAttributeValues": {":pk": partition_item(partition * PARTITION_ITEMS)["pk"]},
    }


def get_row(number):
    return rows.get(ROWS.name, {"pk": key(number)["pk"]["S"]})


def get_range(partition):
    pk = partition_item(partition * PARTITION_ITEMS)["pk"]["S"]
    return rows.scan(ROW_PARTITIONS.name, {"pk": pk, "sk": rows.LEAST}, {"pk": pk, "sk": rows.MOST})


def batch_write(first, size=BATCH):
    return puts(ITEMS, map(item, range(first, first + size)))


def transact_write(first, size):
    """No token: a request that comes again would be a replay."""
    return "TransactWriteItems", {"TransactItems": [{"Put": {"TableName": ITEMS.name, "Item": item(number)}}
                                                    for number in range(first, first + size)]}


def batch_get(first):
    return "BatchGetItem", {"RequestItems": {ITEMS.name: {"Keys": [key(n) for n in range(first, first + FEW)]}}}


def transact_get(first):
    return "TransactGetItems", {"TransactItems": [{"Get": {"TableName": ITEMS.name, "Key": key(number)}}
                                                  for number in range(first, first + FEW)]}


def look_up(number):
    return "ExecuteStatement", {
        "Statement": f'SELECT * FROM "{ITEMS.name}" WHERE pk = ?',
        "Parameters": [key(number)["pk"]],
    }


def scan(segment, segments):
    return "Scan", {
        "TableName": ITEMS.name,
        "Segment": segment,
        "TotalSegments": segments,
        "FilterExpression": "#g = :g",
        "ExpressionAttributeNames": {"#g": "group"},
        "ExpressionAttributeValues": {":g": {"N": "7"}},
    }


def of_several(request, size):
    """Returns requests of so many items each: fewer requests, since each is large."""
    return lambda scale: [request(n) for n in uniform(scale, scale.items - size)[:scale.requests // size]]


def scans(scale):
    """Each request reads the first page of a segment of more than 1 MB."""
    segments = max(1, scale.items // 1250)
    return [scan(segment, segments) for segment in range(segments)]


def reads_and_updates(scale):
    """Half and half."""
    turns = itertools.cycle((get_item, update_item))
    return [request(number) for request, number in zip(turns, zipfian(scale, scale.items))]


WORKLOADS = {workload.name: workload for workload in (
    Workload("GetItem", "an item of 1 KB", ITEMS,
             lambda scale: [get_item(n) for n in uniform(scale, scale.items)], ('"Item"',)),
    Workload("PutItem", "an item of 1 KB that replaces another", ITEMS,
             lambda scale: [put_item(n) for n in uniform(scale, scale.items)], ("{}",)),
    Workload("PutItem of a change", "an item of 1 KB that replaces another one", ITEMS, changes(ITEMS), ("{}",)),
    Workload("PutItem with a stream", "the same, and a stream of new and old images", STREAMED, changes(STREAMED),
             ("{}",)),
    Workload("PutItem with a Kinesis destination", "the same, and the delivery of each change", DELIVERED,
             changes(DELIVERED), ("{}",)),
    Workload("PutItem with two replicas", "the same, and the writes in two other regions", REPLICATED, changes(REPLICATED),
             ("{}",)),
    Workload("PutItem with a trigger", "the same with a stream, and a function that is called with it", TRIGGERING,
             changes(TRIGGERING), ("{}",)),
    Workload("PutItem with recovery", "the same, and point-in-time recovery", RECOVERED, changes(RECOVERED), ("{}",)),
    Workload("UpdateItem", "two attributes of an item of 1 KB, with a condition", ITEMS,
             lambda scale: [update_item(n) for n in uniform(scale, scale.items)], ("{}",)),
    Workload("Query", "a partition: 100 items of 200 bytes", PARTITIONS,
             lambda scale: [query(n) for n in uniform(scale, scale.partitions)], ('"Count":100',)),
    Workload("BatchWriteItem", "25 items of 1 KB", ITEMS, of_several(batch_write, BATCH), ('"UnprocessedItems":{}',)),
    Workload("Scan", "1 MB read, with a filter that passes one item in a hundred", ITEMS,
             scans, ('"LastEvaluatedKey"', '"Items":[{'), scanned_bytes=1 << 20),
    Workload("Mix", "GetItem and UpdateItem alternately, mostly of a few keys (Zipf, 0.99)", ITEMS,
             reads_and_updates, ("{",)),
    Workload("BatchWriteItem of 4", "4 items of 1 KB", ITEMS,
             of_several(lambda first: batch_write(first, FEW), FEW), ('"UnprocessedItems":{}',)),
    Workload("TransactWriteItems of 4", "4 puts of 1 KB, without a token", ITEMS,
             of_several(lambda first: transact_write(first, FEW), FEW), ("{}",)),
    Workload("TransactWriteItems of 100", "100 puts of 1 KB, without a token", ITEMS,
             of_several(lambda first: transact_write(first, TRANSACTION), TRANSACTION), ("{}",)),
    Workload("BatchGetItem of 4", "4 items of 1 KB", ITEMS, of_several(batch_get, FEW), ('"UnprocessedKeys":{}',)),
    Workload("TransactGetItems of 4", "4 items of 1 KB", ITEMS, of_several(transact_get, FEW), ('"Responses":[{"Item"',)),
    Workload("GetItem in CBOR", "an item of 1 KB", ITEMS,
             lambda scale: [in_cbor(get_item, n) for n in uniform(scale, scale.items)], ("Item",)),
    Workload("PutItem in CBOR", "an item of 1 KB that replaces another", ITEMS,
             lambda scale: [in_cbor(put_item, n) for n in uniform(scale, scale.items)], ("\udcbf\udcff",)),
    Workload("GetRow", "a row of 1 KB of Tablestore", ROWS,
             lambda scale: [get_row(n) for n in uniform(scale, scale.items)], ("Ada Lovelace",)),
    Workload("PutRow", "a row of 1 KB of Tablestore that replaces another", ROWS,
             lambda scale: [put_row(ROWS, item(n)) for n in uniform(scale, scale.items)], ("\x0a\x06\x0a\x04\x08\x00\x10\x01",)),
    Workload("GetRange", "a partition of Tablestore: 100 rows of 200 bytes", ROW_PARTITIONS,
             lambda scale: [get_range(n) for n in uniform(scale, scale.partitions)], ("delivered",)),
    Workload("ExecuteStatement", "an item of 1 KB by its key, a parameter", ITEMS,
             lambda scale: [look_up(n) for n in uniform(scale, scale.items)], ('"Items":[{',)),
)}
