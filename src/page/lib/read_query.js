// Reads of a table, and keys of items, as the query of an address (links.js):
//
//   op=Query&partition=Bill+Evans&sort=between&from=a&to=m&order=descending
//   filter=plays&is=%3E%3D&type=N&value=6&filter=...     filters, each with what follows it
//   item.artist=S:Bill+Evans&item.song=S:Peace+Piece     an opened item: its key, with the types
import { comparisons } from "./conditions.js";

/** What is read of a table. All but `filters`, `descending` and `consistent` are texts, as a form has them. */
export const firstRead = {
  operation: "Scan", index: "", partition: "", sortComparison: "", sortFirst: "", sortSecond: "", filters: [],
  descending: false, limit: "50", consistent: false,
};
export const newFilter = { attribute: "", comparison: "=", type: "S", first: "", second: "" };

const names = { index: "index", partition: "partition", sortComparison: "sort", sortFirst: "from", sortSecond: "to", limit: "limit" };
const filterNames = { comparison: "is", type: "type", first: "value", second: "and" };
const itemPrefix = "item.";

/** Returns [[name, value], ...]: what differs from a plain Scan. */
export function pairsOfRead(read) {
  const pairs = [];
  if (read.operation !== firstRead.operation) pairs.push(["op", read.operation]);
  for (const [member, name] of Object.entries(names)) {
    if (read[member] !== firstRead[member]) pairs.push([name, read[member]]);
  }
  if (read.descending) pairs.push(["order", "descending"]);
  if (read.consistent) pairs.push(["consistent", "true"]);
  for (const filter of read.filters) {
    pairs.push(["filter", filter.attribute]);
    for (const [member, name] of Object.entries(filterNames)) {
      if (filter[member] !== newFilter[member]) pairs.push([name, filter[member]]);
    }
  }
  return pairs;
}

const memberOf = (map, name) => Object.keys(map).find((member) => map[member] === name);

function takeFilterPart(filter, name, value) {
  const member = memberOf(filterNames, name);
  const isKnown = member && (member !== "comparison" || Object.hasOwn(comparisons, value));
  if (filter && isKnown) filter[member] = value;
}

/** Returns the read that the query of an address says; what is not known of it is left out. */
export function readOf(query) {
  const read = { ...firstRead, filters: [] };
  for (const [name, value] of new URLSearchParams(query)) {
    const member = memberOf(names, name);
    if (name === "op") read.operation = value === "Query" ? "Query" : "Scan";
    else if (name === "order") read.descending = value === "descending";
    else if (name === "consistent") read.consistent = value === "true";
    else if (name === "filter") read.filters.push({ ...newFilter, attribute: value });
    else if (name === "sort") read.sortComparison = Object.hasOwn(comparisons, value) ? value : "";
    else if (member) read[member] = value;
    else takeFilterPart(read.filters.at(-1), name, value);
  }
  return read;
}

/** Returns [[name, value], ...] of an item's key, in DynamoDB JSON. */
export const pairsOfItem = (key) => Object.entries(key).map(([name, value]) => {
  const [type] = Object.keys(value);
  return [itemPrefix + name, `${type}:${value[type]}`];
});

/** Returns the key of the item that the query of an address names; undefined if it names none. */
export function itemOf(query) {
  const attributes = [...new URLSearchParams(query)].filter(([name]) => name.startsWith(itemPrefix)).map(([name, text]) => {
    const [, type, value] = /^([SNB]):([^]*)$/.exec(text) ?? [undefined, "S", text];
    return [name.slice(itemPrefix.length), { [type]: value }];
  });
  return attributes.length ? Object.fromEntries(attributes) : undefined;
}
