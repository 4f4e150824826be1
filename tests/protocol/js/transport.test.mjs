import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent as PlainAgent } from "node:http";
import { Agent as TlsAgent } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { makeClient } from "./client.mjs";
import { startServer } from "./server.mjs";

async function withServer(options, body) {
  const server = await startServer(...options);
  try {
    await body(server);
  } finally {
    await server.stop();
  }
}

async function listed(endpoint, options) {
  const client = makeClient(endpoint, options);
  try {
    return (await client.send(new ListTablesCommand({}))).TableNames;
  } finally {
    client.destroy();
  }
}

test("one connection serves many requests", () =>
  withServer([], async ({ endpoint }) => {
    const httpAgent = new PlainAgent({ keepAlive: true, maxSockets: 1 });
    let connections = 0;
    const connect = httpAgent.createConnection;
    httpAgent.createConnection = function (...args) {
      connections += 1;
      return connect.apply(this, args);
    };
    const client = makeClient(endpoint, { requestHandler: { httpAgent } });
    for (let i = 0; i < 5; i += 1) await client.send(new ListTablesCommand({}));
    client.destroy();
    httpAgent.destroy();
    assert.equal(connections, 1);
  }));

test("TLS with a certificate made at start", () =>
  withServer(["--tls-self-signed"], async ({ endpoint }) => {
    assert.match(endpoint, /^https:/);
    const httpsAgent = new TlsAgent({ rejectUnauthorized: false });
    assert.deepEqual(await listed(endpoint, { requestHandler: { httpsAgent } }), []);
    await assert.rejects(listed(endpoint, { maxAttempts: 1 }), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
  }));

test("signatures are verified", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dinette-"));
  const file = join(folder, "keys.ini");
  await writeFile(file, "[default]\naws_access_key_id=AKID\naws_secret_access_key=right\n");
  await withServer(["--auth", "verify", "--credentials", file], async ({ endpoint }) => {
    const credentials = (accessKeyId, secretAccessKey) => ({ credentials: { accessKeyId, secretAccessKey } });
    assert.deepEqual(await listed(endpoint, credentials("AKID", "right")), []);
    await assert.rejects(listed(endpoint, credentials("AKID", "wrong")), {
      name: "InvalidSignatureException",
      message:
        "The request signature we calculated does not match the signature you provided. Check your AWS Secret " +
        "Access Key and signing method. Consult the service documentation for details.",
    });
    await assert.rejects(listed(endpoint, credentials("NOBODY", "x")), { name: "UnrecognizedClientException" });
  });
  await rm(folder, { recursive: true });
});
