"""The tables of dynamodb-entity-store's tests, and CloudFormation as far as the tests ask it for their names."""

import http.server
import threading

from clients.calls import create_table

# Output of the stack, keys, keys of indexes.
TABLES = (
    ("TableName", ("PK", "SK"), {"GSI": ("GSIPK", "GSISK")}),
    ("TableTwoName", ("PK", "SK"), {"GSI": ("GSIPK", "GSISK")}),
    ("TwoGSITableName", ("PK", "SK"), {"GSI1": ("GSI1PK", "GSI1SK"), "GSI2": ("GSI2PK", "GSI2SK")}),
    ("CustomTableName", ("CustomPK", "CustomSK"), {}),
    ("FarmTableName", ("Name",), {}),
)
OUTPUTS = "".join(f"<member><OutputKey>{name}</OutputKey><OutputValue>{name}</OutputValue></member>" for name, *_ in TABLES)
ANSWER = f"""<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult>
<Stacks><member><StackName>entity-store-test-stack</StackName><StackStatus>CREATE_COMPLETE</StackStatus>
<CreationTime>2026-01-01T00:00:00Z</CreationTime><Outputs>{OUTPUTS}</Outputs></member></Stacks>
</DescribeStacksResult></DescribeStacksResponse>""".encode()


class _Describe(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/xml")
        self.send_header("Content-Length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER)

    def log_message(self, *_):
        pass


class Stack:
    """with Stack(endpoint of DynamoDB) as stack: ... stack.endpoint ..."""

    def __init__(self, dynamodb):
        for name, keys, indexes in TABLES:
            create_table(dynamodb, name, keys, indexes)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Describe)
        self.endpoint = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
