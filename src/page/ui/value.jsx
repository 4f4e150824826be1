// An attribute value in one line. Colours and marks tell its type: strings are in quotes, binary values, sets, lists and maps have a
// mark, and an attribute that is absent is a dash.
import { hasMembers, isAmbiguous, lengthOf, preview, typeNames, typeOf } from "../lib/value_types.js";

/** Quotes are drawn by the style sheet, except where the text alone would be mistaken for another value. */
function Text({ text }) {
  return isAmbiguous(text) ? `"${text}"` : <span class="quoted">{text}</span>;
}

const Mark = ({ type, length }) => (
  <i class="mark" title={typeNames[type]}>{type === "L" || type === "M" ? (type === "L" ? `[${length}]` : `{${length}}`) : type}</i>
);

/** `typed`: a value of DynamoDB JSON, such as {"N": "1"}, or undefined for an attribute that is absent. */
export function Value({ typed }) {
  if (!typed) return <span class="typed absent" title="absent">-</span>;
  const type = typeOf(typed);
  const text = preview(typed);
  return (
    <span class={`typed ${type}`} title={`${text}\n(${typeNames[type]})`}>
      {type === "B" && <Mark type="B" />}
      {hasMembers(type) && <Mark type={type} length={lengthOf(typed)} />}
      {type === "S" ? <Text text={text} /> : text}
    </span>
  );
}
