// clients/js instead of the package dynalite.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { execFile } from "node:child_process";

import dynalite, { start } from "../../../clients/js/index.js";

const require = createRequire(import.meta.url);
// The npm packages are those of tests/protocol.
const { CreateTableCommand, DescribeTableCommand, DynamoDBClient, ListTablesCommand } = createRequire(
  new URL("../../protocol/package.json", import.meta.url),
)("@aws-sdk/client-dynamodb");

const listen = (server, ...args) => new Promise((resolve, reject) => {
  server.once("error", reject);
  server.listen(...args, resolve);
});
const close = (server) => promisify((callback) => server.close(callback))();

const clientOf = (server, scheme = "http") => new DynamoDBClient({
  endpoint: `${scheme}://127.0.0.1:${server.address().port}`,
  region: "us-east-1",
  credentials: { accessKeyId: "any", secretAccessKey: "any" },
});

const createTable = (server) => clientOf(server).send(new CreateTableCommand({
  TableName: "Albums",
  AttributeDefinitions: [{ AttributeName: "artist", AttributeType: "S" }],
  KeySchema: [{ AttributeName: "artist", KeyType: "HASH" }],
  BillingMode: "PAY_PER_REQUEST",
}));

const statusAfter = async (options) => {
  const server = dynalite(options);
  await listen(server, 0);
  await createTable(server);
  const { Table } = await clientOf(server).send(new DescribeTableCommand({ TableName: "Albums" }));
  await close(server);
  return Table.TableStatus;
};

test("require gives the function, and the library's own with it", () => {
  const required = require("../../../clients/js/index.cjs");
  assert.equal(required, dynalite);
  assert.equal(required.start, start);
});

test("a server listens, has an address, and is closed", async () => {
  const server = dynalite();
  assert.equal(server.listening, false);
  assert.equal(server.address(), null);
  assert.equal(server.listen(0), server);
  await once(server, "listening");
  assert.equal(server.listening, true);
  const { address, family, port } = server.address();
  assert.deepEqual([address, family], ["127.0.0.1", "IPv4"]);
  assert.ok(port > 0);
  assert.throws(() => server.listen(0), { code: "ERR_SERVER_ALREADY_LISTEN" });
  assert.deepEqual((await clientOf(server).send(new ListTablesCommand({}))).TableNames, []);
  await close(server);
  assert.equal(server.listening, false);
  await assert.rejects(close(server), { code: "ERR_SERVER_NOT_RUNNING" });
  await listen(server, { port: 0, host: "127.0.0.1" });
  await close(server);
});

test("the address is the one to listen on, as with servers of Node.js", async () => {
  for (const host of ["0.0.0.0", "127.0.0.1"]) {
    const server = dynalite();
    await listen(server, { port: 0, host });
    assert.equal(server.address().address, host);
    assert.deepEqual((await clientOf(server).send(new ListTablesCommand({}))).TableNames, []);
    await close(server);
  }
});

test("listen takes a port as text, no host, and nothing but a callback, as servers of Node.js do", async () => {
  for (const args of [["0"], [0, undefined], []]) {
    const server = dynalite();
    await listen(server, ...args);
    await close(server);
  }
});

test("a server that is closed while it starts has served before", async () => {
  const server = dynalite().listen(0);
  await close(server);
  assert.equal(server.listening, false);
});

test("a port that is in use is an error", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address();
  const server = dynalite();
  await assert.rejects(listen(server, port), { code: "EADDRINUSE", port, message: /another program has this port/ });
  assert.equal(server.listening, false);
  other.close();
});

test("a program that is missing is an error", async () => {
  const { DINETTE_PROGRAM } = process.env;
  process.env.DINETTE_PROGRAM = "/nowhere/dinette";
  try {
    await assert.rejects(listen(dynalite(), 0), { code: "ENOENT" });
  } finally {
    process.env.DINETTE_PROGRAM = DINETTE_PROGRAM;
  }
});

test("tables change their state after the longest time that is given", async () => {
  assert.equal(await statusAfter({ createTableMs: 0 }), "ACTIVE");
  assert.equal(await statusAfter({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 }), "ACTIVE");
  assert.equal(await statusAfter({ createTableMs: 60_000 }), "CREATING");
});

test("a path keeps the tables", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dinette-path-"));
  try {
    const first = dynalite({ path: join(folder, "data"), createTableMs: 0 });
    await listen(first, 0);
    await createTable(first);
    await close(first);
    const second = dynalite({ path: join(folder, "data") });
    await listen(second, 0);
    assert.deepEqual((await clientOf(second).send(new ListTablesCommand({}))).TableNames, ["Albums"]);
    await close(second);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("TLS is served with the certificate that is given, as text or as files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dinette-tls-"));
  try {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    await promisify(execFile)("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
      "-nodes", "-subj", "/CN=given", "-keyout", key, "-out", cert, "-days", "1"]);
    const texts = { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") };
    for (const given of [texts, { key, cert, useSSLFilePaths: true }, {}]) {
      const server = dynalite({ ssl: true, ...given });
      await listen(server, 0);
      try {
        const { port } = server.address();
        const shown = await promisify(execFile)("bash", ["-c",
          `openssl s_client -connect 127.0.0.1:${port} </dev/null 2>/dev/null | openssl x509 -noout -subject`]);
        // Without spaces since OpenSSL 3.2.
        assert.equal(/CN ?= ?given/.test(shown.stdout), "key" in given, shown.stdout);
      } finally {
        await close(server);
      }
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
