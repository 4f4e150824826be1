// The forms in which an item is written.
import { parseJson, pretty } from "./json_text.js";
import { keepDigits, plainItem, typedItem } from "./typed_json.js";
import { itemProblem } from "./typed_form.js";
import { looksTyped } from "./value_types.js";

function asWritten(object) {
  if (object === null || typeof object !== "object" || Array.isArray(object)) throw new Error("An item is an object: {...}");
  for (const [name, value] of Object.entries(object)) {
    if (!looksTyped(value)) throw new Error(`${name} has no type: write {"S": "text"}, {"N": "1"}, ...`);
  }
  return object;
}

export const forms = {
  plain: { name: "Plain JSON", write: plainItem, read: typedItem, revive: keepDigits,
           hint: 'Sets and binary values are written as {"$stringSet": ["a"]}, {"$numberSet": [1]}, {"$binary": "base64"}.' },
  dynamodb: { name: "DynamoDB JSON", write: (item) => item, read: asWritten,
              hint: 'Each value with its type: {"id": {"S": "1"}, "size": {"N": "2"}}.' },
};

export const writeItem = (item, form) => pretty(forms[form].write(item));

/** Returns {item}, or {problem}. */
export function readItem(text, form) {
  const { value, problem } = parseJson(text, forms[form].revive);
  if (problem) return { problem };
  try {
    const item = forms[form].read(value);
    const wrong = itemProblem(item);
    return wrong ? { problem: `${wrong.path}: ${wrong.problem}` } : { item };
  } catch (error) {
    return { problem: error instanceof RangeError ? "This is nested too deeply." : error.message };
  }
}
