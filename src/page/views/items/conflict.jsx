// What was saved by others meanwhile, and which of both is to stay.
import { conflictingNames } from "../../lib/item_change.js";
import { pretty } from "../../lib/json_text.js";
import { plain } from "../../lib/typed_json.js";
import { DataTable } from "../../ui/parts.jsx";

const asText = (value) => (value ? pretty(plain(value)) : "none");

export function Conflict({ before, mine, stored, busy, onMine, onTheirs }) {
  const isGone = Object.keys(stored).length === 0;
  const names = conflictingNames(before, mine, stored);
  const columns = [
    { name: "Attribute", cell: (name) => name },
    { name: "When opened", cell: (name) => <pre>{asText(before[name])}</pre> },
    { name: "Stored now", cell: (name) => <pre>{asText(stored[name])}</pre> },
    { name: "Yours", cell: (name) => <pre>{asText(mine[name])}</pre> },
  ];
  return (
    <section class="problem" role="alert" aria-label="Conflict">
      <strong>Not saved</strong>
      {isGone ? "The item was deleted since you opened it." : "The item was changed since you opened it. Your other changes are kept."}
      {!isGone && <DataTable label="Changed by both" columns={columns} rows={names} rowKey={(name) => name} />}
      <div class="actions">
        <button type="button" disabled={busy} onClick={onMine}>{isGone ? "Create it again" : "Save mine"}</button>
        {!isGone && <button type="button" disabled={busy} onClick={onTheirs}>Take what is stored</button>}
      </div>
    </section>
  );
}
