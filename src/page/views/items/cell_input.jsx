// A value that is edited in its cell. Its type stays.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isNumberText } from "../../lib/typed_json.js";
import { typeOf } from "../../lib/value_types.js";

/** Returns true if a value of this type is edited in its cell; others are edited as part of their item. */
export const isEditable = (typed) => Boolean(typed) && ["S", "N", "BOOL"].includes(typeOf(typed));

/** onDone(typed) is called with another value, or without one if it is to stay as it was. */
export function CellInput({ label, typed, onDone }) {
  const type = typeOf(typed);
  const input = useRef();
  const isOver = useRef(false);
  const [text, write] = useState(String(typed[type]));
  const isWrong = type === "N" && !isNumberText(text.trim());
  useLayoutEffect(() => {
    input.current.focus({ preventScroll: true });
    input.current.select?.();
  }, []);
  const valueOf = (written) => (type === "BOOL" ? { BOOL: written === "true" } : { [type]: type === "N" ? written.trim() : written });
  const end = (changed) => {
    if (isOver.current || (changed && isWrong)) return;
    isOver.current = true;
    onDone(changed && text !== String(typed[type]) ? valueOf(text) : undefined);
  };
  const onKeyDown = (event) => {
    event.stopPropagation();
    if (event.key === "Enter" && !event.shiftKey) end(true);
    else if (event.key === "Escape") end(false);
    else return;
    event.preventDefault();
  };
  const common = {
    ref: input, class: "cell-input", "aria-label": label, value: text, onKeyDown, onBlur: () => end(!isWrong),
    onInput: (event) => write(event.currentTarget.value),
  };
  if (type === "BOOL") {
    return <select {...common}>{["true", "false"].map((one) => <option key={one} selected={one === text}>{one}</option>)}</select>;
  }
  // A line break in a value would be lost in an <input>.
  return text.includes("\n") || String(typed[type]).includes("\n")
    ? <textarea rows={3} {...common} />
    : <input type="text" spellcheck={false} autocomplete="off" inputmode={type === "N" ? "decimal" : undefined}
             aria-invalid={isWrong ? "true" : undefined} {...common} />;
}
