// Exports and imports by the AWS SDK for JavaScript v3, with the objects on the same server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import {
  DescribeExportCommand,
  DescribeImportCommand,
  ExportConflictException,
  ExportNotFoundException,
  ExportTableToPointInTimeCommand,
  ImportTableCommand,
  PointInTimeRecoveryUnavailableException,
  PutItemCommand,
  ScanCommand,
  UpdateContinuousBackupsCommand,
  paginateListExports,
  paginateListImports,
} from "@aws-sdk/client-dynamodb";
import { CreateBucketCommand, GetObjectCommand, S3Client, paginateListObjectsV2 } from "@aws-sdk/client-s3";
import { createTable, makeClient } from "./client.mjs";
import { startServer } from "./server.mjs";

const bucket = "copies";
const items = [1, 2, 3].map((n) => ({ artist: { S: "Nina Simone" }, song: { S: `${n}` }, year: { N: `${1960 + n}` } }));
let server, client, s3, tableArn;
before(async () => {
  server = await startServer();
  client = makeClient(server.endpoint);
  s3 = new S3Client({
    endpoint: server.endpoint, region: "us-east-1", forcePathStyle: true,
    credentials: { accessKeyId: "key", secretAccessKey: "secret" },
  });
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  tableArn = (await createTable(client, "Music")).TableDescription.TableArn;
  for (const item of items) await client.send(new PutItemCommand({ TableName: "Music", Item: item }));
  await client.send(new UpdateContinuousBackupsCommand({
    TableName: "Music", PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  }));
});
after(async () => {
  client.destroy();
  s3.destroy();
  await server.stop();
});

async function ended(describe) {
  for (;;) {
    const [found] = Object.values(await client.send(describe()))
      .filter((value) => value.ExportStatus ?? value.ImportStatus);
    if ((found.ExportStatus ?? found.ImportStatus) !== "IN_PROGRESS") return found;
  }
}

async function exported(members = {}) {
  const command = new ExportTableToPointInTimeCommand({ TableArn: tableArn, S3Bucket: bucket, ...members });
  const { ExportDescription } = await client.send(command);
  assert.ok(ExportDescription.StartTime instanceof Date);
  return ended(() => new DescribeExportCommand({ ExportArn: ExportDescription.ExportArn }));
}

async function keysBelow(prefix) {
  const keys = [];
  for await (const page of paginateListObjectsV2({ client: s3, pageSize: 3 }, { Bucket: bucket, Prefix: prefix }))
    keys.push(...(page.Contents ?? []).map((object) => object.Key));
  return keys;
}

async function read(key) {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  return Buffer.from(await Body.transformToByteArray());
}

test("an export is read object by object, and imported again", async () => {
  const { ExportStatus, ExportManifest, ItemCount } = await exported();
  assert.equal(ExportStatus, "COMPLETED");
  assert.equal(ItemCount, items.length);
  const folder = ExportManifest.replace("manifest-summary.json", "");
  const data = (await keysBelow(`${folder}data/`)).map(read);
  const lines = (await Promise.all(data)).flatMap((file) => gunzipSync(file).toString().split("\n").filter(Boolean));
  const bySong = (a, b) => a.song.S.localeCompare(b.song.S);
  assert.deepEqual(lines.map((line) => JSON.parse(line).Item).sort(bySong), items);

  const { ImportTableDescription } = await client.send(new ImportTableCommand({
    S3BucketSource: { S3Bucket: bucket, S3KeyPrefix: `${folder}data/` },
    InputFormat: "DYNAMODB_JSON", InputCompressionType: "GZIP",
    TableCreationParameters: {
      TableName: "Imported", BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [{ AttributeName: "artist", AttributeType: "S" }, { AttributeName: "song", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "artist", KeyType: "HASH" }, { AttributeName: "song", KeyType: "RANGE" }],
    },
  }));
  const imported = await ended(() => new DescribeImportCommand({ ImportArn: ImportTableDescription.ImportArn }));
  assert.equal(imported.ImportStatus, "COMPLETED");
  assert.equal(imported.ImportedItemCount, items.length);
  const { Items } = await client.send(new ScanCommand({ TableName: "Imported" }));
  assert.deepEqual(Items.sort(bySong), items);
});

test("exports and imports are listed a page at a time", async () => {
  const arns = [];
  for (let i = 0; i < 3; ++i) arns.push((await exported({ S3Prefix: `listed/${i}` })).ExportArn);
  const listed = [];
  for await (const page of paginateListExports({ client, pageSize: 2 }, { TableArn: tableArn }))
    listed.push(...page.ExportSummaries);
  for (const arn of arns) assert.equal(listed.filter((one) => one.ExportArn === arn).length, 1);
  assert.ok(listed.every((one) => one.ExportType === "FULL_EXPORT"));
  for await (const page of paginateListImports({ client, pageSize: 1 }, {})) assert.ok(page.ImportSummaryList.length <= 1);
});

test("errors are those of the SDK", async () => {
  const { TableDescription } = await createTable(client, "Plain");
  const unknown = `${tableArn}/export/01700000000000-0123abcd`;
  await assert.rejects(exported({ TableArn: TableDescription.TableArn }), PointInTimeRecoveryUnavailableException);
  await assert.rejects(client.send(new DescribeExportCommand({ ExportArn: unknown })), ExportNotFoundException);
  await exported({ ClientToken: "once" });
  await assert.rejects(exported({ ClientToken: "once", S3Prefix: "other" }), ExportConflictException);
});
