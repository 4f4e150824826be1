// Queries of the user as entries of the palette.
import { keysOf, typesOf } from "./key_schema.js";
import { readOf } from "./read_query.js";
import { readText } from "./read_text.js";
import { fragmentOf } from "./fragment.js";

const mostRecent = 5;

const read = (world) => ({ table, query, name }) => ({
  kind: name ? "Saved query" : "Recent query", icon: name ? "star" : "history",
  name: `${table}: ${name ?? readText(readOf(query))}`, link: fragmentOf({ world, parts: ["tables", table], query }),
});

const statement = (world) => ({ query, name }) => ({
  kind: name ? "Saved statement" : "Recent statement", icon: name ? "star" : "history",
  name: name ?? new URLSearchParams(query).get("statement") ?? "", link: fragmentOf({ world, parts: ["partiql"], query }),
});

function entries(list, world, write) {
  const own = list.filter((one) => one.world === world);
  return [...own.filter(({ name }) => name), ...own.filter(({ name }) => !name).slice(0, mostRecent)].map(write(world));
}

/** Returns all that are saved in a world, and the newest of the others. */
export const keyedKept = (reads, statements, world) => [...entries(reads, world, read), ...entries(statements, world, statement)];

/** Returns the words of a text; one in quotation marks may have spaces. */
const wordsOf = (text) => [...text.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);

/** Returns {name, words} if a text is the name of one of the tables and more words, which may be a key; undefined if it is not. */
export function keyWords(names, text) {
  const [name, ...words] = wordsOf(text);
  return words.length && names.includes(name) ? { name, words } : undefined;
}

/**
 * Returns where words lead that are a key of a table, {item} or {partition}: the last one is the sort key, if the table has one and there
 * are two. {item} is a key in DynamoDB JSON.
 */
export function keyOfWords(table, words) {
  const types = typesOf(table);
  const { partition, sort } = keysOf(table);
  if (sort && words.length === 1) return { partition: words[0] };
  const first = (sort ? words.slice(0, -1) : words).join(" ");
  return { item: { [partition]: { [types[partition]]: first }, ...(sort ? { [sort]: { [types[sort]]: words.at(-1) } } : {}) } };
}
