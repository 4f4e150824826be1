// Says where a read costs more than it must: a Scan that could be a Query, an index that serves a filter, a filter that throws
// most of it away.
import { count } from "./format.js";
import { indexesOf, keysOf } from "./key_schema.js";

const sources = (table) => [{ index: "", ...keysOf(table) }, ...indexesOf(table).map((one) => ({ index: one.IndexName, ...keysOf(one) }))];
const named = ({ index }) => (index ? `the index ${index}` : "the table");

const worthwhile = 20;    // items of which it is worth to speak
const mostReturned = 0.1; // a smaller share of what was read is said

/** Returns the filter that compares an attribute with one value of its type, if there is one. */
const equal = (filters, attribute) => filters.find((one) => one.attribute === attribute && one.comparison === "=");

/** Returns where a partition key is one of the filters: {index, partition, sort, filter}; one whose sort key is filtered first. */
function servedBy(table, filters) {
  const served = sources(table).map((source) => ({ ...source, filter: equal(filters, source.partition) })).filter(({ filter }) => filter);
  return served.find(({ sort }) => filters.some(({ attribute }) => attribute === sort)) ?? served[0];
}

/** Returns a read of the form in which filters of a Query that compare its keys with one value have become its key condition. */
export function withKeysOfFilters(table, read) {
  const own = sources(table).find(({ index }) => index === read.index);
  if (read.operation !== "Query" || !own) return read;
  const partition = !read.partition && equal(read.filters, own.partition);
  const sort = own.sort && !read.sortComparison && equal(read.filters, own.sort);
  return {
    ...read, filters: read.filters.filter((one) => one !== partition && one !== sort),
    ...(partition ? { partition: partition.first } : {}),
    ...(sort ? { sortComparison: "=", sortFirst: sort.first } : {}),
  };
}

/**
 * Returns what to do instead of a read of the form (read_query.js): {text, read}, where `read` is that of the form; undefined if there is
 * nothing better.
 */
export function betterRead(table, read) {
  if (read.operation === "Scan") {
    const served = servedBy(table, read.filters);
    if (!served) return undefined;
    return {
      text: `A Query of ${named(served)} by ${served.partition} reads only what has this value. This Scan reads everything.`,
      read: withKeysOfFilters(table, { ...read, operation: "Query", index: served.index }),
    };
  }
  const own = sources(table).find(({ index }) => index === read.index);
  const misplaced = own?.sort && !read.sortComparison && equal(read.filters, own.sort);
  if (misplaced) {
    return {
      text: `${own.sort} is the sort key of ${named(own)}: it belongs to the key condition.`,
      read: { ...read, sortComparison: "=", sortFirst: misplaced.first, filters: read.filters.filter((one) => one !== misplaced) },
    };
  }
  const better = own && sources(table).find((one) => one !== own && one.partition === own.partition && one.sort !== own.sort &&
    !read.sortComparison && equal(read.filters, one.sort));
  if (!better) return undefined;
  const filter = equal(read.filters, better.sort);
  return {
    text: `${named(better)[0].toUpperCase()}${named(better).slice(1)} has ${better.sort} as its sort key: there it is a part of the key condition.`,
    read: { ...read, index: better.index, sortComparison: "=", sortFirst: filter.first, filters: read.filters.filter((one) => one !== filter) },
  };
}

/** Returns a text about what a filter has left of what was read and paid for; undefined if that is much, or all is little. */
export function wasteOf(plan) {
  const { ScannedCount: scanned = 0, Count: returned = 0 } = [plan].flat()[0] ?? {};
  if (scanned < worthwhile || returned > scanned * mostReturned) return undefined;
  return `Of ${count(scanned)} items that were read and paid for, the filter left ${count(returned)}.`;
}

const comparedIn = (statement) => {
  const [, where = ""] = /\bwhere\b(.*)$/is.exec(statement) ?? [];
  const outside = where.replace(/'(?:[^']|'')*'/g, "''");
  return new Set([...outside.matchAll(/(?:"((?:[^"]|"")+)"|([A-Za-z_]\w*))\s*(?:=|\bin\b)/gi)].map(([, quoted, bare]) => quoted ?? bare));
};

/** Returns a text about a SELECT that was executed as a Scan of a table, though a key or an index serves its condition. */
export function betterStatement(table, statement, plan) {
  const [first] = [plan].flat();
  if (first?.Operation !== "Scan") return undefined;
  const compared = comparedIn(statement);
  const served = sources(table).find(({ partition }) => compared.has(partition));
  if (!served) return undefined;
  const from = served.index ? `"${table.TableName}"."${served.index}"` : `"${table.TableName}"`;
  return `This reads everything. FROM ${from} would read only what has the value of ${served.partition}, if the condition requires it (no OR).`;
}
