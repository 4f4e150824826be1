// Items as a file, or for the clipboard: those that are selected, those that were read, or all that this read finds.
import { useRef, useState } from "preact/hooks";
import { explained } from "../../lib/dynamodb.js";
import { formats, ofColumns, writeItems } from "../../lib/export_items.js";
import { count, plural } from "../../lib/format.js";
import { useAction } from "../../lib/hooks.js";
import { readOn } from "../../lib/read_on.js";
import { Check, Choice, Form } from "../../ui/form.jsx";
import { Dialog, Problem } from "../../ui/parts.jsx";

/** Hands the browser a file. */
export function download(name, type, parts) {
  const url = URL.createObjectURL(new Blob(parts, { type: `${type};charset=utf-8` }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Puts a text into the clipboard. navigator.clipboard is only on pages of this machine and over TLS. */
export function copyText(text) {
  const onCopy = (event) => {
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("copy", onCopy, { capture: true });
  const isDone = document.execCommand("copy");
  document.removeEventListener("copy", onCopy, { capture: true });
  if (!isDone) throw Object.assign(new Error("The browser lets no page copy here."), { name: "Not copied" });
}

/** Gathers the text of items in pieces. CSV has the columns of all items in its first line, so it is written at the end. */
class Written {
  #items = [];
  #parts = [];
  #count = 0;
  #names = new Set();

  constructor(format, columns) {
    this.format = format;
    this.columns = columns;  // undefined: all attributes
  }

  add(items) {
    const kept = this.columns ? items.map((item) => ofColumns(item, this.columns)) : items;
    this.#count += items.length;
    if (this.format === "csv") {
      this.#items.push(...kept);
      for (const item of kept) for (const name in item) this.#names.add(name);
    } else {
      const { item: write } = formats[this.format];
      this.#parts.push(kept.map((item, at) => write(item, this.#count - items.length + at)).join(""));
    }
  }

  /** `names`: those that come first in CSV. */
  parts(names) {
    if (this.format === "csv") return [writeItems("csv", this.#items, this.columns ?? [...new Set([...names, ...this.#names])])];
    const { begin, end } = formats[this.format];
    return [begin(), ...this.#parts, end()];
  }
}

export function ExportDialog({ table, reading, rows, selected, columns, keys, onClose }) {
  const [what, choose] = useState(selected.size ? "selected" : "shown");
  const [format, setFormat] = useState("json");
  const [isOfColumns, ofShown] = useState(false);
  const [progress, setProgress] = useState();
  const isStopped = useRef(false);
  const [run, busy, error] = useAction();
  const sources = [
    ...(selected.size ? [["selected", `the ${plural(selected.size, "selected item")}`]] : []),
    ["shown", `the ${plural(rows.length, "item")} that were read so far`],
    ...(reading.next ? [["all", "all items of this read"]] : []),
  ];
  const gather = async () => {
    const written = new Written(format, isOfColumns ? columns : undefined);
    if (what !== "all") written.add(what === "selected" ? rows.filter((item) => selected.has(item)) : rows);
    else {
      let found = 0;
      await readOn({
        send: (input) => explained(reading.operation, input), input: reading.input, wanted: Infinity,
        isStopped: () => isStopped.current,
        onPage({ items }) {
          written.add(items);
          setProgress(found += items.length);
        },
      });
    }
    return written.parts(keys);
  };
  const save = () => run(async () => {
    const parts = await gather();
    if (isStopped.current) return;
    download(`${table.TableName}.${formats[format].ending}`, formats[format].type, parts);
    onClose();
  });
  const copy = () => run(async () => {
    copyText((await gather()).join(""));
    onClose();
  });
  const close = () => {
    isStopped.current = true;
    onClose();
  };
  return (
    <Dialog title="Export" onClose={close}>
      <Form onSubmit={save}>
        <Choice label="Items" value={what} options={sources} onChange={choose} />
        <Choice label="Format" value={format} options={Object.entries(formats).map(([key, { name }]) => [key, name])} onChange={setFormat}
                hint={format === "dynamodb" ? "One item per line, as in exports of DynamoDB." : format === "csv" ? "Types are lost: sets are lists, and absent is empty." : undefined} />
        <Check label="Only the columns that are shown" checked={isOfColumns} onChange={ofShown} />
        <Problem error={error} />
        <div class="actions end">
          <span class="muted" role="status">{busy && progress !== undefined ? `${count(progress)} read` : ""}</span>
          <button type="button" onClick={close}>Cancel</button>
          {what !== "all" && <button type="button" disabled={busy} onClick={copy}>Copy</button>}
          <button class="primary" disabled={busy}>Download</button>
        </div>
      </Form>
    </Dialog>
  );
}
