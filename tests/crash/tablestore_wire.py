"""What clients of Tablestore send and read, as far as the crash test needs it: messages of protocol buffers, rows in PlainBuffer
(docs/service-tablestore/messages.md, docs/service-tablestore/plainbuffer.md)."""

import base64
import datetime
import hashlib
import http.client
import struct

HEADER = b"\x75\x00\x00\x00"
INTEGER, STRING, INF_MIN, INF_MAX = 0, 3, 9, 10


def varint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def message(*fields):
    """Returns a message. Fields are (number, value): an int, bytes, or a text."""
    out = b""
    for number, value in fields:
        if isinstance(value, int):
            out += varint(number << 3) + varint(value & (1 << 64) - 1)
        else:
            content = value.encode() if isinstance(value, str) else value
            out += varint(number << 3 | 2) + varint(len(content)) + content
    return out


def fields_of(content):
    """Returns the values of each field of a message: numbers and bytes."""
    fields, at = {}, 0

    def number():
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = content[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(content):
        tag = number()
        value = number()
        if tag & 7 == 2:
            value, at = content[at : at + value], at + value
        fields.setdefault(tag >> 3, []).append(value)
    return fields


def crc8(content, crc=0):
    for byte in content:
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ 7 if crc & 0x80 else crc << 1) & 0xFF
    return crc


def variant(value):
    if value in ("-inf", "+inf"):
        return bytes([INF_MIN if value == "-inf" else INF_MAX])
    if isinstance(value, int):
        return bytes([INTEGER]) + struct.pack("<q", value)
    return bytes([STRING]) + struct.pack("<I", len(value)) + value.encode()


def cell(name, value, sums):
    payload = variant(value)
    checksum = crc8(name.encode() + payload)
    sums.append(checksum)
    return (b"\x03\x04" + struct.pack("<I", len(name)) + name.encode() + b"\x05" + struct.pack("<I", len(payload)) + payload
            + bytes([10, checksum]))


def row(key, columns=(), deletes=False):
    """Returns a row of pairs of names and values: integers, texts, and in bounds "-inf" and "+inf"."""
    sums = []
    out = HEADER + b"\x01" + b"".join(cell(name, value, sums) for name, value in key)
    if columns:
        out += b"\x02" + b"".join(cell(name, value, sums) for name, value in columns)
    if deletes:
        out += b"\x08"
    return out + bytes([9, crc8(bytes([*sums, int(deletes)]))])


def rows_of(content):
    """Yields the columns of each row, those of the key first, without versions. The rest is not looked at."""
    at = len(HEADER)
    while at < len(content):
        columns = {}
        while True:
            tag = content[at]
            at += 1
            if tag == 4:
                (size,) = struct.unpack_from("<I", content, at)
                name, at = content[at + 4 : at + 4 + size].decode(), at + 4 + size
                columns[name] = None
            elif tag == 5:
                (size,) = struct.unpack_from("<I", content, at)
                payload, at = content[at + 4 : at + 4 + size], at + 4 + size
                columns[name] = struct.unpack("<q", payload[1:])[0] if payload[0] == INTEGER else payload[5:].decode()
            elif tag == 7:
                at += 8
            elif tag in (6, 10):
                at += 1
            elif tag == 11:
                at += 4 + struct.unpack_from("<I", content, at)[0]
            elif tag == 9:
                at += 1
                break
        yield columns


class Gone(Exception):
    """The server was killed before it answered."""


class Connection:
    def __init__(self, port):
        self.http = http.client.HTTPConnection("127.0.0.1", port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.http.close()

    def call(self, operation, body):
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        headers = {
            "x-ots-date": now,
            "x-ots-apiversion": "2015-12-31",
            "x-ots-accesskeyid": "ak",
            "x-ots-instancename": "inst",
            "x-ots-contentmd5": base64.b64encode(hashlib.md5(body).digest()).decode(),
            "x-ots-signature": "any",
        }
        try:
            self.http.request("POST", f"/{operation}", body, headers)
            answer = self.http.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise Gone from error

    def ok(self, operation, *fields):
        status, answer = self.call(operation, message(*fields))
        if status != 200:
            raise AssertionError(f"{operation} failed with {answer}")
        return fields_of(answer)
