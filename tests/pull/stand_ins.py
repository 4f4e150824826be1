"""Servers that a pull calls: a source that records what it is asked, and those that hand out credentials."""

import http.client
import http.server
import json
import re
import threading


class StandIn:
    """An HTTP server of this process. `answer(method, path, headers, body)` returns status, body, or None, which cuts
    the connection. `requests` has what was asked."""

    def __init__(self):
        stand_in = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def handle_any(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                stand_in.requests.append((self.command, self.path, dict(self.headers), body))
                answer = stand_in.answer(self.command, self.path, self.headers, body)
                if answer is None:
                    self.close_connection = True
                    return
                status, text = answer[:2]
                content = text if isinstance(text, bytes) else text.encode()
                self.send_response(status)
                self.send_header("Content-Length", str(answer[2] if len(answer) > 2 else len(content)))
                self.end_headers()
                self.wfile.write(content)
                self.close_connection = True

            do_GET = do_POST = do_PUT = do_OPTIONS = handle_any

        class Quiet(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass  # a client that was killed

        self.requests = []
        self.server = Quiet(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, method, path, headers, body):
        raise NotImplementedError

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Source(StandIn):
    """Passes requests on to a Dinette. `instead(operation, body)`, if it returns something, answers in its place;
    `keys` are the access keys that count, None: all."""

    def __init__(self, port):
        self.port = port
        self.instead = lambda operation, body: None
        self.keys = None
        self.operations = []
        super().__init__()

    def answer(self, method, path, headers, body):
        operation = headers.get("X-Amz-Target", "").partition(".")[2]
        self.operations.append(operation)
        if self.keys is not None:
            key = re.search(r"Credential=([^/]+)/", headers.get("Authorization", ""))
            if not key or key[1] not in self.keys:
                return 400, json.dumps({"__type": "x#ExpiredTokenException", "message": "The security token is expired"})
        scripted = self.instead(operation, body)
        if scripted is not None:
            return scripted if scripted != "cut" else None
        onward = http.client.HTTPConnection("127.0.0.1", self.port)
        # The signature is of this server's name, so it goes on unchanged, with that name.
        onward.request(method, path, body, {name: headers[name] for name in headers})
        reply = onward.getresponse()
        text = reply.read()
        onward.close()
        return reply.status, text


class Issuer(StandIn):
    """Hands out credentials as STS, the portal of sign-ins, a container's agent and an instance do. `keys` are given
    out one after the other, the last one for ever."""

    TOKEN = "agent-token"

    def __init__(self, *keys):
        self.keys = list(keys)
        super().__init__()

    def next_key(self):
        return self.keys.pop(0) if len(self.keys) > 1 else self.keys[0]

    def metadata(self):
        return 200, json.dumps({"Code": "Success", "AccessKeyId": self.next_key(), "SecretAccessKey": "issued-secret",
                                "Token": "issued-token", "Expiration": "2099-01-01T00:00:00Z"})

    def answer(self, method, path, headers, body):
        if path == "/latest/api/token":
            return (200, self.TOKEN) if method == "PUT" else (405, "")
        if path.startswith("/latest/meta-data/iam/security-credentials/"):
            if headers.get("X-aws-ec2-metadata-token") != self.TOKEN:
                return 401, ""
            return (200, "the-role") if path.endswith("/") else self.metadata()
        if path == "/container":
            return self.metadata() if headers.get("Authorization") == self.TOKEN else (403, "{}")
        if path.startswith("/federation/credentials"):
            if headers.get("x-amz-sso_bearer_token") != "sign-in-token":
                return 401, "{}"
            return 200, json.dumps({"roleCredentials": {
                "accessKeyId": self.next_key(), "secretAccessKey": "issued-secret", "sessionToken": "issued-token",
                "expiration": 4070908800000}})
        if body.startswith(b"Action=AssumeRole"):
            return 200, ("<AssumeRoleResponse xmlns='https://sts.amazonaws.com/doc/2011-06-15/'><AssumeRoleResult>"
                         f"<Credentials><AccessKeyId>{self.next_key()}</AccessKeyId>"
                         "<SecretAccessKey>issued-secret</SecretAccessKey><SessionToken>issued-token</SessionToken>"
                         "<Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult>"
                         "</AssumeRoleResponse>")
        return 404, ""
