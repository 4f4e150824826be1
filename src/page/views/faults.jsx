import { useState } from "preact/hooks";
import { admin } from "../lib/admin.js";
import { count } from "../lib/format.js";
import { useAction, useLoad } from "../lib/hooks.js";
import { Choice, Form, TextField } from "../ui/form.jsx";
import { DataTable, Dialog, Empty, Heading, Problem } from "../ui/parts.jsx";

const start = {
  operation: "", table: "", nth: "", times: "", probability: "", effect: "error",
  type: "ProvisionedThroughputExceededException", message: "", share: "0.5", delay: "", phase: "before",
};
const effects = [["error", "an error"], ["drop", "no answer: the connection is closed"],
  ["unprocessed", "items of a batch are left unprocessed"], ["delay", "only a delay"]];
const usual = ["ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded", "InternalServerError",
  "ServiceUnavailable", "ConditionalCheckFailedException", "TransactionConflictException", "ResourceNotFoundException"];

const text = (name, value) => (value ? { [name]: value } : {});
const number = (name, value) => (value ? { [name]: Number(value) } : {});

const effectOf = {
  error: ({ type, message }) => ({ error: { type, ...text("message", message) } }),
  drop: () => ({ drop: true }),
  unprocessed: ({ share }) => ({ unprocessed: { share: Number(share) } }),
  delay: () => ({}),
};

const ruleOf = (draft) => ({
  ...text("operation", draft.operation), ...text("table", draft.table), ...number("nth", draft.nth),
  ...number("times", draft.times), ...number("probability", draft.probability), ...number("delayMilliseconds", draft.delay),
  phase: draft.phase, ...effectOf[draft.effect](draft),
});

function NewFault({ onClose, onAdd, error, busy }) {
  const [draft, setDraft] = useState(start);
  const set = (member) => (value) => setDraft({ ...draft, [member]: value });
  return (
    <Dialog title="Add fault" onClose={onClose}>
      <Form onSubmit={() => onAdd(ruleOf(draft))}>
        <div class="row">
          <TextField label="Operation" hint="Such as PutItem; empty: any." autofocus value={draft.operation} onInput={set("operation")} />
          <TextField label="Table" hint="Empty: any." value={draft.table} onInput={set("table")} />
        </div>
        <div class="row">
          <TextField label="From the nth request" type="number" min="1" value={draft.nth} onInput={set("nth")} />
          <TextField label="Times" type="number" min="1" value={draft.times} onInput={set("times")} />
          <TextField label="Probability" type="number" min="0" max="1" step="any" value={draft.probability} onInput={set("probability")} />
        </div>
        <Choice label="What happens" value={draft.effect} options={effects} onChange={set("effect")} />
        {draft.effect === "error" && <>
          <TextField label="Error" required list="errors" value={draft.type} onInput={set("type")} />
          <datalist id="errors">{usual.map((type) => <option key={type} value={type} />)}</datalist>
          <TextField label="Message" hint="Empty: the usual one." value={draft.message} onInput={set("message")} />
        </>}
        {draft.effect === "unprocessed" &&
          <TextField label="Share of the items" type="number" min="0" max="1" step="any" required value={draft.share} onInput={set("share")} />}
        <div class="row">
          <TextField label="Delay in milliseconds" type="number" min="0" required={draft.effect === "delay"} value={draft.delay} onInput={set("delay")} />
          <Choice label="When" value={draft.phase} onChange={set("phase")}
                  options={[["before", "instead of the operation"], ["after", "after it was carried out"]]} />
        </div>
        <Problem error={error} />
        <div class="actions end"><button class="primary" disabled={busy}>Add</button></div>
      </Form>
    </Dialog>
  );
}

function requestsOf({ operation, table, nth, times, probability }) {
  return [
    operation ?? "any operation", table && `on ${table}`, nth > 1 && `from the ${nth}. request`, times && `${times} times`,
    probability < 1 && `by a chance of ${probability}`,
  ].filter(Boolean).join(", ");
}

function effectText({ error, drop, unprocessed, delayMilliseconds, phase }) {
  const lost = phase === "after" && (error || drop) ? " after it was carried out" : "";
  return [
    delayMilliseconds && `wait ${delayMilliseconds} ms`, error && error.type + lost, drop && "no answer" + lost,
    unprocessed && "leave items unprocessed",
  ].filter(Boolean).join(", then ");
}

export function Faults() {
  const { data, error, reload } = useLoad(() => admin("GET", "faults"), []);
  const [adding, add] = useState(false);
  const [run, busy, failure] = useAction();
  const rules = data?.faults.map(({ rule }) => rule) ?? [];
  const replace = (wanted) => run(async () => {
    if (wanted.length) await admin("PUT", "faults", { rules: wanted });
    else await admin("DELETE", "faults");
    add(false);
    reload();
  });
  const columns = [
    { name: "Requests", cell: ({ rule }) => requestsOf(rule) },
    { name: "What happens", cell: ({ rule }) => effectText(rule) },
    { name: "Seen", numeric: true, cell: ({ matched }) => count(matched) },
    { name: "Hit", numeric: true, cell: ({ fired }) => count(fired) },
    { name: "Actions", cell: ({ rule }) => (
      <button type="button" disabled={busy} aria-label={`Remove fault ${rules.indexOf(rule) + 1}`}
              onClick={() => replace(rules.filter((one) => one !== rule))}>Remove</button>) },
  ];
  return (
    <>
      <Heading title="Faults">
        <button type="button" data-shortcut="r" onClick={reload}>Reload</button>
        {rules.length > 0 && <button type="button" disabled={busy} onClick={() => replace([])}>Remove all</button>}
        <button type="button" class="primary" data-shortcut="n" onClick={() => add(true)}>Add fault</button>
      </Heading>
      <Problem error={error ?? (adding ? undefined : failure)} />
      {data && rules.length === 0 && (
        <Empty title="No faults ordered">
          <p>A fault makes requests fail, wait, or lose their answers, so that you see what your program does then: throttling,
            errors of the service, dropped connections. Requests of this page are hit as well.</p>
        </Empty>
      )}
      {rules.length > 0 && <>
        <DataTable label="Faults" columns={columns} rows={data.faults} />
        <p class="muted">The first rule that fires decides. Adding or removing one sets the counts to zero.</p>
      </>}
      {adding && <NewFault busy={busy} error={failure} onClose={() => add(false)} onAdd={(rule) => replace([...rules, rule])} />}
    </>
  );
}
