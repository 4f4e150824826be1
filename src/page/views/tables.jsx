import { useState } from "preact/hooks";
import { describeTable } from "../lib/dynamodb.js";
import { bytes, count } from "../lib/format.js";
import { useLoad } from "../lib/hooks.js";
import { describeKey, indexesOf } from "../lib/key_schema.js";
import { tableLink } from "../lib/links.js";
import { follow, go, href, query } from "../lib/route.js";
import { found } from "../lib/table_groups.js";
import { refreshTables } from "../lib/tables.js";
import { TextField } from "../ui/form.jsx";
import { Icon } from "../ui/icon.jsx";
import { laterDialog, laterView } from "../ui/later.jsx";
import { DataTable, Empty, Heading, Problem, Short } from "../ui/parts.jsx";
import { PointClients } from "../ui/point_clients.jsx";

const views = (pick) => () => import("./table_views.js").then(pick);
const Table = laterView(views(({ Table: One }) => One), ({ name }) => name);
const CreateTable = laterDialog(views(({ CreateTable: One }) => One));

const mostDescribed = 200;

/** Returns the descriptions of tables by their names, without those that were dropped meanwhile. */
async function describe(names) {
  const described = await Promise.all(names.slice(0, mostDescribed).map((name) => describeTable(name).catch(() => null)));
  return new Map(described.filter(Boolean).map((table) => [table.TableName, table]));
}

const columns = [
  { name: "Name", cell: ({ TableName }) => <a class="value" title={TableName} href={tableLink(TableName)}>{TableName}</a> },
  { name: "Key", cell: (table) => table.KeySchema && <Short mono text={describeKey(table)} /> },
  { name: "Items", numeric: true, cell: ({ ItemCount }) => ItemCount !== undefined && count(ItemCount) },
  { name: "Size", numeric: true, cell: ({ TableSizeBytes }) => TableSizeBytes !== undefined && bytes(TableSizeBytes) },
  { name: "Indexes", numeric: true, cell: (table) => table.KeySchema && (indexesOf(table).length + (table.VectorIndexes?.length ?? 0) || "") },
  { name: "Stream", cell: ({ StreamSpecification }) => StreamSpecification?.StreamEnabled && "on" },
  { name: "Status", cell: ({ TableStatus }) => TableStatus },
];

function Found({ names }) {
  const [sought, seek] = useState("");
  const { data: described } = useLoad(() => describe(names), [names]);
  const matching = new Set(found(names, sought));
  const shown = names.filter((name) => matching.has(name)).map((name) => described?.get(name) ?? { TableName: name });
  return (
    <>
      <div class="row"><TextField label="Search" type="search" value={sought} onInput={seek} data-shortcut="/" /></div>
      <DataTable label="Tables" columns={columns} rows={shown} rowKey={({ TableName }) => TableName} none="No table has such a name." />
    </>
  );
}

const createLink = () => `${href("tables")}?create`;

function List() {
  const { data: names, error, reload } = useLoad(refreshTables, []);
  const creating = new URLSearchParams(query.value).has("create");
  return (
    <>
      <Heading title="Tables">
        <button type="button" data-shortcut="r" onClick={reload}><Icon name="reload" />Reload</button>
        <button type="button" class="primary" data-shortcut="n" onClick={() => follow(createLink())}><Icon name="plus" />Create table</button>
      </Heading>
      <Problem error={error} />
      {names?.length === 0 && (
        <Empty title="No tables yet">
          <p>Create one here, or let your program do it. Point it at this server:</p>
          <PointClients />
        </Empty>
      )}
      {names?.length > 0 && <Found names={names} />}
      {creating && <CreateTable onClose={() => follow(href("tables"), { replace: true })} onCreated={(name) => go("tables", name)} />}
    </>
  );
}

export function Tables({ path: [name, part] }) {
  return name === undefined ? <List /> : <Table name={name} part={part} />;
}
