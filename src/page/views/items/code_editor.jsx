// A text of JSON with colours and line numbers. What makes them is loaded when it is needed first.
import { useEffect, useRef, useState } from "preact/hooks";

let loading;
/** Loads the editor's bundle, once. */
export function loadEditor() {
  loading ??= import("../../editor/editor.js").catch(() => {
    loading = undefined;  // the next editor tries again
    return undefined;
  });
  return loading;
}

const lineOf = (problem) => Number(/^Line (\d+)/.exec(problem ?? "")?.[1]) || undefined;

/**
 * `value` is shown when `revision` is another one: what was typed comes back later than the next key is pressed. `problem`: what is wrong
 * with the text; where it begins with "Line 3", that line is marked. `placeToSelect`: returns [from, to],
 * what of the text is selected first.
 */
export function CodeEditor({ label, value, revision, onInput, problem, hint, autofocus, placeToSelect }) {
  const place = useRef();
  const editor = useRef();
  const latest = useRef();
  latest.current = { value, onInput };
  const [state, setState] = useState("loading");
  useEffect(() => {
    let isGone = false;
    loadEditor().then((bundle) => {
      if (isGone) return;
      if (!bundle) return setState("missing");
      editor.current = bundle.createEditor({
        place: place.current, label, text: latest.current.value, onInput: (text) => latest.current.onInput(text) });
      setState("ready");
      if (placeToSelect) editor.current.select(...placeToSelect());
      if (autofocus) editor.current.focus();
    });
    return () => {
      isGone = true;
      editor.current?.destroy();
    };
  }, []);
  const field = useRef();
  useEffect(() => {
    if (placeToSelect) field.current?.setSelectionRange(...placeToSelect());
  }, [state]);
  useEffect(() => editor.current?.setText(value), [revision]);
  useEffect(() => editor.current?.markLine(lineOf(problem)), [problem, state]);
  return (
    <div class="field code">
      <span class="label" aria-hidden="true">{label}</span>
      {state === "missing"
        ? <textarea ref={field} rows={16} spellcheck={false} autocapitalize="off" aria-label={label} value={value} aria-invalid={problem ? "true" : undefined}
                    autofocus={autofocus} onInput={(event) => onInput(event.currentTarget.value)} />
        : <div ref={place} class={`code-editor ${state}`} />}
      <small class={problem ? "wrong" : undefined} role={problem ? "alert" : undefined}>{problem ?? hint}</small>
    </div>
  );
}
