// What a form of typed values does with them.
import { isNumberText, plain } from "./typed_json.js";
import { isDocument, isSet, typedProblem, typeNames, typeOf } from "./value_types.js";

const empty = {
  S: { S: "" }, N: { N: "0" }, B: { B: "" }, BOOL: { BOOL: false }, NULL: { NULL: true }, L: { L: [] }, M: { M: {} },
  SS: { SS: [""] }, NS: { NS: ["0"] }, BS: { BS: [""] },
};
export const emptyValue = (type) => structuredClone(empty[type]);

const isBase64 = (text) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);

/** Returns a value in another type, with as much of its content as that type can hold. */
export function converted(typed, type) {
  const from = typeOf(typed);
  if (from === type) return typed;
  const content = typed[from];
  const text = from === "NULL" ? "" : isDocument(from) ? JSON.stringify(plain(typed)) : isSet(from) ? content.join("\n") : String(content);
  if (type === "S") return { S: text };
  if (type === "N" && isNumberText(text)) return { N: text };
  if (type === "B" && isBase64(text)) return { B: text };
  if (type === "BOOL") return { BOOL: text === "true" };
  if (isSet(type) && isSet(from)) return { [type]: content };
  if (isSet(type) && from === type[0]) return { [type]: [text] };
  if (type === "L" && isSet(from)) return { L: content.map((one) => ({ [from[0]]: one })) };
  if (type === "L" && from !== "NULL" && from !== "M") return { L: [typed] };
  return emptyValue(type);
}

/** Returns what is wrong with a value, or undefined. */
function valueProblem(typed) {
  const wrong = typedProblem(typed);
  if (wrong) return wrong;
  const type = typeOf(typed);
  const content = typed[type];
  if (type === "N" && !isNumberText(content)) return `${JSON.stringify(content)} is not a number.`;
  if (type === "B" && !isBase64(content)) return "Bytes are written in base64.";
  if (isSet(type)) {
    if (content.length === 0) return `A ${typeNames[type]} has one element at least.`;
    if (new Set(content).size < content.length) return `A ${typeNames[type]} has each element once.`;
    return content.map((one) => valueProblem({ [type[0]]: one })).find(Boolean);
  }
  return undefined;
}

/** Returns the first problem within an item, {path, problem}, or undefined. */
export function itemProblem(item, path = "") {
  for (const [name, typed] of Object.entries(item)) {
    const own = path ? `${path}.${name}` : name;
    const problem = valueProblem(typed);
    if (problem) return { path: own, problem };
    const type = typeOf(typed);
    const inner = type === "M" ? itemProblem(typed.M, own) : type === "L" ? itemProblem({ ...typed.L }, own) : undefined;
    if (inner) return inner;
  }
  return undefined;
}

/** Returns a map in which a member has another name, at its place; undefined if there is one of that name. */
export function renamed(map, from, to) {
  if (from !== to && Object.hasOwn(map, to)) return undefined;
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name === from ? to : name, value]));
}

export function without(map, name) {
  const { [name]: _, ...rest } = map;
  return rest;
}

/** Returns a name that no member has. */
export function freeName(map, base = "attribute") {
  for (let at = 1; ; at++) {
    const name = at === 1 ? base : `${base}${at}`;
    if (!Object.hasOwn(map, name)) return name;
  }
}

/** Returns an item with these attributes first. */
export const keysFirst = (item, keys) =>
  Object.fromEntries([...keys.filter((name) => item[name]), ...Object.keys(item).filter((name) => !keys.includes(name))].map((name) => [name, item[name]]));
