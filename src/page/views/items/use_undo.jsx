// "Deleted. Undo": what was done can be taken back for some seconds, by the button or by Ctrl+Z.
import { useEffect, useRef, useState } from "preact/hooks";
import { useAction } from "../../lib/hooks.js";
import { Problem } from "../../ui/parts.jsx";

const shownFor = 12_000;
const writesText = (element) => element.closest?.("input, select, textarea, dialog, [contenteditable]");

function Notice({ text, undo, onEnd }) {
  const [run, busy, error] = useAction();
  const [isHeld, hold] = useState(false);  // under the pointer, or with the focus
  const takeBack = async () => {
    if (await run(undo)) onEnd();
  };
  useEffect(() => {
    if (isHeld || busy || error) return undefined;
    const timer = setTimeout(onEnd, shownFor);
    return () => clearTimeout(timer);
  }, [isHeld, busy, error]);
  useEffect(() => {
    if (!undo) return undefined;
    const onKeyDown = (event) => {
      if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || writesText(event.target)) return;
      event.preventDefault();
      takeBack();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <div class="notice" onPointerEnter={() => hold(true)} onPointerLeave={() => hold(false)} onFocusIn={() => hold(true)} onFocusOut={() => hold(false)}>
      <span>{text}</span>
      {undo && <button type="button" disabled={busy} onClick={takeBack} title="Ctrl Z">Undo</button>}
      <button type="button" class="quiet" aria-label="Dismiss" onClick={onEnd}>&times;</button>
      <Problem error={error} />
    </div>
  );
}

/** Returns [notice, say]: say(text, undo) shows what was done; undo() takes it back, and may be missing. */
export function useUndo() {
  const [said, setSaid] = useState();
  const count = useRef(0);
  const say = (text, undo) => setSaid({ text, undo, id: ++count.current });
  // A region that is always there is read out when its content changes.
  const notice = (
    <div class="notices" role="status">
      {said && <Notice key={said.id} text={said.text} undo={said.undo} onEnd={() => setSaid((now) => (now?.id === said.id ? undefined : now))} />}
    </div>
  );
  return [notice, say];
}
