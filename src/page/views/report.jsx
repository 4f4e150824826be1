import { useState } from "preact/hooks";
import { admin } from "../lib/admin.js";
import { bytes, count } from "../lib/format.js";
import { useAction, usePoll } from "../lib/hooks.js";
import { world } from "../lib/state.js";
import { DataTable, Empty, Facts, Heading, Problem, Short } from "../ui/parts.jsx";

const pause = 1000;  // milliseconds between two readings

const dollars = (amount) => `$${amount.toFixed(amount < 1 ? 6 : 2)}`;
const percent = (share) => `${Math.round(share * 100)} %`;
const errorsOf = ({ errors }) =>
  Object.entries(errors).map(([type, number]) => `${count(number)} ${type.replace(/Exception$/, "")}`).join(", ");
const reads = ({ scanned }) => scanned > 0;

const operationColumns = [
  { name: "Table", cell: ({ table }) => <Short text={table} /> },
  { name: "Operation", cell: ({ operation }) => operation },
  { name: "Requests", numeric: true, cell: ({ requests }) => count(requests) },
  { name: "Read units", numeric: true, cell: ({ readUnits }) => count(readUnits) },
  { name: "Write units", numeric: true, cell: ({ writeUnits }) => count(writeUnits) },
  { name: "Looked at", numeric: true, cell: (one) => reads(one) && count(one.scanned) },
  { name: "Returned", numeric: true, cell: (one) => reads(one) && count(one.returned) },
  { name: "Filtered out", numeric: true, cell: (one) => reads(one) && percent(one.filteredShare) },
  { name: "Without a key", numeric: true, cell: ({ withoutKey }) => withoutKey > 0 && count(withoutKey) },
  { name: "Errors", cell: (one) => <Short text={errorsOf(one)} /> },
];
const partitionColumns = [
  { name: "Table", cell: ({ table }) => <Short text={table} /> },
  { name: "Partition key", cell: ({ key }) => <span class="keytext">{key}</span> },
  { name: "Reads and writes", numeric: true, cell: ({ requests }) => count(requests) },
];
const itemColumns = [
  { name: "Table", cell: ({ table }) => <Short text={table} /> },
  { name: "Item", cell: ({ key }) => <span class="keytext">{key}</span> },
  { name: "Size", numeric: true, cell: (one) => bytes(one.bytes) },
];

function Ranking({ title, columns, rows }) {
  if (rows.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <DataTable label={title} columns={columns} rows={rows} />
    </>
  );
}

function Recorded({ report: { operations, hotPartitions, biggestItems, cost, since } }) {
  return (
    <>
      <Facts facts={[
        ["Since, UTC", since.replace("T", " ").slice(0, 19)],
        [`Reads, on demand in ${cost.region}`, dollars(cost.reads)],
        ["Writes", dollars(cost.writes)],
        ["Storage per month", dollars(cost.storagePerMonth)],
      ]} />
      <Ranking title="Operations" columns={operationColumns} rows={operations} />
      <Ranking title="Partition keys used most" columns={partitionColumns} rows={hotPartitions} />
      <Ranking title="Biggest items" columns={itemColumns} rows={biggestItems} />
    </>
  );
}

export function Report() {
  const [report, setReport] = useState();
  const [failure, setFailure] = useState();
  const [run, busy, error] = useAction();
  usePoll(() => admin("GET", "report").then((read) => {
    setReport(read);
    setFailure(undefined);
  }, setFailure), pause, !busy);
  const record = (recording) => run(async () => setReport(await admin("PUT", "report", { recording })));
  const begin = () => run(async () => setReport(await admin("DELETE", "report")));
  const isEmpty = report?.operations.length === 0;
  return (
    <>
      <Heading title="Report">
        {report && !isEmpty && <button type="button" disabled={busy} onClick={begin}>Begin again</button>}
        {report && <button type="button" class={report.recording ? "" : "primary"} disabled={busy}
                           onClick={() => record(!report.recording)}>{report.recording ? "Stop recording" : "Record"}</button>}
      </Heading>
      <Problem error={failure ?? error} />
      {isEmpty && (
        <Empty title={report.recording ? "Recording" : "Nothing recorded"}>
          <p>
            The report says what the requests to the world {world.value} come to: capacity and cost, reads without a key, what
            filters throw away, keys used most, biggest items. {report.recording ? "It fills as requests come." : "Recording is for all worlds."}
          </p>
        </Empty>)}
      {report && !isEmpty && (
        <>
          {!report.recording && <p class="muted">Recording has stopped.</p>}
          <Recorded report={report} />
        </>)}
    </>
  );
}
