// The SDK's client of Lambda, for event source mappings.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { CreateStreamCommand, DescribeStreamSummaryCommand, KinesisClient } from "@aws-sdk/client-kinesis";
import {
  CreateEventSourceMappingCommand,
  DeleteEventSourceMappingCommand,
  GetEventSourceMappingCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
  ListFunctionsCommand,
  ListTagsCommand,
  paginateListEventSourceMappings,
  ResourceNotFoundException,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { startServer } from "./server.mjs";

let server, lambda, dynamodb, kinesis;
before(async () => {
  server = await startServer();
  const settings = {
    endpoint: server.endpoint,
    region: "eu-west-1",
    credentials: { accessKeyId: "key", secretAccessKey: "secret" },
  };
  lambda = new LambdaClient(settings);
  dynamodb = new DynamoDBClient(settings);
  kinesis = new KinesisClient({ ...settings, requestHandler: new NodeHttpHandler() });
});
after(async () => {
  for (const client of [lambda, dynamodb, kinesis]) client.destroy();
  await server.stop();
});

/** Creates a table, and returns the ARN of its stream. */
async function tableStream(TableName) {
  const created = await dynamodb.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      BillingMode: "PAY_PER_REQUEST",
      StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
    }),
  );
  return created.TableDescription.LatestStreamArn;
}

async function kinesisStream(StreamName) {
  await kinesis.send(new CreateStreamCommand({ StreamName, ShardCount: 2 }));
  const { StreamDescriptionSummary } = await kinesis.send(new DescribeStreamSummaryCommand({ StreamName }));
  return StreamDescriptionSummary.StreamARN;
}

const create = (EventSourceArn, FunctionName, more = {}) =>
  lambda.send(
    new CreateEventSourceMappingCommand({ EventSourceArn, FunctionName, StartingPosition: "LATEST", ...more }),
  );
const get = (UUID) => lambda.send(new GetEventSourceMappingCommand({ UUID }));
const update = (UUID, more) => lambda.send(new UpdateEventSourceMappingCommand({ UUID, ...more }));
const remove = (UUID) => lambda.send(new DeleteEventSourceMappingCommand({ UUID }));

/** Returns what `look` returns when that is not false: a mapping is there until what polls its stream has ended. */
async function ended(look) {
  for (;;) {
    const found = await look();
    if (found) return found;
  }
}

test("a mapping of a table is created, read, updated, listed and deleted", async () => {
  const stream = await tableStream("Music");
  const created = await create(stream, "index", { BatchSize: 5, FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] } });
  assert.equal(created.$metadata.httpStatusCode, 202);
  assert.equal(created.State, "Creating");
  assert.equal(created.FunctionArn, "arn:aws:lambda:eu-west-1:000000000000:function:index");
  assert.equal(created.EventSourceArn, stream);
  assert.ok(created.LastModified instanceof Date && Math.abs(created.LastModified - Date.now()) < 3_600_000);

  const { UUID } = created;
  const read = await get(UUID);
  assert.equal(read.State, "Enabled");
  assert.deepEqual(read.FilterCriteria, { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] });
  assert.deepEqual(read.DestinationConfig, { OnFailure: {} });

  const updated = await update(UUID, { Enabled: false, FilterCriteria: {} });
  assert.equal(updated.State, "Disabling");
  assert.equal((await get(UUID)).FilterCriteria, undefined);
  const listed = await lambda.send(new ListEventSourceMappingsCommand({ EventSourceArn: stream, FunctionName: "index" }));
  assert.deepEqual(listed.EventSourceMappings.map((mapping) => mapping.UUID), [UUID]);

  assert.equal((await remove(UUID)).State, "Deleting");
  const { EventSourceMappings: left } = await ended(async () => {
    const found = await lambda.send(new ListEventSourceMappingsCommand({ EventSourceArn: stream }));
    return found.EventSourceMappings.length === 0 && found;
  });
  assert.deepEqual(left, []);
  await assert.rejects(get(UUID), (error) => {
    assert.ok(error instanceof ResourceNotFoundException);
    assert.equal(error.message, "The resource you requested does not exist.");
    assert.equal(error.Type, "User");
    return true;
  });
});

test("a mapping of Kinesis may begin at a moment, which is a date", async () => {
  const stream = await kinesisStream("clicks");
  const moment = new Date(Date.now() - 60_000);
  const created = await create(stream, "count", { StartingPosition: "AT_TIMESTAMP", StartingPositionTimestamp: moment });
  assert.deepEqual(created.StartingPositionTimestamp, moment);
});

test("errors have their names and messages", async () => {
  const stream = await tableStream("Errors");
  const refused = (promise, name, message) =>
    assert.rejects(promise, (error) => {
      assert.equal(error.name, name);
      assert.equal(error.message, message);
      return true;
    });
  const { UUID } = await create(stream, "index:live");
  await refused(
    create(stream, "index:live", { StartingPosition: "TRIM_HORIZON" }),
    "ResourceConflictException",
    `The event source arn (" ${stream} ") and function (" index:live ") provided mapping already exists. ` +
      `Please update or delete the existing mapping with UUID ${UUID}`,
  );
  await refused(create(`${stream}1`, "index"), "InvalidParameterValueException", `Stream not found: ${stream}1`);
  await refused(create(undefined, "index"), "InvalidParameterValueException", "Unrecognized event source.");
  await refused(
    create(stream, "index", { BatchSize: 10001 }),
    "ValidationException",
    "1 validation error detected: Value '10001' at 'batchSize' failed to satisfy constraint: Member must have value " +
      "less than or equal to 10000",
  );
  await refused(
    lambda.send(new ListFunctionsCommand()),
    "UnknownOperationException",
    "Dinette serves the event source mappings of Lambda only, and no other operation of it",
  );
});

test("the paginator reads all mappings", async () => {
  const stream = await tableStream("Pages");
  for (let i = 0; i < 5; ++i) await create(stream, `page-${i}`);
  const functions = new Set();
  let pages = 0;
  for await (const page of paginateListEventSourceMappings({ client: lambda, pageSize: 2 }, { EventSourceArn: stream })) {
    ++pages;
    for (const mapping of page.EventSourceMappings) functions.add(mapping.FunctionArn);
  }
  assert.equal(functions.size, 5);
  assert.equal(pages, 3);
});

test("mappings have tags, which Terraform reads after each change", async () => {
  const stream = await tableStream("Tagged");
  const { EventSourceMappingArn: Resource } = await create(stream, "tagged", { Tags: { team: "search", cost: "1" } });
  const tags = async () => (await lambda.send(new ListTagsCommand({ Resource }))).Tags;
  assert.deepEqual(await tags(), { team: "search", cost: "1" });
  await lambda.send(new TagResourceCommand({ Resource, Tags: { "a b": "é" } }));
  await lambda.send(new UntagResourceCommand({ Resource, TagKeys: ["team", "cost"] }));
  assert.deepEqual(await tags(), { "a b": "é" });
});

// docs/service/triggers.md section 8.
test("a mapping stays with the stream of a table that is made again", async () => {
  const first = await tableStream("Again");
  const { UUID } = await create(first, "again");
  await dynamodb.send(new DeleteTableCommand({ TableName: "Again" }));
  const second = await tableStream("Again");
  assert.notEqual(second, first);
  assert.equal((await get(UUID)).EventSourceArn, first);
  assert.notEqual((await create(second, "again")).UUID, UUID);
});
