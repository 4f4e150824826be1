/** Returns {partition, sort} of a table or index: the names of its key attributes. `sort` may be undefined. */
export function keysOf({ KeySchema }) {
  const named = (type) => KeySchema.find(({ KeyType }) => KeyType === type)?.AttributeName;
  return { partition: named("HASH"), sort: named("RANGE") };
}

/** Returns {artist: "S", year: "N"}. */
export const typesOf = (table) =>
  Object.fromEntries(table.AttributeDefinitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]));

export const indexesOf = (table) => [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])];

/** "artist (S), year (N)" */
export function describeKey(table, of = table) {
  const types = typesOf(table);
  const { partition, sort } = keysOf(of);
  return [partition, sort].filter(Boolean).map((name) => `${name} (${types[name]})`).join(", ");
}

/** Returns a text that only items of the same key have, for an item that has its whole key. */
export function identityOf(table) {
  const names = Object.values(keysOf(table)).filter(Boolean);
  return (item) => names.map((name) => item[name].S ?? item[name].N ?? item[name].B).join("\0");
}

/** Returns the attributes of an item that are its key. */
export function keyOf(table, item) {
  const { partition, sort } = keysOf(table);
  return Object.fromEntries([partition, sort].filter(Boolean).map((name) => [name, item[name]]));
}
