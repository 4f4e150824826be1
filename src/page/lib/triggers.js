// Triggers (docs/functions.md): made from what a form has, and said in words.
import { plural } from "./format.js";

/** What the form of a new trigger begins with. All members but the flags are texts. */
export const newTrigger = {
  name: "", source: "", target: "", enabled: true, batchSize: "", window: "", retries: "", age: "", position: "TRIM_HORIZON",
  time: "", pattern: "", destination: "", parallelization: "", tumbling: "", bisects: false, reports: false,
};

const isUrl = (text) => /^https?:\/\//.test(text);
const isArn = (text) => text.startsWith("arn:");
const text = (name, value) => (value ? { [name]: value } : {});
const number = (name, value) => (value ? { [name]: Number(value) } : {});

/** Returns the trigger of a form. Of `before`, the trigger that the form shows, it keeps what the form does not have. */
export function triggerOf(draft, before = {}) {
  const { source, target, pattern, destination } = draft;
  const others = (before.filterCriteria?.filters ?? []).slice(1);
  const filters = [...(pattern.trim() ? [{ pattern }] : []), ...others];
  return {
    ...text("name", draft.name),
    [isArn(source) ? "stream" : "table"]: source,
    ...(before.command ? { command: before.command } : { [isUrl(target) ? "url" : "function"]: target }),
    enabled: draft.enabled,
    ...number("batchSize", draft.batchSize),
    ...number("maximumBatchingWindowInSeconds", draft.window),
    startingPosition: draft.position,
    ...(draft.position === "AT_TIMESTAMP" ? { startingPositionTimestamp: draft.time } : {}),
    ...number("parallelizationFactor", draft.parallelization),
    ...number("maximumRecordAgeInSeconds", draft.age),
    ...number("maximumRetryAttempts", draft.retries),
    bisectBatchOnFunctionError: draft.bisects,
    ...number("tumblingWindowInSeconds", draft.tumbling),
    functionResponseTypes: draft.reports ? ["ReportBatchItemFailures"] : [],
    ...(destination ? { destinationConfig: { onFailure: { destination } } } : {}),
    ...(filters.length ? { filterCriteria: { filters } } : {}),
  };
}

const limit = (value) => (value === -1 ? "" : String(value));
const notZero = (value) => (value ? String(value) : "");

/** Returns what the form shows of a trigger. */
export const draftOf = (trigger) => ({
  name: trigger.name,
  source: trigger.table ?? trigger.stream,
  target: trigger.url ?? trigger.function ?? trigger.command.join(" "),
  enabled: trigger.enabled,
  batchSize: String(trigger.batchSize),
  window: notZero(trigger.maximumBatchingWindowInSeconds),
  retries: limit(trigger.maximumRetryAttempts),
  age: limit(trigger.maximumRecordAgeInSeconds),
  position: trigger.startingPosition,
  time: trigger.startingPositionTimestamp ?? "",
  pattern: trigger.filterCriteria?.filters[0].pattern ?? "",
  destination: trigger.destinationConfig?.onFailure.destination ?? "",
  parallelization: String(trigger.parallelizationFactor),
  tumbling: notZero(trigger.tumblingWindowInSeconds),
  bisects: trigger.bisectBatchOnFunctionError,
  reports: trigger.functionResponseTypes.length > 0,
});

/** "Orders", "s": the table or stream that a trigger reads. */
export const sourceOf = ({ table, stream }) => table ?? /(?:table|stream)\/([^/]+)/.exec(stream)?.[1] ?? stream;

export const targetOf = ({ url, function: name, command }) => url ?? name ?? command.join(" ");

/** Says what a trigger is at. */
export function stateText({ state, streamArn, reason }) {
  if (!streamArn) return "waits for a stream";
  return reason ? `${state}: ${reason}` : state;
}

const results = {
  done: () => "done",
  partly: () => "some records failed",
  failed: () => "failed",
  unavailable: () => "not reached",
  discarded: ({ records }) => `${plural(records, "record")} discarded`,
};

/** Says what became of a delivery. */
export const resultText = (delivery) => results[delivery.result](delivery);

const isSuperseded = (one, fresh) =>
  one.result === "unavailable" && fresh.some(({ batch, result }) => batch === one.batch && result === "unavailable");

/** Returns the deliveries that are known with those that are fresh, newest first, at most `most`. */
export const merged = (known, fresh, most) =>
  [...[...fresh].reverse(), ...known.filter((one) => !isSuperseded(one, fresh))].slice(0, most);
