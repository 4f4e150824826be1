"""Requests of Tablestore, as its clients send them: rows in PlainBuffer, messages of protocol buffers, signatures of version 2."""

import base64
import datetime
import functools
import hashlib
import hmac
import struct

ACCESS_KEY, SECRET_KEY, INSTANCE = "ak", "sk", "bench"

PRIMARY_KEY, ATTRIBUTES, CELL, NAME, VALUE, ROW_SUM, CELL_SUM = 1, 2, 3, 4, 5, 9, 10
INTEGER, BOOLEAN, STRING = 0, 2, 3
# Bounds of a range that are less, and greater, than all values.
LEAST, MOST = object(), object()


class Message(bytes):
    """The body of a request of Tablestore."""


@functools.cache
def _sum_of_byte(byte):
    for _ in range(8):
        byte = byte << 1 ^ (0x107 if byte & 0x80 else 0)
    return byte


def _checksum(data):
    total = 0
    for byte in data:
        total = _sum_of_byte(total ^ byte)
    return total


def _text(text):
    data = text.encode()
    return struct.pack("<I", len(data)) + data


def _value(value):
    """Returns type and payload."""
    if value is LEAST or value is MOST:
        return bytes([9 if value is LEAST else 10])
    if isinstance(value, bool):
        return bytes([BOOLEAN, value])
    if isinstance(value, int):
        return bytes([INTEGER]) + struct.pack("<q", value)
    return bytes([STRING]) + _text(value)


def _cell(name, value):
    """Returns the bytes of a cell, and its checksum."""
    data = _value(value)
    total = _checksum(name.encode() + data)
    return (bytes([CELL, NAME]) + _text(name) + bytes([VALUE]) + struct.pack("<I", len(data)) + data
            + bytes([CELL_SUM, total])), total


def row(key, columns=None):
    """Returns a row in PlainBuffer."""
    parts, sums = [struct.pack("<I", 0x75)], []
    for tag, cells in ((PRIMARY_KEY, key), (ATTRIBUTES, columns or {})):
        parts += [bytes([tag])] if cells else []
        for name, value in cells.items():
            data, total = _cell(name, value)
            parts.append(data)
            sums.append(total)
    return b"".join([*parts, bytes([ROW_SUM, _checksum(bytes([*sums, 0]))])])


def _varint(number):
    digits = []
    while number >= 128:
        digits.append(number & 127 | 128)
        number >>= 7
    return bytes([*digits, number])


def message(*fields):
    """Returns a message: pairs of a number and a value, which is a count, a text or bytes."""
    parts = []
    for number, value in fields:
        if isinstance(value, int):
            parts.append(_varint(number << 3) + _varint(value % (1 << 64)))
        else:
            data = value.encode() if isinstance(value, str) else value
            parts.append(_varint(number << 3 | 2) + _varint(len(data)) + data)
    return Message(b"".join(parts))


def create(table, keys):
    """Returns a CreateTable: `keys` are names and types, INTEGER 1 or STRING 2."""
    schemas = [(2, message((1, name), (2, kind))) for name, kind in keys.items()]
    return "CreateTable", message((1, message((1, table), *schemas)), (2, message((1, message((1, 0), (2, 0))))),
                                  (3, message((1, -1), (2, 1))))


def put(table, key, columns):
    return "PutRow", message((1, table), (2, row(key, columns)), (3, message((1, 0))))


def get(table, key):
    return "GetRow", message((1, table), (2, row(key)), (5, 1))


def scan(table, start, end):
    return "GetRange", message((1, table), (2, 0), (5, 1), (7, row(start)), (8, row(end)))


def headers_of(operation, body):
    """Returns headers that a verifying server accepts for 15 minutes."""
    own = {
        "x-ots-accesskeyid": ACCESS_KEY,
        "x-ots-apiversion": "2015-12-31",
        "x-ots-contentmd5": base64.b64encode(hashlib.md5(body).digest()).decode(),
        "x-ots-date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "x-ots-instancename": INSTANCE,
    }
    signed = "".join(f"{name}:{own[name]}\n" for name in sorted(own))
    signature = hmac.new(SECRET_KEY.encode(), f"/{operation}\nPOST\n\n{signed}".encode(), hashlib.sha1).digest()
    return {"host": "localhost", "content-length": str(len(body)), "user-agent": "aliyun-tablestore-sdk-nodejs", **own,
            "x-ots-signature": base64.b64encode(signature).decode()}
