// Tables in groups by what their names begin with, so that a hundred of them can be looked through.

const fewest = 3;       // tables of a group
const ungrouped = 12;   // so many are no crowd
const most = 30;        // a larger group is divided, if its names have further parts
const part = /[^-_.]*[-_.]?/gy;

const partsOf = (name) => name.match(part).filter(Boolean);

/** Returns how many leading parts all names have in common, without the last part of any. */
function commonParts(names) {
  const lists = names.map(partsOf);
  let common = 0;
  while (lists.every((list) => list.length > common + 1 && list[common] === lists[0][common])) common++;
  return common;
}

/** Returns the groups of names that have `depth` parts in common, and one more. */
function divide(names, depth) {
  const byPrefix = new Map();
  for (const name of names) {
    const parts = partsOf(name);
    const prefix = parts.length > depth + 1 ? parts.slice(0, depth + 1).join("") : "";
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), name]);
  }
  return [...byPrefix].flatMap(([prefix, own]) => {
    const group = { prefix: own.length < fewest ? "" : prefix, names: own };
    if (!prefix || own.length <= most) return [group];
    const divided = divide(own, commonParts(own));
    return divided.some((one) => one.prefix) ? divided : [group];
  });
}

/**
 * Returns [{prefix, names}, ...]. `prefix` is that of a group, such as "shop-"; the last group may have "", for tables that are in
 * none. Names must be sorted, as ListTables returns them.
 */
export function groupsOf(names) {
  if (names.length <= ungrouped) return names.length ? [{ prefix: "", names }] : [];
  const groups = divide(names, commonParts(names));
  const rest = groups.filter(({ prefix }) => !prefix).flatMap((group) => group.names).sort();
  return [...groups.filter(({ prefix }) => prefix), ...(rest.length ? [{ prefix: "", names: rest }] : [])];
}

/** Returns the names that have all words of what is sought, those that begin with it first. */
export function found(names, sought) {
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = names.filter((name) => words.every((word) => name.toLowerCase().includes(word)));
  const begins = (name) => name.toLowerCase().startsWith(words[0] ?? "");
  return [...hits.filter(begins), ...hits.filter((name) => !begins(name))];
}
