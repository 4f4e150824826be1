"""Calls that prepare a server, over plain HTTP."""

import json
import urllib.request

# Proxies are for other machines.
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def _send(request):
    with _OPENER.open(request) as answer:
        return answer.read()


def call(endpoint, operation, **members):
    headers = {"X-Amz-Target": f"DynamoDB_20120810.{operation}", "Content-Type": "application/x-amz-json-1.0"}
    return json.loads(_send(urllib.request.Request(endpoint, json.dumps(members).encode(), headers)))


def put_object(endpoint, path, body=b""):
    """Puts a bucket, or an object into one."""
    _send(urllib.request.Request(f"{endpoint}/{path}", body, method="PUT"))


def _schema(keys):
    return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(keys, ("HASH", "RANGE"))]


def create_table(endpoint, name, keys, indexes):
    """Creates a table whose keys are strings. `indexes`: keys by the name of a global index with all attributes."""
    attributes = {key for used in (keys, *indexes.values()) for key in used}
    members = {
        "TableName": name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": _schema(keys),
        "AttributeDefinitions": [{"AttributeName": attribute, "AttributeType": "S"} for attribute in sorted(attributes)]}
    if indexes:
        members["GlobalSecondaryIndexes"] = [
            {"IndexName": index, "KeySchema": _schema(used), "Projection": {"ProjectionType": "ALL"}}
            for index, used in indexes.items()]
    return call(endpoint, "CreateTable", **members)
