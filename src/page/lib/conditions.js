// Expressions from what a form holds. Names and values go into placeholders, so that no name is a reserved word.

/** What conditions can say: [text, number of values, expression of placeholders]. */
export const comparisons = {
  "=": ["=", 1, (name, a) => `${name} = ${a}`],
  "<": ["<", 1, (name, a) => `${name} < ${a}`],
  "<=": ["\u2264", 1, (name, a) => `${name} <= ${a}`],
  ">": [">", 1, (name, a) => `${name} > ${a}`],
  ">=": ["\u2265", 1, (name, a) => `${name} >= ${a}`],
  between: ["between", 2, (name, a, b) => `${name} BETWEEN ${a} AND ${b}`],
  begins_with: ["begins with", 1, (name, a) => `begins_with(${name}, ${a})`],
  "<>": ["\u2260", 1, (name, a) => `${name} <> ${a}`],
  contains: ["contains", 1, (name, a) => `contains(${name}, ${a})`],
  attribute_exists: ["exists", 0, (name) => `attribute_exists(${name})`],
  attribute_not_exists: ["does not exist", 0, (name) => `attribute_not_exists(${name})`],
};
const ofKeys = ["=", "<", "<=", ">", ">=", "between", "begins_with"];
const pairs = (names) => names.map((name) => [name, comparisons[name][0]]);
export const keyComparisons = pairs(ofKeys);
export const filterComparisons = pairs(Object.keys(comparisons));

const attributeValue = (type, text) => {
  if (type === "BOOL") return { BOOL: text === "true" };
  if (type === "NULL") return { NULL: true };
  return { [type]: text };
};

/** Gathers placeholders. */
class Placeholders {
  names = {};
  values = {};

  condition({ attribute, comparison, type, first, second }) {
    const [, operands, write] = comparisons[comparison];
    const name = this.#name(attribute);
    return write(name, ...[first, second].slice(0, operands).map((text) => this.#value(type, text)));
  }

  /** A path such as address.city, each part with a placeholder of its own. */
  #name(path) {
    return path.split(".").map((part) => {
      const [, name, indexes] = /^(.*?)((?:\[\d+\])*)$/.exec(part);
      const known = Object.keys(this.names).find((key) => this.names[key] === name);
      const placeholder = known ?? `#n${Object.keys(this.names).length}`;
      this.names[placeholder] = name;
      return placeholder + indexes;
    }).join(".");
  }

  #value(type, text) {
    const placeholder = `:v${Object.keys(this.values).length}`;
    this.values[placeholder] = attributeValue(type, text);
    return placeholder;
  }
}

/** Returns the input of Query or Scan. `key` and `filters` are conditions: {attribute, comparison, type, first, second}. */
export function readInput({ table, index, key, filters, descending, limit, consistent }) {
  const held = new Placeholders();
  const input = { TableName: table, Limit: limit };
  if (index) input.IndexName = index;
  if (consistent) input.ConsistentRead = true;
  if (key.length) input.KeyConditionExpression = key.map((one) => held.condition(one)).join(" AND ");
  if (key.length && descending) input.ScanIndexForward = false;
  if (filters.length) input.FilterExpression = filters.map((one) => held.condition(one)).join(" AND ");
  if (Object.keys(held.names).length) input.ExpressionAttributeNames = held.names;
  if (Object.keys(held.values).length) input.ExpressionAttributeValues = held.values;
  return input;
}
