// Items as people like to read them. Plain JSON has strings, numbers, booleans, null, lists and maps; what DynamoDB
// has beyond that is a map of one member that begins with "$":
//
//   {"$stringSet": ["a"]}  {"$numberSet": [1]}  {"$binarySet": ["base64"]}  {"$binary": "base64"}
//   {"$number": "0.1234567890123456789012345"}   where a number of JavaScript would be another one
//   {"$map": {...}}                              a map that looks like one of these
import { fits, typeNames } from "./value_types.js";

export const isNumberText = (text) => /^-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text);
const mapValues = (map, change) => Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
const isMarked = (map) => Object.keys(map).length === 1 && Object.keys(map)[0].startsWith("$");

/** Returns the number if JavaScript keeps all its digits. */
function exactNumber(text) {
  const number = Number(text);
  return String(number) === text ? number : undefined;
}

const plainNumber = (text) => exactNumber(text) ?? { $number: text };

const toPlain = {
  S: (text) => text,
  N: plainNumber,
  BOOL: (flag) => flag,
  NULL: () => null,
  B: (base64) => ({ $binary: base64 }),
  L: (list) => list.map(plain),
  M: (map) => (isMarked(map) ? { $map: mapValues(map, plain) } : mapValues(map, plain)),
  SS: (set) => ({ $stringSet: set }),
  NS: (set) => ({ $numberSet: set.map((text) => exactNumber(text) ?? text) }),
  BS: (set) => ({ $binarySet: set }),
};

/** Returns the plain form of an attribute value. */
export function plain(value) {
  const [type] = Object.keys(value);
  return toPlain[type](value[type]);
}

/** For JSON.parse: keeps the digits of numbers that JavaScript would change. */
export const keepDigits = (name, value, context) =>
  typeof value === "number" && context?.source && exactNumber(context.source) === undefined
    ? { $number: context.source } : value;

function numberText(value) {
  const text = String(value?.$number ?? value);
  if (!isNumberText(text)) throw new Error(`${JSON.stringify(value)} is not a number.`);
  return text;
}

const fromMarked = {
  $binary: ["B", (base64) => base64],
  $number: ["N", numberText],
  $stringSet: ["SS", (set) => set],
  $numberSet: ["NS", (set) => set.map(numberText)],
  $binarySet: ["BS", (set) => set],
  $map: ["M", (map) => mapValues(map, typed)],
};

function typedMap(map) {
  if (!isMarked(map)) return { M: mapValues(map, typed) };
  const [mark] = Object.keys(map);
  if (!Object.hasOwn(fromMarked, mark)) {
    throw new Error(`${mark} is none of ${Object.keys(fromMarked).join(", ")}. Write such a map as {"$map": {"${mark}": ...}}.`);
  }
  const [type, read] = fromMarked[mark];
  if (!fits(type, map[mark])) throw new Error(`${JSON.stringify(map).slice(0, 80)} is no ${typeNames[type]}.`);
  return { [type]: read(map[mark]) };
}

/** Returns the attribute value of a plain one. Throws if there is none. */
export function typed(value) {
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.map(typed) };
  switch (typeof value) {
    case "string": return { S: value };
    case "number": return { N: String(value) };
    case "boolean": return { BOOL: value };
    default: return typedMap(value);
  }
}

export const plainItem = (item) => mapValues(item, plain);

export function typedItem(object) {
  if (object === null || typeof object !== "object" || Array.isArray(object)) throw new Error("An item is an object: {...}");
  return mapValues(object, typed);
}

/** Returns a value in one line. */
export function brief(value) {
  const [type] = Object.keys(value);
  const content = value[type];
  if (type === "S" || type === "N") return content;
  if (type === "BOOL") return String(content);
  if (type === "NULL") return "null";
  if (type === "B") return content;
  if (type === "L" || type === "M") return JSON.stringify(plain(value));
  return `{${content.join(", ")}}`;
}
