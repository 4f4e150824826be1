// Requests as GET /_dinette/requests lists them: which are wanted, what they come to, and which items they name.
import { clientOf, testOf } from "./clients.js";
import { brief } from "./typed_json.js";

export const tablesOf = ({ tables }) => tables.map(({ name }) => name).join(", ");

export const noFilter = { table: "", operation: "", failed: false, text: "", group: undefined };

const textOf = (request) => `${request.operation} ${tablesOf(request)} ${request.error ?? ""} ${clientOf(request)} ${testOf(request)}`.toLowerCase();

/** Returns true if a request passes a filter. `by`: a key of `groupings`, of which filter.group is one value. */
export const passes = (request, { table, operation, failed, text, group }, by) =>
  (!table || request.tables.some(({ name }) => name === table)) && (!operation || request.operation === operation) &&
  (!failed || Boolean(request.error)) && (!text || textOf(request).includes(text.toLowerCase())) &&
  (group === undefined || !by || groupings[by](request) === group);

/** How requests are put together, by their names. */
export const groupings = { client: clientOf, test: testOf };

/** Returns what the requests of each group come to, those with the latest request first. */
export function groupsOf(requests, by) {
  const groups = new Map();
  for (const request of requests) {
    const name = groupings[by](request);
    if (!groups.has(name)) groups.set(name, { name, requests: 0, failed: 0, microseconds: 0, readUnits: 0, writeUnits: 0 });
    const group = groups.get(name);
    group.requests += 1;
    group.failed += request.error ? 1 : 0;
    group.microseconds += request.microseconds;
    group.readUnits += request.readUnits;
    group.writeUnits += request.writeUnits;
  }
  return [...groups.values()];
}

const sorted = (values) => [...new Set(values)].filter(Boolean).sort();
export const tablesIn = (requests) => sorted(requests.flatMap(({ tables }) => tables.map(({ name }) => name)));
export const operationsIn = (requests) => sorted(requests.map(({ operation }) => operation));

/** Returns a body as JSON; undefined if it is cut or something else. */
export function jsonOf({ text, cut }) {
  if (cut) return undefined;
  try {
    return JSON.parse(text || "{}");
  } catch {
    return undefined;
  }
}

/** The plain name of a table that may be named by its ARN. */
const plainName = (name) => /:table\/([^/]+)$/.exec(name)?.[1] ?? name;

const ofBatch = (requestItems) => Object.entries(requestItems ?? {}).flatMap(([name, asked]) =>
  (Array.isArray(asked) ? asked.map(({ PutRequest, DeleteRequest }) => DeleteRequest?.Key ?? PutRequest?.Item) : asked.Keys ?? [])
    .map((attributes) => ({ table: plainName(name), attributes })));

const ofTransaction = (items) => (items ?? []).flatMap((one) => Object.values(one)).map((action) => (
  { table: plainName(action.TableName ?? ""), attributes: action.Key ?? action.Item }));

/**
 * Returns the items that a request names: [{table, attributes}], where the attributes are at least those of the key. Statements of
 * PartiQL, Query and Scan name none.
 */
export function itemsNamedBy(input) {
  if (!input || typeof input !== "object") return [];
  const single = input.Key ?? input.Item;
  const all = single && input.TableName ? [{ table: plainName(input.TableName), attributes: single }]
    : input.RequestItems ? ofBatch(input.RequestItems) : ofTransaction(input.TransactItems);
  return all.filter(({ table, attributes }) => table && attributes && typeof attributes === "object");
}

/** Returns the condition of a write with its placeholders replaced by names and values; undefined if it has none. */
export function conditionIn(input) {
  const values = input?.ExpressionAttributeValues ?? {};
  const written = (value) => (value.S === undefined ? brief(value) : JSON.stringify(value.S));
  return input?.ConditionExpression
    ?.replace(/#\w+/g, (name) => input.ExpressionAttributeNames?.[name] ?? name)
    .replace(/:\w+/g, (name) => (values[name] ? written(values[name]) : name));
}

/** Operations that change nothing: to send them again is harmless. */
export const onlyReads = (operation) => /^(Get|BatchGet|TransactGet|Query|Scan|List|Describe)/.test(operation);
