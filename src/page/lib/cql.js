// Keyspaces, statements and their results, as GET /_dinette/cql/keyspaces and POST /_dinette/cql describe them.

const reserved = new Set(("add allow alter and apply asc authorize batch begin by columnfamily create default delete desc describe " +
  "drop entries execute from full grant if in index infinity insert into is keyspace limit materialized mbean mbeans modify nan " +
  "norecursive not null of on or order primary rename replace revoke schema select set table to token truncate unlogged unset " +
  "update use using view where with").split(" "));

/** Returns a name as statements write it: in quotes if it needs them. */
export const quoted = (name) => (/^[a-z][a-z0-9_]*$/.test(name) && !reserved.has(name) ? name : `"${name.replaceAll('"', '""')}"`);

/** The statement that a click on a table runs. */
export const selectAll = (keyspace, table) => `SELECT * FROM ${quoted(keyspace)}.${quoted(table)}`;

const namesOf = (columns, kind) => columns.filter((one) => one.kind === kind).map(({ name }) => name);

/** "(customer), number": the primary key of a table. */
export const keyText = ({ columns }) =>
  [`(${namesOf(columns, "partition_key").join(", ")})`, ...namesOf(columns, "clustering")].join(", ");

/** Returns true for statements that a link may run: those that only read. */
export const isReading = (statement) => /^\s*select\b/i.test(statement);

/**
 * Returns the line of a statement at which an error points, and a line with a mark below the place: {source, mark}. Undefined if the
 * error has no place, or if it is at no character of the statement.
 */
export function pointer(statement, { line, column }) {
  const source = statement.split("\n")[line - 1];
  if (line === undefined || source === undefined) return undefined;
  const before = [...source].slice(0, column);
  return { source, mark: `${before.map((char) => (char === "\t" ? "\t" : " ")).join("")}^` };
}

/** Returns the position of that place among the characters of a text field. */
export function offsetOf(statement, { line, column }) {
  const lines = statement.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return start + [...lines[line - 1]].slice(0, column).join("").length;
}

/** Returns the query of the address of a statement. */
export const queryOf = (statement, keyspace) =>
  new URLSearchParams([["statement", statement], ...(keyspace ? [["keyspace", keyspace]] : [])]).toString();

export function statementOf(query) {
  const asked = new URLSearchParams(query);
  return { statement: asked.get("statement") ?? "", keyspace: asked.get("keyspace") ?? "" };
}

/** Statements to try where there is nothing yet. */
export const examples = [
  "CREATE KEYSPACE shop WITH replication = {'class': 'SingleRegionStrategy'}",
  "CREATE TABLE shop.orders (customer int, number int, total int, PRIMARY KEY (customer, number))",
  "SELECT keyspace_name FROM system_schema.keyspaces",
];
