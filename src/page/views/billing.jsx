import { Choice, TextField } from "../ui/form.jsx";

// How a table is paid for: `billing`, `reads` and `writes` of a draft. `set` returns what sets one of them.
export function Billing({ draft, set }) {
  return (
    <>
      <Choice label="Billing" value={draft.billing} onChange={set("billing")}
              options={[["PAY_PER_REQUEST", "On demand"], ["PROVISIONED", "Provisioned"]]} />
      {draft.billing === "PROVISIONED" && <>
        <TextField label="Read units" type="number" min="1" value={draft.reads} onInput={set("reads")} />
        <TextField label="Write units" type="number" min="1" value={draft.writes} onInput={set("writes")} />
      </>}
    </>
  );
}
