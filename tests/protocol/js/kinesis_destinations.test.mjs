// Tables that put their changes into Kinesis streams of the same server: docs/service/kinesis.md sections 1 to 3.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeKinesisStreamingDestinationCommand,
  DisableKinesisStreamingDestinationCommand,
  EnableKinesisStreamingDestinationCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
  UpdateKinesisStreamingDestinationCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { DynamoDBStreamsClient } from "@aws-sdk/client-dynamodb-streams";
import {
  CreateStreamCommand,
  DeleteStreamCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  ListShardsCommand,
  SplitShardCommand,
  waitUntilStreamExists,
} from "@aws-sdk/client-kinesis";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { connect } from "../../../clients/js/index.js";
import { createTable, makeClient } from "./client.mjs";
import { startServer } from "./server.mjs";
import { StreamReader } from "./stream_reader.mjs";

let server, tables, kinesis, streams;
const settings = (accessKeyId = "key") => ({
  endpoint: server.endpoint,
  region: "us-east-1",
  credentials: { accessKeyId, secretAccessKey: "secret" },
});
before(async () => {
  server = await startServer();
  tables = makeClient(server.endpoint);
  streams = new DynamoDBStreamsClient(settings());
  kinesis = kinesisClient();
});
after(async () => {
  for (const client of [tables, streams, kinesis]) client.destroy();
  await server.stop();
});

function kinesisClient(accessKeyId) {
  return new KinesisClient({ ...settings(accessKeyId), requestHandler: new NodeHttpHandler() });
}

const arnOf = (name) => `arn:aws:kinesis:us-east-1:000000000000:stream/${name}`;

/** Makes a table, and a stream of the same name that gets its changes. */
async function make(name, members = {}) {
  await kinesis.send(new CreateStreamCommand({ StreamName: name, ShardCount: 1 }));
  await waitUntilStreamExists({ client: kinesis, maxWaitTime: 30, minDelay: 1 }, { StreamName: name });
  await createTable(tables, name, members);
  await waitUntilTableExists({ client: tables, maxWaitTime: 30, minDelay: 1 }, { TableName: name });
  return enable(name);
}

async function enable(name, configuration) {
  const request = { TableName: name, StreamArn: arnOf(name), EnableKinesisStreamingConfiguration: configuration };
  const answer = await tables.send(new EnableKinesisStreamingDestinationCommand(request));
  await until(name, "ACTIVE");
  return answer;
}

async function destinations(TableName) {
  const described = await tables.send(new DescribeKinesisStreamingDestinationCommand({ TableName }));
  return described.KinesisDataStreamDestinations;
}

async function until(name, status) {
  while ((await destinations(name))[0].DestinationStatus !== status);
}

/** Ends the recording; returns when all changes are in the stream. */
async function disable(name) {
  const request = { TableName: name, StreamArn: arnOf(name) };
  const answer = await tables.send(new DisableKinesisStreamingDestinationCommand(request));
  assert.equal(answer.DestinationStatus, "DISABLING");
  await until(name, "DISABLED");
}

/** Returns the records of all shards, each with its partition key. */
async function delivered(StreamName, client = kinesis) {
  const records = [];
  const { Shards } = await client.send(new ListShardsCommand({ StreamName }));
  for (const { ShardId } of Shards) {
    const start = { StreamName, ShardId, ShardIteratorType: "TRIM_HORIZON" };
    let { ShardIterator } = await client.send(new GetShardIteratorCommand(start));
    while (ShardIterator) {
      const page = await client.send(new GetRecordsCommand({ ShardIterator }));
      for (const { Data, PartitionKey } of page.Records) {
        records.push({ PartitionKey, ...JSON.parse(Buffer.from(Data).toString()) });
      }
      ShardIterator = page.Records.length > 0 ? page.NextShardIterator : undefined;
    }
  }
  return records;
}

const key = (song) => ({ artist: { S: "a" }, song: { S: String(song) } });
const put = (TableName, song, more = {}) =>
  tables.send(new PutItemCommand({ TableName, Item: { ...key(song), ...more } }));

/** Groups changes by item, in their order. */
function byItem(records) {
  const found = {};
  for (const { eventName, dynamodb } of records) {
    const { Keys, NewImage, OldImage, SizeBytes } = dynamodb;
    (found[JSON.stringify(Keys)] ??= []).push({ eventName, NewImage, OldImage, SizeBytes });
  }
  return found;
}

test("changes are in the stream, as they are in the table's own stream, through a split", async () => {
  const TableName = "changes";
  const answer = await make(TableName, {
    StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
  });
  assert.equal(answer.DestinationStatus, "ENABLING");
  assert.deepEqual(answer.EnableKinesisStreamingConfiguration, {});
  const write = async (round) => {
    for (let song = 0; song < 10; song++) await put(TableName, song, { round: { N: String(round) } });
    await tables.send(
      new UpdateItemCommand({
        TableName,
        Key: key(1),
        UpdateExpression: "SET plays = :n",
        ExpressionAttributeValues: { ":n": { N: String(round) } },
      }),
    );
    await tables.send(new DeleteItemCommand({ TableName, Key: key(2) }));
    const requests = [{ PutRequest: { Item: { ...key(3), round: { S: "batch" } } } }, { DeleteRequest: { Key: key(4) } }];
    await tables.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }));
    const Put = { TableName, Item: { ...key(5), round: { S: "transaction" } } };
    await tables.send(new TransactWriteItemsCommand({ TransactItems: [{ Put }] }));
  };
  await write(1);
  await kinesis.send(
    new SplitShardCommand({
      StreamName: TableName,
      ShardToSplit: "shardId-000000000000",
      NewStartingHashKey: `${2n ** 127n}`,
    }),
  );
  await write(2);
  await disable(TableName);
  const inKinesis = await delivered(TableName);
  const inStream = [];
  const reader = await StreamReader.of(streams, TableName, (record) => inStream.push(record));
  await reader.readAll();
  assert.equal(inKinesis.length, 30);
  assert.deepEqual(byItem(inKinesis), byItem(inStream));
  assert.deepEqual(Object.keys(inKinesis[0]), [
    "PartitionKey",
    "awsRegion",
    "eventID",
    "eventName",
    "userIdentity",
    "recordFormat",
    "tableName",
    "dynamodb",
    "eventSource",
  ]);
  assert.match(inKinesis[0].PartitionKey, /^[0-9A-F]{32}$/);
});

test("binaries are encoded twice, and times are in the precision that was chosen", async () => {
  const name = "precise";
  await make(name);
  const before = Date.now();
  await put(name, 1, { cover: { B: Uint8Array.of(0, 1, 255) } });
  const precision = { ApproximateCreationDateTimePrecision: "MICROSECOND" };
  const request = { TableName: name, StreamArn: arnOf(name), UpdateKinesisStreamingConfiguration: precision };
  const updated = await tables.send(new UpdateKinesisStreamingDestinationCommand(request));
  assert.equal(updated.DestinationStatus, "UPDATING");
  await put(name, 2);
  await disable(name);
  const [first, second] = (await delivered(name)).map((record) => record.dynamodb);
  assert.deepEqual(first.NewImage.cover, { B: "QUFILw==" });
  assert.ok(first.ApproximateCreationDateTime >= before && first.ApproximateCreationDateTime <= Date.now());
  assert.equal(first.ApproximateCreationDateTimePrecision, undefined);
  assert.equal(String(second.ApproximateCreationDateTime).length, 16);
  assert.equal(second.ApproximateCreationDateTimePrecision, "MICROSECOND");
  assert.deepEqual(await destinations(name), [{ StreamArn: arnOf(name), DestinationStatus: "DISABLED", ...precision }]);
});

test("a stream that is not there makes the destination fail", async () => {
  const name = "missing";
  await createTable(tables, name);
  const request = { TableName: name, StreamArn: arnOf(name) };
  await tables.send(new EnableKinesisStreamingDestinationCommand(request));
  await until(name, "ENABLE_FAILED");
  const [{ DestinationStatusDescription }] = await destinations(name);
  assert.equal(DestinationStatusDescription, "User does not have a permission to use kinesis stream");
});

test("changes of a deleted table are delivered; those without a stream end with Disable", async () => {
  const name = "deleted";
  await make(name);
  await put(name, 1);
  await tables.send(new DeleteTableCommand({ TableName: name }));
  while ((await delivered(name)).length === 0);
  await createTable(tables, name);
  await enable(name);
  await kinesis.send(new DeleteStreamCommand({ StreamName: name }));
  await put(name, 2);
  assert.equal((await destinations(name))[0].DestinationStatus, "ACTIVE");
  await disable(name);
});

test("a fork delivers into its own stream", async () => {
  const name = "forked";
  await make(name);
  const world = await connect(server.endpoint).world.fork();
  const inFork = makeClient(server.endpoint, { credentials: { accessKeyId: world.name, secretAccessKey: "secret" } });
  const kinesisInFork = kinesisClient(world.name);
  await inFork.send(new PutItemCommand({ TableName: name, Item: key("fork") }));
  while ((await delivered(name, kinesisInFork)).length === 0);
  await disable(name);
  assert.deepEqual(await delivered(name), []);
  inFork.destroy();
  kinesisInFork.destroy();
});
