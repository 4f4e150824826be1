import { useRef, useState } from "preact/hooks";
import { admin } from "../lib/admin.js";
import { tableNames } from "../lib/dynamodb.js";
import { count, plural } from "../lib/format.js";
import { useAction, useLoad, usePoll } from "../lib/hooks.js";
import { href } from "../lib/route.js";
import { draftOf, merged, newTrigger, resultText, sourceOf, stateText, targetOf, triggerOf } from "../lib/triggers.js";
import { Check, Choice, Form, Suggesting, TextArea, TextField } from "../ui/form.jsx";
import { Message } from "../ui/message.jsx";
import { DataTable, Dialog, Empty, Facts, Heading, Problem, Short } from "../ui/parts.jsx";

const pause = 1000;  // milliseconds
const mostShown = 200;

const positions = [["TRIM_HORIZON", "with the oldest record"], ["LATEST", "with the next record"], ["AT_TIMESTAMP", "at a time (Kinesis)"]];

function TriggerForm({ trigger, onClose, onSave }) {
  const [draft, setDraft] = useState(trigger ? draftOf(trigger) : newTrigger);
  const [run, busy, error] = useAction();
  const { data: tables = [] } = useLoad(tableNames, []);
  const set = (member) => (value) => setDraft({ ...draft, [member]: value });
  const field = (member, label, more) => <TextField label={label} value={draft[member]} onInput={set(member)} {...more} />;
  const numberField = (member, label, min, max, hint) => field(member, label, { type: "number", min, max, hint });
  return (
    <Dialog title={trigger ? "Change trigger" : "Add trigger"} onClose={onClose} wide>
      <Form onSubmit={() => run(() => onSave(triggerOf(draft, trigger)))}>
        <div class="row">
          <Suggesting id="sources" values={tables} label="Table or stream" hint="A table, whose newest stream is read, or the ARN of a stream."
                      required autofocus value={draft.source} onInput={set("source")} />
          {field("target", "Function", { required: true, disabled: Boolean(trigger?.command),
            hint: "A URL, to which events are posted, or the name of a function." })}
        </div>
        <div class="row">
          {field("name", "Name", { hint: "Empty: made of function and stream." })}
          <Choice label="Begins" value={draft.position} options={positions} onChange={set("position")} />
          {draft.position === "AT_TIMESTAMP" && field("time", "Time", { required: true, placeholder: "2026-01-31T08:15:00Z" })}
        </div>
        <div class="row">
          {numberField("batchSize", "Records per call", 1, 10_000, "Empty: 100.")}
          {numberField("window", "Wait for them, in seconds", 0, 300, "Empty: call at once.")}
          {numberField("parallelization", "Calls at once per shard", 1, 10, "Empty: 1.")}
          {numberField("tumbling", "Tumbling window, in seconds", 0, 900, "Empty: none.")}
        </div>
        <div class="row">
          {numberField("retries", "Retries", 0, 10_000, "Empty: no limit.")}
          {numberField("age", "Oldest record, in seconds", 60, 604_800, "Empty: no limit.")}
          {field("destination", "Discarded records", { hint: "ARN of a bucket, or a URL, that gets a document." })}
        </div>
        <TextArea label="Filter" hint={'Such as {"eventName": ["INSERT"]}. Empty: all records.'} rows={2}
                  value={draft.pattern} onInput={set("pattern")} />
        <Check label="The function reports which records failed (ReportBatchItemFailures)" checked={draft.reports} onChange={set("reports")} />
        <Check label="A failed batch is delivered in two halves" checked={draft.bisects} onChange={set("bisects")} />
        <Check label="Enabled" checked={draft.enabled} onChange={set("enabled")} />
        <Problem error={error} />
        <div class="actions end"><button class="primary" disabled={busy}>{trigger ? "Change" : "Add"}</button></div>
      </Form>
    </Dialog>
  );
}

const Result = ({ delivery }) => <span class={delivery.result !== "done" && "failure"}>{resultText(delivery)}</span>;

const factsOf = (delivery, name) => [
  ["Result", <Result delivery={delivery} />], ["Reason", delivery.reason], ["Trigger", name], ["Time, UTC", delivery.time.replace("T", " ").replace("Z", "")],
  ["Took", delivery.result !== "discarded" && `${count(delivery.milliseconds)} ms`], ["Try", delivery.tries || undefined],
  ["Records", count(delivery.records)], ["From", delivery.first], ["To", delivery.last], ["Shard", delivery.shard],
  ["Function", delivery.functionArn], ["Stream", delivery.streamArn], ["Repeats delivery", delivery.repeats],
];

function Delivery({ delivery, name, onClose }) {
  const [again, setAgain] = useState();
  const [run, busy, error] = useAction();
  const repeat = () => run(async () => setAgain(await admin("POST", `triggers/deliveries/${delivery.number}/repeat`, {})));
  return (
    <Dialog title={`Delivery ${delivery.number}`} onClose={onClose} wide>
      <div class="actions"><button type="button" disabled={busy} onClick={repeat}>Send again</button></div>
      <Problem error={error} />
      {again && (
        <section>
          <h3>Sent again</h3>
          <p role="status">{again.reason ? `${resultText(again)}: ${again.reason}` : `The function has answered in ${count(again.milliseconds)} ms.`}</p>
          <Message title="New answer" body={again.answer} />
        </section>)}
      <Facts facts={factsOf(delivery, name)} />
      <Message title="Event" body={delivery.event} />
      <Message title={delivery.result === "discarded" ? "Document about them" : "Answer"} body={delivery.answer} />
    </Dialog>
  );
}

/** Follows the deliveries of one trigger, or of all. */
function useDeliveries(id) {
  const [deliveries, setDeliveries] = useState([]);
  const [error, setError] = useState();
  const last = useRef(0);
  usePoll(async () => {
    try {
      const of = id ? `&trigger=${encodeURIComponent(id)}` : "";
      const page = await admin("GET", `triggers/deliveries?after=${last.current}${of}`);
      // A server that was started again, or a world that was replaced, counts from 1.
      const isNew = page.last < last.current;
      last.current = isNew ? 0 : page.last;
      if (isNew || page.deliveries.length) setDeliveries((known) => merged(isNew ? [] : known, page.deliveries, mostShown));
      setError(undefined);
    } catch (problem) {
      setError(problem);
    }
  }, pause);
  return { deliveries, error };
}

const deliveryColumns = (open, nameOf) => [
  { name: "Time, UTC", cell: ({ time }) => <span class="mono">{time.slice(11, 23)}</span> },
  { name: "Trigger", cell: (one) => <button type="button" class="link" onClick={() => open(one)}>{nameOf(one)}</button> },
  { name: "Result", cell: (one) => <Result delivery={one} /> },
  { name: "Reason", cell: ({ reason }) => <Short text={reason} /> },
  { name: "Records", numeric: true, cell: ({ records }) => count(records) },
  { name: "Try", numeric: true, cell: ({ tries }) => tries > 0 && count(tries) },
  { name: "Took", numeric: true, cell: ({ milliseconds }) => `${count(milliseconds)} ms` },
];

function Deliveries({ id, triggers }) {
  const { deliveries, error } = useDeliveries(id);
  const [onlyFailed, chooseFailed] = useState(false);
  const [opened, open] = useState();
  const nameOf = (one) => triggers.find((state) => state.id === one.trigger)?.trigger.name ?? one.trigger;
  const rows = deliveries.filter(({ result }) => !onlyFailed || result !== "done");
  return (
    <section>
      <div class="heading">
        <h2>Deliveries</h2>
        <Check label="Only those that failed" checked={onlyFailed} onChange={chooseFailed} />
      </div>
      <Problem error={error} />
      <DataTable label="Deliveries" columns={deliveryColumns(open, nameOf)} rows={rows} rowKey={({ number }) => number}
                 none={onlyFailed ? "No failures" : "No deliveries yet"} />
      {opened && <Delivery delivery={opened} name={nameOf(opened)} onClose={() => open(undefined)} />}
    </section>
  );
}

function countsText({ calls, failures, records, discarded }) {
  return [plural(records, "record"), plural(calls, "call"), failures > 0 && `${count(failures)} failed`,
    discarded > 0 && `${plural(discarded, "record")} discarded`].filter(Boolean).join(", ");
}

/** One trigger: how far it has come, and its deliveries. */
function OneTrigger({ id, triggers }) {
  const state = triggers.find((one) => one.id === id);
  if (!state) return <Empty title="There is no such trigger"><p><a href={href("triggers")}>Show the triggers that there are</a></p></Empty>;
  const { trigger, positions: places } = state;
  return (
    <>
      <p><a href={href("triggers")}>All triggers</a></p>
      <Facts facts={[
        ["Function", state.place ?? targetOf(trigger)], ["State", stateText(state)], ["Last result", state.lastProcessingResult],
        ["So far", countsText(state.counts)], ["Stream", state.streamArn],
        ...places.map(({ shard, after }) => [shard, after ? `up to ${after}` : "at its beginning"])]} />
      <Deliveries key={id} id={id} triggers={triggers} />
    </>
  );
}

export function Triggers({ path: [named] }) {
  const [triggers, setTriggers] = useState();
  const [failure, setFailure] = useState();
  const [editing, edit] = useState();
  const [run, busy, error] = useAction();
  usePoll(() => admin("GET", "triggers").then((read) => {
    setTriggers(read.triggers);
    setFailure(undefined);
  }, setFailure), pause, !busy);
  const own = triggers?.filter(({ ofApi }) => !ofApi).map(({ trigger }) => trigger) ?? [];
  const put = async (wanted) => {
    setTriggers((await admin("PUT", "triggers", { triggers: wanted })).triggers);
    edit(undefined);
  };
  const save = (trigger) => put(editing.trigger ? own.map((one) => (one.name === editing.trigger.name ? trigger : one)) : [...own, trigger]);
  const columns = [
    { name: "Trigger", cell: ({ id, trigger: { name } }) => (id ? <a class="value" title={name} href={href("triggers", id)}>{name}</a> : <Short text={name} />) },
    { name: "Reads", cell: ({ trigger }) => <Short text={sourceOf(trigger)} /> },
    { name: "Calls", cell: ({ trigger, place }) => <Short text={place ?? targetOf(trigger)} /> },
    { name: "State", cell: (one) => <span class={one.reason && "failure"}>{stateText(one)}</span> },
    { name: "Last result", cell: ({ lastProcessingResult }) => <Short text={lastProcessingResult} /> },
    { name: "So far", cell: ({ counts }) => countsText(counts) },
    { name: "Actions", cell: ({ trigger, ofApi }) => (ofApi ? <span class="muted">made by the API of Lambda</span> : (
      <div class="actions">
        <button type="button" disabled={busy} aria-label={`Change ${trigger.name}`} onClick={() => edit({ trigger })}>Change</button>
        <button type="button" disabled={busy} aria-label={`Remove ${trigger.name}`}
                onClick={() => run(() => put(own.filter((one) => one.name !== trigger.name)))}>Remove</button>
      </div>)) },
  ];
  return (
    <>
      <Heading title="Triggers">
        <button type="button" class="primary" data-shortcut="n" onClick={() => edit({})}>Add trigger</button>
      </Heading>
      <Problem error={failure ?? error} />
      {named !== undefined && triggers && <OneTrigger id={named} triggers={triggers} />}
      {named === undefined && triggers?.length === 0 && (
        <Empty title="No triggers">
          <p>A trigger calls a function with the changes of a table, or the records of a stream, as event source mappings of Lambda do:
            in batches, in order, and again if it fails. The function is a URL, or where <code>--lambda-endpoint</code> says.</p>
        </Empty>)}
      {named === undefined && triggers?.length > 0 && <>
        <DataTable label="Triggers" columns={columns} rows={triggers} rowKey={({ id, trigger }) => id || trigger.name} />
        <Deliveries triggers={triggers} />
      </>}
      {editing && <TriggerForm trigger={editing.trigger} onClose={() => edit(undefined)} onSave={save} />}
    </>
  );
}
