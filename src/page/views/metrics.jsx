import { useRef, useState } from "preact/hooks";
import { adminText } from "../lib/admin.js";
import { bytes, count } from "../lib/format.js";
import { usePoll } from "../lib/hooks.js";
import { quantile, readMetrics, sum } from "../lib/open_metrics.js";
import { Check } from "../ui/form.jsx";
import { Heading, Problem } from "../ui/parts.jsx";
import { Plot } from "../ui/plot.jsx";

const pause = 1000;     // milliseconds between two readings
const mostKept = 300;   // readings: five minutes

const seconds = ({ before, after }) => (after.time - before.time) / 1000;
const gauge = (name, scale = 1) => ({ after }) => sum(after.metrics, name) * scale;
const rate = (name, matches) => ({ before, after }) =>
  Math.max(0, sum(after.metrics, name, matches) - sum(before.metrics, name, matches)) / seconds({ before, after });
const milliseconds = (share) => ({ before, after }) => {
  const value = quantile(before.metrics, after.metrics, "dinette_request_duration_seconds", share, isOperation);
  return value === null ? null : value * 1000;
};

// The page's own calls are those of the administration.
const isOperation = ({ service, operation }) => service !== "administration" && operation !== "";
const hasFailed = (labels) => isOperation(labels) && labels.error !== "";

const megabyte = 1024 * 1024;
const rounded = (value) => (value === null ? "none" : count(Math.round(value * 10) / 10));
const size = (value) => bytes(value * megabyte);

const plots = [
  { title: "Requests per second", series: [
    { name: "all", text: rounded, value: rate("dinette_requests_total", isOperation) },
    { name: "failed", text: rounded, value: rate("dinette_requests_total", hasFailed) }] },
  { title: "Duration in milliseconds", series: [
    { name: "median", text: rounded, value: milliseconds(0.5) },
    { name: "99th percentile", text: rounded, value: milliseconds(0.99) }] },
  { title: "Capacity units per second", series: [
    { name: "read", text: rounded, value: rate("dinette_consumed_read_capacity_units_total") },
    { name: "write", text: rounded, value: rate("dinette_consumed_write_capacity_units_total") }] },
  { title: "Memory in MB", series: [
    { name: "program", text: size, value: gauge("process_resident_memory_bytes", 1 / megabyte) },
    { name: "values", text: size, value: gauge("dinette_engine_value_bytes", 1 / megabyte) }] },
  { title: "Kept for a time, in MB", series: [
    { name: "records of streams", text: size, value: gauge("dinette_stream_bytes", 1 / megabyte) },
    { name: "former values of items", text: size, value: gauge("dinette_former_value_bytes", 1 / megabyte) }] },
  { title: "Processors in use", series: [
    { name: "processors", text: rounded, value: rate("process_cpu_seconds_total") }] },
  { title: "Connections", series: [
    { name: "open", text: count, value: gauge("dinette_connections_open") }] },
];

/** Reads the metrics every second. Returns the times, and for each plot the values of its series. */
function useHistory(active) {
  const [state, setState] = useState({ times: [], values: plots.map(({ series }) => series.map(() => [])) });
  const before = useRef();
  usePoll(async () => {
    try {
      const after = { time: Date.now(), metrics: readMetrics(await adminText("metrics")) };
      const step = { before: before.current, after };
      before.current = after;
      if (!step.before) return;
      const add = (list, value) => [...list, value].slice(-mostKept);
      setState(({ times, values }) => ({
        times: add(times, after.time / 1000),
        values: plots.map(({ series }, plot) => series.map(({ value }, line) => add(values[plot][line], value(step)))),
      }));
    } catch (error) {
      setState((known) => ({ ...known, error }));
    }
  }, pause, active);
  return state;
}

export function Metrics() {
  const [running, follow] = useState(true);
  const { times, values, error } = useHistory(running);
  return (
    <>
      <Heading title="Metrics">
        <Check label="Follow" checked={running} onChange={follow} />
      </Heading>
      <Problem error={error} />
      <p class="muted">Of all worlds, while this view is open. Times are in UTC.</p>
      <div class="plots">
        {plots.map((plot, index) => <Plot key={plot.title} plot={plot} times={times} values={values[index]} />)}
      </div>
    </>
  );
}
