// What differs between two values of JSON.
import { useState } from "preact/hooks";
import { differences, folded, linesOf } from "../lib/line_diff.js";

const marks = { same: " ", removed: "-", added: "+" };
const words = { same: undefined, removed: "removed: ", added: "added: " };

function Line({ kind, text }) {
  return (
    <span class={kind}>
      <span aria-hidden="true">{marks[kind]} </span>
      {words[kind] && <span class="unseen">{words[kind]}</span>}
      {text}
    </span>
  );
}

function Folded({ lines }) {
  const [isOpen, open] = useState(false);
  if (isOpen) return lines.map((line, index) => <Line key={index} {...line} />);
  return <button type="button" class="quiet" onClick={() => open(true)}>{lines.length} lines that are the same</button>;
}

/** Shows two values as one text, with what only one of them has marked. Either may be undefined: then there is none. */
export function Diff({ label, before, after }) {
  const lines = folded(differences(linesOf(before), linesOf(after)));
  return (
    <pre class="diff" role="region" aria-label={label} tabindex={0}>
      {lines.map((one, index) => (one.kind === "folded" ? <Folded key={index} lines={one.lines} /> : <Line key={index} {...one} />))}
    </pre>
  );
}
