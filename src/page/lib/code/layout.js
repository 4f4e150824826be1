// Lays source text out: what fits into a line is in one line, the rest has a line per part.
//
// A node is a text, a list of nodes that follow each other, or a group: {open, parts, close, pad, last, comma}. `pad` is around
// the parts in one line, `last` after the last part where each has its own line, `comma` between parts.

const room = 96;

export const group = (open, parts, close, { pad = "", last = ",", comma = "," } = {}) =>
  ({ open, parts, close, pad, last, comma });

/** Calls of a builder: Query.builder().a(1).b(2). */
export const chain = (start, calls) => group(start, calls, "", { last: "", comma: "" });

function inOneLine(node) {
  if (typeof node === "string") return node;
  if (Array.isArray(node)) return node.map(inOneLine).join("");
  const { open, parts, close, pad, comma } = node;
  return parts.length ? open + pad + parts.map(inOneLine).join(comma && `${comma} `) + pad + close : open + close;
}

/** Returns the text of a node. `unit` is one indentation, `indent` that of the line in which the node begins. */
export function layOut(node, unit = "  ", indent = "") {
  const short = inOneLine(node);
  if (typeof node === "string" || (indent.length + short.length <= room && !short.includes("\n"))) return short;
  if (Array.isArray(node)) return node.map((one) => layOut(one, unit, indent)).join("");
  const inner = indent + unit;
  const lines = node.parts.map((part) => inner + layOut(part, unit, inner));
  return `${node.open}\n${lines.join(`${node.comma}\n`)}${node.last}${node.close && `\n${indent}${node.close}`}`;
}
