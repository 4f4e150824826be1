"""What clients of Amazon Keyspaces send and read, as far as the crash test needs it: version 4 of the native protocol, statements
without bind markers (docs/service-keyspaces/protocol.md), and the JSON of its streams."""

import http.client
import json
import socket
import struct

ERROR, STARTUP, QUERY = 0x00, 0x01, 0x07
ROWS = 2
LOCAL_QUORUM = 6
TEXT, INT = 0x0D, 0x09


class Gone(Exception):
    """The server is not there, or no more."""


class CqlError(Exception):
    pass


def text_of(name):
    content = name.encode()
    return struct.pack(">H", len(content)) + content


class Rows:
    """Reads a result whose columns are of types text and int."""

    def __init__(self, body):
        self.body, self.at = body, 4
        self.flags, columns = self.take(">ii")
        self.next_page = self.value() if self.flags & 2 else None
        assert self.flags & 1, "columns of one table have their name in common"
        self.name(), self.name()
        self.columns = [(self.name(), self.take(">H")[0]) for _ in range(columns)]

    def take(self, form):
        values = struct.unpack_from(form, self.body, self.at)
        self.at += struct.calcsize(form)
        return values

    def name(self):
        (size,) = self.take(">H")
        self.at += size
        return self.body[self.at - size : self.at].decode()

    def value(self):
        (size,) = self.take(">i")
        if size < 0:
            return None
        self.at += size
        return self.body[self.at - size : self.at]

    def all(self):
        (count,) = self.take(">i")
        return [{name: self.decoded(kind, self.value()) for name, kind in self.columns} for _ in range(count)]

    @staticmethod
    def decoded(kind, value):
        if value is None:
            return None
        return struct.unpack(">i", value)[0] if kind == INT else value.decode()


class Connection:
    """One connection, one statement at a time."""

    def __init__(self, port):
        try:
            self.socket = socket.create_connection(("127.0.0.1", port))
        except OSError as error:
            raise Gone from error
        try:
            self.ask(STARTUP, struct.pack(">H", 1) + text_of("CQL_VERSION") + text_of("3.4.4"))
        except Gone:
            self.socket.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def ask(self, opcode, body):
        try:
            self.socket.sendall(struct.pack(">BBhBi", 4, 0, 1, opcode, len(body)) + body)
            _, _, _, answer, size = struct.unpack(">BBhBi", self.receive(9))
            content = self.receive(size)
        except OSError as error:
            raise Gone from error
        if answer == ERROR:
            code, length = struct.unpack_from(">iH", content)
            raise CqlError(f"{code:04x} {content[6 : 6 + length].decode()}")
        return content

    def receive(self, size):
        content = b""
        while len(content) < size:
            part = self.socket.recv(size - len(content))
            if not part:
                raise Gone
            content += part
        return content

    def run(self, statement):
        """Returns the rows of all pages, as dictionaries."""
        text = statement.encode()
        rows, page = [], None
        while True:
            state = b"" if page is None else struct.pack(">i", len(page)) + page
            flags = 0x04 | (0x08 if state else 0)
            body = struct.pack(">i", len(text)) + text + struct.pack(">HB", LOCAL_QUORUM, flags) + struct.pack(">i", 1000) + state
            content = self.ask(QUERY, body)
            if struct.unpack_from(">i", content)[0] != ROWS:
                return rows
            result = Rows(content)
            rows += result.all()
            page = result.next_page
            if page is None:
                return rows


def call(port, target, **members):
    """Calls an operation of the JSON APIs at the port of DynamoDB."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    try:
        headers = {"X-Amz-Target": target, "Content-Type": "application/x-amz-json-1.0"}
        connection.request("POST", "/", json.dumps(members), headers)
        response = connection.getresponse()
        answer = json.loads(response.read())
        assert response.status == 200, answer
        return answer
    finally:
        connection.close()
