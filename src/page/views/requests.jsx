import { useEffect, useRef, useState } from "preact/hooks";
import { admin } from "../lib/admin.js";
import { count } from "../lib/format.js";
import { usePoll } from "../lib/hooks.js";
import { world } from "../lib/state.js";
import { Check, TextField } from "../ui/form.jsx";
import { DataTable, Dialog, Empty, Facts, Heading, Problem, Short } from "../ui/parts.jsx";
import { Plan } from "../ui/plan.jsx";
import { PointClients } from "../ui/point_clients.jsx";

const mostShown = 500;
const patience = 20_000;  // milliseconds that the server may wait for the next request
const pause = 100;        // milliseconds between answers, so that many requests come in few of them
const pauseOfFailure = 2000;

/** Follows the requests of a world as they are answered, the newest first. */
function useRequests(active) {
  const [state, setState] = useState({ requests: [], missed: 0 });
  const last = useRef(0);
  const abort = useRef();
  useEffect(() => () => abort.current?.abort(), []);
  useEffect(() => {
    if (!active) abort.current?.abort();
  }, [active]);
  usePoll(async () => {
    abort.current = new AbortController();
    const wanted = new URLSearchParams({ after: last.current, wait: patience, limit: mostShown, world: world.value });
    try {
      const { requests, missed, last: reached } = await admin("GET", `requests?${wanted}`, undefined, abort.current.signal);
      const isFirst = last.current === 0;
      last.current = reached;
      setState((known) => ({
        requests: [...requests.reverse(), ...known.requests].slice(0, mostShown),
        missed: known.missed + (isFirst ? 0 : missed),
      }));
    } catch (error) {
      if (error.name === "AbortError") return;
      setState((known) => ({ ...known, error }));
      await new Promise((done) => { setTimeout(done, pauseOfFailure); });
    }
  }, pause, active);
  return { ...state, clear: () => setState({ requests: [], missed: 0 }) };
}

const tablesOf = ({ tables }) => tables.map(({ name }) => name).join(", ");
const cost = ({ readUnits, writeUnits }) =>
  [readUnits && `${count(readUnits)} read`, writeUnits && `${count(writeUnits)} write`].filter(Boolean).join(", ");
const duration = ({ microseconds }) => `${(microseconds / 1000).toFixed(2)} ms`;

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;  // cut, or not JSON
  }
}

function Message({ title, body: { text, bytes, cut } }) {
  return (
    <section>
      <h3>{title} <small>{count(bytes)} bytes{cut && ", of which this is the beginning"}</small></h3>
      <pre role="region" aria-label={title} tabindex={0}>{indented(text)}</pre>
    </section>
  );
}

function Request({ request, onClose }) {
  const { operation, time, status, error, id, explanation, scanned, returned, trace } = request;
  return (
    <Dialog title={operation || "Request"} onClose={onClose} wide>
      <Facts facts={[
        ["Status", error ? `${status} ${error}` : status], ["Tables", tablesOf(request)], ["Time", time], ["Took", duration(request)],
        ["Capacity units", cost(request)], ["Looked at", scanned], ["Returned", returned], ["Request id", id], ["Trace", trace],
      ]} />
      <Plan plan={explanation && JSON.parse(explanation)} />
      <Message title="Request" body={request.request} />
      <Message title="Answer" body={request.response} />
    </Dialog>
  );
}

export function Requests() {
  const [running, follow] = useState(true);
  const [sought, seek] = useState("");
  const [opened, open] = useState();
  const { requests, missed, error, clear } = useRequests(running);
  const wanted = sought.toLowerCase();
  const shown = requests.filter((one) => `${one.operation} ${tablesOf(one)} ${one.error ?? ""}`.toLowerCase().includes(wanted));
  const columns = [
    { name: "Time", cell: ({ time }) => <span class="mono">{time.slice(11, 23)}</span> },
    { name: "Operation", cell: (one) => (
      <button type="button" class="link" onClick={() => open(one)}>{one.operation || "(none)"}</button>) },
    { name: "Tables", cell: (one) => <Short text={tablesOf(one)} /> },
    { name: "Answer", cell: ({ status, error: type }) => (type ? `${status} ${type}` : status) },
    { name: "Took", numeric: true, cell: duration },
    { name: "Units", numeric: true, cell: cost },
    { name: "Looked at", numeric: true, cell: ({ scanned }) => scanned !== undefined && count(scanned) },
    { name: "Returned", numeric: true, cell: ({ returned }) => returned !== undefined && count(returned) },
  ];
  return (
    <>
      <Heading title="Requests">
        <Check label="Follow" checked={running} onChange={follow} />
        <button type="button" onClick={clear}>Clear</button>
      </Heading>
      <Problem error={error} />
      {requests.length === 0
        ? <Empty title="Waiting for requests">
            <p>Requests to the world {world.value} appear here as they are answered, those of this page too. Point a program here:</p>
            <PointClients />
          </Empty>
        : <>
            <TextField label="Search" type="search" value={sought} onInput={seek} data-shortcut="/" />
            {missed > 0 && <p class="muted">{count(missed)} requests came too fast to be shown.</p>}
            <DataTable label="Requests" columns={columns} rows={shown} rowKey={({ number }) => number} none="No request matches."
                       rowClass={({ error: type }) => type && "failed"} />
          </>}
      {opened && <Request request={opened} onClose={() => open(undefined)} />}
    </>
  );
}
