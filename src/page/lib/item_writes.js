// Writes of items that destroy nothing of others: each says what it expects to be there.
import { call } from "./dynamodb.js";
import { forEach } from "./for_each.js";
import { changedNames, conflictingNames, merged, updateOf } from "./item_change.js";
import { keyOf, keysOf } from "./key_schema.js";

const isRefused = (error) => error.name === "ConditionalCheckFailedException";

/** Returns the whole item, of which an index may have shown a part; undefined if it is gone. */
export const wholeItem = async (table, item) =>
  (await call("GetItem", { TableName: table.TableName, Key: keyOf(table, item), ConsistentRead: true })).Item;

/** Writes an item that replaces none. */
export async function createItem(table, item) {
  const { partition } = keysOf(table);
  await call("PutItem", {
    TableName: table.TableName, Item: item,
    ConditionExpression: "attribute_not_exists(#key)", ExpressionAttributeNames: { "#key": partition },
  });
}

/**
 * Writes what `after` changes in `before`. Returns {item}, as it is stored then, or {conflict}: the item as others have stored it
 * meanwhile, {} if they deleted it, where that is not to be overwritten.
 */
export async function updateItem(table, before, after) {
  if (changedNames(before, after).length === 0) return { item: after };
  try {
    const { Attributes } = await call("UpdateItem", {
      TableName: table.TableName, Key: keyOf(table, before), ...updateOf(before, after, keysOf(table).partition),
      ReturnValues: "ALL_NEW", ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    return { item: Attributes };
  } catch (error) {
    if (!isRefused(error)) throw error;
    const stored = error.output.Item;
    const isAgreed = stored && conflictingNames(before, after, stored).length === 0;
    return isAgreed ? updateItem(table, stored, merged(before, after, stored)) : { conflict: stored ?? {} };
  }
}

/** Deletes an item. Returns it as it was; undefined if it was gone already. */
export const deleteItem = async (table, item) =>
  (await call("DeleteItem", { TableName: table.TableName, Key: keyOf(table, item), ReturnValues: "ALL_OLD" })).Attributes;

/** Deletes an item if it still is as it was written. Throws otherwise. */
export async function deleteUnchanged(table, item) {
  await call("DeleteItem", {
    TableName: table.TableName, Key: keyOf(table, item),
    Expected: Object.fromEntries(Object.entries(item).map(([name, value]) =>
      [name, { ComparisonOperator: "EQ", AttributeValueList: [value] }])),
  });
}

/** What a condition that failed means for those who wanted to create an item. */
export const inWords = (error) =>
  (error && isRefused(error) ? Object.assign(new Error("An item of this key exists already."), { name: "Not created" }) : error);


const batchOf = 25;
const pause = (turn) => new Promise((done) => setTimeout(done, Math.min(50 * 2 ** turn, 2000)));

async function putBatch(table, items) {
  let requests = { [table.TableName]: items.map((Item) => ({ PutRequest: { Item } })) };
  for (let turn = 0; requests[table.TableName]?.length; turn++) {
    if (turn) await pause(turn);
    requests = (await call("BatchWriteItem", { RequestItems: requests })).UnprocessedItems;
  }
}

/** Writes items in the place of those that have their keys. `onDone` gets how many are written. */
export async function putItems(table, items, onDone, isStopped) {
  const batches = [];
  for (let at = 0; at < items.length; at += batchOf) batches.push(items.slice(at, at + batchOf));
  await forEach(batches, (batch) => putBatch(table, batch), (done) => onDone(Math.min(done * batchOf, items.length)), isStopped);
}

/** Writes the items of whose keys there is none. Returns how many there were already. */
export async function addItems(table, items, onDone, isStopped) {
  let kept = 0;
  await forEach(items, (item) => createItem(table, item).catch((error) => {
    if (!isRefused(error)) throw error;
    kept++;
  }), onDone, isStopped);
  return kept;
}
