import { useEffect, useState } from "preact/hooks";
import { call } from "../lib/dynamodb.js";
import { useAction } from "../lib/hooks.js";
import { parseJson, pretty } from "../lib/json_text.js";
import { keyOf, keysOf, typesOf } from "../lib/key_schema.js";
import { keepDigits, plainItem, typedItem } from "../lib/typed_json.js";
import { Choice, Form, TextArea } from "../ui/form.jsx";
import { Dialog, Problem } from "../ui/parts.jsx";

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

/** Writes an item that replaces `old` alone, which has the same key or is empty. */
async function put(table, item, old) {
  const { partition } = keysOf(table);
  const unlessThere = { ConditionExpression: "attribute_not_exists(#key)", ExpressionAttributeNames: { "#key": partition } };
  await call("PutItem", { TableName: table.TableName, Item: item, ...(isSame(table, item, old) ? {} : unlessThere) });
}

/** Returns true if two items have the same key. Numbers are compared as they are written. */
const isSame = (table, one, other) => JSON.stringify(keyOf(table, one)) === JSON.stringify(keyOf(table, other));

const explain = (error) =>
  error?.name === "ConditionalCheckFailedException" ? new Error("An item of this key exists already.") : error;

/** Changes `item`, or creates one if it is empty. */
export function ItemEditor({ table, item, onClose, onChanged }) {
  const isNew = Object.keys(item).length === 0;
  const [form, setForm] = useState("plain");
  const [text, setText] = useState(() => (isNew ? pretty(plainItem(blank(table))) : ""));
  const [run, busy, error] = useAction();
  useEffect(() => {
    if (!isNew) run(async () => setText(pretty(plainItem(await whole(table, item)))));
  }, []);

  const { item: read, problem } = text ? parse(text, forms[form]) : {};
  const hasKey = read && Object.values(keyOf(table, read)).every(Boolean);
  const isCopy = !isNew && hasKey && !isSame(table, read, item);
  const change = async (work) => {
    if (await run(work)) onChanged();
  };
  const switchTo = (name) => {
    if (read) setText(pretty(forms[name].write(read)));
    setForm(name);
  };
  const remove = () => call("DeleteItem", { TableName: table.TableName, Key: keyOf(table, item) });
  return (
    <Dialog title={isNew ? "Create item" : "Edit item"} onClose={onClose} wide>
      <Form onSubmit={() => read && change(() => put(table, read, item))}>
        <Choice label="Written as" value={form} options={Object.entries(forms).map(([name, one]) => [name, one.name])}
                disabled={Boolean(problem)} onChange={switchTo} />
        <TextArea label="Item" rows={16} autofocus value={text} onInput={setText} problem={problem} hint={forms[form].hint} />
        {isCopy && <p role="status">The key is another one: this creates an item next to the one that you opened.</p>}
        <Problem error={explain(error)} />
        <div class="actions end">
          {!isNew && <button type="button" class="danger" disabled={busy} onClick={() => change(remove)}>Delete item</button>}
          <button type="button" onClick={onClose}>Cancel</button>
          <button class="primary" disabled={busy || !read}>{isNew || isCopy ? "Create" : "Save"}</button>
        </div>
      </Form>
    </Dialog>
  );
}
