import { brief } from "../lib/typed_json.js";
import { DataTable } from "../ui/parts.jsx";

const mostColumns = 40;
const longest = 200;

const shorten = (text) => (text.length > longest ? text.slice(0, longest) + "\u2026" : text);

export const Value = ({ value }) => value && <span class="value" title={shorten(brief(value))}>{shorten(brief(value))}</span>;

/** Items in rows, keys first. `columns` come before the attributes. */
export function ItemTable({ label, items, keys = [], columns = [], skip = [] }) {
  const names = [...new Set([...keys, ...items.flatMap(Object.keys)])].filter((name) => !skip.includes(name));
  const attributes = names.slice(0, mostColumns).map((name) => ({ name, cell: (item) => <Value value={item[name]} /> }));
  return <DataTable label={label} columns={[...columns, ...attributes]} rows={items} />;
}
