// What differs between two texts, line by line.

const mostLines = 1500;  // of both texts together: the time and memory grow with the product of what differs

const inOrder = (value) => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((name) => [name, inOrder(value[name])]));
};

/** Returns the lines of a value, with its members in the order of their names, so that equal values have equal lines. */
export const linesOf = (value) => (value === undefined ? [] : JSON.stringify(inOrder(value), null, 2).split("\n"));

/** Returns for each pair of positions the length of the longest common sequence of lines from there on. */
function commonLengths(before, after) {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; --i) {
    for (let j = after.length - 1; j >= 0; --j) {
      lengths[i][j] = before[i] === after[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  return lengths;
}

function middle(before, after) {
  const gone = (text) => ({ kind: "removed", text });
  const come = (text) => ({ kind: "added", text });
  if (before.length + after.length > mostLines) return [...before.map(gone), ...after.map(come)];
  const lengths = commonLengths(before, after);
  const lines = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      lines.push({ kind: "same", text: before[i++] });
      ++j;
    } else if (lengths[i + 1][j] >= lengths[i][j + 1]) {
      lines.push(gone(before[i++]));
    } else {
      lines.push(come(after[j++]));
    }
  }
  return [...lines, ...before.slice(i).map(gone), ...after.slice(j).map(come)];
}

const context = 3;   // lines that are shown around what differs
const fewest = 3;    // fewer are not worth folding

/**
 * Returns lines in which stretches that are the same, and far from what differs, are {kind: "folded", lines}. If nothing differs, they are as
 * they were.
 */
export function folded(lines) {
  const differing = lines.flatMap(({ kind }, at) => (kind === "same" ? [] : [at]));
  if (differing.length === 0) return lines;
  const isNear = new Uint8Array(lines.length);
  for (const at of differing) isNear.fill(1, Math.max(0, at - context), at + context + 1);
  const shown = [];
  for (let at = 0; at < lines.length;) {
    let end = at;
    while (end < lines.length && isNear[end] === isNear[at]) ++end;
    const stretch = lines.slice(at, end);
    if (isNear[at] || stretch.length < fewest) shown.push(...stretch);
    else shown.push({ kind: "folded", lines: stretch });
    at = end;
  }
  return shown;
}

/** Returns [{kind: "same" | "removed" | "added", text}, ...]. */
export function differences(before, after) {
  let start = 0;
  while (start < before.length && before[start] === after[start]) ++start;
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) ++end;
  const same = (text) => ({ kind: "same", text });
  return [...before.slice(0, start).map(same), ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same)];
}
