import { useEffect, useState } from "preact/hooks";
import { admin, changes } from "../lib/admin.js";
import { count, plural } from "../lib/format.js";
import { useAction, useLoad } from "../lib/hooks.js";
import { follow, href, hrefWith, query } from "../lib/route.js";
import { columnsOf, keyText, newRange, pairsOf, pathOf, problemOf, rangeOf, targetOf, timeToLiveText, valueText, versionsOf,
         versionText } from "../lib/tablestore.js";
import { Choice, Form, TextField } from "../ui/form.jsx";
import { Icon } from "../ui/icon.jsx";
import { DataTable, Empty, Facts, Heading, Problem } from "../ui/parts.jsx";

const tableLink = (instance, name) => href("tablestore", instance, name);

/** How to point a client at this server. */
function NoTables() {
  return (
    <Empty title="No tables of Tablestore">
      <p>Give a client of Tablestore the endpoint <code>{location.origin}</code>, and any name of an instance, access key and the
        secret <code>sk</code>: the tables that it creates are shown here, with all versions of their rows.</p>
    </Empty>
  );
}

function TableList({ instances, current: [instance, name] }) {
  const link = (of, one) => (
    <a href={tableLink(of, one)} aria-current={of === instance && one === name ? "page" : undefined}>{one}</a>);
  return (
    <nav class="objects" aria-label="Tables of Tablestore">
      {instances.map((one) => (
        <section key={one.name}>
          <h2>{one.name}</h2>
          <ul>
            {one.tables.map((table) => (
              <li key={table.name}>
                {link(one.name, table.name)}
                {table.indexes.length > 0 && (
                  <ul aria-label={`Indexes of ${table.name}`}>
                    {table.indexes.map((index) => <li key={index.name}>{link(one.name, index.name)}</li>)}
                  </ul>)}
              </li>))}
          </ul>
        </section>))}
    </nav>
  );
}

const factsOf = ({ key, table, index }) => [
  ["Primary key", keyText(key)],
  ...(index ? [["Index of", table.name], ["Kind", index.kind === "LOCAL" ? "local" : "global"], ["Attributes", index.attributes.join(", ")]] : [
    ["Defined columns", keyText(table.definedColumns)],
    ["Time to live", timeToLiveText(table.timeToLive)],
    ["Max versions", count(table.maxVersions)],
    ["Max version offset", plural(table.maxVersionOffset, "second")],
    ["Stream", table.hasStream ? "on" : "off"],
    ["Search indexes", table.searchIndexes.join(", ")],
  ]),
];

const withValue = (values, index, value) => {
  const changed = [...values];
  while (changed.length < index) changed.push("");
  changed[index] = value;
  return changed;
};

function RangeForm({ target, range, busy, onRead }) {
  const [draft, setDraft] = useState(range);
  useEffect(() => setDraft(range), [JSON.stringify(range)]);
  const problem = problemOf(draft);
  const bound = (member, label) => (
    <div class="row">
      {target.key.map(({ name, type }, index) => (
        <TextField key={name} label={`${label} ${name}`} placeholder={type === "BINARY" ? "base64" : type.toLowerCase()} value={draft[member][index] ?? ""}
                   inputMode={type === "INTEGER" ? "numeric" : undefined} data-shortcut={member === "begin" && index === 0 ? "/" : undefined}
                   onInput={(value) => setDraft({ ...draft, [member]: withValue(draft[member], index, value) })} />))}
    </div>
  );
  return (
    <Form onSubmit={() => problem || onRead(draft)} class="panel" aria-label="Range">
      {bound("begin", "From")}
      {bound("end", "To")}
      <small class={problem ? "wrong" : undefined}>
        {problem ?? "Empty: from the first, to the last row. A range ends after the rows that begin with the values; a whole key is excluded, as by GetRange."}
      </small>
      <div class="row">
        <Choice label="Direction" value={draft.direction} options={["forward", "backward"]}
                onChange={(direction) => setDraft({ ...draft, direction })} />
        <TextField label="Versions per column" type="number" min={1} max={2_147_483_647} placeholder="all" value={draft.versions}
                   onInput={(versions) => setDraft({ ...draft, versions })} />
        <TextField label="Versions from, ms" type="number" min={0} placeholder="the oldest" value={draft.from}
                   onInput={(from) => setDraft({ ...draft, from })} />
        <TextField label="Versions until, ms" type="number" min={0} placeholder="the newest" value={draft.until}
                   onInput={(until) => setDraft({ ...draft, until })} />
        <button class="primary" disabled={busy || Boolean(problem)}><Icon name="play" />Read rows</button>
      </div>
    </Form>
  );
}

/** All versions of a column, the newest first. */
const Versions = ({ cells }) => cells.length > 0 && (
  <ul class="versions">
    {cells.map((cell) => (
      <li key={cell.version}>
        <span class="mono">{valueText(cell)}</span>
        <small title={`Version ${cell.version}`}>{cell.type}, {versionText(cell.version)}</small>
      </li>))}
  </ul>
);

function Rows({ rows, target }) {
  const columns = [
    ...target.key.map(({ name, type }, index) => ({
      name: `${name} ${type}`, numeric: type === "INTEGER", cell: ({ key }) => <span class="mono">{valueText(key[index])}</span> })),
    ...columnsOf(rows).map((name) => ({ name, cell: (row) => <Versions cells={versionsOf(row, name)} /> })),
  ];
  const keyOf = ({ key }) => JSON.stringify(key.map(({ value }) => value));
  return <DataTable label="Rows" columns={columns} rows={rows} rowKey={keyOf} none="No rows" />;
}

/** The rows of a table or index in the range that the address has. */
function TableRows({ instance, target }) {
  const range = rangeOf(query.value);
  const [read, setRead] = useState();
  const [run, busy, error] = useAction();
  const load = (next) => run(async () => {
    const page = await admin("GET", pathOf(instance, target.name, range, next));
    setRead((before) => ({ rows: [...(next ? before.rows : []), ...page.rows], next: page.next }));
  });
  const show = (wanted) => {
    const pairs = pairsOf(wanted);
    if (new URLSearchParams(pairs).toString() === query.value) load();
    else follow(hrefWith(["tablestore", instance, target.name], pairs));
  };
  useEffect(() => {
    setRead(undefined);
    load();
  }, [query.value]);
  return (
    <>
      <section class="panel" aria-label="Definition"><Facts facts={factsOf(target)} /></section>
      <RangeForm target={target} range={{ ...newRange, ...range }} busy={busy} onRead={show} />
      <Problem error={error} />
      {read && <Rows rows={read.rows} target={target} />}
      {read && (
        <div class="actions">
          {read.next && <button type="button" disabled={busy} onClick={() => load(read.next)}>More rows</button>}
          <span class="muted" role="status">{plural(read.rows.length, "row")}{read.next ? " so far" : ""}</span>
        </div>)}
    </>
  );
}

function Chosen({ instances, path: [instance, name] }) {
  const target = targetOf(instances, instance, name);
  if (target) return <TableRows key={`${instance} ${name}`} instance={instance} target={target} />;
  if (name) return <Empty title="There is no such table"><p>The instance {instance} has no table or index {name} in this world.</p></Empty>;
  return <Empty title="Choose a table"><p>Its rows are shown here, by the order of their keys.</p></Empty>;
}

export function Tablestore({ path }) {
  const { data, error, reload } = useLoad(() => admin("GET", "tablestore/tables"), [changes.value]);
  const instances = data?.instances;
  return (
    <>
      <Heading title="Tablestore"><button type="button" data-shortcut="r" onClick={reload}>Reload</button></Heading>
      <Problem error={error} />
      {instances?.length === 0 && <NoTables />}
      {instances?.length > 0 && (
        <div class="beside">
          <TableList instances={instances} current={path} />
          <div><Chosen instances={instances} path={path} /></div>
        </div>)}
    </>
  );
}
