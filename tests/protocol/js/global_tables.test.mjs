// Global tables between the regions of one server: docs/service/global-tables.md, docs/global-tables.md.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  CreateGlobalTableCommand,
  DeleteItemCommand,
  DeleteTableCommand,
  DescribeGlobalTableCommand,
  DescribeGlobalTableSettingsCommand,
  DescribeTableCommand,
  DescribeTableReplicaAutoScalingCommand,
  GetItemCommand,
  ListGlobalTablesCommand,
  PutItemCommand,
  UpdateGlobalTableCommand,
  UpdateGlobalTableSettingsCommand,
  UpdateTableCommand,
  UpdateTableReplicaAutoScalingCommand,
} from "@aws-sdk/client-dynamodb";
import { createTable, makeClient } from "./client.mjs";
import { startServer } from "./server.mjs";

let server, east, west;
before(async () => {
  server = await startServer("--isolate", "region");
  east = makeClient(server.endpoint);
  west = makeClient(server.endpoint, { region: "us-west-2" });
});
after(async () => {
  for (const client of [east, west]) client.destroy();
  await server.stop();
});

const key = { artist: { S: "Nina Simone" }, song: { S: "Sinnerman" } };

async function until(get, holds) {
  for (;;) {
    const value = await get();
    if (holds(value)) return value;
  }
}

async function replicasOf(client, TableName) {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  return Table.Replicas ?? [];
}

async function replicate(TableName) {
  await createTable(east, TableName);
  await east.send(
    new UpdateTableCommand({ TableName, ReplicaUpdates: [{ Create: { RegionName: "us-west-2" } }] }),
  );
  await until(
    () => replicasOf(east, TableName),
    (replicas) => replicas.length === 1 && replicas[0].ReplicaStatus === "ACTIVE",
  );
}

const read = async (client, TableName) =>
  (await client.send(new GetItemCommand({ TableName, Key: key, ConsistentRead: true }))).Item;

test("items go both ways between replicas, until one is removed", async () => {
  const TableName = "Both";
  await replicate(TableName);
  await east.send(new PutItemCommand({ TableName, Item: { ...key, year: { N: "1965" } } }));
  await until(
    () => read(west, TableName),
    (item) => item?.year.N === "1965",
  );
  await west.send(new DeleteItemCommand({ TableName, Key: key }));
  await until(
    () => read(east, TableName),
    (item) => item === undefined,
  );
  await east.send(
    new UpdateTableCommand({ TableName, ReplicaUpdates: [{ Delete: { RegionName: "us-west-2" } }] }),
  );
  await until(
    () => replicasOf(east, TableName),
    (replicas) => replicas.length === 0,
  );
  await assert.rejects(west.send(new DescribeTableCommand({ TableName })), { name: "ResourceNotFoundException" });
  await east.send(new DeleteTableCommand({ TableName }));
});

test("auto scaling of replicas is described and updated", async () => {
  const TableName = "Scaled";
  await replicate(TableName);
  await east.send(
    new UpdateTableCommand({
      TableName,
      BillingMode: "PROVISIONED",
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    }),
  );
  await east.send(
    new UpdateTableReplicaAutoScalingCommand({
      TableName,
      ProvisionedWriteCapacityAutoScalingUpdate: {
        MinimumUnits: 10,
        MaximumUnits: 100,
        ScalingPolicyUpdate: { TargetTrackingScalingPolicyConfiguration: { TargetValue: 50 } },
      },
    }),
  );
  const { TableAutoScalingDescription } = await west.send(new DescribeTableReplicaAutoScalingCommand({ TableName }));
  assert.equal(TableAutoScalingDescription.Replicas.length, 2);
  for (const replica of TableAutoScalingDescription.Replicas)
    assert.equal(replica.ReplicaProvisionedWriteCapacityAutoScalingSettings.MinimumUnits, 10);
});

test("the legacy version is refused as the service refuses it", async () => {
  const GlobalTableName = "Legacy";
  const ReplicationGroup = [{ RegionName: "us-east-1" }, { RegionName: "us-west-2" }];
  await assert.rejects(east.send(new CreateGlobalTableCommand({ GlobalTableName, ReplicationGroup })), {
    name: "ValidationException",
  });
  const remove = [{ Delete: { RegionName: "us-west-2" } }];
  for (const command of [
    new DescribeGlobalTableCommand({ GlobalTableName }),
    new DescribeGlobalTableSettingsCommand({ GlobalTableName }),
    new UpdateGlobalTableCommand({ GlobalTableName, ReplicaUpdates: remove }),
    new UpdateGlobalTableSettingsCommand({ GlobalTableName, GlobalTableBillingMode: "PAY_PER_REQUEST" }),
  ])
    await assert.rejects(east.send(command), { name: "GlobalTableNotFoundException" });
  assert.deepEqual((await east.send(new ListGlobalTablesCommand({}))).GlobalTables, []);
});
