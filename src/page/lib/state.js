// What the user has chosen. All of it survives a reload; keys and tokens end with the browser's tab.
import { effect, signal } from "@preact/signals";
import { writeTimesIn } from "./format.js";
import { linkToken } from "./route.js";
import { keyOf, stored } from "./stored.js";

export { world } from "./route.js";

function kept(storage, name, initial) {
  const value = signal(stored(storage, name, initial));
  effect(() => storage.setItem(keyOf(name), JSON.stringify(value.value)));
  return value;
}

export const theme = kept(localStorage, "theme", "system"); // or "light" or "dark"
export const density = kept(localStorage, "density", "comfortable"); // or "compact"
export const timeZone = kept(localStorage, "timeZone", "utc"); // or "local"
export const letterShortcuts = kept(localStorage, "letterShortcuts", true);
export const codeLanguage = kept(localStorage, "codeLanguage", "cli"); // lib/code/code.js
/** Reads that were run, or saved, by server, world and table (lib/kept_reads.js). Without secrets. */
export const keptReads = kept(localStorage, "reads", []);
export const keptStatements = kept(localStorage, "statements", []);
export const keptCql = kept(localStorage, "cql", []);
/** The page's own requests are recorded, too. Otherwise they would take the place of those of programs. */
export const recordsOwn = kept(sessionStorage, "recordsOwn", false);
export const adminToken = kept(sessionStorage, "adminToken", "");
export const credentials = kept(sessionStorage, "credentials", {
  accessKeyId: "", secretAccessKey: "", sessionToken: "", region: "us-east-1",
});

effect(() => {
  if (linkToken.value) adminToken.value = linkToken.value;
});

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  document.documentElement.dataset.density = density.value;
});

writeTimesIn(() => timeZone.value);
