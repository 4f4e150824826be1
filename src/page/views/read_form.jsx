// What to read of a table: a query or a scan.
import { comparisons, filterComparisons, keyComparisons, readInput } from "../lib/conditions.js";
import { indexesOf, keysOf, typesOf } from "../lib/key_schema.js";
import { Check, Choice, Form, TextField } from "../ui/form.jsx";

const valueTypes = [["S", "String"], ["N", "Number"], ["B", "Binary"], ["BOOL", "Boolean"], ["NULL", "Null"]];

export const firstRead = {
  operation: "Scan", index: "", partition: "", sortComparison: "", sortFirst: "", sortSecond: "", filters: [],
  descending: false, limit: "50", consistent: false,
};

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

function Values({ name, comparison, first, second, onFirst, onSecond }) {
  const operands = comparisons[comparison]?.[1] ?? 0;
  return (
    <>
      {operands > 0 && <TextField label={operands === 2 ? `${name} from` : `Value of ${name}`} value={first} onInput={onFirst} />}
      {operands > 1 && <TextField label={`${name} to`} value={second} onInput={onSecond} />}
    </>
  );
}

function KeyFields({ table, read, set }) {
  const { partition, sort } = keysRead(table, read.index);
  return (
    <div class="row">
      <TextField label={`${partition} =`} required value={read.partition} onInput={set("partition")} />
      {sort && <Choice label={sort} value={read.sortComparison} options={[["", "any"], ...keyComparisons]} onChange={set("sortComparison")} />}
      {sort && <Values name={sort} comparison={read.sortComparison} first={read.sortFirst} second={read.sortSecond}
                       onFirst={set("sortFirst")} onSecond={set("sortSecond")} />}
    </div>
  );
}

function Filter({ filter, number, onChange, onRemove }) {
  const set = (member) => (value) => onChange({ ...filter, [member]: value });
  const takesValue = comparisons[filter.comparison][1] > 0 && filter.type !== "NULL";
  return (
    <div class="row">
      <TextField label={`Attribute of filter ${number}`} required value={filter.attribute} onInput={set("attribute")} />
      <Choice label="Condition" value={filter.comparison} options={filterComparisons} onChange={set("comparison")} />
      {comparisons[filter.comparison][1] > 0 && <Choice label="Type" value={filter.type} options={valueTypes} onChange={set("type")} />}
      {takesValue && <Values name={`filter ${number}`} comparison={filter.comparison} first={filter.first} second={filter.second}
                             onFirst={set("first")} onSecond={set("second")} />}
      <button type="button" onClick={onRemove} aria-label={`Remove filter ${number}`}>Remove</button>
    </div>
  );
}

const newFilter = { attribute: "", comparison: "=", type: "S", first: "", second: "" };

function Filters({ filters, onChange }) {
  return filters.map((filter, at) => (
    <Filter key={at} filter={filter} number={at + 1}
            onChange={(changed) => onChange(filters.map((one, position) => (position === at ? changed : one)))}
            onRemove={() => onChange(filters.filter((_, position) => position !== at))} />
  ));
}

export function ReadForm({ table, read, onChange, onSubmit, busy }) {
  const set = (member) => (value) => onChange({ ...read, [member]: value });
  const sources = [["", "the table"], ...indexesOf(table).map(({ IndexName }) => [IndexName, `index ${IndexName}`])];
  const isGlobal = table.GlobalSecondaryIndexes?.some(({ IndexName }) => IndexName === read.index);
  return (
    <Form onSubmit={onSubmit} class="panel" aria-label="What to read">
      <div class="row">
        <Choice label="Operation" value={read.operation} options={["Scan", "Query"]} onChange={set("operation")} />
        <Choice label="Of" value={read.index} options={sources} onChange={set("index")} />
        {read.operation === "Query" &&
          <Choice label="Order" value={read.descending ? "descending" : "ascending"} options={["ascending", "descending"]}
                  onChange={(order) => set("descending")(order === "descending")} />}
        <TextField label="Limit per page" type="number" min="1" value={read.limit} onInput={set("limit")} />
        {!isGlobal && <Check label="Consistent" checked={read.consistent} onChange={set("consistent")} />}
      </div>
      {read.operation === "Query" && <KeyFields table={table} read={read} set={set} />}
      <Filters filters={read.filters} onChange={set("filters")} />
      <div class="actions">
        <button class="primary" disabled={busy} data-shortcut="r">Run</button>
        <button type="button" onClick={() => set("filters")([...read.filters, newFilter])}>Add filter</button>
      </div>
    </Form>
  );
}
