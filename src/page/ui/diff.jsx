// What differs between two values of JSON.
import { differences, linesOf } from "../lib/line_diff.js";

const marks = { same: " ", removed: "-", added: "+" };
const words = { same: undefined, removed: "removed: ", added: "added: " };

/** Shows two values as one text, with what only one of them has marked. Either may be undefined: then there is none. */
export function Diff({ label, before, after }) {
  const lines = differences(linesOf(before), linesOf(after));
  return (
    <pre class="diff" role="region" aria-label={label} tabindex={0}>
      {lines.map(({ kind, text }, index) => (
        <span key={index} class={kind}>
          <span aria-hidden="true">{marks[kind]} </span>
          {words[kind] && <span class="unseen">{words[kind]}</span>}
          {text}
        </span>
      ))}
    </pre>
  );
}
