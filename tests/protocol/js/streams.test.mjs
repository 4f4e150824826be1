// A reader rebuilds a table from its stream while several writers change it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DynamoDBStreamsClient } from "@aws-sdk/client-dynamodb-streams";
import {
  BatchWriteCommand,
  DeleteCommand,
  PutCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { connect } from "../../../clients/js/index.js";
import { createTable, makeClient, makeDocumentClient } from "./client.mjs";
import { startServer } from "./server.mjs";
import { StreamReader } from "./stream_reader.mjs";

const TableName = "Songs";
let server, client, streams, documents, clock;
before(async () => {
  server = await startServer();
  client = makeClient(server.endpoint);
  streams = new DynamoDBStreamsClient({
    endpoint: server.endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "key", secretAccessKey: "secret" },
  });
  documents = makeDocumentClient(client);
  clock = connect(server.endpoint).world.clock;
  await clock.freeze();
});
after(async () => {
  client.destroy();
  streams.destroy();
  await server.stop();
});

const [writers, writesEach, items] = [6, 60, 24];
// Each in a partition of its own, so that they are in all shards.
const keyOf = (i) => ({ artist: `a${i % items}`, song: "s" });
const textOf = ({ artist, song }) => `${artist}/${song}`;

/** Writes of each kind, each with a unique `by`. `written` has those of its writes, `removed` those that it deleted. */
class Writer {
  written = [];
  removed = [];

  constructor(name) {
    this.name = name;
  }

  async write(i) {
    const kinds = [this.#put, this.#update, this.#delete, this.#batch, this.#transaction];
    await kinds[i % kinds.length].call(this, i, (this.name * 7 + i * 5) % items);
  }

  #newText(i, part = 0) {
    const by = `${this.name}-${i}-${part}`;
    this.written.push(by);
    return by;
  }

  #updateOf(i, item) {
    return {
      TableName,
      Key: keyOf(item),
      UpdateExpression: "SET #by = :by ADD changes :one",
      ExpressionAttributeNames: { "#by": "by" },
      ExpressionAttributeValues: { ":by": this.#newText(i), ":one": 1 },
    };
  }

  #put(i, item) {
    return documents.send(new PutCommand({ TableName, Item: { ...keyOf(item), by: this.#newText(i) } }));
  }

  #update(i, item) {
    return documents.send(new UpdateCommand(this.#updateOf(i, item)));
  }

  async #delete(i, item) {
    const request = { TableName, Key: keyOf(item), ReturnValues: "ALL_OLD" };
    const { Attributes } = await documents.send(new DeleteCommand(request));
    if (Attributes) this.removed.push(Attributes.by);
  }

  async #batch(i, item) {
    const [first, second] = [0, 1].map((part) => ({
      PutRequest: { Item: { ...keyOf(item + part), by: this.#newText(i, part) } },
    }));
    const requests = [first, { DeleteRequest: { Key: keyOf(item + 2) } }, second];
    const answer = await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
    assert.deepEqual(answer.UnprocessedItems, {});
  }

  #transaction(i, item) {
    const TransactItems = [
      { Put: { TableName, Item: { ...keyOf(item + 1), by: this.#newText(i, 1) } } },
      { Update: this.#updateOf(i, item) },
      { Delete: { TableName, Key: keyOf(item + 2) } },
    ];
    return documents.send(new TransactWriteCommand({ TransactItems }));
  }
}

/** The table as its records say. Each record must begin where the one before it left the item. */
class Replica {
  items = new Map();
  written = [];
  removed = [];
  eventIds = new Set();

  apply({ eventID, eventName, dynamodb }) {
    const [key, before, after] = [dynamodb.Keys, dynamodb.OldImage, dynamodb.NewImage].map(
      (image) => image && unmarshall(image),
    );
    const place = textOf(key);
    assert.deepEqual(before, this.items.get(place), `the item ${place} before a ${eventName}`);
    assert.equal(eventName, before ? (after ? "MODIFY" : "REMOVE") : "INSERT");
    if (after) this.items.set(place, after);
    else this.items.delete(place);
    if (after) this.written.push(after.by);
    else this.removed.push(before.by);
    this.eventIds.add(eventID);
  }
}

async function scanned() {
  const { Items } = await documents.send(new ScanCommand({ TableName, ConsistentRead: true }));
  return new Map(Items.map((item) => [textOf(item), item]));
}

async function splitShards() {
  const split = await fetch(`${server.endpoint}/_dinette/streams/${TableName}/split`, { method: "POST" });
  assert.equal(split.status, 200);
}

const sorted = (texts) => [...texts].sort();

test("a reader that follows the stream under load has the table and every change once", async () => {
  await createTable(client, TableName, {
    StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
  });
  const replica = new Replica();
  const reader = await StreamReader.of(streams, TableName, (record) => replica.apply(record));

  // In the middle of it the shards are split, and followed by others when their time is over.
  const quarter = (writers * writesEach) / 4;
  const turns = new Map([
    [quarter, splitShards],
    [2 * quarter, splitShards],
    [3 * quarter, () => clock.advance("PT5H")],
  ]);
  let done = 0;
  const all = Array.from({ length: writers }, (_, name) => new Writer(name));
  const write = async (writer) => {
    for (let i = 0; i < writesEach; ++i) {
      await writer.write(i);
      await turns.get(++done)?.();
    }
  };
  let writing = true;
  const follow = async () => {
    while (writing) await reader.readAll();
    await reader.readAll();
  };
  const written = Promise.all(all.map(write)).finally(() => (writing = false));
  await Promise.all([written, follow()]);

  assert.deepEqual(replica.items, await scanned());
  assert.deepEqual(sorted(replica.written), sorted(all.flatMap((writer) => writer.written)));
  const removed = new Set(replica.removed);
  for (const by of all.flatMap((writer) => writer.removed)) assert.ok(removed.has(by), `${by} was removed`);
  assert.equal(replica.eventIds.size, replica.written.length + replica.removed.length);

  // A reader that starts now sees the same.
  const again = new Replica();
  await (await StreamReader.of(streams, TableName, (record) => again.apply(record))).readAll();
  assert.deepEqual(again.items, replica.items);
  assert.deepEqual(again.eventIds, replica.eventIds);

  // 4 shards, then 8, then 16, then those that follow these.
  const shards = await reader.shards();
  assert.equal(shards.length, 4 + 8 + 16 + 16);
  const parents = new Set(shards.map((shard) => shard.ParentShardId));
  for (const { ShardId, SequenceNumberRange } of shards)
    assert.equal(SequenceNumberRange.EndingSequenceNumber === undefined, !parents.has(ShardId));
});
