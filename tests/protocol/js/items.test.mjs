import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  ConditionalCheckFailedException,
  GetItemCommand,
  PutItemCommand,
  ResourceNotFoundException,
} from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { createTable, makeClient, makeDocumentClient } from "./client.mjs";
import { startServer } from "./server.mjs";

const TableName = "Music";
let server, client, documents;
before(async () => {
  server = await startServer();
  client = makeClient(server.endpoint);
  documents = makeDocumentClient(client);
  await createTable(client, TableName);
});
after(async () => {
  client.destroy();
  await server.stop();
});

// A key of each test's own.
const keyOf = (t) => ({ artist: t.name, song: "a song" });

test("an item is put, got, updated and deleted", async (t) => {
  const Key = keyOf(t);
  await documents.send(new PutCommand({ TableName, Item: { ...Key, year: 2001 } }));
  const got = await documents.send(new GetCommand({ TableName, Key }));
  assert.deepEqual(got.Item, { ...Key, year: 2001 });
  const updated = await documents.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: "SET #y = #y + :one, genre = if_not_exists(genre, :genre)",
      ExpressionAttributeNames: { "#y": "year" },
      ExpressionAttributeValues: { ":one": 1, ":genre": "Country" },
      ReturnValues: "ALL_NEW",
    }),
  );
  assert.deepEqual(updated.Attributes, { ...Key, year: 2002, genre: "Country" });
  const deleted = await documents.send(new DeleteCommand({ TableName, Key, ReturnValues: "ALL_OLD" }));
  assert.deepEqual(deleted.Attributes, updated.Attributes);
  const gone = await documents.send(new GetCommand({ TableName, Key }));
  assert.equal(gone.Item, undefined);
  assert.equal(gone.$metadata.attempts, 1);
});

test("every type comes back as it went", async (t) => {
  const Item = {
    artist: { S: t.name },
    song: { S: "Zoë ✓ 😀" },
    number: { N: "-1234567890123456789012345678.901234567" },
    huge: { N: "9.9999999999999999999999999999999999999E+125" },
    binary: { B: Uint8Array.from({ length: 256 }, (_, i) => i) },
    none: { NULL: true },
    yes: { BOOL: true },
    list: { L: [{ S: "" }, { L: [] }, { M: {} }] },
    map: { M: { "a key with spaces": { M: { deep: { N: "0" } } } } },
    strings: { SS: ["x", "y"] },
    numbers: { NS: ["1", "2.5"] },
    binaries: { BS: [Uint8Array.of(0), Uint8Array.of(255)] },
  };
  await client.send(new PutItemCommand({ TableName, Item }));
  const Key = { artist: Item.artist, song: Item.song };
  const { Item: got } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));

  // The same number, though not necessarily with an exponent.
  assert.equal(Number(got.huge.N), Number(Item.huge.N));
  delete got.huge, delete Item.huge;
  for (const set of ["SS", "NS"]) {
    for (const item of [got, Item]) Object.values(item).forEach((value) => value[set]?.sort());
  }
  const bytes = (set) => set.map((one) => Buffer.from(one).toString("hex")).sort();
  assert.deepEqual(bytes(got.binaries.BS), bytes(Item.binaries.BS));
  delete got.binaries, delete Item.binaries;
  assert.deepEqual(got, Item);
});

test("sets of the document client are sets", async (t) => {
  const Key = keyOf(t);
  const Item = { ...Key, tags: new Set(["a", "b"]), years: new Set([1999, 2001]) };
  await documents.send(new PutCommand({ TableName, Item }));
  const got = await documents.send(new GetCommand({ TableName, Key }));
  assert.deepEqual(got.Item, Item);
});

test("a condition that fails shows the item, is its own class and is not tried again", async (t) => {
  const Item = { ...keyOf(t), plays: 1 };
  const put = new PutCommand({
    TableName,
    Item,
    ConditionExpression: "attribute_not_exists(artist)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  await documents.send(put);
  const before = client.requestsSent;
  await assert.rejects(documents.send(put), (error) => {
    assert.ok(error instanceof ConditionalCheckFailedException);
    assert.equal(error.message, "The conditional request failed");
    assert.deepEqual(error.Item.plays, { N: "1" });
    return true;
  });
  assert.equal(client.requestsSent - before, 1);
});

test("update expressions reach into documents", async (t) => {
  const Key = keyOf(t);
  await documents.send(
    new PutCommand({ TableName, Item: { ...Key, doc: { list: [1, 2, 3], gone: 1 }, tags: new Set(["a", "b"]) } }),
  );
  const updated = await documents.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: "SET doc.#l[1] = :two, doc.more = list_append(doc.#l, :tail) REMOVE doc.gone DELETE tags :b",
      ExpressionAttributeNames: { "#l": "list" },
      ExpressionAttributeValues: { ":two": "two", ":tail": [4], ":b": new Set(["b"]) },
      ReturnValues: "ALL_NEW",
    }),
  );
  assert.deepEqual(updated.Attributes, {
    ...Key,
    doc: { list: [1, "two", 3], more: [1, 2, 3, 4] },
    tags: new Set(["a"]),
  });
});

test("the service's errors arrive word by word", async (t) => {
  const Key = keyOf(t);
  await assert.rejects(documents.send(new GetCommand({ TableName: "nowhere", Key })), (error) => {
    assert.ok(error instanceof ResourceNotFoundException);
    assert.equal(error.message, "Requested resource not found");
    return true;
  });
  await assert.rejects(documents.send(new GetCommand({ TableName, Key: { artist: "x" } })), {
    name: "ValidationException",
    message: "The provided key element does not match the schema",
  });
  await assert.rejects(documents.send(new PutCommand({ TableName, Item: { artist: "x" } })), {
    name: "ValidationException",
    message: "One or more parameter values were invalid: Missing the key song in the item",
  });
  await assert.rejects(
    documents.send(new UpdateCommand({ TableName, Key, UpdateExpression: "SET a = :missing" })),
    {
      name: "ValidationException",
      message:
        "1 validation error detected: Invalid UpdateExpression: An expression attribute value used in expression " +
        "is not defined; attribute value: :missing",
    },
  );
});

test("batches write and read several items", async (t) => {
  const keys = ["a", "b", "c"].map((song) => ({ artist: t.name, song }));
  const puts = keys.map((key) => ({ PutRequest: { Item: { ...key, plays: 1 } } }));
  const written = await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: puts } }));
  assert.deepEqual(written.UnprocessedItems, {});
  await documents.send(
    new BatchWriteCommand({ RequestItems: { [TableName]: [{ DeleteRequest: { Key: keys[1] } }] } }),
  );
  const read = await documents.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: keys } } }));
  assert.deepEqual(read.Responses, { [TableName]: [{ ...keys[0], plays: 1 }, { ...keys[2], plays: 1 }] });
  assert.deepEqual(read.UnprocessedKeys, {});
});

test("many requests at once are all answered", async (t) => {
  const before = client.requestsSent;
  const keys = Array.from({ length: 200 }, (_, i) => ({ artist: t.name, song: String(i) }));
  await Promise.all(keys.map((Item) => documents.send(new PutCommand({ TableName, Item }))));
  const got = await Promise.all(keys.map((Key) => documents.send(new GetCommand({ TableName, Key }))));
  assert.deepEqual(got.map(({ Item }) => Item), keys);
  assert.equal(client.requestsSent - before, 400);
});
