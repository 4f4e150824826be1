import { useState } from "preact/hooks";
import { admin } from "../lib/admin.js";
import { tableNames } from "../lib/dynamodb.js";
import { effectText, newRule, requestsOf, ruleOf } from "../lib/fault_rules.js";
import { count } from "../lib/format.js";
import { useAction, useLoad } from "../lib/hooks.js";
import { parseJson } from "../lib/json_text.js";
import { href } from "../lib/route.js";
import { operations } from "../lib/operations.js";
import { faultsHitPage } from "../lib/spared.js";
import { keepDigits, typedItem } from "../lib/typed_json.js";
import { Check, Choice, Form, Suggesting, TextField } from "../ui/form.jsx";
import { DataTable, Dialog, Empty, Heading, Problem } from "../ui/parts.jsx";

const effects = [["error", "an error"], ["drop", "no answer: the connection is closed"],
  ["unprocessed", "items of a batch are left unprocessed"], ["delay", "only a delay"]];
const usual = ["ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded", "InternalServerError",
  "ServiceUnavailable", "ConditionalCheckFailedException", "TransactionConflictException", "ResourceNotFoundException"];

const delays = [["always", "always this long"], ["upTo", "at most this long"], ["mean", "this long on average"]];
const keyHint = 'As plain JSON: {"artist": "Nina Simone"}. Empty: any.';

/** Returns {key}, undefined if there is none, or {problem}. */
function parseKey(text) {
  if (!text.trim()) return {};
  const { value, problem } = parseJson(text, keepDigits);
  if (problem) return { problem };
  try {
    typedItem(value);
    return { key: value };
  } catch (error) {
    return { problem: error.message };
  }
}

function NewFault({ onClose, onAdd }) {
  const [draft, setDraft] = useState(newRule);
  const [run, busy, error] = useAction();
  const { data: tables = [] } = useLoad(tableNames, []);
  const { key, problem } = parseKey(draft.key);
  const set = (member) => (value) => setDraft({ ...draft, [member]: value });
  return (
    <Dialog title="Add fault" onClose={onClose}>
      <Form onSubmit={() => problem || run(() => onAdd(ruleOf(draft, key)))}>
        <div class="row">
          <Suggesting id="operations" values={operations} label="Operation" hint="Such as PutItem; empty: any." autofocus
                      value={draft.operation} onInput={set("operation")} />
          <Suggesting id="tables" values={tables} label="Table" hint="Empty: any." value={draft.table} onInput={set("table")} />
        </div>
        <TextField label="Key of the item" hint={problem ?? keyHint} aria-invalid={problem ? "true" : undefined} value={draft.key} onInput={set("key")} />
        <div class="row">
          <TextField label="From request" type="number" min="1" value={draft.nth} onInput={set("nth")} />
          <TextField label="Times" type="number" min="1" value={draft.times} onInput={set("times")} />
        </div>
        <div class="row">
          <TextField label="Probability" type="number" min="0" max="1" step="any" value={draft.probability} onInput={set("probability")} />
          <TextField label="Seed" type="number" min="0" value={draft.seed} onInput={set("seed")} />
        </div>
        <Choice label="What happens" value={draft.effect} options={effects} onChange={set("effect")} />
        {draft.effect === "error" && <>
          <Suggesting id="errors" values={usual} label="Error" required value={draft.type} onInput={set("type")} />
          <TextField label="Message" hint="Empty: the usual one." value={draft.message} onInput={set("message")} />
        </>}
        {draft.effect === "unprocessed" &&
          <TextField label="Share of the items" type="number" min="0" max="1" step="any" required value={draft.share} onInput={set("share")} />}
        <div class="row">
          <TextField label="Delay in milliseconds" type="number" min="1" required={draft.effect === "delay"} value={draft.delay} onInput={set("delay")} />
          {draft.delay && <Choice label="Length of the delay" value={draft.delayKind} options={delays} onChange={set("delayKind")} />}
        </div>
        <Choice label="When" value={draft.phase} onChange={set("phase")}
                options={[["before", "instead of the operation"], ["after", "after it was carried out: its answer is lost"]]} />
        <Problem error={error} />
        <div class="actions end"><button class="primary" disabled={busy || Boolean(problem)}>Add</button></div>
      </Form>
    </Dialog>
  );
}

export function Faults() {
  const { data, error, reload } = useLoad(() => admin("GET", "faults"), []);
  const [adding, add] = useState(false);
  const [run, busy, failure] = useAction();
  const rules = data?.faults.map(({ rule }) => rule) ?? [];
  const put = async (wanted) => {
    if (wanted.length) await admin("PUT", "faults", { rules: wanted });
    else await admin("DELETE", "faults");
    add(false);
    reload();
  };
  const replace = (wanted) => run(() => put(wanted));
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
      <Problem error={error ?? failure} />
      {rules.length > 0 && (
        <div>
          <Check label="Faults hit the requests of this page, too" checked={faultsHitPage.value}
                 onChange={(wanted) => { faultsHitPage.value = wanted; }} />
          <p class="muted">Otherwise no rule sees or counts them. The <a href={href("requests")}>requests</a> that a rule has hit are
            marked as injected.</p>
        </div>)}
      {data && rules.length === 0 && (
        <Empty title="No faults">
          <p>A fault makes requests fail, wait, or lose their answers, so that you see what your program does then: throttling,
            errors of the service, dropped connections. The requests of this page are spared, unless you choose otherwise.</p>
        </Empty>
      )}
      {rules.length > 0 && <>
        <DataTable label="Faults" columns={columns} rows={data.faults} />
        <p class="muted">The first rule that fires decides. Adding or removing one sets the counts to zero.</p>
      </>}
      {adding && <NewFault onClose={() => add(false)} onAdd={(rule) => put([...rules, rule])} />}
    </>
  );
}
