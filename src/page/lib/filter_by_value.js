// "Filter by this value": what to read, from a cell.
import { indexesOf, keysOf } from "./key_schema.js";
import { typeOf } from "./value_types.js";

const comparable = new Set(["S", "N", "B", "BOOL", "NULL"]);

/** Returns true if a condition on this value can be written in the form. */
export const canFilterBy = (typed) => Boolean(typed) && comparable.has(typeOf(typed));

/** Returns true if a name is written in a filter as it is: dots and brackets separate the parts of a path there. */
export const isPath = (name) => !/[.[\]]/.test(name);

const textOf = (typed) => (typeOf(typed) === "NULL" ? "" : String(typed[typeOf(typed)]));

/**
 * Returns `read` narrowed to the items in which `attribute`, a name or a path such as address.city, has this value: by a query
 * where it is a key, otherwise by a filter, in the place of a filter for the same attribute.
 */
export function filteredBy(table, read, attribute, typed) {
  const { partition, sort } = keysOf(indexesOf(table).find(({ IndexName }) => IndexName === read.index) ?? table);
  const text = textOf(typed);
  if (attribute === partition) {
    const isSame = read.operation === "Query" && read.partition === text;
    return { ...read, operation: "Query", partition: text, ...(isSame ? {} : { sortComparison: "", sortFirst: "", sortSecond: "" }) };
  }
  if (attribute === sort && read.operation === "Query") return { ...read, sortComparison: "=", sortFirst: text, sortSecond: "" };
  const filter = { attribute, comparison: "=", type: typeOf(typed), first: text, second: "" };
  const isOther = (one) => one.attribute !== attribute || one.comparison !== "=";
  return { ...read, filters: [...read.filters.filter(isOther), filter] };
}
