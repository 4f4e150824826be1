// Ctrl K: one field that leads everywhere.
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { describeTable } from "../lib/dynamodb.js";
import { itemLink, readLink, settingsLink, tableLink } from "../lib/links.js";
import { keyedKept, keyOfWords, keyWords } from "../lib/palette_entries.js";
import { firstRead } from "../lib/read_query.js";
import { follow, fragmentOf, href, route } from "../lib/route.js";
import { keptReads, keptStatements, theme, timeZone, world } from "../lib/state.js";
import { refreshTables, tables } from "../lib/tables.js";
import { views } from "../views/views.js";
import { Icon } from "./icon.jsx";
import { Dialog } from "./parts.jsx";
import { worlds } from "./world_picker.jsx";

const mostShown = 60;

const tableEntries = () => (tables.value.names ?? []).map((name) => ({ kind: "Table", icon: "tables", name, link: tableLink(name) }));

async function openByKey({ name, words }) {
  const { item, partition } = keyOfWords(await describeTable(name), words);
  follow(item ? itemLink(name, item) : readLink(name, { ...firstRead, operation: "Query", partition }));
}

/** Returns the item that is sought by its table and its key, in a list; an empty one if none is. */
function itemEntries(sought) {
  const found = keyWords(tables.value.names ?? [], sought);
  return found ? [{ kind: "Item by its key", icon: "key", name: `${found.name}: ${found.words.join(", ")}`, act: () => openByKey(found).catch(() => follow(tableLink(found.name))) }] : [];
}

/** Returns all that can be gone to or done: {kind, icon, name, link} or {..., act}. */
function entriesOf(open) {
  const [view, table] = route.value;
  const current = view === "tables" ? table : undefined;
  const toggle = (signal, one, other) => () => { signal.value = signal.value === one ? other : one; };
  const action = (icon, name, act) => ({ kind: "Action", icon, name, act });
  const linked = (icon, name, link) => ({ kind: "Action", icon, name, link });
  return [
    ...views.map(({ name, title }) => ({ kind: "View", icon: name, name: title, link: href(name) })),
    ...tableEntries(),
    ...(current ? [linked("preferences", `Settings of ${current}`, settingsLink(current)),
      linked("key", `Keys and indexes of ${current}`, href("tables", current, "keys"))] : []),
    linked("plus", "Create a table", `${href("tables")}?create`),
    action("light", theme.value === "dark" ? "Light theme" : "Dark theme", toggle(theme, "dark", "light")),
    action("clock", timeZone.value === "utc" ? "Local times" : "Times in UTC", toggle(timeZone, "utc", "local")),
    action("preferences", "Preferences", () => open("preferences")),
    action("key", "Access keys", () => open("access")),
    action("help", "Help", () => open("help")),
    ...keyedKept(keptReads.value, keptStatements.value, world.value),
    ...worlds.value.filter(({ name }) => name !== world.value).map(({ name }) => (
      { kind: "World", icon: "worlds", name, link: fragmentOf({ world: name, parts: ["tables"] }) })),
  ];
}

/** Those that have all words, in their kind or name; those that begin with what is sought first, else in their order. */
function matching(entries, sought) {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ name }) => (words.length && name.toLowerCase().startsWith(words[0]) ? 0 : 1);
  return entries.filter(({ kind, name }) => words.every((word) => `${kind} ${name}`.toLowerCase().includes(word)))
    .map((entry, at) => [rank(entry), at, entry]).sort((one, other) => one[0] - other[0] || one[1] - other[1])
    .map(([, , entry]) => entry);
}

const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };

export function Palette({ onClose, open, onlyTables }) {
  const [sought, seek] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const list = useRef();
  useEffect(() => void refreshTables().catch(() => {}), []);
  const all = onlyTables ? matching(tableEntries(), sought) : [...itemEntries(sought), ...matching(entriesOf(open), sought)];
  const shown = all.slice(0, mostShown);
  useEffect(() => list.current.children[at]?.scrollIntoView({ block: "nearest" }), [at]);
  const take = ({ link, act }) => {
    onClose();
    if (link) follow(link);
    else act();
  };
  const onKeyDown = (event) => {
    const step = steps[event.key];
    if (step) setAt(Math.min(Math.max(at + step, 0), shown.length - 1));
    else if (event.key === "Enter" && shown[at]) take(shown[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={onlyTables ? "Switch to a table" : "Find"} onClose={onClose} wide>
      <input type="text" role="combobox" aria-label={onlyTables ? "Name of a table" : "Table, view, action, query or world"} autofocus
             aria-expanded="true" aria-controls={`${id}-list`} aria-autocomplete="list" autocomplete="off" spellcheck={false}
             aria-activedescendant={shown[at] && `${id}-${at}`} value={sought} onKeyDown={onKeyDown}
             onInput={(event) => { seek(event.currentTarget.value); setAt(0); }} />
      <ul role="listbox" id={`${id}-list`} aria-label="Found" class="options" ref={list}>
        {shown.map((entry, index) => (
          <li key={`${entry.kind} ${entry.name} ${index}`} role="option" id={`${id}-${index}`} aria-selected={index === at}
              onClick={() => take(entry)} onPointerMove={() => setAt(index)}>
            <Icon name={entry.icon} /><span>{entry.name}</span><small>{entry.kind}</small>
          </li>))}
      </ul>
      <p class="muted" role="status">
        {sought === "" && !onlyTables && "A table's name and a key open an item: orders c17 42. "}
        {all.length === 0 ? "Nothing has such a name." : all.length > shown.length ? `${all.length - shown.length} more: type more of the name.` : ""}
      </p>
    </Dialog>
  );
}
