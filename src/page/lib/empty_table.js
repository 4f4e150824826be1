// Empties tables.
import { all, call, describeTable } from "./dynamodb.js";
import { keyOf, keysOf } from "./key_schema.js";
import { definitionOf } from "./table_definition.js";

const most = 25;            // requests of a BatchWriteItem
const pause = 100;          // milliseconds between looks, and before what was left is sent again
const patience = 30_000;    // milliseconds until a table is gone, or there
const sleep = (milliseconds) => new Promise((done) => { setTimeout(done, milliseconds); });

/** Deletes the items of these keys, and what the service leaves of them, until none is left. */
async function deleteBatch(name, keys, signal) {
  let left = keys.map((Key) => ({ DeleteRequest: { Key } }));
  while (left.length) {
    signal.throwIfAborted();
    const { UnprocessedItems } = await call("BatchWriteItem", { RequestItems: { [name]: left } });
    left = UnprocessedItems?.[name] ?? [];
    if (left.length) await sleep(pause);
  }
}

/** Deletes all items, with a record of each in the stream. Calls `progress(count)`. Throws what the service does, or if it is aborted. */
export async function deleteItems(table, progress, signal) {
  const name = table.TableName;
  const names = Object.fromEntries(Object.values(keysOf(table)).filter(Boolean).map((key, at) => [`#k${at}`, key]));
  let deleted = 0;
  let ExclusiveStartKey;
  do {
    signal.throwIfAborted();
    const page = await call("Scan", {
      TableName: name, ProjectionExpression: Object.keys(names).join(", "), ExpressionAttributeNames: names, ConsistentRead: true,
      ...(ExclusiveStartKey ? { ExclusiveStartKey } : {}),
    });
    for (let at = 0; at < page.Items.length; at += most) {
      const keys = page.Items.slice(at, at + most).map((item) => keyOf(table, item));
      await deleteBatch(name, keys, signal);
      deleted += keys.length;
      progress(deleted);
    }
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

/** Waits until `isDone()` says so. */
async function until(isDone, what) {
  const end = Date.now() + patience;
  while (!(await isDone())) {
    if (Date.now() > end) throw new Error(`The table has not ${what} yet. Is the clock stopped?`);
    await sleep(pause);
  }
}

const isGone = (name) => describeTable(name).then(() => false, (error) => {
  if (error.name === "ResourceNotFoundException") return true;
  throw error;
});

/** Drops the table and creates it again: the same keys, indexes, settings, tags and time to live, another ARN of its stream. */
export async function recreate(name) {
  const table = await describeTable(name);
  const { TimeToLiveDescription: ttl } = await call("DescribeTimeToLive", { TableName: name });
  const Tags = await all("ListTagsOfResource", "Tags", { ResourceArn: table.TableArn }, "NextToken", "NextToken");
  if (table.DeletionProtectionEnabled) throw new Error("The table is protected from being dropped.");
  await call("DeleteTable", { TableName: name });
  await until(() => isGone(name), "been dropped");
  await call("CreateTable", { ...definitionOf(table), ...(Tags.length ? { Tags } : {}) });
  await until(async () => (await describeTable(name)).TableStatus === "ACTIVE", "become active");
  if (!ttl.AttributeName) return;
  await call("UpdateTimeToLive", { TableName: name, TimeToLiveSpecification: { Enabled: true, AttributeName: ttl.AttributeName } });
}
