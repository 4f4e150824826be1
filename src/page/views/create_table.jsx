import { useState } from "preact/hooks";
import { call } from "../lib/dynamodb.js";
import { useAction } from "../lib/hooks.js";
import { CopyCode } from "../ui/copy_code.jsx";
import { Choice, Form, TextField } from "../ui/form.jsx";
import { Icon } from "../ui/icon.jsx";
import { Dialog, Problem } from "../ui/parts.jsx";
import { Billing } from "./billing.jsx";
import {
  attributesOfIndex, definitions, describeIndex, emptyIndex, IndexFields, KeyFields, keySchema, streamViews,
} from "./index_fields.jsx";

const start = {
  name: "", partition: "", partitionType: "S", sort: "", sortType: "S", billing: "PAY_PER_REQUEST", reads: "5", writes: "5",
  indexes: [], stream: "", ttl: "",
};

const some = (member, list) => (list.length ? { [member]: list } : {});

function inputOf(draft) {
  const provisioned = draft.billing === "PROVISIONED";
  const throughput = provisioned && { ReadCapacityUnits: Number(draft.reads), WriteCapacityUnits: Number(draft.writes) };
  const indexes = (kind) =>
    draft.indexes.filter((index) => index.kind === kind).map((index) => describeIndex(index, draft.partition, throughput));
  return {
    TableName: draft.name,
    KeySchema: keySchema(draft.partition, draft.sort),
    AttributeDefinitions: definitions([
      ...draft.indexes.flatMap(attributesOfIndex), [draft.partition, draft.partitionType], [draft.sort, draft.sortType]]),
    BillingMode: draft.billing,
    ...(provisioned ? { ProvisionedThroughput: throughput } : {}),
    ...some("GlobalSecondaryIndexes", indexes("global")),
    ...some("LocalSecondaryIndexes", indexes("local")),
    ...(draft.stream ? { StreamSpecification: { StreamEnabled: true, StreamViewType: draft.stream } } : {}),
  };
}

async function create(draft) {
  await call("CreateTable", inputOf(draft));
  if (!draft.ttl) return;
  await call("UpdateTimeToLive", {
    TableName: draft.name, TimeToLiveSpecification: { Enabled: true, AttributeName: draft.ttl },
  });
}

function Indexes({ indexes, onChange }) {
  const replace = (at, index) => onChange(indexes.map((one, position) => (position === at ? index : one)));
  return (
    <>
      {indexes.map((index, at) => (
        <fieldset key={at}>
          <legend>Index {at + 1}</legend>
          <IndexFields index={index} kinds onChange={(changed) => replace(at, changed)} />
          <div><button type="button" onClick={() => onChange(indexes.filter((one) => one !== index))}>Remove index {at + 1}</button></div>
        </fieldset>
      ))}
      <div><button type="button" onClick={() => onChange([...indexes, emptyIndex])}><Icon name="plus" />Add index</button></div>
    </>
  );
}

export function CreateTable({ onClose, onCreated }) {
  const [draft, setDraft] = useState(start);
  const [run, busy, error] = useAction();
  const set = (member) => (value) => setDraft({ ...draft, [member]: value });
  const submit = async () => {
    if (await run(() => create(draft))) onCreated(draft.name);
  };
  return (
    <Dialog title="Create table" onClose={onClose}>
      <Form onSubmit={submit}>
        <TextField label="Table name" required autofocus value={draft.name} onInput={set("name")} />
        <KeyFields label="Partition key" required name={draft.partition} type={draft.partitionType}
                   onName={set("partition")} onType={set("partitionType")} />
        <KeyFields label="Sort key" hint="Empty: each partition has one item." name={draft.sort} type={draft.sortType}
                   onName={set("sort")} onType={set("sortType")} />
        <Indexes indexes={draft.indexes} onChange={set("indexes")} />
        <div class="row">
          <Billing draft={draft} set={set} />
        </div>
        <TextField label="Time to live attribute" hint="Items are deleted after the time, in seconds since 1970, that it holds."
                   value={draft.ttl} onInput={set("ttl")} />
        <div class="row">
          <Choice label="Stream of changes" value={draft.stream} onChange={set("stream")} options={[["", "off"], ...streamViews]} />
        </div>
        <Problem error={error} />
        <div class="actions end">
          <CopyCode request={() => ({ operation: "CreateTable", input: inputOf(draft) })} />
          <button class="primary" disabled={busy}>Create</button>
        </div>
      </Form>
    </Dialog>
  );
}
