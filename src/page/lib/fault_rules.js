// Rules of faults (docs/faults.md): made from what a form has, and said in words.
import { brief, typedItem } from "./typed_json.js";

/** What the form begins with. All members are texts. */
export const newRule = {
  operation: "", table: "", key: "", nth: "", times: "", probability: "", seed: "", effect: "error",
  type: "ProvisionedThroughputExceededException", message: "", share: "0.5", delay: "", delayKind: "always", phase: "before",
};

const text = (name, value) => (value ? { [name]: value } : {});
const number = (name, value) => (value ? { [name]: Number(value) } : {});

const effectOf = {
  error: ({ type, message }) => ({ error: { type, ...text("message", message) } }),
  drop: () => ({ drop: true }),
  unprocessed: ({ share }) => ({ unprocessed: { share: Number(share) } }),
  delay: () => ({}),
};

const delayOf = {
  always: (milliseconds) => milliseconds,
  upTo: (milliseconds) => ({ from: 0, to: milliseconds }),
  mean: (milliseconds) => ({ mean: milliseconds }),
};

/** Returns the rule of a form. `key` is that of the item, in plain JSON, or undefined. */
export const ruleOf = (draft, key) => ({
  ...text("operation", draft.operation), ...text("table", draft.table), ...(key ? { key: typedItem(key) } : {}),
  ...number("nth", draft.nth), ...number("times", draft.times), ...number("probability", draft.probability),
  ...number("seed", draft.seed),
  ...(draft.delay ? { delayMilliseconds: delayOf[draft.delayKind](Number(draft.delay)) } : {}),
  phase: draft.phase, ...effectOf[draft.effect](draft),
});

const attributes = (key) => Object.entries(key).map(([name, value]) => `${name} = ${brief(value)}`).join(", ");

/** Says which requests a rule hits. */
export function requestsOf({ operation, table, key, nth, times, probability, seed }) {
  return [
    operation ?? "any operation", table && `on ${table}`, key && `with ${attributes(key)}`, nth > 1 && `from request ${nth} on`,
    times && (times === 1 ? "once" : `at most ${times} times`), probability < 1 && `with probability ${probability}`, seed && `seed ${seed}`,
  ].filter(Boolean).join(", ");
}

function delayText(delay) {
  if (delay.mean) return `wait ${delay.mean} ms on average`;
  if (delay.to) return `wait ${delay.from} to ${delay.to} ms`;
  return `wait ${delay} ms`;
}

const unprocessedText = ({ items, share }) =>
  (items?.length ? `leave item ${items.join(", ")} unprocessed` : `leave ${Math.round(share * 100)} % of the items unprocessed`);

/** Says what a rule does to them. */
export function effectText({ error, drop, unprocessed, delayMilliseconds, phase }) {
  const lost = phase === "after" ? " after it was carried out" : "";
  return [
    delayMilliseconds && delayText(delayMilliseconds) + (error || drop ? "" : lost),
    error && error.type + lost, drop && "no answer" + lost, unprocessed && unprocessedText(unprocessed),
  ].filter(Boolean).join(", then ");
}
