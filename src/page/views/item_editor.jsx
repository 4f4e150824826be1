// One item, opened: as JSON or as a form. Saving writes what was changed, if it has not been changed meanwhile.
import { useEffect, useRef, useState } from "preact/hooks";
import { bytes as bytesText, count, plural } from "../lib/format.js";
import { useAction } from "../lib/hooks.js";
import { changedNames, conflictingNames, merged } from "../lib/item_change.js";
import { forms, readItem, writeItem } from "../lib/item_forms.js";
import { itemSize, largestItem, unitsOf } from "../lib/item_size.js";
import { placeOf } from "../lib/json_text.js";
import { createItem, deleteItem, deleteUnchanged, inWords, updateItem, wholeItem } from "../lib/item_writes.js";
import { keyOf, keysOf, typesOf } from "../lib/key_schema.js";
import { emptyValue, itemProblem, keysFirst } from "../lib/typed_form.js";
import { preview } from "../lib/value_types.js";
import { Choice, Form } from "../ui/form.jsx";
import { Confirm, Dialog, Problem } from "../ui/parts.jsx";
import { CodeEditor } from "./items/code_editor.jsx";
import { Conflict } from "./items/conflict.jsx";
import { TypedForm } from "./items/typed_form.jsx";

const kept = "dinette.itemForm";
const choices = [["plain", forms.plain.name], ["dynamodb", forms.dynamodb.name], ["form", "Form"]];
const firstForm = () => (choices.some(([name]) => name === localStorage.getItem(kept)) ? localStorage.getItem(kept) : "plain");

const keyNames = (table) => Object.values(keysOf(table)).filter(Boolean);

/** Returns an item of empty keys, to begin with. */
export function blankItem(table) {
  const types = typesOf(table);
  return Object.fromEntries(keyNames(table).map((name) => [name, emptyValue(types[name])]));
}

/** Returns true if two items have the same key. Numbers are compared as they are written. */
const isSame = (table, one, other) => JSON.stringify(keyOf(table, one)) === JSON.stringify(keyOf(table, other));

export const keyText = (table, item) =>
  keyNames(table).map((name) => `${name}: ${item[name] ? preview(item[name], 60) : ""}`).join(", ");

function Size({ item }) {
  const size = itemSize(item);
  const { read, write } = unitsOf(size);
  const exact = size >= 1024 ? ` (${bytesText(size)})` : "";
  return (
    <p class={size > largestItem ? "size wrong" : "size muted"}>
      {plural(size, "byte")}{exact}{size > largestItem ? `, more than the ${count(largestItem)} that an item may have`
        : `: ${plural(read, "unit")} to read, ${plural(write, "unit")} to write`}
    </p>
  );
}

/** The item that is edited: its text in one of the forms, or itself in the form of fields. */
function useDraft(initial, keys) {
  const [form, setForm] = useState(firstForm);
  const [draft, setDraft] = useState(() => ({ item: initial, text: form === "form" ? "" : writeItem(keysFirst(initial, keys), form) }));
  const revision = useRef(0);  // of what was not typed
  const write = (item, as) => (as === "form" ? "" : writeItem(keysFirst(item, keys), as));
  return {
    ...draft, form, revision: revision.current,
    show(item) {
      revision.current++;
      setDraft({ item: keysFirst(item, keys), text: write(item, form) });
    },
    setText: (text) => setDraft({ ...readItem(text, form), text }),
    setItem(item) {
      const wrong = itemProblem(item);
      setDraft({ item, text: "", wrong: wrong && `${wrong.path}: ${wrong.problem}` });
    },
    switchTo(name) {
      localStorage.setItem(kept, name);
      setForm(name);
      setDraft({ item: keysFirst(draft.item, keys), text: write(draft.item, name) });
    },
  };
}

/**
 * `item`: the one to edit, of which its key is enough; undefined to create one that begins as `template`. `proposal`: {before, after, stored},
 * an edit that has met a conflict. onDone({text, created, changed, deleted, undo}) is called after a write, with the item as it is then.
 */
export function ItemEditor({ table, item, template, proposal, onClose, onDone, onDuplicate }) {
  const isNew = !item;
  const keys = keyNames(table);
  const draft = useDraft(proposal?.after ?? template ?? (isNew ? blankItem(table) : item), keys);
  const [before, setBefore] = useState(proposal?.before ?? (isNew ? draft.item : undefined));
  const [stored, setStored] = useState(proposal?.stored);  // by others, after a conflict
  const [isMissing, miss] = useState(false);
  const [isAsking, ask] = useState(false);
  const [run, busy, error] = useAction();
  useEffect(() => {
    if (before) return;
    run(async () => {
      const loaded = await wholeItem(table, item);
      if (!loaded) return miss(true);
      setBefore(loaded);
      draft.show(loaded);
    });
  }, []);

  const { item: read, problem } = draft;
  const isWrong = Boolean(problem || draft.wrong);
  const hasKey = read && Object.values(keyOf(table, read)).every(Boolean);
  const isCopy = !isNew && hasKey && !isSame(table, read, item);
  const isChanged = Boolean(before) && (isWrong || changedNames(before, read).length > 0);
  const close = () => (isChanged ? ask(true) : onClose());
  const done = useRef(onDone);
  done.current = onDone;

  const create = () => run(async () => {
    await createItem(table, read);
    done.current({ text: "Created.", created: read, undo: () => deleteUnchanged(table, read) });
  });
  const attempt = (base, after) => run(async () => {
    const { item: saved, conflict } = await updateItem(table, base, after);
    if (saved) return done.current({ text: "Saved.", changed: saved, undo: () => takeBack(table, saved, merged(after, base, saved)) });
    setBefore(base);
    draft.show(after);
    setStored(conflict);
    return undefined;
  });
  const save = () => (isNew || isCopy ? create() : attempt(before, read));
  // What is stored is the base from now on, so that a third change is not overwritten either.
  const saveMine = () => (Object.keys(stored).length ? attempt(stored, merged(before, read, stored)) : create());
  const takeTheirs = () => {
    draft.show(merged(before, read, stored, conflictingNames(before, read, stored)));
    setBefore(stored);
    setStored(undefined);
  };
  const remove = () => run(async () => {
    const deleted = await deleteItem(table, item);
    done.current({ text: "Deleted.", deleted: [item], undo: deleted && (() => createItem(table, deleted)), restored: deleted && [deleted] });
  });
  // A copy needs another key, mostly of the same partition.
  const copied = isNew && template && keys.at(-1);
  const placeOfKey = () => placeOf(draft.text, draft.form === "plain" ? [copied] : [copied, typesOf(table)[copied]]) ?? [0, 0];
  const title = isNew ? (template ? "Create a copy" : "Create item") : `Edit ${keyText(table, item)}`;
  return (
    <Dialog title={title} onClose={close} wide>
      {isMissing && <p class="problem" role="alert">There is no item with this key. It may have been deleted.</p>}
      {before && (
        <Form onSubmit={() => read && !isWrong && save()} class="item-form">
          <div class="row">
            <Choice label="Written as" value={draft.form} options={choices} disabled={Boolean(problem)} onChange={draft.switchTo} />
          </div>
          {draft.form === "form"
            ? <TypedForm item={read} keys={isNew ? [] : keys} selected={copied} onChange={draft.setItem} />
            : <CodeEditor key={draft.form} label="Item" autofocus placeToSelect={copied ? placeOfKey : undefined} value={draft.text} revision={draft.revision} onInput={draft.setText} problem={problem} hint={forms[draft.form].hint} />}
          {draft.wrong && <p class="wrong" role="alert">{draft.wrong}</p>}
          {isCopy && <p role="status">The key is another one: this creates an item next to the one that you opened.</p>}
          <Problem error={inWords(error)} />
          {stored && read && !isCopy &&
            <Conflict before={before} mine={read} stored={stored} busy={busy} onMine={saveMine} onTheirs={takeTheirs} />}
          <div class="actions end">
            {read && <Size item={read} />}
            {!isNew && <button type="button" class="danger" disabled={busy} onClick={remove}>Delete item</button>}
            {!isNew && onDuplicate && <button type="button" disabled={busy || !read} onClick={() => onDuplicate(read)}>Duplicate</button>}
            <button type="button" onClick={close}>Cancel</button>
            <button class="primary" disabled={busy || !read || isWrong}>{isNew || isCopy ? "Create" : "Save"}</button>
          </div>
        </Form>)}
      {!before && <Problem error={error} />}
      {isAsking && <Confirm title="Discard what you have changed?" text={isNew ? "What you have written is lost." : "The item stays as it is stored."}
                            action="Discard" stay="Keep editing"
                            onConfirm={onClose} onClose={() => ask(false)} />}
    </Dialog>
  );
}

/** Writes `before` again over what was saved, unless others have changed that since. */
export async function takeBack(table, saved, before) {
  const { item, conflict } = await updateItem(table, saved, before);
  if (conflict) throw Object.assign(new Error("The item was changed meanwhile."), { name: "Not undone" });
  return item;
}
