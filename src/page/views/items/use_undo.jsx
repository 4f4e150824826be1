// "Deleted. Undo": what was done can be taken back, for some seconds by a notice or by Ctrl+Z, and then by a button of the view, until
// something else is done.
import { useEffect, useRef, useState } from "preact/hooks";
import { useAction } from "../../lib/hooks.js";
import { Icon } from "../../ui/icon.jsx";
import { Problem } from "../../ui/parts.jsx";

const shownFor = 12_000;
const writesText = (element) => element.closest?.("input, select, textarea, dialog, [contenteditable]");

/** `isUndoing`: it takes back at once. onEnd(true) is called when it has. */
function Notice({ text, undo, isUndoing, onEnd }) {
  const [run, busy, error] = useAction();
  const [isHeld, hold] = useState(false);  // under the pointer, or with the focus
  const takeBack = async () => {
    if (await run(undo)) onEnd(true);
  };
  useEffect(() => {
    if (isUndoing) takeBack();
  }, []);
  useEffect(() => {
    if (isHeld || busy || error) return undefined;
    const timer = setTimeout(() => onEnd(false), shownFor);
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
      <button type="button" class="quiet" aria-label="Dismiss" onClick={() => onEnd(false)}>&times;</button>
      <Problem error={error} />
    </div>
  );
}

/**
 * Returns [notice, say, button]: say(text, undo) shows what was done; undo() takes it back, and may be missing. `button` is there when the
 * notice has gone.
 */
export function useUndo() {
  const [said, setSaid] = useState();  // what was done last; `isOver`: its notice has gone
  const count = useRef(0);
  const say = (text, undo) => setSaid({ text, undo, id: ++count.current });
  const end = ({ id, undo }) => (isUndone) => setSaid((now) => (
    now?.id !== id ? now : isUndone || !undo ? undefined : { ...now, isOver: true }));
  const undoNow = () => setSaid({ ...said, id: ++count.current, isOver: false, isUndoing: true });
  const button = said?.isOver && <button type="button" title={`Take back: ${said.text}`} onClick={undoNow}><Icon name="history" />Undo</button>;
  // A region that is always there is read out when its content changes.
  const notice = (
    <div class="notices" role="status">
      {said && !said.isOver && <Notice key={said.id} text={said.text} undo={said.undo} isUndoing={said.isUndoing} onEnd={end(said)} />}
    </div>
  );
  return [notice, say, button];
}
