// How large items are, and what reading and writing them costs: docs/service/values.md section 6, capacity.md.
import { isSet, typeOf } from "./value_types.js";

const encoder = new TextEncoder();
const utf8 = (text) => encoder.encode(text).length;
const sum = (sizes) => sizes.reduce((total, size) => total + size, 0);

/** Bytes that base64 stands for. */
const decoded = (base64) => Math.floor(base64.replace(/=+$/, "").length * 3 / 4);

/** Returns the digits left and right of the point, without an exponent: ["12", "5"]. */
function positional(text) {
  const [, whole, fraction = "", exponent = "0"] = /^-?(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(text) ?? ["", "0"];
  const point = whole.length + Math.max(-1000, Math.min(1000, Number(exponent)));
  const digits = whole + fraction;
  if (point <= 0) return ["", "0".repeat(-point) + digits];
  return [digits.slice(0, point).padEnd(point, "0"), digits.slice(point)];
}

function numberSize(text) {
  let [left, right] = positional(text).map((digits, at) => (at ? digits.replace(/0+$/, "") : digits.replace(/^0+/, "")));
  if (!left && !right) return 1;
  if (!right) left = left.replace(/0+$/, "");
  if (!left) right = right.replace(/^0+/, "");
  return 1 + Math.ceil(left.length / 2) + Math.ceil(right.length / 2) + (text.startsWith("-") ? 1 : 0);
}

function valueSize(typed) {
  const type = typeOf(typed);
  const content = typed[type];
  if (type === "S") return utf8(content);
  if (type === "N") return numberSize(content);
  if (type === "B") return decoded(content);
  if (type === "L") return 3 + sum(content.map((value) => 1 + valueSize(value)));
  if (type === "M") return 3 + sum(Object.entries(content).map(([name, value]) => 1 + utf8(name) + valueSize(value)));
  if (isSet(type)) return sum(content.map((text) => valueSize({ [type[0]]: text })));
  return 1;
}

/** Returns the bytes of an item, as DynamoDB counts them. */
export const itemSize = (item) => sum(Object.entries(item).map(([name, value]) => utf8(name) + valueSize(value)));

/** The most that an item may have. */
export const largestItem = 409_600;

/** Returns what reading (eventually consistent) and writing an item of these bytes costs, in capacity units. Indexes are not counted. */
export const unitsOf = (bytes) => ({ read: Math.max(1, Math.ceil(bytes / 4096)) / 2, write: Math.max(1, Math.ceil(bytes / 1024)) });
