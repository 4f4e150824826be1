"""Clients that write, and remember what was acknowledged."""

import http.client
import json
import random
import threading

ITEMS = 12  # of each writer


class Gone(Exception):
    """The server, or what it keeps its data in, was killed before it answered."""


class Connection:
    def __init__(self, port):
        self.http = http.client.HTTPConnection("127.0.0.1", port)

    def call(self, operation, body, service=None):
        if not service:
            service = "DynamoDBStreams_20120810" if operation in STREAM_OPERATIONS else "DynamoDB_20120810"
        try:
            self.http.request("POST", "/", json.dumps(body), {"X-Amz-Target": f"{service}.{operation}"})
            answer = self.http.getresponse()
            return answer.status, json.loads(answer.read() or "{}")
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Gone from error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http.close()

    def ok(self, operation, body, service=None):
        status, answer = self.call(operation, body, service)
        if status != 200:
            raise AssertionError(f"{operation} failed with {answer}")
        return answer

    def kinesis(self, operation, body):
        return self.ok(operation, body, "Kinesis_20131202")


STREAM_OPERATIONS = ("ListStreams", "DescribeStream", "GetShardIterator", "GetRecords")


class Item:
    """What is known of an item. A version of 0 means that it is not there."""

    def __init__(self, key):
        self.key = key
        self.acknowledged = 0
        self.pending = None  # the version of a write that was not answered
        self.group = None  # the items of the transaction that it was part of
        self.to_see = []  # the versions that were acknowledged since the stream was read


class Writer:
    def __init__(self, name, seed, may_fail=False):
        """`may_fail`: the server may say that it does not know how a write ended."""
        self.name = name
        self.random = random.Random(seed)
        self.may_fail = may_fail
        self.items = [Item(f"i{number}") for number in range(ITEMS)]
        self.version = 0
        self.acknowledged = 0

    def write_until_gone(self, port, stopped=threading.Event()):
        kinds = (self.put, self.update, self.delete, self.batch, self.transaction, self.statement, self.statements)
        with Connection(port) as connection:
            try:
                while not stopped.is_set():
                    self.random.choice(kinds)(connection)
            except Gone:
                pass

    def some(self, count):
        return self.random.sample(self.items, count)

    def write(self, connection, operation, body, versions, together=False):
        """Sends a write that brings items to versions, and remembers how it went."""
        for item, version in versions.items():
            item.pending = version
            item.group = list(versions) if together else None
        status, answer = connection.call(operation, body)
        if self.may_fail and status == 500:
            raise Gone
        if status != 200:
            raise AssertionError(f"{operation} failed with {answer}")
        for item, version in versions.items():
            item.acknowledged, item.pending, item.group = version, None, None
            if version:
                item.to_see.append(version)
        self.acknowledged += len(versions)

    def next_version(self):
        self.version += 1
        return self.version

    def key(self, item):
        return {"p": {"S": self.name}, "s": {"S": item.key}}

    def content(self, item, version):
        text = {"S": f"{version:09}"}
        return {**self.key(item), "v": {"N": str(version)}, "g": text, "l": text, "body": {"S": "x" * (version % 300)}}

    def put(self, connection):
        (item,) = self.some(1)
        version = self.next_version()
        self.write(connection, "PutItem", {"TableName": "Items", "Item": self.content(item, version)}, {item: version})

    def update(self, connection):
        (item,) = self.some(1)
        version = self.next_version()
        text = {"S": f"{version:09}"}
        body = {
            "TableName": "Items",
            "Key": self.key(item),
            "UpdateExpression": "SET v = :v, g = :t, l = :t",
            "ExpressionAttributeValues": {":v": {"N": str(version)}, ":t": text},
        }
        self.write(connection, "UpdateItem", body, {item: version})

    def delete(self, connection):
        (item,) = self.some(1)
        self.write(connection, "DeleteItem", {"TableName": "Items", "Key": self.key(item)}, {item: 0})

    def batch(self, connection):
        versions = {item: self.next_version() for item in self.some(5)}
        requests = [{"PutRequest": {"Item": self.content(item, version)}} for item, version in versions.items()]
        self.write(connection, "BatchWriteItem", {"RequestItems": {"Items": requests}}, versions)

    def transaction(self, connection):
        versions = {item: self.next_version() for item in self.some(4)}
        actions = [
            {"Put": {"TableName": "Items", "Item": self.content(item, version)}} for item, version in versions.items()
        ]
        self.write(connection, "TransactWriteItems", {"TransactItems": actions}, versions, together=True)

    def upsert_statement(self, item, version):
        """There is no statement that puts, so it is an update of an item that is there, else an insert."""
        if item.acknowledged:
            text = {"S": f"{version:09}"}
            return {
                "Statement": "UPDATE Items SET v = ? SET g = ? SET l = ? WHERE p = ? AND s = ?",
                "Parameters": [{"N": str(version)}, text, text, {"S": self.name}, {"S": item.key}],
            }
        names = self.content(item, version)
        pairs = ", ".join(f"'{name}': ?" for name in names)
        return {"Statement": f"INSERT INTO Items VALUE {{{pairs}}}", "Parameters": list(names.values())}

    def statement(self, connection):
        (item,) = self.some(1)
        version = self.next_version()
        self.write(connection, "ExecuteStatement", self.upsert_statement(item, version), {item: version})

    def statements(self, connection):
        versions = {item: self.next_version() for item in self.some(3)}
        body = {"TransactStatements": [self.upsert_statement(item, version) for item, version in versions.items()]}
        self.write(connection, "ExecuteTransaction", body, versions, together=True)
