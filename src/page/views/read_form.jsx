// What to read of a table: a query or a scan.
import { useEffect, useId, useState } from "preact/hooks";
import { betterRead, withKeysOfFilters } from "../lib/advice.js";
import { comparisons, filterComparisons, keyComparisons, readInput } from "../lib/conditions.js";
import { indexesOf, keysOf, typesOf } from "../lib/key_schema.js";
import { attributesOf } from "../lib/known_attributes.js";
import { readLink } from "../lib/links.js";
import { firstRead, newFilter, pairsOfRead, readOf } from "../lib/read_query.js";
import { readText } from "../lib/read_text.js";
import { keptReads } from "../lib/state.js";
import { CopyCode } from "../ui/copy_code.jsx";
import { Check, Choice, Form, TextField } from "../ui/form.jsx";
import { Icon, IconButton } from "../ui/icon.jsx";
import { KeptMenu } from "../ui/kept_menu.jsx";
import { Advice } from "../ui/plan.jsx";

export { firstRead };

const valueTypes = [["S", "String"], ["N", "Number"], ["B", "Binary"], ["BOOL", "Boolean"], ["NULL", "Null"]];

const keysRead = (table, index) => keysOf(indexesOf(table).find(({ IndexName }) => IndexName === index) ?? table);

function keyConditions(table, read) {
  if (read.operation === "Scan") return [];
  const types = typesOf(table);
  const { partition, sort } = keysRead(table, read.index);
  const conditions = [{ attribute: partition, comparison: "=", type: types[partition], first: read.partition }];
  if (sort && read.sortComparison) {
    conditions.push({ attribute: sort, comparison: read.sortComparison, type: types[sort], first: read.sortFirst, second: read.sortSecond });
  }
  return conditions;
}

/** Returns the input of the operation `read.operation`. */
export const inputOf = (table, read) => readInput({
  table: table.TableName, index: read.index, key: keyConditions(table, read), filters: read.filters,
  descending: read.descending, limit: Number(read.limit) || 50, consistent: read.consistent,
});

function Values({ name, comparison, first, second, onFirst, onSecond, numeric }) {
  const operands = comparisons[comparison]?.[1] ?? 0;
  const more = numeric ? { inputmode: "decimal" } : {};
  return (
    <>
      {operands > 0 && <TextField label={operands === 2 ? `${name} from` : `Value of ${name}`} value={first} onInput={onFirst} {...more} />}
      {operands > 1 && <TextField label={`${name} to`} value={second} onInput={onSecond} {...more} />}
    </>
  );
}

function KeyFields({ table, read, set }) {
  const types = typesOf(table);
  const { partition, sort } = keysRead(table, read.index);
  return (
    <div class="row">
      <TextField label={`${partition} =`} required value={read.partition} onInput={set("partition")}
                 inputmode={types[partition] === "N" ? "decimal" : undefined} />
      {sort && <Choice label={sort} value={read.sortComparison} options={[["", "any"], ...keyComparisons]} onChange={set("sortComparison")} />}
      {sort && <Values name={sort} comparison={read.sortComparison} first={read.sortFirst} second={read.sortSecond}
                       numeric={types[sort] === "N"} onFirst={set("sortFirst")} onSecond={set("sortSecond")} />}
    </div>
  );
}

function Filter({ filter, number, onChange, onRemove, attributes }) {
  const set = (member) => (value) => onChange({ ...filter, [member]: value });
  const takesValue = comparisons[filter.comparison][1] > 0 && filter.type !== "NULL";
  return (
    <div class="row filter">
      <TextField label={`Attribute of filter ${number}`} value={filter.attribute} onInput={set("attribute")} list={attributes} />
      <Choice label="Condition" value={filter.comparison} options={filterComparisons} onChange={set("comparison")} />
      {comparisons[filter.comparison][1] > 0 && <Choice label="Type" value={filter.type} options={valueTypes} onChange={set("type")} />}
      {takesValue && <Values name={`filter ${number}`} comparison={filter.comparison} first={filter.first} second={filter.second}
                             numeric={filter.type === "N"} onFirst={set("first")} onSecond={set("second")} />}
      <IconButton name="remove" label={`Remove filter ${number}`} onClick={onRemove} />
    </div>
  );
}

function Filters({ table, filters, onChange }) {
  const id = useId();
  return (
    <>
      {filters.length > 0 && (
        <datalist id={id}>{attributesOf(table.TableName, table).map((name) => <option key={name} value={name} />)}</datalist>)}
      {filters.map((filter, at) => (
        <Filter key={at} filter={filter} number={at + 1} attributes={id}
                onChange={(changed) => onChange(filters.map((one, position) => (position === at ? changed : one)))}
                onRemove={() => onChange(filters.filter((_, position) => position !== at))} />
      ))}
    </>
  );
}

const queryOf = (read) => new URLSearchParams(pairsOfRead(read)).toString();

/** Rows of filters that name no attribute are not meant yet. */
const withoutEmpty = (read) => ({ ...read, filters: read.filters.filter(({ attribute }) => attribute.trim()) });

/** Leads to a cheaper read that finds the same, if there is one. */
function Better({ table, read }) {
  const better = betterRead(table, read);
  if (!better) return null;
  return <Advice>{better.text} <a href={readLink(table.TableName, better.read)}>Run it as {readText(better.read, keysRead(table, better.read.index))}</a></Advice>;
}

/**
 * Asks what to read. `read` is what was read last (read_query.js), `draft` what the form shows. onChange(draft) is called as the user types,
 * onSubmit(read) with what to read now. `isPaged`: what was read has more than one page.
 */
export function ReadForm({ table, read, draft, onChange, onSubmit, busy, isPaged }) {
  const id = useId();
  const [added, setAdded] = useState(0);
  useEffect(() => {
    if (added) [...document.getElementById(id).querySelectorAll(".filter")].at(-1)?.querySelector("input").focus();
  }, [added]);
  const set = (member) => (value) => onChange({ ...draft, [member]: value });
  // What a filter says of a key belongs to the key condition: the service refuses it elsewhere.
  const setSource = (member) => (value) => onChange(withKeysOfFilters(table, { ...draft, [member]: value }));
  const addFilter = () => {
    set("filters")([...draft.filters, newFilter]);
    setAdded(added + 1);
  };
  const sources = [["", "The table"], ...indexesOf(table).map(({ IndexName }) => [IndexName, `Index ${IndexName}`])];
  const isGlobal = table.GlobalSecondaryIndexes?.some(({ IndexName }) => IndexName === draft.index);
  const textOf = (query) => {
    const kept = readOf(query);
    return readText(kept, keysRead(table, kept.index));
  };
  return (
    <>
      <div class="panel readform">
        <Form onSubmit={() => onSubmit(withoutEmpty(draft))} aria-label="What to read" id={id}>
          <div class="row">
            <Choice label="Operation" value={draft.operation} options={["Scan", "Query"]} onChange={setSource("operation")} />
            <Choice label="Read from" value={draft.index} options={sources} onChange={setSource("index")} />
            {draft.operation === "Query" &&
              <Choice label="Order" value={draft.descending ? "descending" : "ascending"} options={["ascending", "descending"]}
                      onChange={(order) => set("descending")(order === "descending")} />}
            <TextField label="Limit per page" type="number" min="1" value={draft.limit} onInput={set("limit")} />
            {!isGlobal && <Check label="Consistent" checked={draft.consistent} onChange={set("consistent")} />}
          </div>
          {draft.operation === "Query" && <KeyFields table={table} read={draft} set={set} />}
          <Filters table={table} filters={draft.filters} onChange={set("filters")} />
        </Form>
        <div class="actions">
          <button class="primary" form={id} disabled={busy} data-shortcut="r"><Icon name="play" />Run</button>
          <button type="button" onClick={addFilter}><Icon name="filter" />Add filter</button>
          <span class="later" />
          <KeptMenu label="Queries" of={keptReads} table={table.TableName} query={queryOf(draft)} text={textOf}
                    link={(query) => readLink(table.TableName, readOf(query))} />
          <CopyCode request={() => ({ operation: draft.operation, input: inputOf(table, withoutEmpty(draft)), isPaged })} />
        </div>
      </div>
      <Better table={table} read={read} />
    </>
  );
}
