// Which columns there are, in which order, and which stay in view.
import { arranged, ordered, withHidden, withMoved, withPinned } from "../../lib/columns.js";
import { Check } from "../../ui/form.jsx";
import { Dialog } from "../../ui/parts.jsx";

export function ColumnsDialog({ names, keys, kept, onChange, onClose }) {
  const all = ordered(names, keys, kept);
  const shown = new Map(arranged(names, keys, kept).map(({ name, pinned }) => [name, pinned]));
  // What is beyond the most that is shown on its own becomes a column when it is chosen: the order then names it.
  const show = (name, isShown) => onChange(isShown && !shown.has(name)
    ? { ...withHidden(kept, name, false), order: [...new Set([...(kept.order ?? []), ...[...shown.keys()], name])] }
    : withHidden(kept, name, !isShown));
  const move = (name, by) => onChange(withMoved(kept, all, name, by));
  return (
    <Dialog title="Columns" onClose={onClose}>
      <p class="muted">Kept for this table in this browser.</p>
      <ul class="columns">
        {all.map((name, at) => (
          <li key={name}>
            <Check label={name} checked={shown.has(name)} onChange={(isShown) => show(name, isShown)} />
            <div class="actions">
              <button type="button" class="quiet" aria-pressed={shown.get(name) ? "true" : "false"} aria-label={`Pin ${name}`}
                      title="Stays in view when the table is scrolled sideways" disabled={!shown.has(name)}
                      onClick={() => onChange(withPinned(kept, keys, name, !shown.get(name)))}>Pin</button>
              <button type="button" class="quiet" aria-label={`Move ${name} up`} disabled={at === 0} onClick={() => move(name, -1)}>&uarr;</button>
              <button type="button" class="quiet" aria-label={`Move ${name} down`} disabled={at === all.length - 1} onClick={() => move(name, 1)}>&darr;</button>
            </div>
          </li>))}
      </ul>
      <div class="actions end">
        <button type="button" onClick={() => onChange({})}>Reset</button>
        <button type="button" class="primary" onClick={onClose}>Done</button>
      </div>
    </Dialog>
  );
}
