// serverless-offline with its own settings: functions are at port 3002, where --lambda-endpoint says that they are.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { CreateTableCommand, DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { CreateEventSourceMappingCommand, GetEventSourceMappingCommand, LambdaClient } from "@aws-sdk/client-lambda";

const PATIENCE_MS = 60_000;
const tables = new DynamoDBClient();
const mappings = new LambdaClient();
let offline;

async function eventually(get) {
  for (const end = Date.now() + PATIENCE_MS; ; await pause(50)) {
    const value = await get();
    if (value) return value;
    assert.ok(Date.now() < end, `not seen within ${PATIENCE_MS} ms: ${get}`);
  }
}

before(async () => {
  offline = spawn("node_modules/.bin/serverless", ["offline", "start"], { stdio: ["ignore", "ignore", "inherit"], detached: true });
  await eventually(async () => (await fetch("http://127.0.0.1:3002").catch(() => null)) !== null);
});

after(() => process.kill(-offline.pid));

test("a function gets the changes of a table, and again what it could not do", async () => {
  const { TableDescription } = await tables.send(
    new CreateTableCommand({
      TableName: "Orders",
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      BillingMode: "PAY_PER_REQUEST",
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
    }),
  );
  const { UUID } = await mappings.send(
    new CreateEventSourceMappingCommand({
      FunctionName: "shop-dev-orders",
      EventSourceArn: TableDescription.LatestStreamArn,
      StartingPosition: "TRIM_HORIZON",
      FunctionResponseTypes: ["ReportBatchItemFailures"],
    }),
  );
  for (const pk of ["rich", "poor"]) await tables.send(new PutItemCommand({ TableName: "Orders", Item: { pk: { S: pk } } }));
  const calls = () =>
    existsSync("events.jsonl") ? readFileSync("events.jsonl", "utf8").trim().split("\n").map((line) => JSON.parse(line)) : [];
  const keys = () => calls().flatMap(({ Records }) => Records.map(({ dynamodb }) => dynamodb.Keys.pk.S));
  await eventually(() => keys().filter((key) => key === "poor").length === 2);
  assert.equal(keys().filter((key) => key === "rich").length, 1);
  await eventually(async () => (await mappings.send(new GetEventSourceMappingCommand({ UUID }))).LastProcessingResult === "OK");
});
