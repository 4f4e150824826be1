// Items as text, for files and the clipboard.
import { csvRow } from "./csv.js";
import { plain, plainItem } from "./typed_json.js";
import { isDocument, isSet, typeOf } from "./value_types.js";

/** As a cell of a table: text and numbers as they are, all else as JSON. An absent attribute is an empty cell. */
function cell(typed) {
  if (!typed) return "";
  const type = typeOf(typed);
  if (type === "NULL") return "";
  if (isSet(type)) return type === "NS" ? `[${typed.NS.join(",")}]` : JSON.stringify(typed[type]);
  return isDocument(type) ? JSON.stringify(plain(typed)) : String(typed[type]);
}

const indented = (value) => JSON.stringify(value, null, 2).replaceAll("\n", "\n  ");

/**
 * The formats: [name, ending of a file's name, type of its content, writer]. A writer has `begin`, `item` (its text, `at` being how
 * many there were before) and `end`, so that a file of any length is written in pieces.
 */
export const formats = {
  json: {
    name: "JSON", ending: "json", type: "application/json",
    begin: () => "[", item: (item, at) => `${at ? "," : ""}\n  ${indented(plainItem(item))}`, end: () => "\n]\n",
  },
  dynamodb: {
    name: "DynamoDB JSON", ending: "dynamodb.json", type: "application/json",
    begin: () => "", item: (item) => `${JSON.stringify({ Item: item })}\n`, end: () => "",
  },
  csv: {
    name: "CSV", ending: "csv", type: "text/csv",
    begin: (columns) => csvRow(columns), item: (item, at, columns) => csvRow(columns.map((name) => cell(item[name]))), end: () => "",
  },
};

/** Returns the items in a format; of all their attributes, or of those in `columns`, which CSV needs. */
export function writeItems(format, items, columns) {
  const { begin, item: write, end } = formats[format];
  return begin(columns) + items.map((item, at) => write(item, at, columns)).join("") + end();
}

/** Returns an item with the attributes of these columns alone. */
export const ofColumns = (item, columns) =>
  Object.fromEntries(columns.filter((name) => item[name]).map((name) => [name, item[name]]));

/** Returns the items as plain JSON: one alone as an object. */
export const copiedItems = (items) => JSON.stringify(items.length === 1 ? plainItem(items[0]) : items.map(plainItem), null, 2);
