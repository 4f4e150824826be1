// Smithy RPC v2 in CBOR, as the SDK's own class for it speaks.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { AwsSmithyRpcV2CborProtocol } from "@aws-sdk/core/protocols";
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  CreateBackupCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBServiceException,
  ExecuteStatementCommand,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  QueryCommand,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
  ScanCommand,
  TagResourceCommand,
  TransactGetItemsCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateContinuousBackupsCommand,
  UpdateItemCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from "@aws-sdk/client-dynamodb-streams";
import { DynamoDBDocumentClient, GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { createTable, makeClient } from "./client.mjs";
import { startServer } from "./server.mjs";

const namespace = { protocolSettings: { defaultNamespace: "com.amazonaws.dynamodb" } };

// The streams client has its own copy of the class, with the registry of its own errors.
const streamsRequire = createRequire(createRequire(import.meta.url).resolve("@aws-sdk/client-dynamodb-streams"));
const StreamsProtocol = streamsRequire("@aws-sdk/core/protocols").AwsSmithyRpcV2CborProtocol;

let server;
let client;
let sent;

before(async () => {
  server = await startServer();
  client = makeClient(server.endpoint, { protocol: AwsSmithyRpcV2CborProtocol, ...namespace });
  client.middlewareStack.add(
    (next) => (args) => {
      sent = args.request;
      return next(args);
    },
    { step: "finalizeRequest", priority: "low", name: "keepRequest" },
  );
  await createTable(client, "Music", {
    StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
  });
  await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName: "Music" });
});

after(async () => {
  client.destroy();
  await server.stop();
});

const bytes = (...values) => new Uint8Array(values);

const song = (name, more = {}) => ({ artist: { S: "Nina Simone" }, song: { S: name }, ...more });

const everything = song("Sinnerman", {
  empty: { S: "" },
  text: { S: 'quotes " and \\, a line\n, ü, €, 😀, \u0000' },
  number: { N: "12345678901234567890123456789012345678" },
  small: { N: "1E-130" },
  data: { B: bytes(0, 1, 254, 255) },
  none: { B: bytes() },
  words: { SS: ["a", "b"] },
  numbers: { NS: ["-1.5", "2"] },
  blobs: { BS: [bytes(), bytes(1)] },
  map: { M: { B: { B: bytes(7) }, S: { S: "S" }, deep: { L: [{ M: {} }, { L: [{ NULL: true }] }] } } },
  list: { L: [{ BOOL: false }, { BOOL: true }, { N: "0" }] },
  long: { B: new Uint8Array(100_000).map((_, i) => i) },
});

test("requests go to the operation's path, in CBOR and without a target", async () => {
  await client.send(new ListTablesCommand({}));
  assert.equal(sent.path, "/service/DynamoDB_20120810/operation/ListTables");
  assert.equal(sent.headers["content-type"], "application/cbor");
  assert.equal(sent.headers["x-amz-target"], undefined);
});

test("an item of every type comes back as it was", async () => {
  const put = await client.send(
    new PutItemCommand({ TableName: "Music", Item: everything, ReturnConsumedCapacity: "TOTAL" }),
  );
  assert.ok(put.ConsumedCapacity.CapacityUnits > 90);
  assert.match(put.$metadata.requestId, /^[0-9A-V]{52}$/);
  const { Item } = await client.send(
    new GetItemCommand({ TableName: "Music", Key: song("Sinnerman"), ConsistentRead: true }),
  );
  assert.deepEqual(plain(Item), plain({ ...everything, small: { N: "0." + "0".repeat(129) + "1" } }));
  const update = await client.send(
    new UpdateItemCommand({
      TableName: "Music",
      Key: song("Sinnerman"),
      UpdateExpression: "SET #d = :d ADD plays :one",
      ExpressionAttributeNames: { "#d": "data" },
      ExpressionAttributeValues: { ":d": { B: bytes(9) }, ":one": { N: "1" } },
      ReturnValues: "UPDATED_NEW",
    }),
  );
  assert.deepEqual(plain(update.Attributes), { data: { B: [9] }, plays: { N: "1" } });
});

test("the document client", async () => {
  const documents = DynamoDBDocumentClient.from(client);
  const Item = { artist: "Fela Kuti", song: "Zombie", year: 1976, cover: bytes(1, 2), tags: new Set(["afrobeat"]) };
  await documents.send(new PutCommand({ TableName: "Music", Item }));
  const answer = await documents.send(
    new GetCommand({ TableName: "Music", Key: { artist: "Fela Kuti", song: "Zombie" } }),
  );
  assert.deepEqual({ ...answer.Item, cover: [...answer.Item.cover] }, { ...Item, cover: [1, 2] });
});

test("queries, scans and statements", async () => {
  const query = await client.send(
    new QueryCommand({
      TableName: "Music",
      KeyConditionExpression: "artist = :a",
      ExpressionAttributeValues: { ":a": { S: "Fela Kuti" } },
    }),
  );
  assert.equal(query.Count, 1);
  assert.deepEqual([...query.Items[0].cover.B], [1, 2]);
  const scan = await client.send(new ScanCommand({ TableName: "Music", Limit: 1 }));
  assert.equal(scan.Items.length, 1);
  assert.ok(scan.LastEvaluatedKey.artist.S);
  const statement = await client.send(
    new ExecuteStatementCommand({
      Statement: 'SELECT * FROM "Music" WHERE artist = ? AND cover = ?',
      Parameters: [{ S: "Fela Kuti" }, { B: bytes(1, 2) }],
    }),
  );
  assert.equal(statement.Items.length, 1);
});

test("batches and transactions", async () => {
  const songs = Array.from({ length: 25 }, (_, i) => song(`batch ${i}`, { data: { B: bytes(i) } }));
  const written = await client.send(
    new BatchWriteItemCommand({ RequestItems: { Music: songs.map((Item) => ({ PutRequest: { Item } })) } }),
  );
  assert.deepEqual(written.UnprocessedItems, {});
  const Keys = songs.map(({ artist, song }) => ({ artist, song }));
  const read = await client.send(new BatchGetItemCommand({ RequestItems: { Music: { Keys } } }));
  assert.equal(read.Responses.Music.length, 25);
  assert.ok(read.Responses.Music.every((item) => item.data.B.length === 1));
  await client.send(
    new TransactWriteItemsCommand({
      TransactItems: [
        { Put: { TableName: "Music", Item: song("in a transaction", { data: { B: bytes(3) } }) } },
        { Delete: { TableName: "Music", Key: Keys[0] } },
      ],
    }),
  );
  const both = await client.send(
    new TransactGetItemsCommand({
      TransactItems: [song("in a transaction"), Keys[0]].map((Key) => ({ Get: { TableName: "Music", Key } })),
    }),
  );
  assert.deepEqual([...both.Responses[0].Item.data.B], [3]);
  assert.equal(both.Responses[1].Item, undefined);
});

test("errors are those of the model, with their members", async () => {
  const Key = song("held", { data: { B: bytes(5) } });
  await client.send(new PutItemCommand({ TableName: "Music", Item: Key }));
  const condition = {
    ConditionExpression: "attribute_not_exists(artist)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  };
  const failed = await caught(new PutItemCommand({ TableName: "Music", Item: song("held"), ...condition }));
  assert.ok(failed instanceof ConditionalCheckFailedException);
  assert.equal(failed.message, "The conditional request failed");
  assert.deepEqual([...failed.Item.data.B], [5]);
  const canceled = await caught(
    new TransactWriteItemsCommand({
      TransactItems: [{ Put: { TableName: "Music", Item: song("held"), ...condition } }],
    }),
  );
  assert.ok(canceled instanceof TransactionCanceledException);
  assert.match(canceled.message, /^Transaction cancelled, please refer cancellation reasons/);
  assert.equal(canceled.CancellationReasons[0].Code, "ConditionalCheckFailed");
  assert.deepEqual([...canceled.CancellationReasons[0].Item.data.B], [5]);
  const missing = await caught(new DescribeTableCommand({ TableName: "Nothing" }));
  assert.ok(missing instanceof ResourceNotFoundException);
  assert.equal(missing.$metadata.httpStatusCode, 400);
  const invalid = await caught(new PutItemCommand({ TableName: "Music", Item: { artist: { S: "x" } } }));
  assert.ok(invalid instanceof DynamoDBServiceException);
  assert.equal(invalid.name, "ValidationException");
  assert.match(invalid.message, /Missing the key song in the item$/);
  const illegible = await caught(new GetItemCommand({ TableName: "Music", Key: { artist: { S: bytes(1) } } }));
  assert.equal(illegible.name, "SerializationException");
  const planned = await caught(new CreateBackupCommand({ TableName: "Music" }));
  assert.equal(planned.name, "ValidationException");
});

test("tables, tags and times", async () => {
  const before = Date.now();
  await createTable(client, "Other");
  const { Table } = await client.send(new DescribeTableCommand({ TableName: "Other" }));
  assert.ok(Table.CreationDateTime instanceof Date);
  assert.ok(Math.abs(Table.CreationDateTime.getTime() - before) < 3_600_000);
  await client.send(new TagResourceCommand({ ResourceArn: Table.TableArn, Tags: [{ Key: "a", Value: "b" }] }));
  await client.send(
    new UpdateContinuousBackupsCommand({
      TableName: "Other",
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    }),
  );
  const backups = await client.send(new DescribeContinuousBackupsCommand({ TableName: "Other" }));
  const { EarliestRestorableDateTime } = backups.ContinuousBackupsDescription.PointInTimeRecoveryDescription;
  assert.ok(EarliestRestorableDateTime instanceof Date);
  const early = await caught(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: "Other",
      TargetTableName: "Restored",
      RestoreDateTime: new Date(1_500_000_000_500),
    }),
  );
  assert.equal(early.name, "InvalidRestoreTimeException");
  await client.send(new DeleteItemCommand({ TableName: "Other", Key: song("none") }));
  await client.send(new DeleteTableCommand({ TableName: "Other" }));
});

test("streams", async () => {
  const streams = new DynamoDBStreamsClient({
    endpoint: server.endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "key", secretAccessKey: "secret" },
    protocol: StreamsProtocol,
    protocolSettings: { defaultNamespace: "com.amazonaws.dynamodbstreams" },
  });
  const { Table } = await client.send(new DescribeTableCommand({ TableName: "Music" }));
  const StreamArn = Table.LatestStreamArn;
  const { StreamDescription } = await streams.send(new DescribeStreamCommand({ StreamArn }));
  const images = [];
  for (const { ShardId } of StreamDescription.Shards) {
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" }),
    );
    for (const { dynamodb } of (await streams.send(new GetRecordsCommand({ ShardIterator }))).Records) {
      assert.ok(dynamodb.ApproximateCreationDateTime instanceof Date);
      images.push(dynamodb.NewImage);
    }
  }
  assert.ok(images.some((image) => image?.long?.B?.length === 100_000));
  await assert.rejects(
    streams.send(new DescribeStreamCommand({ StreamArn: StreamArn.replace(/stream\/.*/, "stream/2020") })),
    { name: "ResourceNotFoundException", $fault: "client" },
  );
  streams.destroy();
});

test("signatures of the path and the CBOR are verified", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dinette-"));
  const file = join(folder, "keys.ini");
  await writeFile(file, "[default]\naws_access_key_id=AKID\naws_secret_access_key=right\n");
  const strict = await startServer("--auth", "verify", "--credentials", file);
  const listed = (secretAccessKey) => {
    const credentials = { accessKeyId: "AKID", secretAccessKey };
    const caller = makeClient(strict.endpoint, { protocol: AwsSmithyRpcV2CborProtocol, ...namespace, credentials });
    return caller.send(new ListTablesCommand({})).finally(() => caller.destroy());
  };
  assert.deepEqual((await listed("right")).TableNames, []);
  await assert.rejects(listed("wrong"), { name: "InvalidSignatureException" });
  await strict.stop();
  await rm(folder, { recursive: true });
});

test("the CBOR of the SDKs for Java, at the path and with the target of JSON", async () => {
  const answer = await fetch(server.endpoint, {
    method: "POST",
    headers: { "X-Amz-Target": "DynamoDB_20120810.ListTables", "Content-Type": "application/x-amz-cbor-1.1" },
    body: bytes(0xa1, 0x65, ...Buffer.from("Limit"), 0x01),
  });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "application/x-amz-cbor-1.1");
  assert.equal(answer.headers.get("smithy-protocol"), null);
  const text = Buffer.from(await answer.arrayBuffer()).toString("latin1");
  assert.equal(text.slice(0, 18), "\xbfjTableNames\x9feMusi");
});

test("objects of S3 may have such paths", async () => {
  const bucket = new URL("/service", server.endpoint);
  const object = new URL("/service/DynamoDB_20120810/operation/ListTables", server.endpoint);
  assert.equal((await fetch(bucket, { method: "PUT" })).status, 200);
  assert.equal((await fetch(object, { method: "PUT", body: "an object" })).status, 200);
  assert.equal(await (await fetch(object)).text(), "an object");
  await client.send(new ListTablesCommand({}));
});

async function caught(command) {
  try {
    await client.send(command);
  } catch (error) {
    return error;
  }
  assert.fail(`${command.constructor.name} should have failed`);
}

/** The same with arrays in place of bytes, which deepEqual compares with others' classes of bytes. */
function plain(value) {
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}
