// Readings of the metrics, one per second. They go on when the view that shows them is left, so that it has no hole when it is
// opened again; the tab keeps them until it is closed.
import { signal } from "@preact/signals";
import { adminText } from "./admin.js";
import { readMetrics } from "./open_metrics.js";

const pause = 1000;     // milliseconds between two readings
const mostKept = 300;   // readings: five minutes

/** {steps: [{before, after}], error}. Each reading is {time, metrics}; `before` is undefined in the first step. */
export const history = signal({ steps: [] });

let timer;
let last;

async function read() {
  try {
    const after = { time: Date.now(), metrics: readMetrics(await adminText("metrics")) };
    const step = { before: last, after };
    last = after;
    history.value = { steps: [...history.value.steps, step].slice(-mostKept) };
  } catch (error) {
    history.value = { ...history.value, error };
    // What the server refuses is asked for again when the view is opened.
    if (error.status) stopReading();
  }
}

async function turn() {
  if (!document.hidden) await read();
  if (timer !== undefined) timer = setTimeout(turn, pause);
}

export function startReading() {
  if (timer !== undefined) return;
  timer = 0;
  turn();
}

export function stopReading() {
  clearTimeout(timer);
  timer = undefined;
}
