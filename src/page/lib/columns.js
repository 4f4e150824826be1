// Which attributes are columns, and in which order. `kept` is what a user has chosen for a table: {order, hidden, pinned}, lists of
// names, and {widths}, pixels by name. Each may be missing.

/** More columns are shown only if they are chosen. */
export const mostColumns = 40;

const keyOf = (table) => `dinette.columns.${table}`;

export function readColumns(table) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(table))) ?? {};
  } catch {
    return {};  // not of this page
  }
}

export function keepColumns(table, kept) {
  if (Object.keys(kept).length) localStorage.setItem(keyOf(table), JSON.stringify(kept));
  else localStorage.removeItem(keyOf(table));
}

/** Returns all names in the order that the user has given them: keys first, unless they were moved. */
export function ordered(names, keys, kept) {
  const known = new Set(names);
  const order = (kept.order ?? []).filter((name) => known.has(name));
  const placed = new Set(order);
  if (placed.size === 0) return [...new Set([...keys, ...names])];
  return [...new Set([...keys.filter((key) => !placed.has(key)), ...order, ...names])];
}

const pinnedOf = (keys, kept) => new Set(kept.pinned ?? keys);

/** Returns the columns to show, {name, pinned, ownWidth}, those that are pinned first. Keys are pinned until the user says otherwise. */
export function arranged(names, keys, kept = {}) {
  const hidden = new Set(kept.hidden);
  const pinned = pinnedOf(keys, kept);
  const chosen = new Set([...(kept.order ?? []), ...keys, ...pinned]);
  let others = mostColumns - chosen.size;
  const shown = ordered(names, keys, kept).filter((name) => !hidden.has(name) && (chosen.has(name) || others-- > 0));
  const columns = shown.map((name) => ({ name, pinned: pinned.has(name), ownWidth: kept.widths?.[name] }));
  return [...columns.filter((one) => one.pinned), ...columns.filter((one) => !one.pinned)];
}

const toggled = (list, name, isIn) => (isIn ? [...new Set([...list, name])] : list.filter((one) => one !== name));

export const withHidden = (kept, name, hide) => ({ ...kept, hidden: toggled(kept.hidden ?? [], name, hide) });
export const withPinned = (kept, keys, name, pin) => ({ ...kept, pinned: toggled(kept.pinned ?? keys, name, pin) });

/** Gives a column a width of its own; that of its content if `width` is undefined. */
export function withWidth(kept, name, width) {
  const { [name]: _, ...others } = kept.widths ?? {};
  return { ...kept, widths: width === undefined ? others : { ...others, [name]: width } };
}

/** Moves a column by so many places among `shown`, the names of the columns as they are shown. */
export function withMoved(kept, shown, name, by) {
  const order = [...shown];
  const from = order.indexOf(name);
  const to = Math.max(0, Math.min(order.length - 1, from + by));
  order.splice(to, 0, ...order.splice(from, 1));
  return { ...kept, order };
}
