import { useEffect, useState } from "preact/hooks";
import { call } from "../lib/dynamodb.js";
import { useAction } from "../lib/hooks.js";
import { changedNames, conflictingNames, merged, updateOf } from "../lib/item_change.js";
import { parseJson, pretty } from "../lib/json_text.js";
import { keyOf, keysOf, typesOf } from "../lib/key_schema.js";
import { keepDigits, plain, plainItem, typedItem } from "../lib/typed_json.js";
import { Choice, Form, TextArea } from "../ui/form.jsx";
import { DataTable, Dialog, Problem } from "../ui/parts.jsx";

const forms = {
  plain: { name: "Plain JSON", write: plainItem, read: typedItem, revive: keepDigits,
           hint: 'Sets and binary values are written as {"$stringSet": ["a"]}, {"$numberSet": [1]}, {"$binary": "base64"}.' },
  dynamodb: { name: "DynamoDB JSON", write: (item) => item, read: (item) => item,
              hint: 'Each value with its type: {"id": {"S": "1"}, "size": {"N": "2"}}.' },
};

/** Returns {item}, or {problem}. */
function parse(text, form) {
  const { value, problem } = parseJson(text, form.revive);
  if (problem) return { problem };
  try {
    return { item: form.read(value) };
  } catch (error) {
    return { problem: error.message };
  }
}

const empty = { S: { S: "" }, N: { N: "0" }, B: { B: "" } };

/** Returns an item of empty keys, to begin with. */
function blank(table) {
  const types = typesOf(table);
  return Object.fromEntries(Object.values(keysOf(table)).filter(Boolean).map((name) => [name, empty[types[name]]]));
}

/** Loads the whole item, of which an index may have shown a part. */
async function whole(table, item) {
  const { Item } = await call("GetItem", { TableName: table.TableName, Key: keyOf(table, item), ConsistentRead: true });
  return Item ?? item;
}

/** Returns true if two items have the same key. Numbers are compared as they are written. */
const isSame = (table, one, other) => JSON.stringify(keyOf(table, one)) === JSON.stringify(keyOf(table, other));

/** Writes an item that replaces none. */
async function create(table, item) {
  const { partition } = keysOf(table);
  await call("PutItem", {
    TableName: table.TableName, Item: item,
    ConditionExpression: "attribute_not_exists(#key)", ExpressionAttributeNames: { "#key": partition },
  });
}

/**
 * Writes what `after` changes in `before`. Returns the item as others have stored it meanwhile, {} if they deleted it, where that
 * is not to be overwritten; otherwise nothing.
 */
async function update(table, before, after) {
  if (changedNames(before, after).length === 0) return undefined;
  try {
    await call("UpdateItem", {
      TableName: table.TableName, Key: keyOf(table, before), ...updateOf(before, after, keysOf(table).partition),
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    return undefined;
  } catch (error) {
    if (error.name !== "ConditionalCheckFailedException") throw error;
    const stored = error.output.Item;
    const isAgreed = stored && conflictingNames(before, after, stored).length === 0;
    return isAgreed ? update(table, stored, merged(before, after, stored)) : stored ?? {};
  }
}

const explain = (error) =>
  error?.name === "ConditionalCheckFailedException" ? new Error("An item of this key exists already.") : error;

const asText = (value) => (value ? pretty(plain(value)) : "none");

/** Shows what was saved by others meanwhile, and asks which of both is to stay. */
function Conflict({ before, mine, stored, busy, onMine, onTheirs }) {
  const isGone = Object.keys(stored).length === 0;
  const names = conflictingNames(before, mine, stored);
  const columns = [
    { name: "Attribute", cell: (name) => name },
    { name: "When opened", cell: (name) => <pre>{asText(before[name])}</pre> },
    { name: "Stored now", cell: (name) => <pre>{asText(stored[name])}</pre> },
    { name: "Yours", cell: (name) => <pre>{asText(mine[name])}</pre> },
  ];
  return (
    <section class="problem" role="alert" aria-label="Conflict">
      <strong>Not saved</strong>
      {isGone ? "The item was deleted since you opened it." : "The item was changed since you opened it. Your other changes are kept."}
      {!isGone && <DataTable label="Changed by both" columns={columns} rows={names} rowKey={(name) => name} />}
      <div class="actions">
        <button type="button" disabled={busy} onClick={onMine}>{isGone ? "Create it again" : "Save mine"}</button>
        {!isGone && <button type="button" disabled={busy} onClick={onTheirs}>Take what is stored</button>}
      </div>
    </section>
  );
}

/** Changes `item`, or creates one if it is empty. */
export function ItemEditor({ table, item, onClose, onChanged }) {
  const isNew = Object.keys(item).length === 0;
  const [form, setForm] = useState("plain");
  const [before, setBefore] = useState({});
  const [stored, setStored] = useState();  // by others, after a conflict
  const [text, setText] = useState(() => (isNew ? pretty(plainItem(blank(table))) : ""));
  const [run, busy, error] = useAction();
  const show = (shown) => setText(pretty(forms[form].write(shown)));
  useEffect(() => {
    if (isNew) return;
    run(async () => {
      const loaded = await whole(table, item);
      setBefore(loaded);
      show(loaded);
    });
  }, []);

  const { item: read, problem } = text ? parse(text, forms[form]) : {};
  const hasKey = read && Object.values(keyOf(table, read)).every(Boolean);
  const isCopy = !isNew && hasKey && !isSame(table, read, item);
  const change = async (work) => {
    if (await run(work)) onChanged();
  };
  const attempt = async (base, after) => {
    const saved = await run(async () => {
      const found = await update(table, base, after);
      if (!found) return true;
      setBefore(base);
      show(after);
      setStored(found);
      return false;
    });
    if (saved) onChanged();
  };
  const save = () => (isNew || isCopy ? change(() => create(table, read)) : attempt(before, read));
  // What is stored is the base from now on, so that a third change is not overwritten either.
  const saveMine = () =>
    (Object.keys(stored).length ? attempt(stored, merged(before, read, stored)) : change(() => create(table, read)));
  const takeTheirs = () => {
    show(merged(before, read, stored, conflictingNames(before, read, stored)));
    setBefore(stored);
    setStored(undefined);
  };
  const switchTo = (name) => {
    if (read) setText(pretty(forms[name].write(read)));
    setForm(name);
  };
  const remove = () => call("DeleteItem", { TableName: table.TableName, Key: keyOf(table, item) });
  return (
    <Dialog title={isNew ? "Create item" : "Edit item"} onClose={onClose} wide>
      <Form onSubmit={() => read && save()}>
        <Choice label="Written as" value={form} options={Object.entries(forms).map(([name, one]) => [name, one.name])}
                disabled={Boolean(problem)} onChange={switchTo} />
        <TextArea label="Item" rows={16} autofocus value={text} onInput={setText} problem={problem} hint={forms[form].hint} />
        {isCopy && <p role="status">The key is another one: this creates an item next to the one that you opened.</p>}
        <Problem error={explain(error)} />
        {stored && read && !isCopy &&
          <Conflict before={before} mine={read} stored={stored} busy={busy} onMine={saveMine} onTheirs={takeTheirs} />}
        <div class="actions end">
          {!isNew && <button type="button" class="danger" disabled={busy} onClick={() => change(remove)}>Delete item</button>}
          <button type="button" onClick={onClose}>Cancel</button>
          <button class="primary" disabled={busy || !read}>{isNew || isCopy ? "Create" : "Save"}</button>
        </div>
      </Form>
    </Dialog>
  );
}
