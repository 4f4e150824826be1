// The tables of the world next to every view: a tree, since one Tab leads over hundreds of them.
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { tableLink } from "../lib/links.js";
import { href, route } from "../lib/route.js";
import { found, groupsOf } from "../lib/table_groups.js";
import { followTables, refreshTables, tables } from "../lib/tables.js";
import { Icon } from "./icon.jsx";

const mostOpen = 30;  // tables of which all groups are open at first

/** Returns what is in the tree from top to bottom: {prefix, size, open} of a group, {name, level} of a table. */
function rowsOf(groups, isOpen) {
  return groups.flatMap(({ prefix, names }) => {
    if (!prefix) return names.map((name) => ({ name, level: 1 }));
    const open = isOpen(prefix, names);
    const group = { prefix, size: names.length, open, level: 1 };
    return [group, ...(open ? names.map((name) => ({ name, level: 2, shown: name.slice(prefix.length) })) : [])];
  });
}

const keyOf = ({ prefix, name }) => (prefix ? `group ${prefix}` : name);

/** Returns the row to which a key leads, if it leads to one. */
function rowAfter(key, rows, at) {
  if (key === "ArrowDown") return rows[at + 1];
  if (key === "ArrowUp") return rows[at - 1];
  if (key === "Home") return rows[0];
  if (key === "End") return rows.at(-1);
  const row = rows[at];
  if (key === "ArrowLeft" && row.level === 2) return rows.slice(0, at).findLast(({ prefix }) => prefix);
  if (key === "ArrowRight" && row.open) return rows[at + 1];
  return undefined;
}

function Row({ row, current, tabbed, toggle, onFocus }) {
  const shared = { role: "treeitem", "aria-level": row.level, "data-key": keyOf(row), tabindex: tabbed ? 0 : -1, onFocus };
  if (row.prefix) {
    return (
      <div {...shared} class="group" aria-expanded={row.open} onClick={() => toggle(row.prefix, !row.open)}>
        <Icon name={row.open ? "down" : "right"} /><span>{row.prefix}</span><small>{row.size}</small>
      </div>
    );
  }
  return (
    <a {...shared} href={tableLink(row.name)} title={row.name} aria-current={row.name === current ? "page" : undefined}>
      {row.shown ? <><span class="prefix">{row.name.slice(0, -row.shown.length)}</span>{row.shown}</> : row.name}
    </a>
  );
}

function Tree({ names, current, sought }) {
  const [opened, setOpened] = useState({});  // what the user has opened and closed, by prefix
  const [focused, setFocused] = useState();
  const place = useRef();
  const isOpen = (prefix, own) => opened[prefix] ?? (sought !== "" || names.length <= mostOpen || own.includes(current));
  const rows = rowsOf(groupsOf(names), isOpen);
  const toggle = (prefix, open) => setOpened({ ...opened, [prefix]: open });
  const tabbed = rows.find((row) => keyOf(row) === focused) ?? rows.find(({ name }) => name && name === current) ?? rows[0];
  useEffect(() => place.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" }), [current, names.length]);
  const onKeyDown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = rows.findIndex((row) => keyOf(row) === event.target.dataset.key);
    const row = rows[at];
    const next = row && rowAfter(event.key, rows, at);
    const closes = row?.prefix && ((event.key === "ArrowRight" && !row.open) || (event.key === "ArrowLeft" && row.open) ||
      event.key === "Enter" || event.key === " ");
    if (closes) toggle(row.prefix, !row.open);
    else if (next) place.current.querySelector(`[data-key="${CSS.escape(keyOf(next))}"]`).focus();
    else return;
    event.preventDefault();
  };
  return (
    <div role="tree" aria-label="Tables of this world" ref={place} onKeyDown={onKeyDown}>
      {rows.map((row) => (
        <Row key={keyOf(row)} row={row} current={current} tabbed={row === tabbed} toggle={toggle}
             onFocus={() => setFocused(keyOf(row))} />))}
    </div>
  );
}

export function TableTree({ current }) {
  const [sought, seek] = useState("");
  const place = useRef();
  const { names } = tables.value;
  useEffect(followTables, []);  // after the view is painted
  // A program may have made it, or dropped it, meanwhile.
  useSignalEffect(() => {
    const [view, table] = route.value;
    const isMissing = view === "tables" && table && tables.peek().names && !tables.peek().names.includes(table);
    if (isMissing) refreshTables().catch(() => {});
  });
  if (!names?.length) return null;
  const shown = sought ? found(names, sought) : names;
  const onKeyDown = (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    place.current.querySelector("[role=treeitem]")?.focus();
  };
  return (
    <nav class="tablelist" aria-label="Table list" ref={place}>
      <div class="treehead">
        <strong>Tables</strong> <small>{names.length}</small>
        <a class="quiet iconic" href={href("tables") + "?create"} aria-label="Create" title="Create a table"><Icon name="plus" /></a>
      </div>
      <input type="search" aria-label="Filter the list" placeholder="Filter" autocomplete="off" spellcheck={false}
             value={sought} onInput={(event) => seek(event.currentTarget.value)} onKeyDown={onKeyDown} />
      {shown.length > 0 ? <Tree names={shown} current={current} sought={sought} /> : <p class="muted">No table has such a name.</p>}
    </nav>
  );
}
