// The items of a table: reading, finding, changing, and moving them in and out.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { arranged, keepColumns, readColumns, withHidden, withMoved, withPinned, withWidth } from "../lib/columns.js";
import { copiedItems } from "../lib/export_items.js";
import { canFilterBy, filteredBy, isPath } from "../lib/filter_by_value.js";
import { forEach } from "../lib/for_each.js";
import { bytes, count, plural } from "../lib/format.js";
import { useAction } from "../lib/hooks.js";
import { sorted } from "../lib/item_order.js";
import { itemSize } from "../lib/item_size.js";
import { createItem, deleteItem, updateItem } from "../lib/item_writes.js";
import { indexesOf, keyOf, keysOf } from "../lib/key_schema.js";
import { typeOf } from "../lib/value_types.js";
import { Empty, Problem } from "../ui/parts.jsx";
import { Plan } from "../ui/plan.jsx";
import { ItemEditor, takeBack } from "./item_editor.jsx";
import { isEditable } from "./items/cell_input.jsx";
import { loadEditor } from "./items/code_editor.jsx";
import { ColumnsDialog } from "./items/columns_dialog.jsx";
import { limitedWidth } from "./items/column_widths.js";
import { copyText, ExportDialog } from "./items/export_dialog.jsx";
import { Grid } from "./items/grid.jsx";
import { ImportDialog } from "./items/import_dialog.jsx";
import { itemsOf, useReading } from "./items/use_reading.js";
import { useUndo } from "./items/use_undo.jsx";
import { firstRead, ReadForm } from "./read_form.jsx";

/** What a caller keeps, or this component if the caller does not. */
function useKept(given, onGiven, initial) {
  const own = useState(initial);
  return onGiven ? [given ?? initial, onGiven] : own;
}

/** How far a read has come, with what can be done about it. */
function Progress({ reading, table, read, more, readAll, stop }) {
  const { items, looked, next, isBusy, isStopped, isFiltered, error } = reading;
  if (error && looked === 0) return <span />;
  const total = itemsOf(table, read);
  const ofTotal = total > looked ? ` of about ${count(total)}` : "";
  const found = plural(items.length, "item");
  const lookedAt = isFiltered ? `, looked at ${count(looked)}${next ? ofTotal : ""}` : "";
  const state = isBusy ? "" : isStopped && next ? ". Stopped" : next ? ", and there may be more" : ", and there are no more";
  return (
    <div class="actions progress">
      <span class="muted" role="status">{isBusy && looked === 0 ? "Reading" : `${found}${lookedAt}${state}`}</span>
      {isBusy && <button type="button" onClick={stop}>Stop</button>}
      {!isBusy && next && <button type="button" onClick={more}>{isStopped ? "Continue" : "Read more"}</button>}
      {!isBusy && next && <button type="button" class="quiet" onClick={readAll}>Read all</button>}
    </div>
  );
}

function Nothing({ reading }) {
  if (reading.isBusy || reading.error) return null;
  const isAll = reading.operation === "Scan" && !reading.isFiltered;
  if (reading.next) return <Empty title="None of what was read is left"><p>Read more to see others.</p></Empty>;
  return (
    <Empty title={isAll ? "No items yet" : "No items found"}>
      <p>{isAll ? "Create one here, import a file, or let your program write some." : "Other conditions may find some."}</p>
    </Empty>
  );
}

function SelectionBar({ selected, busy, onDelete, onDuplicate, onCopy, onExport, onNone, onMore }) {
  const size = useMemo(() => [...selected].reduce((sum, item) => sum + itemSize(item), 0), [selected]);
  return (
    <div class="actions selection">
      <strong>{count(selected.size)} selected</strong><span class="muted">{bytes(size)}</span>
      <button type="button" onClick={onCopy}>Copy</button>
      <button type="button" onClick={onDuplicate}>Duplicate</button>
      <button type="button" onClick={onExport}>Export selected</button>
      <button type="button" class="danger" disabled={busy} onClick={onDelete}>Delete selected</button>
      <button type="button" class="quiet" onClick={onNone}>Clear selection</button>
      {onMore && <button type="button" class="quiet" onClick={onMore}>Read more</button>}
    </div>
  );
}

const writesText = (element) => element.closest?.("input, select, textarea, dialog, [contenteditable]");

/** Copies and pastes where no text field has the focus: events of the browser, which need no permission. */
function useClipboard({ onCopy, onPaste }) {
  const latest = useRef();
  latest.current = { onCopy, onPaste };
  useEffect(() => {
    const copy = (event) => {
      const text = !writesText(event.target) && !String(getSelection()) && latest.current.onCopy();
      if (!text) return;
      event.clipboardData.setData("text/plain", text);
      event.preventDefault();
    };
    const paste = (event) => {
      const text = !writesText(event.target) && !document.querySelector("dialog[open]") && event.clipboardData.getData("text/plain");
      if (text) latest.current.onPaste(text);
    };
    document.addEventListener("copy", copy);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("copy", copy);
      document.removeEventListener("paste", paste);
    };
  }, []);
}

const textOf = (typed) => (["S", "N", "B", "BOOL"].includes(typeOf(typed)) ? String(typed[typeOf(typed)]) : copiedItems([{ value: typed }]));

/**
 * The items that `read` finds in a table. `onRead(read)` is called when the user wants to read something else, `onAnswered(read)`, if it is
 * given, when the server has answered it, `onItem(key or undefined)`
 * when an item is opened or closed; `item` is the key of the opened one. Without these callbacks the component keeps both itself.
 */
export function Items({ table, read: givenRead, onRead: onGivenRead, onAnswered, item: givenItem, onItem: onGivenItem }) {
  const [read, onRead] = useKept(givenRead, onGivenRead, firstRead);
  const [opened, onItem] = useKept(givenItem, onGivenItem, undefined);
  const [draft, setDraft] = useState(read);
  const [sort, onSort] = useState();
  const [selected, select] = useState(new Set());
  const [kept, setKept] = useState(() => readColumns(table.TableName));
  const [dialog, open] = useState();  // {name, ...what it needs}
  const [notice, say, undoButton] = useUndo();
  const [run, busy, error] = useAction();
  const reads = useReading(table, read);
  const { reading } = reads;
  const { partition, sort: sortKey } = keysOf(table);
  const keys = useMemo(() => [partition, sortKey].filter(Boolean), [table]);
  const index = indexesOf(table).find(({ IndexName }) => IndexName === read.index);
  // Of an index, its keys are what the rows are in the order of.
  const firstColumns = useMemo(() => [...new Set([...keys, ...(index ? Object.values(keysOf(index)).filter(Boolean) : [])])], [keys, read.index]);
  const names = reading?.names;
  const columns = useMemo(() => arranged([...(names ?? [])], firstColumns, kept), [names, names?.size, firstColumns, kept]);
  const items = reading?.items;
  const rows = useMemo(() => (items && sort ? sorted(items, sort) : items ?? []), [items, sort]);
  const changeColumns = (changed) => {
    keepColumns(table.TableName, changed);
    setKept(changed);
  };
  useEffect(() => setDraft(read), [JSON.stringify(read)]);
  const answered = reading?.isAnswered ? reading.read : undefined;  // perhaps the read before `read`
  useEffect(() => {
    if (answered) onAnswered?.(answered);
  }, [JSON.stringify(answered)]);
  useEffect(() => select(new Set()), [JSON.stringify(read)]);
  useEffect(() => {
    const timer = setTimeout(loadEditor, 1000);  // when the first view is there, before an item is opened
    return () => clearTimeout(timer);
  }, []);

  const close = () => open(undefined);
  const submit = (wanted) => {
    select(new Set());
    if (JSON.stringify(wanted) === JSON.stringify(read)) reads.begin();
    else onRead(wanted);
  };
  const latest = useRef();
  latest.current = { reads, index, asked: JSON.stringify(read) };
  const filterBy = (path, typed) => onRead(filteredBy(table, read, path, typed));

  /** Shows what a write has changed, and offers to take it back. */
  const show = ({ text, created, changed, deleted, restored, undo }) => {
    onItem(undefined);
    close();
    const { asked } = latest.current;
    // An index shows some items and attributes only, and another read other items: what they show now is read again.
    const refresh = (change) => (latest.current.index || latest.current.asked !== asked ? latest.current.reads.begin() : change());
    refresh(() => {
      if (created) reads.insert([created]);
      if (changed) reads.replace(changed);
      if (deleted) reads.remove(deleted);
    });
    select(new Set());
    say(text, undo && (async () => {
      const before = await undo();
      refresh(() => {
        if (created) reads.remove([created]);
        if (changed) reads.replace(before);
        if (deleted) reads.insert(restored);
      });
      return true;
    }));
  };
  const removeItems = (gone) => run(async () => {
    const deleted = [];
    const restored = [];
    try {
      await forEach(gone, async (item) => {
        const was = await deleteItem(table, item);
        deleted.push(item);
        if (was) restored.push(was);
      });
    } finally {  // what was deleted before an error can be brought back too
      show({
        text: gone.length === 1 && deleted.length === 1 ? "Deleted." : `${plural(deleted.length, "item")} deleted.`, deleted, restored,
        undo: restored.length > 0 && (() => forEach(restored, (item) => createItem(table, item))),
      });
    }
  });
  const duplicate = (list) =>
    (list.length === 1 ? open({ name: "create", template: list[0] }) : open({ name: "import", text: copiedItems(list) }));
  const onEdited = (item, name, typed) => typed && run(async () => {
    const after = { ...item, [name]: typed };
    const { item: saved, conflict } = await updateItem(table, item, after);
    if (conflict) return open({ name: "conflict", item, proposal: { before: item, after, stored: conflict } });
    return show({ text: "Saved.", changed: saved, undo: () => takeBack(table, saved, { ...saved, [name]: item[name] }) });
  });
  const openItem = (item) => onItem(keyOf(table, item));
  const onEdit = (item, name) => {
    const isInPlace = !keys.includes(name) && isEditable(item[name]);
    if (!isInPlace) openItem(item);
    return isInPlace;
  };
  const selectedRows = () => rows.filter((item) => selected.has(item));
  const activeCell = useRef([]);
  useClipboard({
    onCopy: () => (selected.size ? copiedItems(selectedRows()) : document.activeElement?.closest?.(".grid") && copyOfActive()),
    onPaste: (text) => open({ name: "import", text }),
  });
  const copyOfActive = () => {
    const [item, name] = activeCell.current;
    return item?.[name] && textOf(item[name]);
  };
  const onKey = (event) => {
    const [item] = activeCell.current;
    if (event.key === "Delete" && !busy && (selected.size || item)) removeItems(selected.size ? selectedRows() : [item]);
  };
  const copy = (text) => run(() => copyText(text));
  const actionsOf = (item, name) => [
    ["Open item", () => openItem(item)],
    ...(canFilterBy(item[name]) && isPath(name) ? [["Filter by this value", () => filterBy(name, item[name])]] : []),
    ...(item[name] ? [["Copy value", () => copy(textOf(item[name]))]] : []),
    ["Copy item", () => copy(copiedItems([item]))],
    ["Duplicate item", () => duplicate([item])],
    ["Delete item", () => removeItems([item])],
  ];
  const shownNames = columns.map(({ name }) => name);
  const setWidth = (name, width) => changeColumns(withWidth(kept, name, width));
  const columnActions = (name, width) => [
    ["Sort ascending", () => onSort({ name, descending: false })],
    ["Sort descending", () => onSort({ name, descending: true })],
    [columns.find((one) => one.name === name)?.pinned ? "Unpin" : "Pin", () =>
      changeColumns(withPinned(kept, firstColumns, name, !columns.find((one) => one.name === name)?.pinned))],
    ["Move left", () => changeColumns(withMoved(kept, shownNames, name, -1))],
    ["Move right", () => changeColumns(withMoved(kept, shownNames, name, 1))],
    ["Wider", () => setWidth(name, limitedWidth(width * 1.5))],
    ["Narrower", () => setWidth(name, limitedWidth(width / 1.5))],
    ...(kept.widths?.[name] ? [["As wide as its content", () => setWidth(name, undefined)]] : []),
    ["Hide", () => changeColumns(withHidden(kept, name, true))],
    ["Choose columns", () => open({ name: "columns" })],
  ];
  const readOnAtEnd = () => {
    if (!reading.isBusy && !reading.isStopped && !reading.error && reading.next) reads.more();
  };
  return (
    <>
      <ReadForm table={table} read={read} draft={draft} onChange={setDraft} onSubmit={submit} busy={reading?.isBusy && reading.looked === 0} isPaged={reading?.isPaged} />
      <Problem error={reading?.error} />
      <Problem error={error} />
      <div class="heading toolbar">
        {selected.size > 0
          ? <SelectionBar selected={selected} busy={busy} onDelete={() => removeItems(selectedRows())} onDuplicate={() => duplicate(selectedRows())}
                          onCopy={() => copy(copiedItems(selectedRows()))} onExport={() => open({ name: "export" })} onNone={() => select(new Set())}
                          onMore={!reading.isBusy && reading.next ? reads.more : undefined} />
          : reading ? <Progress reading={reading} table={table} read={read} more={reads.more} readAll={reads.readAll} stop={reads.stop} /> : <span />}
        <div class="actions">
          {undoButton}
          {rows.length > 0 && <button type="button" onClick={() => open({ name: "columns" })}>Columns</button>}
          {rows.length > 0 && selected.size === 0 && <button type="button" onClick={() => open({ name: "export" })}>Export</button>}
          <button type="button" onClick={() => open({ name: "import" })}>Import</button>
          <button type="button" data-shortcut="n" onClick={() => open({ name: "create" })}>Create item</button>
        </div>
      </div>
      {reading && <Plan plan={reading.plan} milliseconds={reading.milliseconds} serverMilliseconds={reading.serverMilliseconds} />}
      {rows.length > 0
        ? <Grid label="Items" rows={rows} columns={columns} keys={keys} selected={selected} onSelect={select} sort={sort} onSort={onSort}
                onOpen={openItem} onEdit={onEdit} onEdited={onEdited} onFilter={filterBy} actionsOf={actionsOf} columnActions={columnActions}
                onWidth={setWidth} onEnd={readOnAtEnd} onKey={onKey} activeCell={activeCell} />
        : reading && <Nothing reading={reading} />}
      {notice}
      {opened && <ItemEditor key={JSON.stringify(opened)} table={table} item={opened} onClose={() => onItem(undefined)} onDone={show}
                             onDuplicate={(item) => { onItem(undefined); duplicate([item]); }} />}
      {dialog?.name === "create" && <ItemEditor table={table} template={dialog.template} onClose={close} onDone={show} />}
      {dialog?.name === "conflict" && <ItemEditor table={table} item={dialog.item} proposal={dialog.proposal} onClose={close} onDone={show} />}
      {dialog?.name === "import" && <ImportDialog table={table} text={dialog.text} onClose={close}
                                                  onDone={(text) => { close(); say(text); select(new Set()); reads.begin(); }} />}
      {dialog?.name === "export" && <ExportDialog table={table} reading={reading} rows={rows} selected={selected} columns={shownNames}
                                                  keys={firstColumns} onClose={close} />}
      {dialog?.name === "columns" && <ColumnsDialog names={[...names]} keys={firstColumns} kept={kept} onChange={changeColumns} onClose={close} />}
    </>
  );
}
