// Reads pages of a Query or Scan until enough items are found. A filter may let none of a page pass, and a page ends after 1 MB.

/** Returns the plan of two reads that were one (docs/explain.md). */
export function addedPlans(one, other) {
  if (!one || !other) return one ?? other;
  const total = { ...one };
  for (const name of ["ScannedCount", "Count", "CapacityUnits"]) total[name] = (one[name] ?? 0) + (other[name] ?? 0);
  return total;
}

/**
 * What a read that filters asks for next, when `last` was asked for: as much as should hold what is still wanted, if items go on to match as
 * often, and at most eight times more than before. So what many items match costs little, and what few match takes few requests.
 */
function nextLimit(last, wanted, found, looked) {
  const enough = found > 0 ? Math.ceil(1.2 * (wanted - found) * looked / found) : Infinity;
  return Math.min(8 * last, enough);
}

/**
 * Reads on from `start` until `wanted` items (Infinity: all) are found, there are no more, or `isStopped()`. What a filter finds beyond
 * that is given too: it is paid for. `send(input)` returns {output, plan, milliseconds, ...}. `onPage` gets what each request has found,
 * {items, looked, next, plan, milliseconds, ...}, where `next` is the key to read on from, if there may be more.
 */
export async function readOn({ send, input, start, wanted, onPage, isStopped = () => false }) {
  let [found, looked, limit, next] = [0, 0, wanted, start];
  do {
    const { output, ...spent } = await send({
      ...input, Limit: Number.isFinite(limit) ? limit : undefined, ...(next ? { ExclusiveStartKey: next } : {}) });
    found += output.Items.length;
    looked += output.ScannedCount;
    next = output.LastEvaluatedKey;
    onPage({ items: output.Items, looked: output.ScannedCount, next, ...spent });
    limit = input.FilterExpression ? nextLimit(limit, wanted, found, looked) : wanted - found;
  } while (next && found < wanted && !isStopped());
}
