// Reads of a table in words.
import { comparisons } from "./conditions.js";

const operand = (text) => (/^-?\d+(\.\d+)?$/.test(text) ? text : `"${text}"`);

function condition(attribute, comparison, first, second) {
  const [text, operands] = comparisons[comparison];
  const values = [first, second].slice(0, operands).map(operand).join(" and ");
  return [attribute, text, values].filter(Boolean).join(" ");
}

/** "Query byYear where year = 1961, plays > 3, descending". `keys`: {partition, sort}, the names of what is read by. */
export function readText(read, keys = {}) {
  const isQuery = read.operation === "Query";
  const conditions = [
    ...(isQuery ? [condition(keys.partition ?? "key", "=", read.partition)] : []),
    ...(isQuery && read.sortComparison ? [condition(keys.sort ?? "sort key", read.sortComparison, read.sortFirst, read.sortSecond)] : []),
    ...read.filters.map(({ attribute, comparison, first, second }) => condition(attribute, comparison, first, second)),
  ];
  return [
    `${read.operation}${read.index && ` ${read.index}`}${conditions.length ? ` where ${conditions.join(", ")}` : ""}`,
    isQuery && read.descending && "descending",
  ].filter(Boolean).join(", ");
}
