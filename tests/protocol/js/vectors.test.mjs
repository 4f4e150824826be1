// Vector indexes with the SDK, whose version here does not have them yet: another command is sent, signed and retried by the SDK,
// with their target and body.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { DynamoDBDocumentClient, PutCommand } from "@aws-sdk/lib-dynamodb";
import { ListTablesCommand, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { makeClient } from "./client.mjs";
import { startServer } from "./server.mjs";

let server;
let client;

before(async () => {
  server = await startServer("--auth", "present");
  client = makeClient(server.endpoint);
});

after(async () => {
  client.destroy();
  await server.stop();
});

async function call(operation, input) {
  const command = new ListTablesCommand({});
  const body = JSON.stringify(input);
  let answer;
  const replace = (next) => (args) => {
    args.request.headers["x-amz-target"] = `DynamoDB_20120810.${operation}`;
    args.request.headers["content-length"] = String(Buffer.byteLength(body));
    args.request.body = body;
    return next(args);
  };
  const read = (next) => async (args) => {
    const result = await next(args);
    const chunks = [];
    for await (const chunk of result.response.body) chunks.push(chunk);
    const text = Buffer.concat(chunks);
    answer = JSON.parse(text.toString());
    result.response.body = Readable.from([text]);
    return result;
  };
  command.middlewareStack.add(replace, { step: "build", name: "otherOperation", priority: "low" });
  command.middlewareStack.add(read, { step: "deserialize", name: "wholeAnswer", priority: "low" });
  await client.send(command);
  return answer;
}

const vector = (...values) => values.map((value) => ({ N: String(value) }));

test("an index is created with its table, and searched", async () => {
  const { TableDescription } = await call("CreateTable", {
    TableName: "Films",
    BillingMode: "PAY_PER_REQUEST",
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }, { AttributeName: "language", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    VectorIndexes: [{
      IndexName: "byPlot",
      VectorAttribute: { AttributeName: "plot" },
      Dimensions: 2,
      DistanceFunction: "EUCLIDEAN",
      Projection: { ProjectionType: "ALL" },
      SearchSchema: [{ AttributeName: "language", SearchSchemaElementType: "INLINE_FILTER" }],
    }],
  });
  assert.equal(TableDescription.VectorIndexes[0].IndexStatus, "CREATING");
  await waitUntilTableExists({ client, minDelay: 1, maxWaitTime: 10 }, { TableName: "Films" });
  const documents = DynamoDBDocumentClient.from(client);
  for (const [id, language, plot] of [["a", "en", [0, 0]], ["b", "fr", [1, 0]], ["c", "en", [3, 4]]])
    await documents.send(new PutCommand({ TableName: "Films", Item: { id, language, plot } }));
  const search = { TableName: "Films", IndexName: "byPlot", SearchVector: vector(0, 0), TopK: 2 };
  const nearest = await call("SearchVectors", search);
  assert.deepEqual(nearest.SearchResults.map(({ Item, Score }) => [Item.id.S, Score]), [["a", 0], ["b", 1]]);
  const english = await call("SearchVectors", {
    ...search,
    SearchConditionExpression: "#l = :l",
    ExpressionAttributeNames: { "#l": "language" },
    ExpressionAttributeValues: { ":l": { S: "en" } },
    ProjectionExpression: "plot",
  });
  assert.deepEqual(english.SearchResults, [
    { Item: { plot: { L: vector("0.0", "0.0") } }, Score: 0 },
    { Item: { plot: { L: vector("3.0", "4.0") } }, Score: 5 },
  ]);
  await assert.rejects(call("SearchVectors", { ...search, SearchVector: vector(1) }), {
    name: "ValidationException",
    message: "Input search vector dimension 1 does not match vector index dimension 2",
  });
});
