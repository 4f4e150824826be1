// The changes of an item, so that saving it writes these alone: programs change items meanwhile. Items are those of
// DynamoDB JSON.

const isEqual = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const namesOf = (...items) => [...new Set(items.flatMap(Object.keys))];

/** Returns the names of the attributes that `after` adds to `before`, gives other values, or leaves out. */
export const changedNames = (before, after) => namesOf(before, after).filter((name) => !isEqual(before[name], after[name]));

const written = (value) => (value ? { Action: "PUT", Value: value } : { Action: "DELETE" });
const unchanged = (value) => (value ? { ComparisonOperator: "EQ", AttributeValueList: [value] } : { ComparisonOperator: "NULL" });

/**
 * Returns the parameters of an UpdateItem that turns `before` into `after` if the attributes that it writes are still as in `before`
 * and the item, of which `key` is an attribute, is still there. These parameters have no limit on their length, as expressions
 * have.
 */
export function updateOf(before, after, key) {
  const changed = changedNames(before, after);
  return {
    AttributeUpdates: Object.fromEntries(changed.map((name) => [name, written(after[name])])),
    Expected: {
      [key]: { ComparisonOperator: "NOT_NULL" },
      ...Object.fromEntries(changed.map((name) => [name, unchanged(before[name])])),
    },
  };
}

/** Returns the names of the attributes that both have changed since `before`, in different ways. */
export const conflictingNames = (before, mine, stored) => {
  const theirs = new Set(changedNames(before, stored));
  return changedNames(before, mine).filter((name) => theirs.has(name) && !isEqual(mine[name], stored[name]));
};

/** Returns `stored` with the attributes of `mine` that were changed since `before`, except those of `names`. */
export function merged(before, mine, stored, names = []) {
  const item = { ...stored };
  for (const name of changedNames(before, mine)) {
    if (names.includes(name)) continue;
    if (mine[name]) item[name] = mine[name];
    else delete item[name];
  }
  return item;
}
