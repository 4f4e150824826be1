import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  BackupNotFoundException,
  CreateBackupCommand,
  DeleteBackupCommand,
  DeleteTableCommand,
  DescribeBackupCommand,
  DescribeContinuousBackupsCommand,
  ListBackupsCommand,
  PutItemCommand,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  ScanCommand,
  UpdateContinuousBackupsCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { createTable, makeClient } from "./client.mjs";
import { startServer } from "./server.mjs";

const item = { artist: { S: "Nina Simone" }, song: { S: "Sinnerman" } };
let server, client;
before(async () => {
  server = await startServer();
  client = makeClient(server.endpoint);
});
after(async () => {
  client.destroy();
  await server.stop();
});

async function createFilled(name) {
  await createTable(client, name);
  await client.send(new PutItemCommand({ TableName: name, Item: item }));
}

async function itemsOnceRestored(name) {
  await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName: name });
  const { Items } = await client.send(new ScanCommand({ TableName: name }));
  return Items;
}

test("a backup outlives its table, and a table is restored from it", async () => {
  await createFilled("BackedUp");
  const created = await client.send(new CreateBackupCommand({ TableName: "BackedUp", BackupName: "first" }));
  const { BackupArn, BackupStatus, BackupCreationDateTime } = created.BackupDetails;
  assert.equal(BackupStatus, "CREATING");
  assert.ok(BackupCreationDateTime instanceof Date);
  await client.send(new DeleteTableCommand({ TableName: "BackedUp" }));
  const restore = new RestoreTableFromBackupCommand({ BackupArn, TargetTableName: "FromBackup" });
  const { TableDescription } = await client.send(restore);
  assert.equal(TableDescription.TableStatus, "CREATING");
  assert.equal(TableDescription.RestoreSummary.SourceBackupArn, BackupArn);
  assert.deepEqual(await itemsOnceRestored("FromBackup"), [item]);
  await client.send(new DeleteBackupCommand({ BackupArn }));
  await assert.rejects(client.send(new DescribeBackupCommand({ BackupArn })), BackupNotFoundException);
});

test("backups are listed a page at a time", async () => {
  await createFilled("Listed");
  for (const BackupName of ["one", "two", "three"])
    await client.send(new CreateBackupCommand({ TableName: "Listed", BackupName }));
  const names = [];
  let ExclusiveStartBackupArn;
  do {
    const page = await client.send(new ListBackupsCommand({ TableName: "Listed", Limit: 2, ExclusiveStartBackupArn }));
    names.push(...page.BackupSummaries.map(({ BackupName }) => BackupName));
    ExclusiveStartBackupArn = page.LastEvaluatedBackupArn;
  } while (ExclusiveStartBackupArn);
  assert.deepEqual(names.sort(), ["one", "three", "two"]);
});

test("a table is restored to a point in time", async () => {
  await createFilled("Recovered");
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(new UpdateContinuousBackupsCommand({ TableName: "Recovered", PointInTimeRecoverySpecification }));
  const described = await client.send(new DescribeContinuousBackupsCommand({ TableName: "Recovered" }));
  const recovery = described.ContinuousBackupsDescription.PointInTimeRecoveryDescription;
  assert.equal(recovery.PointInTimeRecoveryStatus, "ENABLED");
  assert.ok(recovery.LatestRestorableDateTime instanceof Date);
  await client.send(new PutItemCommand({ TableName: "Recovered", Item: { ...item, late: { BOOL: true } } }));
  const target = { SourceTableName: "Recovered", TargetTableName: "AsEnabled", UseLatestRestorableTime: true };
  await client.send(new RestoreTableToPointInTimeCommand(target));
  assert.deepEqual(await itemsOnceRestored("AsEnabled"), [item]);
});
