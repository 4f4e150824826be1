// Transactions of the document client: records in stock and the orders for them, in two tables.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  IdempotentParameterMismatchException,
  ResourceNotFoundException,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import { GetCommand, PutCommand, TransactGetCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { createTable, makeClient, makeDocumentClient } from "./client.mjs";
import { startServer } from "./server.mjs";

const [Stock, Orders] = ["Stock", "Orders"];
let server, client, documents;
before(async () => {
  server = await startServer();
  client = makeClient(server.endpoint);
  documents = makeDocumentClient(client);
  await createTable(client, Stock);
  await createTable(client, Orders);
});
after(async () => {
  client.destroy();
  await server.stop();
});

const none = { Code: "None" };
// A key of each test's own.
const keyOf = (t, song = "a song") => ({ artist: t.name, song });
const put = (TableName, Item) => documents.send(new PutCommand({ TableName, Item }));
const get = async (TableName, Key) =>
  (await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
const write = (TransactItems, options) => documents.send(new TransactWriteCommand({ TransactItems, ...options }));
const read = (TransactItems, options) => documents.send(new TransactGetCommand({ TransactItems, ...options }));

const sell = (Key, options) => ({
  Update: {
    TableName: Stock,
    Key,
    UpdateExpression: "SET #left = #left - :one",
    ConditionExpression: "#left >= :one",
    ExpressionAttributeNames: { "#left": "left" },
    ExpressionAttributeValues: { ":one": 1 },
    ...options,
  },
});

test("a transaction writes to several tables", async (t) => {
  const [sold, dropped, checked] = ["sold", "dropped", "checked"].map((song) => keyOf(t, song));
  await Promise.all([sold, dropped, checked].map((key) => put(Stock, { ...key, left: 2 })));
  const { $metadata, ...rest } = await write([
    sell(sold),
    { Put: { TableName: Orders, Item: { ...sold, tags: new Set(["gift"]), to: { city: "Lagos" } } } },
    { Delete: { TableName: Stock, Key: dropped } },
    {
      ConditionCheck: {
        TableName: Stock,
        Key: checked,
        ConditionExpression: "#left = :two",
        ExpressionAttributeNames: { "#left": "left" },
        ExpressionAttributeValues: { ":two": 2 },
      },
    },
  ]);
  assert.deepEqual(rest, {});
  assert.equal($metadata.attempts, 1);
  assert.deepEqual(await get(Stock, sold), { ...sold, left: 1 });
  assert.deepEqual(await get(Orders, sold), { ...sold, tags: new Set(["gift"]), to: { city: "Lagos" } });
  assert.equal(await get(Stock, dropped), undefined);
  assert.deepEqual(await get(Stock, checked), { ...checked, left: 2 });
});

test("a transaction reads from several tables, in the order of the request", async (t) => {
  const key = keyOf(t);
  const item = { ...key, left: 3, shelves: ["a", { b: new Set([1, 2]) }] };
  await put(Stock, item);
  await put(Orders, { ...key, year: 1977 });
  const { Responses, ConsumedCapacity } = await read(
    [
      {
        Get: {
          TableName: Orders,
          Key: key,
          ProjectionExpression: "#y",
          ExpressionAttributeNames: { "#y": "year" },
        },
      },
      { Get: { TableName: Stock, Key: keyOf(t, "no such song") } },
      { Get: { TableName: Stock, Key: key } },
    ],
    { ReturnConsumedCapacity: "TOTAL" },
  );
  assert.deepEqual(Responses, [{ Item: { year: 1977 } }, {}, { Item: item }]);
  const units = Object.fromEntries(ConsumedCapacity.map((one) => [one.TableName, one.ReadCapacityUnits]));
  assert.deepEqual(units, { [Orders]: 2, [Stock]: 4 });
});

test("a cancelled transaction writes nothing, says why, and is not tried again", async (t) => {
  const [left, gone, never] = ["left", "gone", "never"].map((song) => keyOf(t, song));
  await put(Stock, { ...left, left: 1 });
  await put(Stock, { ...gone, left: 0 });
  const showing = { ReturnValuesOnConditionCheckFailure: "ALL_OLD" };
  const before = client.requestsSent;
  await assert.rejects(
    write([
      sell(left, showing),
      sell(gone, showing),
      sell(never, showing),
      { Put: { TableName: Stock, Item: { ...gone, song: "another", left: 7 } } },
      { ConditionCheck: { TableName: Orders, Key: left, ConditionExpression: "attribute_exists(artist)" } },
    ]),
    (error) => {
      assert.ok(error instanceof TransactionCanceledException);
      assert.equal(
        error.message,
        "Transaction cancelled, please refer cancellation reasons for specific reasons " +
          "[None, ConditionalCheckFailed, ConditionalCheckFailed, None, ConditionalCheckFailed]",
      );
      const failed = { Code: "ConditionalCheckFailed", Message: "The conditional request failed" };
      const Item = { artist: { S: t.name }, song: { S: "gone" }, left: { N: "0" } };
      assert.deepEqual(error.CancellationReasons, [none, { ...failed, Item }, failed, none, failed]);
      assert.equal(error.$metadata.httpStatusCode, 400);
      return true;
    },
  );
  assert.equal(client.requestsSent - before, 1);
  assert.deepEqual(await get(Stock, left), { ...left, left: 1 });
  assert.equal(await get(Stock, { ...gone, song: "another" }), undefined);
});

test("an action that its table cannot take cancels the transaction", async (t) => {
  const key = keyOf(t);
  const cancelled = (reason) => ({
    name: "TransactionCanceledException",
    CancellationReasons: [none, { Code: "ValidationError", Message: reason }],
  });
  const order = { Put: { TableName: Orders, Item: key } };
  await assert.rejects(
    write([order, { Delete: { TableName: Stock, Key: { artist: t.name } } }]),
    cancelled("The provided key element does not match the schema"),
  );
  await assert.rejects(
    write([order, { Put: { TableName: Stock, Item: { ...key, song: 1 } } }]),
    cancelled("One or more parameter values were invalid: Type mismatch for key song expected: S actual: N"),
  );
  await assert.rejects(
    read([{ Get: { TableName: Stock, Key: key } }, { Get: { TableName: Stock, Key: {} } }]),
    cancelled("The provided key element does not match the schema"),
  );
  assert.equal(await get(Orders, key), undefined);
});

test("a transaction that is no valid request is refused as a whole", async (t) => {
  const key = keyOf(t);
  const order = { Put: { TableName: Orders, Item: key } };
  const repeated = {
    name: "ValidationException",
    message: "Transaction request cannot include multiple operations on one item",
  };
  await assert.rejects(write([order, { Delete: { TableName: Orders, Key: key } }]), repeated);
  const getting = { Get: { TableName: Orders, Key: key } };
  await assert.rejects(read([getting, getting]), repeated);
  await assert.rejects(write([order, { Delete: { TableName: "nowhere", Key: key } }]), (error) => {
    assert.ok(error instanceof ResourceNotFoundException);
    assert.equal(error.message, "Requested resource not found");
    return true;
  });
  await assert.rejects(write([order, sell(key, { UpdateExpression: "SET #left =" })]), {
    name: "ValidationException",
    message: 'Invalid UpdateExpression: Syntax error; token: "<EOF>", near: "="',
  });
  assert.equal(await get(Orders, key), undefined);
});

test("a request with the same token runs once, another request with it is refused", async (t) => {
  const key = keyOf(t);
  await put(Stock, { ...key, left: 5 });
  const options = { ClientRequestToken: "c0ffee00-one-sale", ReturnConsumedCapacity: "TOTAL" };
  const first = await write([sell(key)], options);
  assert.deepEqual(first.ConsumedCapacity, [{ TableName: Stock, CapacityUnits: 2, WriteCapacityUnits: 2 }]);
  const again = await write([sell(key)], options);
  assert.deepEqual(again.ConsumedCapacity, [{ TableName: Stock, CapacityUnits: 2, ReadCapacityUnits: 2 }]);
  assert.equal((await get(Stock, key)).left, 4);

  const other = sell(key, { ExpressionAttributeValues: { ":one": 2 } });
  await assert.rejects(write([other], options), (error) => {
    assert.ok(error instanceof IdempotentParameterMismatchException);
    assert.equal(
      error.message,
      "Specified idempotent token was used with different request parameters within the idempotency window",
    );
    return true;
  });
  assert.equal((await get(Stock, key)).left, 4);
});

test("the client makes a new token for each call", async (t) => {
  const key = keyOf(t);
  await put(Stock, { ...key, left: 5 });
  const command = new TransactWriteCommand({ TransactItems: [sell(key)] });
  await documents.send(command);
  await documents.send(command);
  assert.equal((await get(Stock, key)).left, 3);
});

test("a hundred actions are written, and read, at once", async (t) => {
  const keys = Array.from({ length: 100 }, (_, i) => keyOf(t, `song ${i}`));
  await write(keys.map((key, i) => ({ Put: { TableName: Stock, Item: { ...key, left: i } } })));
  const { Responses } = await read(keys.map((Key) => ({ Get: { TableName: Stock, Key } })));
  assert.deepEqual(
    Responses.map(({ Item }) => Item.left),
    keys.map((_, i) => i),
  );
});

test("concurrent transactions neither lose nor repeat a sale, and are seen as a whole", async (t) => {
  const key = keyOf(t);
  await put(Stock, { ...key, left: 30 });
  await put(Orders, { ...key, sold: 0 });
  const order = {
    Update: {
      TableName: Orders,
      Key: key,
      UpdateExpression: "ADD sold :one",
      ExpressionAttributeValues: { ":one": 1 },
    },
  };
  const readBoth = async () => {
    const { Responses } = await read([Stock, Orders].map((TableName) => ({ Get: { TableName, Key: key } })));
    return Responses.map(({ Item }) => Item.left ?? Item.sold);
  };
  // Transactions wait for each other here; the service cancels one of two that meet (docs/differences.md).
  const sales = Array.from({ length: 40 }, () => write([sell(key), order]));
  const readings = Array.from({ length: 20 }, readBoth);
  const [outcomes, sums] = await Promise.all([Promise.allSettled(sales), Promise.all(readings)]);
  assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 30);
  for (const { reason } of outcomes.filter(({ status }) => status === "rejected"))
    assert.deepEqual(
      reason.CancellationReasons.map(({ Code }) => Code),
      ["ConditionalCheckFailed", "None"],
    );
  for (const [left, sold] of sums) assert.equal(left + sold, 30);
  assert.deepEqual(await readBoth(), [0, 30]);
});
