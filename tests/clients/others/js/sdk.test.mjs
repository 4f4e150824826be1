// SDK v3 for JavaScript, as it is used: every case has a table of its own. The environment leads it to the server.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as ddb from "@aws-sdk/client-dynamodb";
import * as streams from "@aws-sdk/client-dynamodb-streams";
import * as lib from "@aws-sdk/lib-dynamodb";

// The runner has put a line per item there.
const bucket = "clients";
const prefix = "in/";

const client = new ddb.DynamoDBClient();
const document = lib.DynamoDBDocumentClient.from(client);
const soon = { client, maxWaitTime: 60, minDelay: 1, maxDelay: 1 };

/** Runs a case with a table, which is dropped at the end. */
const withTable = (name, run) =>
  test(name, async () => {
    const TableName = name.replaceAll(" ", "-");
    const { TableDescription: table } = await client.send(
      new ddb.CreateTableCommand({
        TableName,
        BillingMode: "PAY_PER_REQUEST",
        AttributeDefinitions: [
          { AttributeName: "p", AttributeType: "S" },
          { AttributeName: "s", AttributeType: "N" },
        ],
        KeySchema: [
          { AttributeName: "p", KeyType: "HASH" },
          { AttributeName: "s", KeyType: "RANGE" },
        ],
        StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" },
      }),
    );
    await ddb.waitUntilTableExists(soon, { TableName });
    await run(TableName, table);
    await client.send(new ddb.DeleteTableCommand({ TableName }));
    await ddb.waitUntilTableNotExists(soon, { TableName });
  });

const keys = (count) => Array.from({ length: count }, (_, s) => ({ p: "a", s }));

const put = async (TableName, count) => {
  const requests = keys(count).map((Item) => ({ PutRequest: { Item } }));
  while (requests.length) {
    await document.send(new lib.BatchWriteCommand({ RequestItems: { [TableName]: requests.splice(0, 25) } }));
  }
};

withTable("tables", async (TableName) => {
  const { Table } = await client.send(new ddb.DescribeTableCommand({ TableName }));
  assert.equal(Table.TableStatus, "ACTIVE");
  const names = [];
  for await (const page of ddb.paginateListTables({ client, pageSize: 1 }, {})) names.push(...page.TableNames);
  assert.ok(names.includes(TableName));
});

withTable("items", async (TableName) => {
  const item = { p: "a", s: 1.5, bytes: new Uint8Array([0, 255]), map: { deep: [true, null, "ü"] }, set: new Set(["x", "y"]) };
  const Key = { p: "a", s: 1.5 };
  await document.send(new lib.PutCommand({ TableName, Item: item }));
  assert.deepEqual((await document.send(new lib.GetCommand({ TableName, Key }))).Item, item);
  const { Attributes: updated } = await document.send(
    new lib.UpdateCommand({
      TableName,
      Key,
      UpdateExpression: "ADD #n :one REMOVE #m.deep[1]",
      ExpressionAttributeNames: { "#n": "n", "#m": "map" },
      ExpressionAttributeValues: { ":one": 1 },
      ReturnValues: "UPDATED_NEW",
    }),
  );
  assert.equal(updated.n, 1);
  const { Attributes: deleted } = await document.send(new lib.DeleteCommand({ TableName, Key, ReturnValues: "ALL_OLD" }));
  assert.deepEqual(deleted.map, { deep: [true, "ü"] });
});

withTable("conditions", async (TableName) => {
  await put(TableName, 1);
  const again = new lib.PutCommand({
    TableName,
    Item: { p: "a", s: 0 },
    ConditionExpression: "attribute_not_exists(p)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  const failed = await document.send(again).catch((error) => error);
  assert.ok(failed instanceof ddb.ConditionalCheckFailedException, failed);
  assert.deepEqual(failed.Item, { p: { S: "a" }, s: { N: "0" } });
});

withTable("query in pages", async (TableName) => {
  await put(TableName, 30);
  const found = [];
  const pages = lib.paginateQuery(
    { client: document, pageSize: 7 },
    {
      TableName,
      KeyConditionExpression: "p = :p AND s >= :s",
      ExpressionAttributeValues: { ":p": "a", ":s": 10 },
      ScanIndexForward: false,
    },
  );
  for await (const page of pages) found.push(...page.Items.map(({ s }) => s));
  assert.deepEqual(found, Array.from({ length: 20 }, (_, index) => 29 - index));
});

withTable("batches", async (TableName) => {
  await put(TableName, 30);
  const found = await document.send(new lib.BatchGetCommand({ RequestItems: { [TableName]: { Keys: keys(30) } } }));
  assert.equal(found.Responses[TableName].length, 30);
});

withTable("transactions", async (TableName) => {
  const Put = { TableName, Item: { p: "a", s: 1 } };
  await document.send(new lib.TransactWriteCommand({ TransactItems: [{ Put }] }));
  const again = { TransactItems: [{ Put: { ...Put, ConditionExpression: "attribute_not_exists(p)" } }] };
  const cancelled = await document.send(new lib.TransactWriteCommand(again)).catch((error) => error);
  assert.ok(cancelled instanceof ddb.TransactionCanceledException, cancelled);
  assert.equal(cancelled.CancellationReasons[0].Code, "ConditionalCheckFailed");
  const read = await document.send(new lib.TransactGetCommand({ TransactItems: [{ Get: { TableName, Key: Put.Item } }] }));
  assert.deepEqual(read.Responses, [{ Item: Put.Item }]);
});

withTable("statements", async (TableName) => {
  await put(TableName, 3);
  const Statement = `SELECT s FROM "${TableName}" WHERE p = ? AND s >= 1`;
  const { Items } = await document.send(new lib.ExecuteStatementCommand({ Statement, Parameters: ["a"] }));
  assert.deepEqual(Items, [{ s: 1 }, { s: 2 }]);
});

withTable("streams", async (TableName, { LatestStreamArn: StreamArn }) => {
  await put(TableName, 1);
  await document.send(new lib.DeleteCommand({ TableName, Key: { p: "a", s: 0 } }));
  const reader = new streams.DynamoDBStreamsClient();
  const { StreamDescription } = await reader.send(new streams.DescribeStreamCommand({ StreamArn }));
  const records = [];
  for (const { ShardId } of StreamDescription.Shards) {
    const from = { StreamArn, ShardId, ShardIteratorType: "TRIM_HORIZON" };
    const { ShardIterator } = await reader.send(new streams.GetShardIteratorCommand(from));
    records.push(...(await reader.send(new streams.GetRecordsCommand({ ShardIterator }))).Records);
  }
  assert.deepEqual(records.map(({ eventName }) => eventName), ["INSERT", "REMOVE"]);
  assert.deepEqual(records[1].dynamodb.OldImage, { p: { S: "a" }, s: { N: "0" } });
});

withTable("bulk writes", async (TableName) => {
  const { BulkOperationDescription: started } = await client.send(
    new ddb.StartBulkPutItemsCommand({
      TableName,
      InputS3Configuration: { S3Bucket: bucket, S3KeyPrefix: prefix, InputFormat: "DYNAMODB_JSON" },
      OutputS3Configuration: { S3Bucket: bucket, S3KeyPrefix: "reports", OutputType: ["ERROR"] },
    }),
  );
  const operation = { BulkOperationArn: started.BulkOperationArn };
  await ddb.waitUntilBulkOperationCompleted(soon, operation);
  const { BulkOperationDescription: done } = await client.send(new ddb.DescribeBulkOperationCommand(operation));
  assert.deepEqual([done.BulkOperationStatus, done.ProcessedItemCount], ["COMPLETED", 3]);
  assert.equal((await document.send(new lib.ScanCommand({ TableName }))).Count, 3);
});

withTable("filtered exports", async (TableName, { TableArn }) => {
  await put(TableName, 10);
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(new ddb.UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  const { ExportDescription: started } = await client.send(
    new ddb.ExportTableToPointInTimeCommand({
      TableArn,
      S3Bucket: bucket,
      FilterSpecification: { FilterExpression: "s < :n", ExpressionAttributeValues: { ":n": { N: "4" } } },
    }),
  );
  const asked = { ExportArn: started.ExportArn };
  await ddb.waitUntilExportCompleted(soon, asked);
  const { ExportDescription: done } = await client.send(new ddb.DescribeExportCommand(asked));
  assert.equal(done.ItemCount, 4);
});
