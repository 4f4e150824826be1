// Tables and rows of Tablestore, as GET /_dinette/tablestore/tables and .../rows describe them.
import { plural } from "./format.js";

/** Returns the tables and indexes that rows can be read of, by the name of an instance and their own: {name, key, table, index}. */
export function targetOf(instances, instance, name) {
  const { tables = [] } = instances.find((one) => one.name === instance) ?? {};
  for (const table of tables) {
    if (table.name === name) return { name, key: table.key, table };
    const index = table.indexes.find((one) => one.name === name);
    if (index) return { name, key: index.key, table, index };
  }
  return undefined;
}

/** "artist STRING, number INTEGER": the columns of a key. */
export const keyText = (key) =>
  key.map(({ name, type, autoIncrement }) => `${name} ${type}${autoIncrement ? ", numbered" : ""}`).join("; ");

/** "never", "86,400 seconds" */
export const timeToLiveText = (seconds) => (seconds < 0 ? "none" : plural(seconds, "second"));

/** What the form of a range begins with. Values are texts, one per column of the key; an empty one is not given. */
export const newRange = { begin: [], end: [], direction: "forward", versions: "", from: "", until: "" };

/** Returns the range that a query of the address has. */
export function rangeOf(query) {
  const asked = new URLSearchParams(query);
  return {
    begin: asked.getAll("begin"), end: asked.getAll("end"),
    direction: asked.get("direction") === "backward" ? "backward" : "forward",
    versions: asked.get("versions") ?? "", from: asked.get("from") ?? "", until: asked.get("until") ?? "",
  };
}

/** Values up to the last one that is given. */
function given(values) {
  const last = values.findLastIndex((value) => value !== "");
  return values.slice(0, last + 1);
}

/** Says what is wrong with a range, if anything: a value needs those of the columns before it. */
export function problemOf({ begin, end }) {
  return [begin, end].some((values) => given(values).includes(""))
    ? "A value needs those of the columns before it." : undefined;
}

/** Returns the range as pairs of the address. */
export const pairsOf = ({ begin, end, direction, versions, from, until }) => [
  ...given(begin).map((value) => ["begin", value]),
  ...given(end).map((value) => ["end", value]),
  ...(direction === "backward" ? [["direction", direction]] : []),
  ...(versions ? [["versions", versions]] : []),
  ...(from ? [["from", from]] : []),
  ...(until ? [["until", until]] : []),
];

/** Returns the path of the administration that reads rows. `next`: of the page before. */
export function pathOf(instance, table, { begin, end, direction, versions, from, until }, next) {
  const list = (name, values) => (values.length ? [[name, JSON.stringify(values)]] : []);
  const pairs = [
    ["instance", instance], ["table", table], ["direction", direction],
    ...list("begin", given(begin)), ...list("end", given(end)),
    ...(versions ? [["maxVersions", versions]] : []),
    ...(from ? [["from", from]] : []), ...(until ? [["until", until]] : []),
    ...(next ? [["next", next]] : []),
  ];
  return `tablestore/rows?${new URLSearchParams(pairs)}`;
}

/** Returns the names of the attribute columns of rows, in their order. */
export const columnsOf = (rows) => [...new Set(rows.flatMap(({ cells }) => cells.map(({ name }) => name)))].sort();

/** Returns the versions of a column of a row, the newest first. */
export const versionsOf = ({ cells }, column) => cells.filter(({ name }) => name === column);

const latest = 8.64e15;  // that Date has

/** "2026-01-31 08:15:00.250": a version, in UTC; its digits if it is beyond the calendar. */
export const versionText = (version) =>
  (version <= latest ? new Date(version).toISOString().replace("T", " ").replace("Z", "") : String(version));

const longest = 500;  // characters of a value that are shown

/** Returns a value as it is shown: strings in quotes, so that none looks like a number, and long ones cut. */
export function valueText({ type, value }) {
  const shown = value.length > longest ? `${value.slice(0, longest)}...` : value;
  return type === "STRING" ? JSON.stringify(shown) : shown;
}
