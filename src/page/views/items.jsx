import { useEffect, useState } from "preact/hooks";
import { explained } from "../lib/dynamodb.js";
import { plural } from "../lib/format.js";
import { useAction } from "../lib/hooks.js";
import { keyOf, keysOf } from "../lib/key_schema.js";
import { brief } from "../lib/typed_json.js";
import { Empty, Problem } from "../ui/parts.jsx";
import { Plan } from "../ui/plan.jsx";
import { ItemEditor } from "./item_editor.jsx";
import { ItemTable } from "./item_table.jsx";
import { inputOf, ReadForm } from "./read_form.jsx";

/** The pages that were read: `starts` are the keys at which they began, the shown one last. */
function usePages(table) {
  const [page, setPage] = useState();
  const [run, busy, error] = useAction();
  const read = ({ operation, input, starts }) => run(async () => {
    const start = starts.at(-1);
    const result = await explained(operation, start ? { ...input, ExclusiveStartKey: start } : input);
    setPage({ operation, input, starts, ...result });
  });
  return {
    page, busy, error,
    begin: (form) => read({ operation: form.operation, input: inputOf(table, form), starts: [undefined] }),
    again: () => read(page),
    next: () => read({ ...page, starts: [...page.starts, page.output.LastEvaluatedKey] }),
    back: () => read({ ...page, starts: page.starts.slice(0, -1) }),
  };
}

function Pager({ page, busy, next, back }) {
  return (
    <div class="actions">
      <button type="button" disabled={busy || page.starts.length === 1} onClick={back}>Previous page</button>
      <button type="button" disabled={busy || !page.output.LastEvaluatedKey} onClick={next}>Next page</button>
      <span class="muted" role="status">
        Page {page.starts.length}: {plural(page.output.Count, "item")}
        {page.output.LastEvaluatedKey ? ", and there may be more" : ", and there are no more"}
      </span>
    </div>
  );
}

function Page({ page, table, edit }) {
  const { partition, sort } = keysOf(table);
  const { Items: items } = page.output;
  if (items.length === 0) {
    const first = page.starts.length === 1 && page.operation === "Scan" && !page.input.FilterExpression;
    return (
      <Empty title={first ? "No items yet" : "No items on this page"}>
        <p>{first ? "Create one here, or let your program write some." : "The next page may have some, or other conditions."}</p>
      </Empty>
    );
  }
  const open = {
    name: partition,
    cell: (item) => <button type="button" class="link" onClick={() => edit(item)}>{brief(item[partition]) || "(empty)"}</button>,
  };
  return <ItemTable label="Items" items={items} keys={[sort].filter(Boolean)} columns={[open]} skip={[partition]} />;
}

/** `read`: what to read; `onRead` is called with another. `item`: the key of the opened item, if one is open; `onItem` likewise. */
export function Items({ table, read, onRead, item, onItem }) {
  const [creating, create] = useState(false);
  const pages = usePages(table);
  const wanted = JSON.stringify(read);
  useEffect(() => void pages.begin(read), [wanted]);
  const { page, busy, error } = pages;
  const close = () => {
    create(false);
    if (item) onItem(undefined);
  };
  return (
    <>
      <ReadForm table={table} read={read} busy={busy}
                onSubmit={(next) => (JSON.stringify(next) === wanted ? pages.begin(next) : onRead(next))} />
      <Problem error={error} />
      <div class="heading">
        {page ? <Pager page={page} busy={busy} next={pages.next} back={pages.back} /> : <span />}
        <button type="button" data-shortcut="n" onClick={() => create(true)}>Create item</button>
      </div>
      {page && <Plan {...page} />}
      {page && <Page page={page} table={table} edit={(one) => onItem(keyOf(table, one))} />}
      {(creating || item) && <ItemEditor key={JSON.stringify(item)} table={table} item={creating ? {} : item} onClose={close}
                                         onChanged={() => { close(); pages.again(); }} />}
    </>
  );
}
