// Items from text: JSON, DynamoDB JSON, several of them one after the other, or CSV.
import { parseCsv } from "./csv.js";
import { parseJson } from "./json_text.js";
import { indexesOf, keysOf, typesOf } from "./key_schema.js";
import { keepDigits, typedItem } from "./typed_json.js";
import { itemProblem } from "./typed_form.js";
import { itemSize, largestItem } from "./item_size.js";
import { looksTyped, typedProblem, typeNames, typeOf } from "./value_types.js";

/** No text of more characters is read: the page would have several copies of it in memory. */
export const longestText = 100_000_000;
const deepest = 32;

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isTypedItem = (value) => isObject(value) && Object.keys(value).length > 0 && Object.values(value).every(looksTyped);

/** Returns how deep a value is nested, at most `limit`. DynamoDB JSON has two levels for one. */
function depthOf(value, limit = 2 * deepest + 2) {
  if (limit === 0 || value === null || typeof value !== "object") return 0;
  let depth = 0;
  for (const one of Object.values(value)) depth = Math.max(depth, depthOf(one, limit - 1));
  return depth + 1;
}

/** Returns a value of DynamoDB JSON as the server would write it. Numbers may lack their quotation marks, as people write them. */
function checked(typed) {
  const problem = typedProblem(typed);
  if (problem) throw new Error(problem);
  const type = typeOf(typed);
  const content = typed[type];
  if (type === "N") return { N: String(content.$number ?? content) };
  if (type === "NS") return { NS: content.map((one) => String(one.$number ?? one)) };
  if (type === "L") return { L: content.map(checked) };
  if (type === "M") return { M: checkedItem(content) };
  return typed;
}
const checkedItem = (item) => Object.fromEntries(Object.entries(item).map(([name, value]) => [name, checked(value)]));

/** Returns an item of either form. */
function itemOf(object) {
  if (depthOf(object) > 2 * deepest + 1) throw new Error(`It is nested deeper than ${deepest} levels.`);
  if (isObject(object) && Object.keys(object).length === 1 && isTypedItem(object.Item)) return checkedItem(object.Item);
  return isTypedItem(object) ? checkedItem(object) : typedItem(object);
}

/** Returns the elements of a JSON text: of a list, of a response of Scan, or of objects one after the other; a problem otherwise. */
function objectsOf(text) {
  const { value, problem } = parseJson(text, keepDigits);
  if (!problem) {
    if (Array.isArray(value)) return { objects: value };
    return { objects: Array.isArray(value?.Items) ? value.Items : [value] };
  }
  const lines = text.split(/\r?\n/).map((line, at) => [line, at + 1]).filter(([line]) => line.trim());
  if (lines.length < 2) return { problem };
  const objects = [];
  for (const [line, number] of lines) {
    const one = parseJson(line, keepDigits);
    // One object over several lines is no list of lines: its own problem helps more.
    if (one.problem) return { problem: objects.length ? `Line ${number}: ${one.problem.replace(/^Line 1, /, "")}` : problem };
    objects.push(one.value);
  }
  return { objects };
}

function keyTypes(table) {
  const named = typesOf(table);
  return { types: named, required: Object.values(keysOf(table)).filter(Boolean), indexes: indexesOf(table) };
}

/** Keys have their types; a cell of another column is a string, or nothing if it is empty. */
function fromCsv(text, table) {
  const [names = [], ...rows] = parseCsv(text);
  const { types } = keyTypes(table);
  if (names.length === 0) throw new Error("There are no names of columns.");
  return rows.map((cells) => Object.fromEntries(
    names.flatMap((name, at) => (cells[at] ? [[name, { [types[name] ?? "S"]: cells[at] }]] : []))));
}

/** Returns what is wrong with an item for this table, or undefined. */
export function problemOf(item, table) {
  const { types, required } = keyTypes(table);
  for (const name of required) {
    if (!item[name]) return `The key ${name} is missing.`;
    if (typeOf(item[name]) !== types[name]) return `The key ${name} is a ${typeNames[typeOf(item[name])]}, not a ${typeNames[types[name]]}.`;
  }
  const wrong = itemProblem(item);
  if (wrong) return `${wrong.path}: ${wrong.problem}`;
  const size = itemSize(item);
  return size > largestItem ? `It has ${size} bytes; an item has at most ${largestItem}.` : undefined;
}

/** Returns the items of a text, {items, problems: [text]}, where each problem names the element, from 1, that is left out. */
export function readItems(text, table, isCsv = !/^\s*[[{]/.test(text)) {
  if (text.length > longestText) return { items: [], problems: ["The text is too long for the page. Use: dinette import FILE --into URL"] };
  if (!text.trim()) return { items: [], problems: [] };
  try {
    const { objects, problem } = isCsv ? { objects: fromCsv(text, table) } : objectsOf(text);
    return problem ? { items: [], problems: [problem] } : sift(objects, table, isCsv);
  } catch (error) {
    return { items: [], problems: [error.message] };
  }
}

function sift(objects, table, isItems) {
  const problems = [];
  const keys = Object.values(keysOf(table)).filter(Boolean);
  const byKey = new Map();
  objects.forEach((object, at) => {
    try {
      const item = isItems ? object : itemOf(object);
      const problem = problemOf(item, table);
      if (problem) throw new Error(problem);
      const key = JSON.stringify(keys.map((name) => item[name]));
      if (byKey.has(key)) throw new Error("Another one before it has the same key.");
      byKey.set(key, item);
    } catch (error) {
      problems.push(`Item ${at + 1}: ${error.message}`);
    }
  });
  return { items: [...byKey.values()], problems };
}
