// Reads and statements that were run, the newest first, and those that were saved with a name. They are kept in this browser for
// this server's address: what users have typed, no keys of access.

const mostRecent = 20;    // of a table of a world
const mostKept = 500;     // in all

/** What makes two of them the same. */
const identity = ({ world, table, query, name }) => JSON.stringify([world, table ?? "", query, name ?? ""]);
const isOf = (world, table) => (one) => one.world === world && one.table === table;

/**
 * Returns the list with one more in front: {world, table, query, name}. `query` is that of an address (read_query.js), `table`
 * is undefined for statements, `name` for what was run and not saved.
 */
export function withKept(list, one) {
  const others = list.filter((other) => identity(other) !== identity(one));
  const isSurplus = (() => {
    let recent = one.name ? 0 : 1;
    return (other) => !other.name && isOf(one.world, one.table)(other) && ++recent > mostRecent;
  })();
  return [one, ...others.filter((other) => !isSurplus(other))].slice(0, mostKept);
}

export const withoutKept = (list, one) => list.filter((other) => identity(other) !== identity(one));

/** Returns {saved, recent} of a table; of statements if it is undefined. */
export function keptOf(list, world, table) {
  const own = list.filter(isOf(world, table));
  return { saved: own.filter(({ name }) => name), recent: own.filter(({ name }) => !name) };
}
