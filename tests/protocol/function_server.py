"""A server of functions as `sam local start-lambda` is one, for tests: it keeps the events that it gets, and answers as a test says."""

import http.server
import json
import threading

PATIENCE_SECONDS = 60


class FunctionServer:
    """with FunctionServer() as functions: ... functions.url ... functions.wait_for(lambda: ...)

    `answer(name, event)` returns what a function answers: a value, or an Exception for one that throws.
    """

    def __init__(self, answer=lambda name, event: None, port=0):
        self.answer = answer
        self.events = []  # (name of the function, event), in the order of the calls
        self.changed = threading.Condition()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                name = self.path.split("/")[-2] if self.path.endswith("/invocations") else self.path
                with outer.changed:
                    outer.events.append((name, event))
                    outer.changed.notify_all()
                outer.respond(self, outer.answer(name, event))

            def log_message(self, *_):
                pass

        http.server.ThreadingHTTPServer.allow_reuse_address = True
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"

    @staticmethod
    def respond(handler, answer):
        handler.send_response(200)
        if isinstance(answer, Exception):
            handler.send_header("X-Amz-Function-Error", "Unhandled")
            answer = {"errorMessage": str(answer), "errorType": "Error", "trace": []}
        body = json.dumps(answer)
        handler.send_header("X-Amz-Executed-Version", "$LATEST")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body.encode())

    def records(self, name=None):
        """The records of all events, or of those for one function."""
        with self.changed:
            return [record for of, event in self.events if name in (None, of) for record in event["Records"]]

    def wait_for(self, is_so):
        with self.changed:
            assert self.changed.wait_for(is_so, PATIENCE_SECONDS), f"not seen: {self.events}"

    def wait_for_records(self, count, name=None):
        with self.changed:
            seen = lambda: sum(len(event["Records"]) for of, event in self.events if name in (None, of))
            assert self.changed.wait_for(lambda: seen() >= count, PATIENCE_SECONDS), f"{seen()} records, not {count}"
        return self.records(name)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
