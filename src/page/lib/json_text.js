import { findNodeAtLocation, parse, parseTree, printParseErrorCode } from "jsonc-parser";

/** "ValueExpected" becomes "value expected". */
const inWords = (code) => printParseErrorCode(code).replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();

function firstProblem(text) {
  const errors = [];
  try {
    parse(text, errors, { disallowComments: true });
  } catch {
    return "This is nested too deeply.";  // it calls itself for each level
  }
  if (errors.length === 0) return "This is not JSON.";
  const before = text.slice(0, errors[0].offset).split("\n");
  return `Line ${before.length}, column ${before.at(-1).length + 1}: ${inWords(errors[0].error)}`;
}

/** Returns {value}, or {problem}: what is wrong, and where. `revive` is as for JSON.parse. */
export function parseJson(text, revive) {
  try {
    return { value: JSON.parse(text, revive) };
  } catch {
    return { problem: firstProblem(text) };
  }
}

/** Returns [from, to]: where the value at a path is in a text of JSON, a string without its quotes; undefined if there is none. */
export function placeOf(text, path) {
  const node = findNodeAtLocation(parseTree(text), path);
  if (!node) return undefined;
  const quote = node.type === "string" ? 1 : 0;
  return [node.offset + quote, node.offset + node.length - quote];
}

export const pretty = (value) => JSON.stringify(value, null, 2);
