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

/** Returns the attributes of an item that are its key. */
export function keyOf(table, item) {
  const { partition, sort } = keysOf(table);
  return Object.fromEntries([partition, sort].filter(Boolean).map((name) => [name, item[name]]));
}
