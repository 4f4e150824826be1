// Calls operations of DynamoDB, in the world that the user has chosen.
import { signal } from "@preact/signals";
import { ownAgent } from "./clients.js";
import { noteAttributes } from "./known_attributes.js";
import { claimed, signed } from "./sigv4.js";
import { faultsHitPage } from "./spared.js";
import { credentials, recordsOwn, world } from "./state.js";

const ofStreams = new Set(["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"]);

const changesTables = new Set(["CreateTable", "DeleteTable", "RestoreTableFromBackup", "ImportTable"]);
/** Counts what this page has done to the list of tables. */
export const tableChanges = signal(0);

export class ServiceError extends Error {
  constructor(name, message, status, output) {
    super(message);
    this.name = name;
    this.status = status;
    this.output = output;
  }
}

const notRecorded = { "x-dinette-record": "off" };

const target = (operation) =>
  (ofStreams.has(operation) ? "DynamoDBStreams_20120810." : "DynamoDB_20120810.") + operation;

async function send(operation, input, more) {
  const body = JSON.stringify(input);
  const headers = {
    "content-type": "application/x-amz-json-1.0",
    "x-amz-target": target(operation),
    "x-dinette-world": world.value,
    // A browser sends a User-Agent of its own.
    "x-amz-user-agent": ownAgent,
    ...(faultsHitPage.value ? {} : { "x-dinette-faults": "off" }),
    ...(recordsOwn.value ? {} : notRecorded),
    ...more,
  };
  const who = credentials.value;
  const sent = who.secretAccessKey ? await signed(headers, body, who) : claimed(headers, who);
  const reply = await fetch("../", { method: "POST", headers: sent, body }).catch(() => {
    throw new ServiceError("No answer", "The server did not answer, or closed the connection.", 0);
  });
  const output = JSON.parse((await reply.text()) || "{}");
  if (reply.ok) {
    if (changesTables.has(operation)) tableChanges.value++;
    return { reply, output };
  }
  const type = (output.__type ?? `HTTP ${reply.status}`).replace(/^.*#/, "");
  throw new ServiceError(type, output.message ?? output.Message ?? "", reply.status, output);
}

/** Returns the operation's output. Throws a ServiceError. */
export async function call(operation, input = {}) {
  return (await send(operation, input)).output;
}

/** The same for what the page asks again and again: it is never recorded. */
export async function callQuietly(operation, input = {}) {
  return (await send(operation, input, notRecorded)).output;
}

/** Returns the milliseconds that the server says it took, if it does (https://www.w3.org/TR/server-timing/). */
function serverTime(reply) {
  const [, duration] = /(?:^|,)\s*total\s*;.*?dur=([\d.]+)/.exec(reply.headers.get("Server-Timing") ?? "") ?? [];
  return duration === undefined ? undefined : Number(duration);
}

/**
 * Returns the output, what was done for it (docs/explain.md; null if nothing is said), and the milliseconds that it took: in all,
 * and at the server.
 */
export async function explained(operation, input) {
  const started = performance.now();
  const { reply, output } = await send(operation, input, { "x-dinette-explain": "true" });
  const milliseconds = performance.now() - started;
  const plan = JSON.parse(reply.headers.get("X-Dinette-Explain") ?? "null");
  noteAttributes(plan?.TableName ?? input.TableName, output.Items);
  return { output, plan, milliseconds, serverMilliseconds: serverTime(reply) };
}

/** Returns the elements of all pages of a list. */
export async function all(operation, member, input, last, next) {
  const found = [];
  let page = {};
  do {
    page = await call(operation, page[last] ? { ...input, [next]: page[last] } : input);
    found.push(...page[member]);
  } while (page[last]);
  return found;
}

export const tableNames = () => all("ListTables", "TableNames", {}, "LastEvaluatedTableName", "ExclusiveStartTableName");
export const describeTable = async (name) => (await call("DescribeTable", { TableName: name })).Table;
