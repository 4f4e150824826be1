import { useState } from "preact/hooks";
import { admin } from "../lib/admin.js";
import { bytes, count, moment } from "../lib/format.js";
import { useAction, useLoad } from "../lib/hooks.js";
import { world } from "../lib/state.js";
import { Choice, Form, TextField } from "../ui/form.jsx";
import { Confirm, DataTable, Dialog, Empty, Heading, Problem, Short } from "../ui/parts.jsx";
import { refreshWorlds } from "../ui/world_picker.jsx";

const at = (...parts) => parts.map(encodeURIComponent).join("/");

async function load() {
  const [{ worlds }, { snapshots }] = await Promise.all([admin("GET", "worlds"), admin("GET", "snapshots")]);
  return { worlds, snapshots };
}

function Fork({ origins, from, onClose, onForked }) {
  const [run, busy, error] = useAction();
  const [draft, setDraft] = useState({ from, name: "", ttl: "" });
  const set = (member) => (value) => setDraft({ ...draft, [member]: value });
  const submit = () => run(async () => {
    const body = { from: draft.from, ...(draft.name && { name: draft.name }), ...(draft.ttl && { ttl: Number(draft.ttl) }) };
    const { name } = await admin("POST", "worlds", body);
    world.value = name;
    onForked();
  });
  return (
    <Dialog title="Fork a world" onClose={onClose}>
      <p>A fork is a copy of all tables, made at once. Programs that use its name as their access key id work with it.</p>
      <Form onSubmit={submit}>
        <Choice label="Copy of" value={draft.from} options={origins} onChange={set("from")} />
        <TextField label="Name" autofocus hint="Empty: world-1, world-2, and so on." value={draft.name} onInput={set("name")} />
        <TextField label="Seconds to live" type="number" min="1" hint="After its last use. Empty: until it is dropped."
                   value={draft.ttl} onInput={set("ttl")} />
        <Problem error={error} />
        <div class="actions end"><button class="primary" disabled={busy}>Fork</button></div>
      </Form>
    </Dialog>
  );
}

function WorldTable({ worlds, act, ask, fork }) {
  const canChoose = ({ name, fork: isFork }) => isFork || name === "default";
  const reset = (name) => ask({
    title: "Reset world", text: `All tables of the world ${name} will be gone, and its clock shows real time.`, action: "Reset it",
    work: () => admin("POST", "reset", { world: name }),
  });
  const drop = (name) => ask({
    title: "Drop world", text: `The world ${name} and all its tables will be gone.`, action: "Drop it",
    work: async () => {
      await admin("DELETE", at("worlds", name));
      if (world.value === name) world.value = "default";
    },
  });
  const columns = [
    { name: "World", cell: ({ name }) => (name === world.value ? <strong><Short text={name} /></strong> : <Short text={name} />) },
    { name: "Tables", numeric: true, cell: ({ tables }) => count(tables) },
    { name: "Items", numeric: true, cell: ({ items }) => count(items) },
    { name: "Size", numeric: true, cell: (one) => bytes(one.bytes) },
    { name: "Expires", cell: ({ ttl }) => ttl !== null && `${count(ttl)} s after its last use` },
    { name: "Actions", cell: (one) => canChoose(one) && (
      <div class="actions">
        {one.name !== world.value &&
          <button type="button" aria-label={`Switch to ${one.name}`} onClick={() => { world.value = one.name; }}>Switch</button>}
        <button type="button" aria-label={`Fork ${one.name}`} onClick={() => fork(one.name)}>Fork</button>
        <button type="button" aria-label={`Snapshot of ${one.name}`}
                onClick={() => act(() => admin("POST", "snapshots", { world: one.name }))}>Snapshot</button>
        <button type="button" aria-label={`Reset ${one.name}`} onClick={() => reset(one.name)}>Reset</button>
        {one.fork && <button type="button" aria-label={`Drop ${one.name}`} onClick={() => drop(one.name)}>Drop</button>}
      </div>) },
  ];
  return <DataTable label="Worlds" columns={columns} rows={worlds} rowKey={({ name }) => name} />;
}

function Snapshots({ snapshots, act, ask, fork }) {
  if (snapshots.length === 0) {
    return <Empty title="No snapshots"><p>A snapshot keeps all tables of a world and its clock, so that you can return to them.</p></Empty>;
  }
  const restore = ({ id, world: of }) => ask({
    title: "Restore world", text: `The world ${of} becomes as it was in ${id}.`, action: "Restore it",
    work: () => admin("POST", at("snapshots", id, "restore"), {}),
  });
  const columns = [
    { name: "Snapshot", cell: ({ id }) => id },
    { name: "World", cell: (one) => one.world },
    { name: "Taken", cell: ({ createdAt }) => moment(Date.parse(createdAt)) },
    { name: "Actions", cell: (one) => (
      <div class="actions">
        <button type="button" aria-label={`Restore ${one.id}`} onClick={() => restore(one)}>Restore</button>
        <button type="button" aria-label={`Fork ${one.id}`} onClick={() => fork(one.id)}>Fork</button>
        <button type="button" aria-label={`Delete ${one.id}`}
                onClick={() => act(() => admin("DELETE", at("snapshots", one.id)))}>Delete</button>
      </div>) },
  ];
  return <DataTable label="Snapshots" columns={columns} rows={snapshots} rowKey={({ id }) => id} />;
}

export function Worlds() {
  const { data, error, reload } = useLoad(load, []);
  const [asked, ask] = useState();
  const [from, fork] = useState();
  const [run, , failure] = useAction();
  const refresh = () => {
    reload();
    refreshWorlds();
  };
  const act = (work) => run(async () => {
    await work();
    refresh();
  });
  const confirmed = async () => {
    await asked.work();
    ask(undefined);
    refresh();
  };
  const origins = data && [
    ...data.worlds.map(({ name }) => name), ...data.snapshots.map(({ id }) => id)];
  return (
    <>
      <Heading title="Worlds">
        <button type="button" data-shortcut="r" onClick={reload}>Reload</button>
        <button type="button" class="primary" data-shortcut="n" onClick={() => fork(world.value)}>Fork</button>
      </Heading>
      <Problem error={error ?? failure} />
      {data && <WorldTable worlds={data.worlds} act={act} ask={ask} fork={fork} />}
      {data && <h2>Snapshots</h2>}
      {data && <Snapshots snapshots={data.snapshots} act={act} ask={ask} fork={fork} />}
      {from && origins && <Fork origins={origins} from={from} onClose={() => fork(undefined)}
                                  onForked={() => { fork(undefined); refresh(); }} />}
      {asked && <Confirm title={asked.title} text={asked.text} action={asked.action}
                         onConfirm={confirmed} onClose={() => ask(undefined)} />}
    </>
  );
}
