"""Requests as an AWS SDK sends them: its headers and a valid signature (AWS Signature Version 4). Those of Tablestore are
as its own clients send them."""

import datetime
import hashlib
import hmac
import json

from bench import rows
from bench.cbor import Cbor, encoded

HOST = "dynamodb.us-east-1.amazonaws.com"
ACCESS_KEY = "AKIDBENCHMARK"
SECRET_KEY = "secret/of+the/benchmark"
CREDENTIALS_FILE = f"[default]\naws_access_key_id = {ACCESS_KEY}\naws_secret_access_key = {SECRET_KEY}\n"
SIGNED = ("content-type", "host", "x-amz-date", "x-amz-target")


def _hmac(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def _signing_key(scope):
    key = ("AWS4" + SECRET_KEY).encode()
    for part in scope.split("/"):
        key = _hmac(key, part)
    return key


def _authorization(headers, body):
    date = headers["x-amz-date"]
    scope = f"{date[:8]}/us-east-1/dynamodb/aws4_request"
    signed = ";".join(SIGNED)
    lines = [f"{name}:{headers[name]}" for name in SIGNED]
    canonical = "\n".join(["POST", "/", "", *lines, "", signed, hashlib.sha256(body).hexdigest()])
    to_sign = "\n".join(["AWS4-HMAC-SHA256", date, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    signature = _hmac(_signing_key(scope), to_sign).hex()
    return f"AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/{scope}, SignedHeaders={signed}, Signature={signature}"


def body_of(members):
    if isinstance(members, rows.Message):
        return members
    if isinstance(members, Cbor):
        return encoded(members)
    return json.dumps(members, separators=(",", ":")).encode()


def _content_type_of(body):
    return "application/x-amz-json-1.0" if body.startswith(b"{") else "application/x-amz-cbor-1.0"


def headers_of(operation, body):
    """Returns headers that a verifying server accepts for 15 minutes. An operation of DynamoDB is named by itself, one of
    another service with the prefix of its target."""
    if isinstance(body, rows.Message):
        return rows.headers_of(operation, body)
    headers = {
        "host": HOST,
        "content-type": _content_type_of(body),
        "content-length": str(len(body)),
        "x-amz-target": operation if "." in operation else "DynamoDB_20120810." + operation,
        "x-amz-date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ"),
        "user-agent": "aws-sdk-js/3.0.0 ua/2.0 os/linux lang/js md/nodejs#20.0.0 api/dynamodb#3.0.0",
        "accept-encoding": "identity",
    }
    return {**headers, "authorization": _authorization(headers, body)}


def path_of(operation, body):
    return f"/{operation}" if isinstance(body, rows.Message) else "/"


def http_request(operation, members):
    """Returns the bytes of a complete request."""
    body = body_of(members)
    head = "".join(f"{name}: {value}\r\n" for name, value in headers_of(operation, body).items())
    return f"POST {path_of(operation, body)} HTTP/1.1\r\n{head}\r\n".encode() + body
