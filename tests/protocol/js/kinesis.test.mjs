// The SDK's client of Kinesis. It speaks HTTP/2 unless its request handler is set.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  AddTagsToStreamCommand,
  CreateStreamCommand,
  DeleteStreamCommand,
  DescribeStreamSummaryCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  ListStreamsCommand,
  ListTagsForStreamCommand,
  MergeShardsCommand,
  paginateListStreams,
  PutRecordCommand,
  PutRecordsCommand,
  ResourceNotFoundException,
  SplitShardCommand,
  waitUntilStreamExists,
  waitUntilStreamNotExists,
} from "@aws-sdk/client-kinesis";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { connect } from "../../../clients/js/index.js";
import { startServer } from "./server.mjs";

let server, client;
before(async () => {
  server = await startServer();
  client = clientFor();
});
after(async () => {
  client.destroy();
  await server.stop();
});

function clientFor(accessKeyId = "key") {
  return new KinesisClient({
    endpoint: server.endpoint,
    region: "eu-west-1",
    credentials: { accessKeyId, secretAccessKey: "secret" },
    requestHandler: new NodeHttpHandler(),
  });
}

const bytes = (text) => Buffer.from(text);

async function create(StreamName, ShardCount = 1) {
  await client.send(new CreateStreamCommand({ StreamName, ShardCount }));
  await waitUntilStreamExists({ client, maxWaitTime: 30, minDelay: 1 }, { StreamName });
}

/** The texts of a shard and its children, in their order. */
async function readAll(StreamName, ShardId = "shardId-000000000000") {
  const start = { StreamName, ShardId, ShardIteratorType: "TRIM_HORIZON" };
  let { ShardIterator } = await client.send(new GetShardIteratorCommand(start));
  const texts = [];
  for (;;) {
    const page = await client.send(new GetRecordsCommand({ ShardIterator, Limit: 2 }));
    texts.push(...page.Records.map((record) => Buffer.from(record.Data).toString()));
    if (page.ChildShards) {
      for (const child of page.ChildShards) texts.push(...(await readAll(StreamName, child.ShardId)));
      return texts;
    }
    if (page.Records.length === 0) return texts;
    ShardIterator = page.NextShardIterator;
  }
}

test("a stream is created, described, listed and deleted", async () => {
  await create("clicks", 2);
  const { StreamDescriptionSummary } = await client.send(new DescribeStreamSummaryCommand({ StreamName: "clicks" }));
  const { StreamARN, OpenShardCount, StreamCreationTimestamp } = StreamDescriptionSummary;
  assert.equal(StreamARN, "arn:aws:kinesis:eu-west-1:000000000000:stream/clicks");
  assert.equal(OpenShardCount, 2);
  assert.ok(Math.abs(StreamCreationTimestamp - Date.now()) < 600_000);
  await create("taps");
  const names = [];
  for await (const page of paginateListStreams({ client, pageSize: 1 }, {})) names.push(...page.StreamNames);
  assert.deepEqual(names, ["clicks", "taps"]);
  await client.send(new DeleteStreamCommand({ StreamARN }));
  await client.send(new DeleteStreamCommand({ StreamName: "taps" }));
  await waitUntilStreamNotExists({ client, maxWaitTime: 30, minDelay: 1 }, { StreamName: "clicks" });
});

test("records are read as they were put, through a split and a merge", async () => {
  await create("journal");
  const StreamName = "journal";
  const put = (text) => client.send(new PutRecordCommand({ StreamName, PartitionKey: "a", Data: bytes(text) }));
  await put("one");
  const Records = ["two", "three"].map((text) => ({ PartitionKey: "a", Data: bytes(text) }));
  const batch = await client.send(new PutRecordsCommand({ StreamName, Records }));
  assert.equal(batch.FailedRecordCount, 0);
  await client.send(
    new SplitShardCommand({ StreamName, ShardToSplit: "shardId-000000000000", NewStartingHashKey: `${2n ** 127n}` }),
  );
  await put("four");
  await client.send(
    new MergeShardsCommand({
      StreamName,
      ShardToMerge: "shardId-000000000001",
      AdjacentShardToMerge: "shardId-000000000002",
    }),
  );
  await put("five");
  // Both parents of the last shard name it.
  assert.deepEqual(await readAll(StreamName), ["one", "two", "three", "four", "five", "five"]);
  assert.deepEqual(await readAll(StreamName, "shardId-000000000003"), ["five"]);
});

test("binary data and keys beyond ASCII come back unchanged", async () => {
  await create("binary");
  const Data = Uint8Array.from({ length: 256 }, (_, i) => i);
  await client.send(new PutRecordCommand({ StreamName: "binary", PartitionKey: "ключ", Data }));
  const start = { StreamName: "binary", ShardId: "shardId-000000000000", ShardIteratorType: "TRIM_HORIZON" };
  const { ShardIterator } = await client.send(new GetShardIteratorCommand(start));
  const { Records } = await client.send(new GetRecordsCommand({ ShardIterator }));
  assert.deepEqual(Records[0].Data, Data);
  assert.equal(Records[0].PartitionKey, "ключ");
  assert.ok(Records[0].ApproximateArrivalTimestamp instanceof Date);
});

test("tags, and an error as the SDK's class", async () => {
  await create("tagged");
  await client.send(new AddTagsToStreamCommand({ StreamName: "tagged", Tags: { team: "archive" } }));
  const { Tags } = await client.send(new ListTagsForStreamCommand({ StreamName: "tagged" }));
  assert.deepEqual(Tags, [{ Key: "team", Value: "archive" }]);
  await assert.rejects(client.send(new ListTagsForStreamCommand({ StreamName: "none" })), (error) => {
    assert.ok(error instanceof ResourceNotFoundException);
    assert.equal(error.message, "Stream none under account 000000000000 not found.");
    return true;
  });
});

test("a fork has the streams, and a moved clock removes records", async () => {
  await create("forked");
  await client.send(new PutRecordCommand({ StreamName: "forked", PartitionKey: "a", Data: bytes("x") }));
  const world = await connect(server.endpoint).world.fork();
  const inFork = clientFor(world.name);
  await inFork.send(new DeleteStreamCommand({ StreamName: "forked" }));
  const { StreamNames } = await client.send(new ListStreamsCommand({}));
  assert.ok(StreamNames.includes("forked"));
  await connect(server.endpoint).world.clock.advance("PT25H");
  assert.deepEqual(await readAll("forked"), []);
  inFork.destroy();
});
