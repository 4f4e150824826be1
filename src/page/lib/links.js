// Links to what the page shows: tables, reads of a table, single items. Another tab that opens one shows the same.
import { pairsOfItem, pairsOfRead } from "./read_query.js";
import { hrefWith } from "./route.js";

export const tableLink = (table) => hrefWith(["tables", table], []);
export const settingsLink = (table) => hrefWith(["tables", table, "settings"], []);

/** A read of a table, with an item of it opened if a key is given. */
export const readLink = (table, read, key) =>
  hrefWith(["tables", table], [...pairsOfRead(read), ...(key ? pairsOfItem(key) : [])]);

/** An item of a table. `key` in DynamoDB JSON: {artist: {S: "Nina Simone"}}. */
export const itemLink = (table, key) => hrefWith(["tables", table], pairsOfItem(key));

/** A statement of PartiQL, with its parameters as the form has them. */
export const statementLink = (statement, parameters = "") =>
  hrefWith(["partiql"], [["statement", statement], ...(parameters ? [["parameters", parameters]] : [])]);
