import { useEffect, useState } from "preact/hooks";
import { explained } from "../lib/dynamodb.js";
import { plural } from "../lib/format.js";
import { useAction } from "../lib/hooks.js";
import { keysOf } from "../lib/key_schema.js";
import { brief } from "../lib/typed_json.js";
import { Empty, Problem } from "../ui/parts.jsx";
import { Plan } from "../ui/plan.jsx";
import { ItemEditor } from "./item_editor.jsx";
import { ItemTable } from "./item_table.jsx";
import { firstRead, inputOf, ReadForm } from "./read_form.jsx";

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

export function Items({ table }) {
  const [form, setForm] = useState(firstRead);
  const [edited, edit] = useState();
  const pages = usePages(table);
  useEffect(() => void pages.begin(form), []);
  const { page, busy, error } = pages;
  return (
    <>
      <ReadForm table={table} read={form} onChange={setForm} onSubmit={() => pages.begin(form)} busy={busy} />
      <Problem error={error} />
      <div class="heading">
        {page ? <Pager page={page} busy={busy} next={pages.next} back={pages.back} /> : <span />}
        <button type="button" data-shortcut="n" onClick={() => edit({})}>Create item</button>
      </div>
      {page && <Plan plan={page.plan} milliseconds={page.milliseconds} />}
      {page && <Page page={page} table={table} edit={edit} />}
      {edited && <ItemEditor table={table} item={edited} onClose={() => edit(undefined)}
                             onChanged={() => { edit(undefined); pages.again(); }} />}
    </>
  );
}
