import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  DeleteTableCommand,
  DescribeTableCommand,
  ListTablesCommand,
  ResourceInUseException,
  ResourceNotFoundException,
  UpdateTableCommand,
  paginateListTables,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from "@aws-sdk/client-dynamodb";
import { createTable, makeClient } from "./client.mjs";
import { startServer } from "./server.mjs";

let server, client;
before(async () => {
  server = await startServer();
  client = makeClient(server.endpoint);
});
after(async () => {
  client.destroy();
  await server.stop();
});

test("a table comes and goes", async () => {
  const { TableDescription: created } = await createTable(client, "Comes");
  assert.equal(created.TableStatus, "CREATING");
  assert.ok(created.CreationDateTime instanceof Date);
  assert.ok(Math.abs(created.CreationDateTime - Date.now()) < 24 * 3600 * 1000);
  const waited = { client, maxWaitTime: 60, minDelay: 1 };
  await waitUntilTableExists(waited, { TableName: "Comes" });
  const { Table: described } = await client.send(new DescribeTableCommand({ TableName: "Comes" }));
  assert.equal(described.TableStatus, "ACTIVE");
  assert.equal(described.TableId, created.TableId);
  const { TableDescription: deleted } = await client.send(new DeleteTableCommand({ TableName: "Comes" }));
  assert.equal(deleted.TableStatus, "DELETING");
  await waitUntilTableNotExists(waited, { TableName: "Comes" });
});

test("a table is updated", async () => {
  await createTable(client, "Updated");
  await client.send(
    new UpdateTableCommand({
      TableName: "Updated",
      BillingMode: "PROVISIONED",
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 6 },
    }),
  );
  const { Table } = await client.send(new DescribeTableCommand({ TableName: "Updated" }));
  assert.equal(Table.ProvisionedThroughput.ReadCapacityUnits, 5);
  assert.equal(Table.ProvisionedThroughput.WriteCapacityUnits, 6);
  await client.send(new DeleteTableCommand({ TableName: "Updated" }));
});

test("names are listed a page at a time", async () => {
  const names = ["page-a", "page-b", "page-c"];
  for (const name of names) await createTable(client, name);
  const listed = [];
  for await (const page of paginateListTables({ client, pageSize: 2 }, {})) listed.push(...page.TableNames);
  assert.deepEqual(listed, names);
  for (const TableName of names) await client.send(new DeleteTableCommand({ TableName }));
});

test("errors are of the SDK's classes, and are not tried again", async () => {
  await createTable(client, "InUse");
  const before = client.requestsSent;
  await assert.rejects(createTable(client, "InUse"), (error) => {
    assert.ok(error instanceof ResourceInUseException);
    assert.equal(error.message, "Table already exists: InUse");
    assert.equal(error.$metadata.httpStatusCode, 400);
    assert.equal(error.$metadata.attempts, 1);
    assert.match(error.$metadata.requestId, /^[A-Z0-9]{52}$/);
    return true;
  });
  await assert.rejects(client.send(new DescribeTableCommand({ TableName: "nowhere" })), (error) => {
    assert.ok(error instanceof ResourceNotFoundException);
    assert.equal(error.message, "Requested resource not found: Table: nowhere not found");
    return true;
  });
  assert.equal(client.requestsSent - before, 2);
  await client.send(new DeleteTableCommand({ TableName: "InUse" }));
});

test("a validation error carries the service's words", async () => {
  await assert.rejects(client.send(new ListTablesCommand({ Limit: 101 })), {
    name: "ValidationException",
    message:
      "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: " +
      "Member must have value less than or equal to 100",
  });
});
