import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CreateTableCommand,
  ProvisionedThroughputExceededException,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import { makeClient } from "./client.mjs";
import { startServer } from "./server.mjs";

const TableName = "Music";
const large = { id: { S: "large" }, data: { S: "x".repeat(350_000) } };
const small = { id: { S: "small" } };

test("a throttled request is retried until there is credit, and says why it is throttled", async () => {
  const server = await startServer("--throttle", "service");
  const clock = async (change) => {
    const answer = await fetch(`${server.endpoint}/_dinette/clock`, { method: "PUT", body: JSON.stringify(change) });
    assert.equal(answer.status, 200);
  };
  const client = makeClient(server.endpoint, { maxAttempts: 3 });
  try {
    await clock({ frozen: true });
    await client.send(
      new CreateTableCommand({
        TableName,
        ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
        AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
        KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      }),
    );
    await client.send(new PutItemCommand({ TableName, Item: large }));

    await assert.rejects(client.send(new PutItemCommand({ TableName, Item: small })), (error) => {
      assert.ok(error instanceof ProvisionedThroughputExceededException);
      assert.equal(error.$metadata.attempts, 3);
      assert.deepEqual(error.ThrottlingReasons, [
        {
          reason: "TableWriteProvisionedThroughputExceeded",
          resource: "arn:aws:dynamodb:us-east-1:000000000000:table/Music",
        },
      ]);
      return true;
    });

    // Each attempt comes half a second later.
    const later = (next) => async (args) => {
      await clock({ advance: "PT0.5S" });
      return next(args);
    };
    client.middlewareStack.add(later, { step: "deserialize", name: "halfASecondLater" });
    const { $metadata } = await client.send(new PutItemCommand({ TableName, Item: small }));
    assert.equal($metadata.attempts, 2);
  } finally {
    client.destroy();
    await server.stop();
  }
});
