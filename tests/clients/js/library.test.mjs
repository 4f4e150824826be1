// clients/js: the library, with the AWS SDK in its worlds.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";

import { DinetteError, connect, start } from "../../../clients/js/index.js";

// The npm packages are those of tests/protocol.
const require = createRequire(new URL("../../protocol/package.json", import.meta.url));
const { CreateTableCommand, DynamoDBClient, ListTablesCommand } = require("@aws-sdk/client-dynamodb");

let server;
before(async () => {
  server = await start();
});
after(() => server.stop());

async function createTable(world, name) {
  await new DynamoDBClient(world.clientConfig).send(new CreateTableCommand({
    TableName: name,
    AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
    BillingMode: "PAY_PER_REQUEST",
  }));
}

async function tables(world) {
  return (await new DynamoDBClient(world.clientConfig).send(new ListTablesCommand({}))).TableNames;
}

test("a fork is independent, can be reset, and is dropped", async () => {
  await createTable(server.world, "Seeded");
  const world = await server.world.fork({ name: "my-test", ttl: 60 });
  assert.equal(world.name, "my-test");
  await createTable(world, "OfFork");
  assert.deepEqual(await tables(world), ["OfFork", "Seeded"]);
  assert.deepEqual(await tables(server.worldNamed("my-test")), ["OfFork", "Seeded"]);
  assert.deepEqual(await tables(server.world), ["Seeded"]);
  const nested = await world.fork();
  await world.reset();
  assert.deepEqual(await tables(world), []);
  assert.deepEqual(await tables(nested), ["OfFork", "Seeded"]);
  assert.deepEqual(await world.describe(), { name: "my-test", tables: 0, items: 0, bytes: 0, fork: true, ttl: 60, regions: [] });
  await world.drop();
  await assert.rejects(world.describe(), (error) => error instanceof DinetteError && error.status === 404);
});

test("a snapshot is restored", async () => {
  const world = await server.world.fork();
  const snapshot = await world.snapshot();
  await createTable(world, "Later");
  await world.restore(snapshot);
  assert.ok(!(await tables(world)).includes("Later"));
});

test("a clock is set, advanced, stopped and sped up, in its world alone", async () => {
  const { clock } = await server.world.fork();
  await clock.freeze();
  await clock.set(new Date(Date.UTC(2030, 0, 1)));
  assert.equal((await clock.advance("PT25H")).now, "2030-01-02T01:00:00.000Z");
  assert.equal((await clock.advance(-3600)).now, "2030-01-02T00:00:00.000Z");
  assert.equal((await clock.setRate(60)).rate, 60);
  assert.equal((await clock.unfreeze()).frozen, false);
  assert.equal((await server.world.clock.read()).rate, 1);
});

test("a refusal says why", async () => {
  await assert.rejects(server.world.clock.advance("tomorrow"), (error) => {
    assert.deepEqual([error.name, error.status, error.code], ["DinetteError", 400, "BadRequest"]);
    return /'advance' must be/.test(error.message);
  });
});

test("a server that runs already needs its token", async () => {
  const guarded = await start({ args: ["--admin-token", "secret"] });
  try {
    await assert.rejects(connect(guarded.endpoint).world.fork(), { status: 401 });
    const world = await connect(guarded.endpoint + "/", { token: "secret" }).world.fork();
    assert.equal(world.name, "world-1");
  } finally {
    await guarded.stop();
  }
});

test("the token comes from the environment too", async () => {
  process.env.DINETTE_ADMIN_TOKEN = "of-environment";
  const guarded = await start();
  try {
    assert.equal((await guarded.world.fork()).name, "world-1");
    assert.equal((await connect(guarded.endpoint).world.fork()).name, "world-2");
    await assert.rejects(connect(guarded.endpoint, { token: "wrong" }).world.fork(), DinetteError);
  } finally {
    delete process.env.DINETTE_ADMIN_TOKEN;
    await guarded.stop();
  }
});

test("a server is started with a token", async () => {
  const guarded = await start({ token: "given" });
  try {
    assert.equal((await guarded.world.fork()).name, "world-1");
    await assert.rejects(connect(guarded.endpoint).world.fork(), { status: 401 });
  } finally {
    await guarded.stop();
  }
});

test("a program that does not start is an error", async () => {
  await assert.rejects(start({ program: "/nothing" }), {
    code: "ENOENT",
    message: /^Cannot start \/nothing: there is no such program\. Install Dinette .*, or set DINETTE_PROGRAM to its path\.$/,
  });
  await assert.rejects(start({ program: "/etc/passwd" }), { code: "EACCES", message: /: it may not be executed\. / });
  await assert.rejects(start({ args: ["--nonsense"] }), /ended with 2 before it was ready/);
});
