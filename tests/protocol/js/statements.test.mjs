// PartiQL through the document client.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  ConditionalCheckFailedException,
  DuplicateItemException,
  IdempotentParameterMismatchException,
  ResourceNotFoundException,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import {
  BatchExecuteStatementCommand,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
} from "@aws-sdk/lib-dynamodb";
import { createTable, makeClient, makeDocumentClient } from "./client.mjs";
import { startServer } from "./server.mjs";

let server, client, documents;
before(async () => {
  server = await startServer();
  client = makeClient(server.endpoint);
  documents = makeDocumentClient(client);
  await createTable(client, "Music");
});
after(async () => {
  client.destroy();
  await server.stop();
});

const run = (Statement, Parameters, options) =>
  documents.send(new ExecuteStatementCommand({ Statement, Parameters, ...options }));
const runBatch = (Statements, options) => documents.send(new BatchExecuteStatementCommand({ Statements, ...options }));
const transact = (TransactStatements, options) =>
  documents.send(new ExecuteTransactionCommand({ TransactStatements, ...options }));

// Statements for an item of each test's own.
const ofKey = "WHERE artist = ? AND song = ?";
const insert = (t, song, plays = 0) => ({
  Statement: "INSERT INTO Music VALUE {'artist': ?, 'song': ?, 'plays': ?}",
  Parameters: [t.name, song, plays],
});
const select = (t, song) => ({ Statement: `SELECT * FROM Music ${ofKey}`, Parameters: [t.name, song] });
const play = (t, song, plays) => ({
  Statement: `UPDATE Music SET plays = plays + 1 ${ofKey} AND plays = ?`,
  Parameters: [t.name, song, plays],
});
const remove = (t, song) => ({ Statement: `DELETE FROM Music ${ofKey}`, Parameters: [t.name, song] });
const runOne = ({ Statement, Parameters }, options) => run(Statement, Parameters, options);
const insertSongs = (t, count) =>
  Promise.all(Array.from({ length: count }, (_, i) => runOne(insert(t, `song ${i}`, i))));

test("an item is inserted, selected, updated and deleted", async (t) => {
  const key = [t.name, "a song"];
  const values = {
    tags: new Set(["a", "b"]),
    years: new Set([1999, 2001]),
    doc: { parts: [1, "two", null, true, {}], empty: "" },
    bytes: Uint8Array.of(0, 128, 255),
  };
  const inserted = await run(
    `INSERT INTO "Music" VALUE {'artist': ?, 'song': ?, 'plays': 1.5, 'tags': ?, 'years': ?, 'doc': ?, 'bytes': ?}`,
    [...key, values.tags, values.years, values.doc, values.bytes],
  );
  assert.deepEqual(inserted.Items, []);
  const item = { artist: t.name, song: "a song", plays: 1.5, ...values };
  assert.deepEqual((await runOne(select(t, "a song"))).Items, [item]);

  const updated = await run(
    `UPDATE "Music" SET plays = plays + ? SET doc.parts[1] = 2 REMOVE bytes SET tags = set_delete(tags, ?)
     ${ofKey} RETURNING ALL NEW *`,
    [2, new Set(["a"]), ...key],
  );
  const { bytes, ...rest } = item;
  const changed = {
    ...rest,
    plays: 3.5,
    tags: new Set(["b"]),
    doc: { ...values.doc, parts: [1, 2, null, true, {}] },
  };
  assert.deepEqual(updated.Items, [changed]);
  assert.deepEqual((await run(`SELECT doc.parts[1], plays FROM Music ${ofKey}`, key)).Items, [
    { "parts[1]": 2, plays: 3.5 },
  ]);

  const deleted = await run(`DELETE FROM "Music" ${ofKey} RETURNING ALL OLD *`, key);
  assert.deepEqual(deleted.Items, [changed]);
  assert.deepEqual((await runOne(select(t, "a song"))).Items, []);
});

test("the songs of an artist are selected a page at a time", async (t) => {
  await insertSongs(t, 10);
  const pages = [];
  let NextToken;
  do {
    const page = await run("SELECT song FROM Music WHERE artist = ? AND plays <> 5 ORDER BY song DESC", [t.name], {
      Limit: 4,
      NextToken,
      ConsistentRead: true,
    });
    pages.push(page.Items.map(({ song }) => song));
    NextToken = page.NextToken;
  } while (NextToken);
  assert.deepEqual(pages, [
    ["song 9", "song 8", "song 7", "song 6"],
    ["song 4", "song 3", "song 2"],
    ["song 1", "song 0"],
  ]);
});

test("a statement without a limit is paged by size", async (t) => {
  const filler = "x".repeat(300_000);
  const songs = ["a", "b", "c", "d", "e"];
  await Promise.all(
    songs.map((song) => run("INSERT INTO Music VALUE {'artist': ?, 'song': ?, 'filler': ?}", [t.name, song, filler])),
  );
  const statement = ["SELECT song FROM Music WHERE artist = ?", [t.name]];
  const first = await run(...statement);
  assert.deepEqual(
    first.Items.map(({ song }) => song),
    songs.slice(0, 4),
  );
  assert.deepEqual(first.LastEvaluatedKey, { artist: t.name, song: "d" });
  const second = await run(...statement, { NextToken: first.NextToken });
  assert.deepEqual(second.Items, [{ song: "e" }]);
  assert.equal(second.NextToken, undefined);
});

test("a token belongs to its statement", async (t) => {
  await insertSongs(t, 3);
  const statement = "SELECT * FROM Music WHERE artist = ?";
  const { NextToken } = await run(statement, [t.name], { Limit: 1 });
  const refused = (message) => ({ name: "ValidationException", message });
  await assert.rejects(run(statement, ["another"], { NextToken }), refused("NextToken does not match request"));
  await assert.rejects(run(statement, [t.name], { NextToken: "none" }), refused("Invalid NextToken"));
  const rest = await run(statement, [t.name], { NextToken });
  assert.deepEqual(
    rest.Items.map(({ song }) => song),
    ["song 1", "song 2"],
  );
});

test("statements that fail throw the SDK's classes, and are not tried again", async (t) => {
  await runOne(insert(t, "a song", 7));
  const before = client.requestsSent;
  await assert.rejects(runOne(insert(t, "a song")), (error) => {
    assert.ok(error instanceof DuplicateItemException);
    assert.equal(error.message, "Duplicate primary key exists in table");
    return true;
  });
  const wish = { ReturnValuesOnConditionCheckFailure: "ALL_OLD" };
  await assert.rejects(runOne(play(t, "a song", 8), wish), (error) => {
    assert.ok(error instanceof ConditionalCheckFailedException);
    assert.equal(error.message, "The conditional request failed");
    assert.deepEqual(error.Item, { artist: { S: t.name }, song: { S: "a song" }, plays: { N: "7" } });
    return true;
  });
  await assert.rejects(run("SELECT * FROM nowhere"), (error) => {
    assert.ok(error instanceof ResourceNotFoundException);
    assert.equal(error.message, "Requested resource not found");
    return true;
  });
  await assert.rejects(run("SELECT * FROM Music WHERE"), {
    name: "ValidationException",
    message: "Statement wasn't well formed, can't be processed: Unexpected term",
  });
  await assert.rejects(run("UPDATE Music SET plays = 1 WHERE artist = 'x'"), {
    name: "ValidationException",
    message: "Where clause does not contain a mandatory equality on all key attributes",
  });
  assert.equal(client.requestsSent - before, 5);
});

test("each statement of a batch that writes has a response of its own", async (t) => {
  await runOne(insert(t, "old", 1));
  const { Responses } = await runBatch([
    insert(t, "new"),
    insert(t, "old"),
    { ...play(t, "absent", 0), ReturnValuesOnConditionCheckFailure: "ALL_OLD" },
    { Statement: "UPDATE nowhere SET a = 1 WHERE b = 1" },
    { Statement: "SELECT" },
    remove(t, "nothing"),
  ]);
  const TableName = "Music";
  const failed = { Code: "ConditionalCheckFailed", Message: "The conditional request failed" };
  assert.deepEqual(Responses.slice(0, 4), [
    { TableName },
    { TableName, Error: { Code: "DuplicateItem", Message: "Duplicate primary key exists in table" } },
    { TableName, Error: failed },
    { Error: { Code: "ResourceNotFound", Message: "Requested resource not found" } },
  ]);
  assert.equal(Responses[4].Error.Code, "ValidationError");
  assert.match(Responses[4].Error.Message, /^Statement wasn't well formed, can't be processed: /);
  assert.deepEqual(Responses[5], { TableName });
  assert.equal((await runOne(select(t, "new"))).Items.length, 1);
});

test("a batch of statements reads by whole keys", async (t) => {
  await insertSongs(t, 2);
  const { Responses, ConsumedCapacity } = await runBatch(
    [
      select(t, "song 1"),
      { ...select(t, "song 0"), ConsistentRead: true },
      select(t, "none"),
      { Statement: "SELECT * FROM Music WHERE artist = ?", Parameters: [t.name] },
    ],
    { ReturnConsumedCapacity: "TOTAL" },
  );
  const item = (plays) => ({ artist: t.name, song: `song ${plays}`, plays });
  const Message = "Select statements within BatchExecuteStatement must specify the primary key in the where clause.";
  assert.deepEqual(Responses, [
    { TableName: "Music", Item: item(1) },
    { TableName: "Music", Item: item(0) },
    { TableName: "Music" },
    { Error: { Code: "ValidationError", Message } },
  ]);
  assert.deepEqual(ConsumedCapacity, [{ TableName: "Music", CapacityUnits: 2 }]);
  await assert.rejects(runBatch([select(t, "song 0"), remove(t, "song 1")]), {
    name: "ValidationException",
    message: "Read and write requests together in the same batch is not supported.",
  });
});

test("statements are written in a transaction, and read in another", async (t) => {
  await runOne(insert(t, "old", 1));
  await runOne(insert(t, "leaving", 1));
  const exists = { Statement: `EXISTS(SELECT * FROM Music ${ofKey} AND plays IS MISSING)` };
  const written = await transact([
    insert(t, "new", 5),
    play(t, "old", 1),
    remove(t, "leaving"),
    { ...exists, Parameters: [t.name, "absent"] },
  ]);
  assert.deepEqual(written.Responses, []);
  const got = await transact(["new", "leaving", "old"].map((song) => select(t, song)));
  assert.deepEqual(got.Responses, [
    { Item: { artist: t.name, song: "new", plays: 5 } },
    {},
    { Item: { artist: t.name, song: "old", plays: 2 } },
  ]);
});

test("a transaction of statements is cancelled as a whole", async (t) => {
  await runOne(insert(t, "old", 1));
  const update = { ...play(t, "old", 8), ReturnValuesOnConditionCheckFailure: "ALL_OLD" };
  const before = client.requestsSent;
  await assert.rejects(transact([insert(t, "new"), update]), (error) => {
    assert.ok(error instanceof TransactionCanceledException);
    assert.deepEqual(error.CancellationReasons, [
      { Code: "None" },
      {
        Code: "ConditionalCheckFailed",
        Message: "The conditional request failed",
        Item: { artist: { S: t.name }, song: { S: "old" }, plays: { N: "1" } },
      },
    ]);
    return true;
  });
  await assert.rejects(transact([insert(t, "new"), insert(t, "old")]), {
    name: "TransactionCanceledException",
    message: "Transaction cancelled, please refer cancellation reasons for specific reasons [None, DuplicateItem]",
    CancellationReasons: [
      { Code: "None" },
      { Code: "DuplicateItem", Message: "Duplicate primary key exists in table" },
    ],
  });
  await assert.rejects(transact([insert(t, "new"), select(t, "old")]), {
    name: "ValidationException",
    message: "ExecuteTransaction API does not support both read and write operations in the same request.",
  });
  assert.equal(client.requestsSent - before, 3);
  assert.deepEqual((await runOne(select(t, "new"))).Items, []);
});

test("a transaction of statements with the same token runs once", async (t) => {
  await runOne(insert(t, "a song"));
  const add = {
    Statement: `UPDATE Music SET plays = plays + ? ${ofKey}`,
    Parameters: [1, t.name, "a song"],
  };
  const options = { ClientRequestToken: "play-it-once", ReturnConsumedCapacity: "TOTAL" };
  const capacity = (kind) => [{ TableName: "Music", CapacityUnits: 2, [kind]: 2 }];
  const first = await transact([add], options);
  assert.deepEqual([first.Responses, first.ConsumedCapacity], [[], capacity("WriteCapacityUnits")]);
  const again = await transact([add], options);
  assert.deepEqual([again.Responses, again.ConsumedCapacity], [[], capacity("ReadCapacityUnits")]);
  const other = { ...add, Parameters: [2, t.name, "a song"] };
  await assert.rejects(transact([other], options), IdempotentParameterMismatchException);
  assert.deepEqual((await runOne(select(t, "a song"))).Items, [{ artist: t.name, song: "a song", plays: 1 }]);
});
