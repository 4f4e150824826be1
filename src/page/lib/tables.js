// The names of the tables of the chosen world, for all who list them. Asked for when the page begins, comes to the front, or has
// changed a table itself: asking all the time would fill the recorded requests of the user.
import { effect, signal, untracked } from "@preact/signals";
import { tableChanges, tableNames } from "./dynamodb.js";
import { world } from "./state.js";

/** {names, error}; `names` is undefined until they are known. */
export const tables = signal({});

let asked;  // {world, promise} as long as there is no answer

/** Returns the names. Throws a ServiceError. */
export function refreshTables() {
  const of = world.peek();
  if (asked?.world === of) return asked.promise;
  const promise = tableNames().then((names) => {
    if (world.peek() === of) tables.value = { names };
    return names;
  }, (error) => {
    if (world.peek() === of) tables.value = { error };
    throw error;
  }).finally(() => {
    if (asked?.promise === promise) asked = undefined;
  });
  asked = { world: of, promise };
  return promise;
}

const tryRefresh = () => void refreshTables().catch(() => {});  // the views of tables say why

effect(() => {
  void world.value;
  void tableChanges.value;
  untracked(() => {
    asked = undefined;
    tryRefresh();
  });
});

let knownWorld = world.peek();
effect(() => {
  if (world.value === knownWorld) return;
  knownWorld = world.value;
  tables.value = {};
});

addEventListener("focus", tryRefresh);
