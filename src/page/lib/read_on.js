// Reads pages of a Query or Scan until enough items are found. A filter may let none of a page pass, and a page ends after 1 MB.

/** Returns the plan of two reads that were one (docs/explain.md). */
export function addedPlans(one, other) {
  if (!one || !other) return one ?? other;
  const total = { ...one };
  for (const name of ["ScannedCount", "Count", "CapacityUnits"]) total[name] = (one[name] ?? 0) + (other[name] ?? 0);
  return total;
}

/**
 * What a read that filters asks for next: as much as is wanted, then ever more, and soon as much as a page holds. What many
 * items match is cheap, what few match is quick.
 */
const limitAt = (wanted, page) => (page < 4 ? wanted * 8 ** page : undefined);

/**
 * Reads on from `start` until `wanted` items (Infinity: all) are found, there are no more, or `isStopped()`. `send(input)` returns
 * {output, plan, milliseconds, ...}; `keyOf(item)` the key at which a read would begin after this item. `onPage` gets what each request has
 * found, {items, looked, next, plan, milliseconds, ...}, where `next` is the key to read on from, if there may be more.
 */
export async function readOn({ send, input, start, wanted, keyOf, onPage, isStopped = () => false }) {
  let found = 0;
  let next = start;
  for (let page = 0; found < wanted && !(page && isStopped()); page++) {
    const limit = input.FilterExpression ? limitAt(wanted, page) : wanted - found;
    const { output, ...spent } = await send({
      ...input, Limit: Number.isFinite(limit) ? limit : undefined, ...(next ? { ExclusiveStartKey: next } : {}) });
    const items = output.Items.slice(0, wanted - found);
    const isCut = items.length < output.Items.length;
    found += items.length;
    next = isCut ? keyOf(items.at(-1)) : output.LastEvaluatedKey;
    onPage({ items, looked: output.ScannedCount, next, ...spent });
    if (!next) return;
  }
}
