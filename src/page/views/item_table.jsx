// Items that are shown, not edited: the result of a statement.
import { useMemo, useState } from "preact/hooks";
import { arranged } from "../lib/columns.js";
import { sorted } from "../lib/item_order.js";
import { Grid } from "./items/grid.jsx";

/** Items in rows, keys first. `columns`, [{name, cell: item => ...}], come before the attributes. */
export function ItemTable({ label, items, keys = [], columns: first = [] }) {
  const [sort, onSort] = useState();
  const rows = useMemo(() => (sort ? sorted(items, sort) : items), [items, sort]);
  const attributes = useMemo(() => arranged([...new Set(items.flatMap(Object.keys))], keys), [items, keys.join()]);
  const columns = useMemo(() => [...first, ...attributes], [attributes, first.length]);
  return <Grid label={label} rows={rows} columns={columns} keys={keys} sort={sort} onSort={onSort} />;
}
