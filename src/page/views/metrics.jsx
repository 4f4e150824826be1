import { useEffect, useMemo, useState } from "preact/hooks";
import { bytes, count, duration, moment } from "../lib/format.js";
import { history, startReading, stopReading } from "../lib/metrics_history.js";
import { quantile, sum } from "../lib/open_metrics.js";
import { Check } from "../ui/form.jsx";
import { Facts, Heading, Problem } from "../ui/parts.jsx";
import { Plot } from "../ui/plot.jsx";
import { Contributors } from "./contributors.jsx";

const seconds = ({ before, after }) => (after.time - before.time) / 1000;
const gauge = (name, scale = 1) => ({ after }) => sum(after.metrics, name) * scale;
// Null where there is nothing before the first reading to compare with.
const rate = (name, matches) => ({ before, after }) =>
  before ? Math.max(0, sum(after.metrics, name, matches) - sum(before.metrics, name, matches)) / seconds({ before, after }) : null;
const milliseconds = (share) => ({ before, after }) => {
  if (!before) return null;
  const value = quantile(before.metrics, after.metrics, "dinette_request_duration_seconds", share, isOperation);
  return value === null ? null : value * 1000;
};

// The page's own calls are those of the administration.
const isOperation = ({ service, operation }) => service !== "administration" && operation !== "";
const hasFailed = (labels) => isOperation(labels) && labels.error !== "";

const megabyte = 1024 * 1024;
const unless = (write) => (value) => (value === null ? "-" : write(value));
const rounded = unless((value) => count(Math.round(value * 10) / 10));
const size = unless((value) => bytes(value * megabyte));
const whole = unless(count);

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
    { name: "open", text: whole, value: gauge("dinette_connections_open") }] },
];

/** Returns the times of all readings, and for each plot the values of its series. */
const linesOf = (steps) => ({
  times: steps.map(({ after }) => after.time / 1000),
  values: plots.map(({ series }) => series.map(({ value }) => steps.map(value))),
});

const none = new Map();
const durationOf = (metrics, share) => quantile(none, metrics, "dinette_request_duration_seconds", share, isOperation);
const inWords = unless((seconds) => duration(seconds * 1000));

const totals = [
  ["Started", (metrics) => moment(sum(metrics, "process_start_time_seconds") * 1000)],
  ["Requests", (metrics) => whole(sum(metrics, "dinette_requests_total", isOperation))],
  ["Failed", (metrics) => whole(sum(metrics, "dinette_requests_total", hasFailed))],
  ["Median duration", (metrics) => inWords(durationOf(metrics, 0.5))],
  ["99th percentile", (metrics) => inWords(durationOf(metrics, 0.99))],
  ["Read units", (metrics) => rounded(sum(metrics, "dinette_consumed_read_capacity_units_total"))],
  ["Write units", (metrics) => rounded(sum(metrics, "dinette_consumed_write_capacity_units_total"))],
];

/** What the server has counted before the view was opened, too. Undefined `metrics` leave the same room. */
const Totals = ({ metrics }) => (
  <section class="panel" aria-label="Since the server started">
    <h2>Since the server started</h2>
    <Facts facts={totals.map(([name, write]) => [name, metrics ? write(metrics) : "-"])} />
  </section>
);

export function Metrics() {
  const [running, follow] = useState(true);
  const { steps, error } = history.value;
  const { times, values } = useMemo(() => linesOf(steps), [steps]);
  useEffect(() => (running ? startReading() : stopReading()), [running]);
  return (
    <>
      <Heading title="Metrics">
        <Check label="Follow" checked={running} onChange={follow} />
      </Heading>
      <Problem error={error} />
      <Totals metrics={steps.at(-1)?.after.metrics} />
      <p class="muted">Of all worlds, for the last five minutes since this view was first opened in this tab. Times are in UTC.</p>
      <div class="plots">
        {plots.map((plot, index) => <Plot key={plot.title} plot={plot} times={times} values={values[index]} />)}
      </div>
      <Contributors />
    </>
  );
}
