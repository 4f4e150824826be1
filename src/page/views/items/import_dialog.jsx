// Items from a file or from text. They are shown before any is written.
import { useMemo, useRef, useState } from "preact/hooks";
import { arranged } from "../../lib/columns.js";
import { count, plural } from "../../lib/format.js";
import { useAction } from "../../lib/hooks.js";
import { longestText, readItems } from "../../lib/import_items.js";
import { addItems, putItems } from "../../lib/item_writes.js";
import { keysOf } from "../../lib/key_schema.js";
import { Choice, Field, Form, TextArea } from "../../ui/form.jsx";
import { Dialog, Problem } from "../../ui/parts.jsx";
import { Grid } from "./grid.jsx";

const mostProblems = 5;
const editable = 200_000;

function Problems({ problems }) {
  if (problems.length === 0) return null;
  return (
    <div class="problem" role="alert">
      <strong>{plural(problems.length, "problem")}</strong>
      <ul>{problems.slice(0, mostProblems).map((one) => <li key={one}>{one}</li>)}</ul>
      {problems.length > mostProblems && <p>and {count(problems.length - mostProblems)} more</p>}
    </div>
  );
}

/** `text`: what was pasted or is to be edited. onDone(text) is called when items were written. */
export function ImportDialog({ table, text: given = "", onClose, onDone }) {
  const [text, setText] = useState(given);
  const [isCsv, setCsv] = useState();  // as the text looks, unless a file's name says it
  const [existing, keep] = useState("keep");
  const [done, setDone] = useState(0);
  const isStopped = useRef(false);
  const [run, busy, error] = useAction();
  const keys = Object.values(keysOf(table)).filter(Boolean);
  const { items, problems } = useMemo(() => readItems(text, table, isCsv), [text, isCsv]);
  const columns = useMemo(() => arranged([...new Set(items.flatMap(Object.keys))], keys), [items]);
  const open = (file) => run(async () => {
    if (file.size > longestText) throw Object.assign(new Error("Use: dinette import FILE --into URL"), { name: "The file is too large for the page" });
    setCsv(/\.(csv|tsv)$/i.test(file.name) || undefined);
    setText(await file.text());
  });
  const write = () => run(async () => {
    isStopped.current = false;
    const isOver = () => isStopped.current;
    const kept = existing === "keep" ? await addItems(table, items, setDone, isOver) : await putItems(table, items, setDone, isOver);
    onDone(isStopped.current ? "Stopped; what was written stays." :
      `${plural(items.length - (kept ?? 0), "item")} written${kept ? `, ${count(kept)} kept as they were` : ""}.`);
  });
  const close = () => {
    isStopped.current = true;
    onClose();
  };
  return (
    <Dialog title={`Import into ${table.TableName}`} onClose={close} wide>
      <Form onSubmit={() => items.length > 0 && write()}>
        <Field label="File" hint="JSON, DynamoDB JSON, or CSV with names in its first line. It stays in this browser until you write it.">
          {(own) => <input type="file" accept=".json,.jsonl,.ndjson,.csv,.tsv,.txt,application/json,text/csv" {...own}
                           onChange={(event) => event.currentTarget.files[0] && open(event.currentTarget.files[0])} />}
        </Field>
        {text.length <= editable &&
          <TextArea label="Or text" rows={5} value={text} onInput={(written) => { setCsv(undefined); setText(written); }} />}
        <Problems problems={problems} />
        {items.length > 0 && (
          <>
            <p role="status">{plural(items.length, "item")} to write{problems.length ? "; what has a problem is left out" : ""}. Nothing is written yet.</p>
            <Grid label="Preview" rows={items} columns={columns} keys={keys} />
            <Choice label="Where there is an item of the same key" value={existing} options={[["keep", "keep it"], ["replace", "replace it"]]} onChange={keep} />
          </>)}
        <Problem error={error} />
        <div class="actions end">
          <span class="muted" role="status">{busy && items.length ? `${count(done)} of ${count(items.length)}` : ""}</span>
          <button type="button" onClick={close}>{busy ? "Stop" : "Cancel"}</button>
          <button class="primary" disabled={busy || items.length === 0}>{items.length ? `Write ${plural(items.length, "item")}` : "Write"}</button>
        </div>
      </Form>
    </Dialog>
  );
}
