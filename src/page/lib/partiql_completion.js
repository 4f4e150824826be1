// What can come next in a statement of PartiQL.

const keywords = ["SELECT", "FROM", "WHERE", "AND", "OR", "NOT", "IN", "BETWEEN", "IS", "MISSING", "NULL", "ORDER BY", "ASC", "DESC",
  "INSERT INTO", "VALUE", "UPDATE", "SET", "REMOVE", "DELETE FROM", "RETURNING", "ALL OLD *", "ALL NEW *", "MODIFIED OLD *",
  "MODIFIED NEW *", "EXISTS"];
const functions = ["begins_with(", "contains(", "attribute_type(", "size("];
const mostShown = 50;

const isPlain = (name) => /^[A-Za-z_]\w*$/.test(name);
const quoted = (name) => `"${name.replaceAll('"', '""')}"`;
const unquoted = (text) => text.replace(/^"|"$/g, "").replaceAll('""', '"');

/** Returns {quote, start} of what is not closed at the end of a text: a string, or a name in quotes. {} if all is. */
function openQuote(text) {
  let open = {};
  for (const { 0: character, index } of text.matchAll(/['"]/g)) {
    if (!open.quote) open = { quote: character, start: index };
    else if (open.quote === character) open = {};
  }
  return open;
}

const table = /"(?:[^"]|"")+"|[A-Za-z_][\w.-]*/.source;
const afterTable = new RegExp(String.raw`\b(?:from|into|update)\s+(${table})`, "i");

/** Returns the table that a statement names, if it does. */
export function tableOf(statement) {
  const found = afterTable.exec(statement)?.[1];
  if (!found) return undefined;
  return found.startsWith('"') ? unquoted(found) : found.split(".")[0];
}

/** Returns [[text, kind], ...] of what may be at a place: `before` is the statement up to the word that is completed. */
function candidates(before, { tables, indexes, attributes }) {
  if (new RegExp(String.raw`\bfrom\s+(?:${table})\s*\.\s*$`, "i").test(before)) return indexes.map((name) => [quoted(name), "index"]);
  if (/\b(?:from|into|update)\s+$/i.test(before)) return tables.map((name) => [quoted(name), "table"]);
  if (!/\S/.test(before)) return ["SELECT * FROM", "INSERT INTO", "UPDATE", "DELETE FROM"].map((one) => [one, "keyword"]);
  return [
    ...attributes.map((name) => [isPlain(name) ? name : quoted(name), "attribute"]),
    ...keywords.map((name) => [name, "keyword"]), ...functions.map((name) => [name, "function"]),
  ];
}

/**
 * Returns {from, options: [{text, kind}]}: what may replace the text between `from` and the cursor. `known`: {tables, indexes, attributes},
 * the names of all tables, and of the indexes and attributes of the one that the statement names.
 */
export function completionsOf(statement, cursor, known) {
  const before = statement.slice(0, cursor);
  const { quote, start } = openQuote(before);
  if (quote === "'") return { from: cursor, options: [] };
  const from = quote ? start : cursor - /(?:[A-Za-z_]\w*)?$/.exec(before)[0].length;
  const word = before.slice(from);
  const sought = unquoted(word).toLowerCase();
  const plain = ([text]) => unquoted(text).toLowerCase();
  const hits = candidates(before.slice(0, from), known).filter((one) => plain(one).startsWith(sought) && one[0] !== word);
  const within = sought.length > 1
    ? candidates(before.slice(0, from), known).filter((one) => plain(one).includes(sought, 1) && !hits.includes(one) && one[0] !== word) : [];
  return { from, options: [...hits, ...within].slice(0, mostShown).map(([text, kind]) => ({ text, kind })) };
}

/** Returns {text, cursor} with an option in its place. A blank follows it, except after a parenthesis. */
export function completed(statement, cursor, from, { text }) {
  const blank = text.endsWith("(") ? "" : " ";
  const after = statement.slice(cursor).replace(/^"/, text.endsWith('"') ? "" : '"');
  const begin = statement.slice(0, from) + text + blank;
  return { text: begin + (blank && after.startsWith(" ") ? after.slice(1) : after), cursor: begin.length };
}
