// The order of attribute values, for sorting rows. Numbers have up to 38 digits, of which JavaScript keeps 15.
import { preview, typeOf } from "./value_types.js";

const ranks = ["N", "S", "B", "BOOL", "NULL", "NS", "SS", "BS", "L", "M"];

/** Returns {sign, exponent, digits} of a number: its value is sign * 0.digits * 10^exponent. */
function scientific(text) {
  const [, minus, whole, fraction = "", exponent = "0"] = /^(-?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(text) ?? ["", "", "0"];
  const all = whole + fraction;
  const digits = all.replace(/^0+/, "");
  if (!/[1-9]/.test(digits)) return { sign: 0, exponent: 0, digits: "" };
  return { sign: minus ? -1 : 1, exponent: whole.length - (all.length - digits.length) + Number(exponent), digits: digits.replace(/0+$/, "") };
}

const compareTexts = (one, other) => (one < other ? -1 : Number(one > other));

/** Returns a negative number, 0 or a positive number, as a comparison does. */
export function compareNumbers(one, other) {
  const [a, b] = [scientific(one), scientific(other)];
  if (a.sign !== b.sign) return a.sign - b.sign;
  return a.sign * (a.exponent - b.exponent || compareTexts(a.digits, b.digits));
}

/** Compares values of any types: by type, then by value. An absent value comes last. */
export function compareValues(one, other) {
  if (!one || !other) return Number(!one) - Number(!other);
  const [a, b] = [typeOf(one), typeOf(other)];
  if (a !== b) return ranks.indexOf(a) - ranks.indexOf(b);
  if (a === "N") return compareNumbers(one.N, other.N);
  if (a === "S" || a === "B") return compareTexts(one[a], other[a]);
  return compareTexts(preview(one), preview(other));
}

/** Returns what to compare of an item: a number where that decides, since a million exact comparisons take seconds. */
const decorated = (item, name) => ({ item, value: item[name], number: item[name]?.N === undefined ? undefined : Number(item[name].N) });

function order(one, other, direction) {
  if (!one.value || !other.value) return compareValues(one.value, other.value);
  if (one.number !== undefined && other.number !== undefined && one.number !== other.number) return direction * (one.number - other.number);
  return direction * compareValues(one.value, other.value);
}

/** Returns the items in the order of an attribute; those that lack it are last in either direction. */
export function sorted(items, { name, descending }) {
  const direction = descending ? -1 : 1;
  return items.map((item) => decorated(item, name)).sort((one, other) => order(one, other, direction)).map(({ item }) => item);
}
