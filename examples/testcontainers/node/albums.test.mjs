import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { CreateTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { GenericContainer, Wait } from "testcontainers";

/** @type {import("testcontainers").StartedTestContainer} */
let dinette;
/** @type {DynamoDBClient} */
let client;

before(async () => {
  dinette = await new GenericContainer("dinette")
    .withExposedPorts(8000)
    .withWaitStrategy(Wait.forHttp("/", 8000))
    .start();
  client = new DynamoDBClient({
    endpoint: `http://${dinette.getHost()}:${dinette.getMappedPort(8000)}`,
    region: "us-east-1",
    credentials: { accessKeyId: "any", secretAccessKey: "any" },
  });
});

after(async () => {
  client?.destroy();
  await dinette?.stop();
});

test("an item is read", async () => {
  await client.send(
    new CreateTableCommand({
      TableName: "Albums",
      AttributeDefinitions: [{ AttributeName: "artist", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "artist", KeyType: "HASH" }],
      BillingMode: "PAY_PER_REQUEST",
    }),
  );
  const Item = { artist: { S: "Nina Simone" }, year: { N: "1965" } };
  await client.send(new PutItemCommand({ TableName: "Albums", Item }));
  const read = await client.send(new GetItemCommand({ TableName: "Albums", Key: { artist: Item.artist } }));
  assert.deepEqual(read.Item, Item);
});
