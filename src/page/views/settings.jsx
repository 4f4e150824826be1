// A table's settings: looking at them, and changing them.
import { useState } from "preact/hooks";
import { call } from "../lib/dynamodb.js";
import { bytes, count, moment } from "../lib/format.js";
import { useAction, useLoad } from "../lib/hooks.js";
import { describeKey, indexesOf, keysOf, typesOf } from "../lib/key_schema.js";
import { href } from "../lib/route.js";
import { definitionOf } from "../lib/table_definition.js";
import { CopyCode } from "../ui/copy_code.jsx";
import { Check, Choice, Form, TextField } from "../ui/form.jsx";
import { DataTable, Dialog, Facts, Json, Problem, Short } from "../ui/parts.jsx";
import { Billing } from "./billing.jsx";
import { Dangers } from "./dangers.jsx";
import { attributesOfIndex, definitions, describeIndex, emptyIndex, IndexFields, streamViews } from "./index_fields.jsx";

const isProvisioned = (table) => table.BillingModeSummary?.BillingMode !== "PAY_PER_REQUEST";

function Summary({ table }) {
  const { TableStatus, ItemCount, TableSizeBytes, CreationDateTime, TableArn, LatestStreamArn } = table;
  return (
    <section class="panel" aria-label="Summary">
      <Facts facts={[
        ["Key", <span class="mono">{describeKey(table)}</span>], ["Status", TableStatus], ["Items", count(ItemCount)],
        ["Size", bytes(TableSizeBytes)], ["Created", moment(CreationDateTime * 1000)], ["ARN", TableArn],
        ["Stream", LatestStreamArn && <a href={href("streams", LatestStreamArn)}>Read the stream</a>],
      ]} />
    </section>
  );
}

function NewIndex({ table, onClose, onChanged }) {
  const [index, setIndex] = useState(emptyIndex);
  const [run, busy, error] = useAction();
  const submit = async () => {
    const throughput = isProvisioned(table) && { ReadCapacityUnits: 5, WriteCapacityUnits: 5 };
    const made = await run(() => call("UpdateTable", {
      TableName: table.TableName,
      AttributeDefinitions: definitions([...attributesOfIndex(index), ...Object.entries(typesOf(table))]),
      GlobalSecondaryIndexUpdates: [{ Create: describeIndex(index, keysOf(table).partition, throughput) }],
    }));
    if (made) onChanged();
  };
  return (
    <Dialog title="Create index" onClose={onClose}>
      <Form onSubmit={submit}>
        <IndexFields index={index} onChange={setIndex} />
        <Problem error={error} />
        <div class="actions end"><button class="primary" disabled={busy}>Create index</button></div>
      </Form>
    </Dialog>
  );
}

const projectionText = ({ ProjectionType, NonKeyAttributes }) =>
  (ProjectionType === "INCLUDE" ? `keys, ${NonKeyAttributes.join(", ")}` : ProjectionType.toLowerCase().replace("_", " "));

function Indexes({ table, reload }) {
  const [creating, create] = useState(false);
  const [run, busy, error] = useAction();
  const isGlobal = (index) => table.GlobalSecondaryIndexes?.includes(index);
  const isOfVectors = ({ VectorAttribute }) => Boolean(VectorAttribute);
  const drop = (index) => run(async () => {
    const updates = isGlobal(index) ? "GlobalSecondaryIndexUpdates" : "VectorIndexUpdates";
    await call("UpdateTable", { TableName: table.TableName, [updates]: [{ Delete: { IndexName: index.IndexName } }] });
    reload();
  });
  const vectorOf = ({ VectorAttribute, Dimensions, DistanceFunction }) =>
    `${VectorAttribute.AttributeName} (${count(Dimensions)} dimensions, ${DistanceFunction.toLowerCase().replace("_", " ")})`;
  const columns = [
    { name: "Index", cell: ({ IndexName }) => <Short text={IndexName} /> },
    { name: "Kind", cell: (index) => (isGlobal(index) ? "global" : isOfVectors(index) ? "vectors" : "local") },
    { name: "Key", cell: (index) => <Short mono text={isOfVectors(index) ? vectorOf(index) : describeKey(table, index)} /> },
    { name: "Projection", cell: ({ Projection }) => <Short text={projectionText(Projection)} /> },
    { name: "Items", numeric: true, cell: ({ ItemCount }) => count(ItemCount ?? 0) },
    { name: "Status", cell: ({ IndexStatus }) => IndexStatus ?? "ACTIVE" },
    { name: "Actions", cell: (index) => (isGlobal(index) || isOfVectors(index)) &&
      <button type="button" disabled={busy} aria-label={`Drop index ${index.IndexName}`} onClick={() => drop(index)}>Drop</button> },
  ];
  const indexes = [...indexesOf(table), ...(table.VectorIndexes ?? [])];
  return (
    <section class="panel" aria-label="Indexes">
      <div class="heading"><h2>Indexes</h2><button type="button" onClick={() => create(true)}>Create index</button></div>
      <Problem error={error} />
      {indexes.length > 0
        ? <DataTable label="List of indexes" columns={columns} rows={indexes} rowKey={({ IndexName }) => IndexName} />
        : <p class="muted">None. A global index lets a Query find items by other attributes than the key.</p>}
      {creating && <NewIndex table={table} onClose={() => create(false)} onChanged={() => { create(false); reload(); }} />}
    </section>
  );
}

/** Returns what is asked of UpdateTable, one request per change, as the service wants it. */
function changesOf(table, draft) {
  const changes = [];
  const provisioned = draft.billing === "PROVISIONED";
  const throughput = { ReadCapacityUnits: Number(draft.reads), WriteCapacityUnits: Number(draft.writes) };
  const current = table.ProvisionedThroughput;
  const sameThroughput = current.ReadCapacityUnits === throughput.ReadCapacityUnits &&
    current.WriteCapacityUnits === throughput.WriteCapacityUnits;
  if (provisioned !== isProvisioned(table) || (provisioned && !sameThroughput)) {
    changes.push({ BillingMode: draft.billing, ...(provisioned ? { ProvisionedThroughput: throughput } : {}) });
  }
  const stream = table.StreamSpecification?.StreamViewType ?? "";
  if (stream && stream !== draft.stream) changes.push({ StreamSpecification: { StreamEnabled: false } });
  if (draft.stream && stream !== draft.stream) {
    changes.push({ StreamSpecification: { StreamEnabled: true, StreamViewType: draft.stream } });
  }
  if (draft.isProtected !== Boolean(table.DeletionProtectionEnabled)) changes.push({ DeletionProtectionEnabled: draft.isProtected });
  return changes;
}

function Change({ table, reload }) {
  const [draft, setDraft] = useState({
    billing: isProvisioned(table) ? "PROVISIONED" : "PAY_PER_REQUEST",
    reads: String(table.ProvisionedThroughput.ReadCapacityUnits || 5),
    writes: String(table.ProvisionedThroughput.WriteCapacityUnits || 5),
    stream: table.StreamSpecification?.StreamViewType ?? "",
    isProtected: Boolean(table.DeletionProtectionEnabled),
  });
  const [run, busy, error] = useAction();
  const set = (member) => (value) => setDraft({ ...draft, [member]: value });
  const submit = () => run(async () => {
    for (const change of changesOf(table, draft)) await call("UpdateTable", { TableName: table.TableName, ...change });
    reload();
  });
  return (
    <section class="panel" aria-label="Change">
      <h2>Change</h2>
      <Form onSubmit={submit}>
        <div class="row">
          <Billing draft={draft} set={set} />
          <Choice label="Stream" value={draft.stream} onChange={set("stream")}
                  options={[["", "off"], ...streamViews]} />
        </div>
        <Check label="Protect the table from being dropped" checked={draft.isProtected} onChange={set("isProtected")} />
        <Problem error={error} />
        <div class="actions"><button class="primary" disabled={busy}>Save changes</button></div>
      </Form>
    </section>
  );
}

function TimeToLive({ name }) {
  const { data, reload, error: failure } = useLoad(async () =>
    (await call("DescribeTimeToLive", { TableName: name })).TimeToLiveDescription, [name]);
  const [attribute, setAttribute] = useState("");
  const [run, busy, error] = useAction();
  const isOn = data?.TimeToLiveStatus === "ENABLED" || data?.TimeToLiveStatus === "ENABLING";
  const change = () => run(async () => {
    const AttributeName = isOn ? data.AttributeName : attribute;
    await call("UpdateTimeToLive", { TableName: name, TimeToLiveSpecification: { Enabled: !isOn, AttributeName } });
    reload();
  });
  return (
    <section class="panel" aria-label="Time to live">
      <h2>Time to live</h2>
      <Form onSubmit={change}>
        {isOn
          ? <p>Items are deleted after the time in their attribute <code>{data.AttributeName}</code>.</p>
          : <TextField label="Attribute" hint="A number: seconds since 1970." required value={attribute} onInput={setAttribute} />}
        <Problem error={error ?? failure} />
        <div class="actions"><button disabled={busy || !data}>{isOn ? "Turn off" : "Turn on"}</button></div>
      </Form>
    </section>
  );
}

export function Settings({ table, reload }) {
  const name = table.TableName;
  return (
    <>
      <Summary table={table} />
      <Indexes table={table} reload={reload} />
      <Change key={JSON.stringify([table.StreamSpecification, table.BillingModeSummary])} table={table} reload={reload} />
      <TimeToLive name={name} />
      <details><summary>Description as JSON</summary><Json label="Description" value={table} /></details>
      <div class="actions">
        <CopyCode label="Copy the definition as code" request={() => ({ operation: "CreateTable", input: definitionOf(table) })} />
      </div>
      <Dangers table={table} reload={reload} />
    </>
  );
}
