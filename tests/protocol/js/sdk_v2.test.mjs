// The AWS SDK for JavaScript v2, which much that is deployed still uses: readings of sensors, and the API of its days.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import DynamoDB from "aws-sdk/clients/dynamodb.js";
import { startServer } from "./server.mjs";

const TableName = "Readings";
const throughput = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 };
const keySchema = (hash, range) => [
  { AttributeName: hash, KeyType: "HASH" },
  { AttributeName: range, KeyType: "RANGE" },
];

let server, client, documents;
before(async () => {
  server = await startServer();
  client = new DynamoDB({
    endpoint: server.endpoint,
    region: "us-east-1",
    accessKeyId: "key",
    secretAccessKey: "secret",
  });
  documents = new DynamoDB.DocumentClient({ service: client });
  await client
    .createTable({
      TableName,
      AttributeDefinitions: [
        { AttributeName: "sensor", AttributeType: "S" },
        { AttributeName: "at", AttributeType: "N" },
        { AttributeName: "site", AttributeType: "S" },
        { AttributeName: "value", AttributeType: "N" },
      ],
      KeySchema: keySchema("sensor", "at"),
      ProvisionedThroughput: throughput,
      LocalSecondaryIndexes: [
        { IndexName: "byValue", KeySchema: keySchema("sensor", "value"), Projection: { ProjectionType: "KEYS_ONLY" } },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: "bySite",
          KeySchema: keySchema("site", "at"),
          Projection: { ProjectionType: "ALL" },
          ProvisionedThroughput: throughput,
        },
      ],
    })
    .promise();
  await client.waitFor("tableExists", { TableName }).promise();
});
after(() => server.stop());

const countTo = (count) => Array.from({ length: count }, (_, i) => i + 1);
const times = (items) => items.map(({ at }) => at);
const inOrder = (numbers) => numbers.sort((a, b) => a - b);

// Readings of a sensor and site of each test's own; the values fall.
const makeReadings = (t, count) =>
  countTo(count).map((at) => ({ sensor: t.name, at, site: `site of ${t.name}`, value: count - at, odd: at % 2 === 1 }));
const putReadings = (t, count) =>
  Promise.all(makeReadings(t, count).map((Item) => documents.put({ TableName, Item }).promise()));
const ofSensor = (t) => ({
  TableName,
  KeyConditionExpression: "sensor = :sensor",
  ExpressionAttributeValues: { ":sensor": t.name },
});

// All that a paged operation finds, asked for as the last answer says.
async function allPages(operation, params) {
  const pages = [];
  let ExclusiveStartKey;
  do {
    const page = await documents[operation]({ ...params, ExclusiveStartKey }).promise();
    pages.push(page.Items);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return pages;
}

test("a reading is put, got, updated and deleted", async (t) => {
  const Key = { sensor: t.name, at: 1 };
  const Item = {
    ...Key,
    value: 20.5,
    bytes: Buffer.from([0, 128, 255]),
    flags: documents.createSet(["late", "odd"]),
    codes: documents.createSet([1, 2.5]),
    where: { floor: 3, rooms: ["a", null, true, ""] },
  };
  await documents.put({ TableName, Item }).promise();
  const got = await documents.get({ TableName, Key, ConsistentRead: true }).promise();
  assert.deepEqual([...got.Item.flags.values].sort(), ["late", "odd"]);
  assert.deepEqual(inOrder([...got.Item.codes.values]), [1, 2.5]);
  const plain = ({ flags, codes, ...rest }) => rest;
  assert.deepEqual(plain(got.Item), plain(Item));

  const { Attributes } = await documents
    .update({
      TableName,
      Key,
      UpdateExpression: "SET #v = #v - :half, #w.rooms[1] = :b REMOVE #b, codes DELETE flags :late",
      ConditionExpression: "#v BETWEEN :half AND :high AND contains(flags, :odd)",
      ExpressionAttributeNames: { "#v": "value", "#w": "where", "#b": "bytes" },
      ExpressionAttributeValues: {
        ":half": 0.5,
        ":high": 30,
        ":b": "b",
        ":odd": "odd",
        ":late": documents.createSet(["late"]),
      },
      ReturnValues: "ALL_NEW",
    })
    .promise();
  assert.deepEqual(Attributes.flags.values, ["odd"]);
  assert.deepEqual(plain(Attributes), { ...Key, value: 20, where: { floor: 3, rooms: ["a", "b", true, ""] } });
  const deleted = await documents.delete({ TableName, Key, ReturnValues: "ALL_OLD" }).promise();
  assert.equal(deleted.Attributes.value, 20);
  assert.deepEqual(await documents.get({ TableName, Key }).promise(), {});
});

test("errors have the code, the status and no second try", async (t) => {
  const Item = { sensor: t.name, at: 1 };
  const put = () => documents.put({ TableName, Item, ConditionExpression: "attribute_not_exists(sensor)" });
  await put().promise();
  const request = put();
  await assert.rejects(request.promise(), {
    code: "ConditionalCheckFailedException",
    message: "The conditional request failed",
    statusCode: 400,
    retryable: false,
  });
  assert.equal(request.response.retryCount, 0);
  const message = await new Promise((resolve) =>
    documents.get({ TableName: "nowhere", Key: Item }, (error) => resolve(`${error.code}: ${error.message}`)),
  );
  assert.equal(message, "ResourceNotFoundException: Requested resource not found");
});

test("the API from before expressions works", async (t) => {
  await putReadings(t, 10);
  const Key = { sensor: t.name, at: 3 };
  const { Attributes } = await documents
    .update({
      TableName,
      Key,
      AttributeUpdates: {
        value: { Action: "ADD", Value: 100 },
        odd: { Action: "DELETE" },
        unit: { Action: "PUT", Value: "K" },
      },
      Expected: { odd: { ComparisonOperator: "EQ", AttributeValueList: [true] }, unit: { Exists: false } },
      ReturnValues: "UPDATED_NEW",
    })
    .promise();
  assert.deepEqual(Attributes, { value: 107, unit: "K" });
  await assert.rejects(documents.delete({ TableName, Key, Expected: { value: { Value: 1 } } }).promise(), {
    code: "ConditionalCheckFailedException",
  });
  const got = await documents.get({ TableName, Key, AttributesToGet: ["unit"] }).promise();
  assert.deepEqual(got.Item, { unit: "K" });
  const queried = await documents
    .query({
      TableName,
      KeyConditions: {
        sensor: { ComparisonOperator: "EQ", AttributeValueList: [t.name] },
        at: { ComparisonOperator: "BETWEEN", AttributeValueList: [2, 8] },
      },
      QueryFilter: {
        odd: { ComparisonOperator: "NOT_NULL" },
        value: { ComparisonOperator: "LE", AttributeValueList: [5] },
      },
      ScanIndexForward: false,
    })
    .promise();
  assert.deepEqual(times(queried.Items), [8, 7, 6, 5]);
  const [scanned] = await allPages("scan", {
    TableName,
    ScanFilter: {
      sensor: { ComparisonOperator: "EQ", AttributeValueList: [t.name] },
      value: { ComparisonOperator: "GT", AttributeValueList: [50] },
    },
  });
  assert.deepEqual(times(scanned), [3]);
});

test("a query is paged by its limit, both ways", async (t) => {
  await putReadings(t, 10);
  const forth = await allPages("query", { ...ofSensor(t), Limit: 4 });
  assert.deepEqual(forth.map(times), [
    [1, 2, 3, 4],
    [5, 6, 7, 8],
    [9, 10],
  ]);
  const back = await allPages("query", { ...ofSensor(t), Limit: 4, ScanIndexForward: false });
  assert.deepEqual(back.map(times), [
    [10, 9, 8, 7],
    [6, 5, 4, 3],
    [2, 1],
  ]);
  // The limit counts what is read, not what the filter leaves.
  const odd = await allPages("query", {
    ...ofSensor(t),
    FilterExpression: "odd = :true",
    ExpressionAttributeValues: { ":sensor": t.name, ":true": true },
    Limit: 5,
  });
  assert.deepEqual(odd.map(times), [[1, 3, 5], [7, 9]]);
});

test("a query without a limit is paged by size", async (t) => {
  const filler = "x".repeat(300_000);
  const items = countTo(10).map((at) => ({ sensor: t.name, at, filler }));
  await Promise.all(items.map((Item) => documents.put({ TableName, Item }).promise()));
  const pages = await new Promise((resolve, reject) => {
    const seen = [];
    documents.query(ofSensor(t)).eachPage((error, page) => {
      if (error) return reject(error);
      if (page === null) return resolve(seen);
      seen.push(times(page.Items));
      return true;
    });
  });
  // A page ends with the item that takes it over 1 MB.
  assert.deepEqual(pages, [
    [1, 2, 3, 4],
    [5, 6, 7, 8],
    [9, 10],
  ]);
});

test("indexes are queried a page at a time", async (t) => {
  await putReadings(t, 9);
  const bySite = await allPages("query", {
    TableName,
    IndexName: "bySite",
    KeyConditionExpression: "site = :site AND #at > :three",
    ProjectionExpression: "#at, odd",
    ExpressionAttributeNames: { "#at": "at" },
    ExpressionAttributeValues: { ":site": `site of ${t.name}`, ":three": 3 },
    Limit: 4,
  });
  assert.deepEqual(bySite, [
    [
      { at: 4, odd: false },
      { at: 5, odd: true },
      { at: 6, odd: false },
      { at: 7, odd: true },
    ],
    [
      { at: 8, odd: false },
      { at: 9, odd: true },
    ],
  ]);
  const byValue = await allPages("query", { ...ofSensor(t), IndexName: "byValue", Limit: 5, ConsistentRead: true });
  assert.deepEqual(byValue.map(times), [
    [9, 8, 7, 6, 5],
    [4, 3, 2, 1],
  ]);
  assert.deepEqual(byValue[0][0], { sensor: t.name, at: 9, value: 0 });
  const counted = await documents.query({ ...ofSensor(t), Select: "COUNT" }).promise();
  assert.deepEqual([counted.Count, counted.ScannedCount, counted.Items], [9, 9, undefined]);
});

test("a scan, whole and in segments, is paged", async (t) => {
  await putReadings(t, 25);
  const params = {
    TableName,
    FilterExpression: "sensor = :sensor",
    ExpressionAttributeValues: { ":sensor": t.name },
    Limit: 6,
  };
  const whole = await allPages("scan", params);
  assert.deepEqual(inOrder(times(whole.flat())), countTo(25));
  assert.ok(whole.length > 4);
  const segments = await Promise.all(
    [0, 1, 2, 3].map((Segment) => allPages("scan", { ...params, Segment, TotalSegments: 4 })),
  );
  assert.deepEqual(inOrder(times(segments.flat(2))), countTo(25));
});

test("readings are written and read in batches, which come in parts when they are large", async (t) => {
  const filler = "x".repeat(399_000);
  const keys = countTo(43).map((number) => ({ sensor: `${t.name} ${number}`, at: number }));
  const write = async (requests) => {
    let RequestItems = { [TableName]: requests };
    while (Object.keys(RequestItems).length > 0) {
      RequestItems = (await documents.batchWrite({ RequestItems }).promise()).UnprocessedItems;
    }
  };
  const read = async () => {
    const parts = [];
    let RequestItems = { [TableName]: { Keys: keys, ConsistentRead: true } };
    while (Object.keys(RequestItems).length > 0) {
      const { Responses, UnprocessedKeys } = await documents.batchGet({ RequestItems }).promise();
      parts.push(times(Responses[TableName]));
      RequestItems = UnprocessedKeys;
    }
    return parts;
  };
  const puts = keys.map((key) => ({ PutRequest: { Item: { ...key, filler } } }));
  await write(puts.slice(0, 25));
  await write(puts.slice(25));
  // 43 items of 399 KB are over 16 MB.
  const parts = await read();
  assert.equal(parts.length, 2);
  assert.deepEqual(inOrder(parts.flat()), countTo(43));

  const deletes = keys.map((Key) => ({ DeleteRequest: { Key } }));
  await write(deletes.slice(0, 25));
  await write([...deletes.slice(25, -1), { PutRequest: { Item: keys.at(-1) } }]);
  assert.deepEqual(await read(), [[43]]);
});

test("readings are written and read in transactions", async (t) => {
  await putReadings(t, 2);
  const key = (at) => ({ sensor: t.name, at });
  const correct = (expected) =>
    documents.transactWrite({
      TransactItems: [
        { Delete: { TableName, Key: key(1) } },
        { Put: { TableName, Item: { ...key(3), value: 7, flags: documents.createSet(["late"]) } } },
        {
          Update: {
            TableName,
            Key: key(2),
            UpdateExpression: "SET #v = :ten",
            ConditionExpression: "#v = :expected",
            ExpressionAttributeNames: { "#v": "value" },
            ExpressionAttributeValues: { ":ten": 10, ":expected": expected },
          },
        },
      ],
    });
  const Message =
    "Transaction cancelled, please refer cancellation reasons for specific reasons [None, None, ConditionalCheckFailed]";
  const request = correct(5);
  // This SDK keeps no reasons: they are read from the response, as its users do.
  let reasons;
  request.on("extractError", ({ httpResponse }) => {
    reasons = JSON.parse(httpResponse.body.toString()).CancellationReasons;
  });
  await assert.rejects(request.promise(), { code: "TransactionCanceledException", message: Message });
  assert.deepEqual(
    reasons.map(({ Code }) => Code),
    ["None", "None", "ConditionalCheckFailed"],
  );

  await correct(0).promise();
  const { Responses } = await documents
    .transactGet({ TransactItems: [3, 2, 1].map((at) => ({ Get: { TableName, Key: key(at) } })) })
    .promise();
  assert.deepEqual(
    Responses.map(({ Item }) => Item && [Item.value, Item.flags?.values]),
    [[7, ["late"]], [10, undefined], undefined],
  );
});

test("statements are executed a page at a time", async (t) => {
  await putReadings(t, 5);
  const pages = [];
  let NextToken;
  do {
    const page = await client
      .executeStatement({
        Statement: `SELECT "at" FROM ${TableName} WHERE sensor = ?`,
        Parameters: [{ S: t.name }],
        Limit: 2,
        NextToken,
      })
      .promise();
    pages.push(page.Items.map(({ at }) => at.N));
    NextToken = page.NextToken;
  } while (NextToken);
  assert.deepEqual(pages, [["1", "2"], ["3", "4"], ["5"]]);
});

test("a table is listed, described and deleted", async () => {
  const { Table } = await client.describeTable({ TableName }).promise();
  assert.ok(Table.CreationDateTime instanceof Date);
  const Other = "Other";
  await client
    .createTable({
      TableName: Other,
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "B" }],
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      BillingMode: "PAY_PER_REQUEST",
    })
    .promise();
  const listed = (await client.listTables().promise()).TableNames;
  assert.deepEqual(listed, [Other, TableName]);
  await client.deleteTable({ TableName: Other }).promise();
  await client.waitFor("tableNotExists", { TableName: Other }).promise();
});
