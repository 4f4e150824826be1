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
  const mine = { world: of };
  const isLatest = () => asked === mine;
  mine.promise = tableNames().then((names) => {
    if (isLatest()) tables.value = { names };
    return names;
  }, (error) => {
    if (isLatest()) tables.value = { error };
    throw error;
  }).finally(() => {
    if (isLatest()) asked = undefined;
  });
  asked = mine;
  return mine.promise;
}

const tryRefresh = () => void refreshTables().catch(() => {});  // the views of tables say why

let knownWorld = world.peek();
effect(() => {
  if (world.value === knownWorld) return;
  knownWorld = world.value;
  tables.value = {};
});

/** Lists tables from now on, until the returned function is called. */
export function followTables() {
  addEventListener("focus", tryRefresh);
  let seen = tableChanges.peek();
  const end = effect(() => {
    void world.value;
    if (tableChanges.value !== seen) asked = undefined;  // its answer may be from before the change
    seen = tableChanges.value;
    untracked(tryRefresh);
  });
  return () => {
    removeEventListener("focus", tryRefresh);
    end();
  };
}
