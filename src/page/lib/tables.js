// The names of the tables of the chosen world, for all who list them. Asked for when the page begins, comes to the front, or has
// changed a table itself: asking all the time would fill the recorded requests of the user.
import { effect, signal, untracked } from "@preact/signals";
import { tableChanges, tableNames } from "./dynamodb.js";
import { world } from "./state.js";

/** {names, error}; `names` is undefined until they are known. */
export const tables = signal({});

let asked;  // {world, promise, isAnswered} as long as there is no answer, or the page is drawn
let isDrawing = false;  // the page, for the first time: all that ask meanwhile get one answer

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
    mine.isAnswered = true;
    if (isLatest() && !isDrawing) asked = undefined;
  });
  asked = mine;
  return mine.promise;
}

/** Asks while the page is drawn for the first time, in the place of its parts. The returned function is called when they have asked. */
export function askWhileDrawing() {
  isDrawing = true;
  tryRefresh();
  return () => {
    isDrawing = false;
    if (asked?.isAnswered) asked = undefined;
  };
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
