// What attribute values are, for those who look at them. Values are those of DynamoDB JSON: {"N": "1"}.

export const typeNames = {
  S: "string", N: "number", B: "binary", BOOL: "boolean", NULL: "null", L: "list", M: "map",
  SS: "string set", NS: "number set", BS: "binary set",
};

export const typeOf = (typed) => Object.keys(typed)[0];
const isText = (value) => typeof value === "string";
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
/** A number of JSON, or one in quotation marks; {$number} as lib/typed_json.js keeps digits. */
const isNumber = (value) => isText(value) || typeof value === "number" || isText(value?.$number);
const isListOf = (isElement) => (value) => Array.isArray(value) && value.every(isElement);
const fitting = {
  S: isText, N: isNumber, B: isText, BOOL: (value) => typeof value === "boolean", NULL: (value) => value === true,
  L: Array.isArray, M: isObject, SS: isListOf(isText), NS: isListOf(isNumber), BS: isListOf(isText),
};
/** Returns true if a value of the type may be written like this, whatever is in its members. */
export const fits = (type, content) => fitting[type](content);
/** Returns true if it has one member, which is named as a type is. */
export const looksTyped = (value) => isObject(value) && Object.keys(value).length === 1 && Object.hasOwn(typeNames, Object.keys(value)[0]);
/** Returns what is wrong with a value of DynamoDB JSON, not with its members; undefined if nothing is. */
export const typedProblem = (value) => (looksTyped(value) && fits(typeOf(value), value[typeOf(value)])
  ? undefined : `${String(JSON.stringify(value)).slice(0, 80)} is not a value of DynamoDB JSON.`);

export const isSet = (type) => type === "SS" || type === "NS" || type === "BS";
export const isDocument = (type) => type === "L" || type === "M";
/** Returns true if a value of this type has members to unfold. */
export const hasMembers = (type) => isDocument(type) || isSet(type);

/** Returns [name, value] for each member of a list, map or set; the names of those of a list or set are numbers. */
export function membersOf(typed) {
  const type = typeOf(typed);
  if (type === "M") return Object.entries(typed.M);
  const wrap = isSet(type) ? (text) => ({ [type[0]]: text }) : (value) => value;
  return typed[type].map((value, at) => [at, wrap(value)]);
}

export const lengthOf = (typed) => membersOf(typed).length;

/** Returns true if a string would look like a value of another type, or like nothing. */
export const isAmbiguous = (text) => text.trim() !== text || /^(|-|true|false|null|[-+]?[\d.]+(e[-+]?\d+)?)$/i.test(text);

/** Returns a value in one line, of which about `room` characters are written, however large it is. */
export function preview(typed, room = 200) {
  let text = "";
  const add = (piece) => { if (text.length <= room) text += piece.slice(0, room + 1); };
  const list = (opening, entries, closing, write) => {
    add(opening);
    for (let at = 0; at < entries.length && text.length <= room; at++) {
      if (at) add(", ");
      write(entries[at]);
    }
    add(closing);
  };
  const write = (value, inside) => {
    const type = typeOf(value);
    const content = value[type];
    if (type === "S") add(inside ? JSON.stringify(content.slice(0, room + 1)) : content);
    else if (type === "NULL") add("null");
    else if (type === "L") list("[", content, "]", (one) => write(one, true));
    else if (type === "M") list("{", Object.entries(content), "}", ([name, one]) => { add(`${name}: `); write(one, true); });
    else if (isSet(type)) list("{", content, "}", (one) => write({ [type[0]]: one }, true));
    else add(String(content));
  };
  write(typed, false);
  return text.length > room ? `${text.slice(0, room)}\u2026` : text;
}
