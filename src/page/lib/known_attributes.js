// The attributes that items had which were read: DynamoDB describes only those of keys. For completion; gone with the tab.
const mostPerTable = 500;
const known = new Map();

export function noteAttributes(table, items) {
  if (!table || !items?.length) return;
  if (!known.has(table)) known.set(table, new Set());
  const names = known.get(table);
  for (const name of items.flatMap(Object.keys)) if (names.size < mostPerTable) names.add(name);
}

/** Returns the names for a table, those of its keys first. `description` may be undefined. */
export function attributesOf(table, description) {
  const ofKeys = (description?.AttributeDefinitions ?? []).map(({ AttributeName }) => AttributeName);
  return [...new Set([...ofKeys, ...(known.get(table) ?? [])])];
}
