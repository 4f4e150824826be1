// clients/js: the set-up for test runners. This file is set up as one of Vitest's or Jest's would be.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, test } from "node:test";

import globalSetup from "../../../clients/js/global-setup.js";

const teardown = await globalSetup();
const file = await import("../../../clients/js/test-file.js");
after(teardown); // after the world was dropped: hooks run in order

const require = createRequire(new URL("../../protocol/package.json", import.meta.url));
const { DynamoDBClient, ListTablesCommand } = require("@aws-sdk/client-dynamodb");

test("the SDK is in the world of the file without any configuration", async () => {
  const before = await file.world.describe();
  assert.match(before.name, /^test-[0-9a-f]{16}$/);
  assert.equal(process.env.AWS_ACCESS_KEY_ID, before.name);
  const client = new DynamoDBClient({});
  assert.deepEqual((await client.send(new ListTablesCommand({}))).TableNames, []);
  const endpoint = await client.config.endpointProvider({ Region: "us-east-1", Endpoint: process.env.DINETTE_ENDPOINT });
  assert.equal(endpoint.url.origin, process.env.DINETTE_ENDPOINT);
});
