"""Requests in CBOR (RFC 8949), as far as the workloads need it."""

import struct

SIZES = (("B", 8), ("H", 16), ("I", 32), ("Q", 64))


class Cbor(dict):
    """The members of a request that is sent in CBOR."""


def _head(major, number):
    if number < 24:
        return bytes([major << 5 | number])
    code, size = next((code, size) for code, size in enumerate(SIZES) if number < 1 << size[1])
    return bytes([major << 5 | 24 + code]) + struct.pack(">" + size[0], number)


def encoded(value):
    """Returns what a value is in CBOR: text, booleans, counts, lists and maps of them."""
    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return _head(0, value)
    if isinstance(value, str):
        text = value.encode()
        return _head(3, len(text)) + text
    if isinstance(value, list):
        return _head(4, len(value)) + b"".join(map(encoded, value))
    return _head(5, len(value)) + b"".join(encoded(part) for member in value.items() for part in member)
