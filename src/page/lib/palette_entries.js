// Queries of the user as entries of the palette.
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
