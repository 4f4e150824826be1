// How requests are written: in the list, in groups, and in the detail.
import { clientOf, testOf } from "../../lib/clients.js";
import { count } from "../../lib/format.js";
import { tablesOf } from "../../lib/requests.js";
import { Short } from "../../ui/parts.jsx";

export const milliseconds = (microseconds) => `${(microseconds / 1000).toFixed(2)} ms`;
export const cost = ({ readUnits, writeUnits }) =>
  [readUnits && `${count(readUnits)} read`, writeUnits && `${count(writeUnits)} write`].filter(Boolean).join(", ");

/** Says what a fault rule did, so that it is not taken for what the program did. */
export const Injected = ({ request }) =>
  request.injected && <span class="injected" title="A fault rule did this">injected</span>;

export const Status = ({ request }) => (
  <>
    <span class={request.error && "failure"}>{request.error ? `${request.status} ${request.error}` : request.status}</span>
    <Injected request={request} />
  </>
);

/** `open` is called with the request whose operation was pressed. */
export const requestColumns = (open) => [
  { name: "Time, UTC", cell: ({ time }) => <span class="mono">{time.slice(11, 23)}</span> },
  { name: "Operation", cell: (one) => (
    <button type="button" class="link" onClick={() => open(one)}>{one.operation || "(none)"}</button>) },
  { name: "Tables", cell: (one) => <Short text={tablesOf(one)} /> },
  { name: "Answer", cell: (one) => <Status request={one} /> },
  { name: "Took", numeric: true, cell: ({ microseconds }) => milliseconds(microseconds) },
  { name: "Units", numeric: true, cell: cost },
  { name: "Looked at", numeric: true, cell: ({ scanned }) => scanned !== undefined && count(scanned) },
  { name: "Returned", numeric: true, cell: ({ returned }) => returned !== undefined && count(returned) },
  { name: "Client", cell: (one) => <Short text={clientOf(one)} /> },
];

const titles = { client: "Client", test: "Test" };

/** `choose` is called with the name of the group that was pressed. */
export const groupColumns = (by, choose) => [
  { name: titles[by], cell: ({ name }) => (
    <button type="button" class="link" onClick={() => choose(name)}>{name}</button>) },
  { name: "Requests", numeric: true, cell: ({ requests }) => count(requests) },
  { name: "Failed", numeric: true, cell: ({ failed }) => <span class={failed > 0 && "failure"}>{count(failed)}</span> },
  { name: "Took", numeric: true, cell: ({ microseconds }) => milliseconds(microseconds) },
  { name: "Read units", numeric: true, cell: ({ readUnits }) => count(readUnits) },
  { name: "Write units", numeric: true, cell: ({ writeUnits }) => count(writeUnits) },
];

export const factsOf = (request) => [
  ["Status", <Status request={request} />], ["Tables", tablesOf(request)], ["Time, UTC", request.time.replace("T", " ").replace("Z", "")],
  ["Took at the server", milliseconds(request.microseconds)], ["Capacity units", cost(request)], ["Looked at", request.scanned],
  ["Returned", request.returned], ["Client", clientOf(request)], ["Address", request.client?.address], ["Test", testOf(request) === "none" ? "" : testOf(request)],
  ["User-Agent", request.client?.agent], ["Request id", request.id],
];
