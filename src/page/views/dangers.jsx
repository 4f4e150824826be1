// Empties and drops tables.
import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../lib/dynamodb.js";
import { deleteItems, recreate } from "../lib/empty_table.js";
import { plural } from "../lib/format.js";
import { useAction } from "../lib/hooks.js";
import { go } from "../lib/route.js";
import { Form } from "../ui/form.jsx";
import { Icon } from "../ui/icon.jsx";
import { Confirm, Dialog, Problem } from "../ui/parts.jsx";

const ways = [["delete", "Delete each item: streams have a record of each, and it may take long"],
  ["recreate", "Drop the table and create it again: quick, and the stream begins again"]];

function EmptyTable({ table, onClose, onEmptied }) {
  const [way, setWay] = useState("delete");
  const [deleted, setDeleted] = useState(0);
  const [run, busy, error] = useAction();
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  const submit = async () => {
    const work = way === "delete" ? () => deleteItems(table, setDeleted, abort.current.signal) : () => recreate(table.TableName);
    if (await run(async () => { await work(); })) onEmptied();
  };
  return (
    <Dialog title={`Empty ${table.TableName}`} onClose={onClose}>
      <Form onSubmit={submit}>
        <p>All items of the table {table.TableName} will be gone. The table stays.</p>
        <fieldset disabled={busy}>
          <legend>How</legend>
          {ways.map(([one, text]) => (
            <label key={one} class="check">
              <input type="radio" name="way" checked={way === one} onChange={() => setWay(one)} />{text}
            </label>))}
        </fieldset>
        <p role="status">{busy && way === "delete" ? `${plural(deleted, "item")} deleted` : ""}</p>
        <Problem error={error} />
        <div class="actions end">
          <button type="button" autofocus onClick={onClose}>{busy ? "Stop" : "Cancel"}</button>
          <button class="danger" disabled={busy}>Empty it</button>
        </div>
      </Form>
    </Dialog>
  );
}

export function Dangers({ table, reload }) {
  const [asked, ask] = useState();
  const name = table.TableName;
  const close = () => ask(undefined);
  const drop = async () => {
    await call("DeleteTable", { TableName: name });
    go("tables");
  };
  return (
    <section class="panel dangers" aria-label="Empty or drop">
      <h2>Empty or drop</h2>
      <div class="actions">
        <button type="button" class="danger" onClick={() => ask("empty")}><Icon name="remove" />Empty table</button>
        <button type="button" class="danger" onClick={() => ask("drop")}><Icon name="trash" />Drop table</button>
      </div>
      {asked === "empty" && <EmptyTable table={table} onClose={() => { close(); reload(); }} onEmptied={() => { close(); reload(); }} />}
      {asked === "drop" && <Confirm title="Drop table" text={`The table ${name} and everything in it will be gone.`} action="Drop it"
                                    onConfirm={drop} onClose={close} />}
    </section>
  );
}
