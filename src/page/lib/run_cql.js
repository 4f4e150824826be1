// Runs statements of CQL, as a program of the user would: in the chosen world.
import { admin } from "./admin.js";
import { ownAgent } from "./clients.js";
import { faultsHitPage } from "./spared.js";
import { recordsOwn } from "./state.js";

/** An error of the service, with its place in the statement, if it has one. */
export class CqlError extends Error {
  constructor({ name, message, line, column }) {
    super(message);
    this.name = name;
    this.line = line;
    this.column = column;
  }
}

/** `asked`: {statement, keyspace, pageSize, pagingState}. Returns {columns, rows, pagingState, keyspace}. Throws a CqlError. */
export async function runCql(asked) {
  const { error, ...result } = await admin("POST", "cql", asked, undefined, {
    "x-amz-user-agent": ownAgent,
    ...(faultsHitPage.value ? {} : { "x-dinette-faults": "off" }),
    ...(recordsOwn.value ? {} : { "x-dinette-record": "off" }),
  });
  if (error) throw new CqlError(error);
  return result;
}
