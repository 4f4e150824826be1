import { useState } from "preact/hooks";
import { admin } from "../lib/admin.js";
import { count, plural } from "../lib/format.js";
import { useAction, usePoll } from "../lib/hooks.js";
import { bent, linksOf, places, regionsOf, withLink, withSkew } from "../lib/regions.js";
import { Choice, Form, TextField } from "../ui/form.jsx";
import { DataTable, Empty, Heading, Problem } from "../ui/parts.jsx";

const pause = 1000;  // milliseconds
const width = 720;
const height = 340;
const label = { width: 132, height: 44 };

const secondsText = (seconds) => `${count(Math.round(seconds * 10) / 10)} s`;
const skewText = (skew) => (skew > 0 ? `${secondsText(skew)} ahead` : `${secondsText(-skew)} behind`);

function linkText({ cut, pending, behind }) {
  const waiting = pending > 0 && `${count(pending)} waiting, ${secondsText(behind)} behind`;
  return [cut && "cut", waiting].filter(Boolean).join(", ");
}

function Link({ link, at }) {
  const { path, middle } = bent(at.get(link.from), at.get(link.to), label, 34);
  return (
    <g class={link.cut ? "link cut" : "link"}>
      <path d={path} marker-end={link.cut ? undefined : "url(#arrow)"} />
      <text x={middle.x} y={middle.y}>{linkText(link)}</text>
    </g>
  );
}

const Region = ({ name, skew, at: { x, y } }) => (
  <g class="region">
    <rect x={x - label.width / 2} y={y - label.height / 2} width={label.width} height={label.height} rx="6" />
    <text x={x} y={skew ? y - 7 : y}>{name}</text>
    {skew && <text class="skew" x={x} y={y + 10}>{skewText(skew)}</text>}
  </g>
);

/** What the map shows is in the tables below it, too. */
function RegionMap({ state }) {
  const names = regionsOf(state);
  const links = linksOf(state);
  const at = places(names, width, height);
  const summary = `${plural(names.length, "region")}, ${plural(links.length, "link")}, ${count(links.filter(({ cut }) => cut).length)} cut`;
  return (
    <svg class="regions" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Map: ${summary}`}>
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0L8 4L0 8z" />
        </marker>
      </defs>
      {links.map((link) => <Link key={`${link.from} ${link.to}`} link={link} at={at} />)}
      {names.map((name) => <Region key={name} name={name} skew={state.skews[name]} at={at.get(name)} />)}
    </svg>
  );
}

function Links({ state, busy, change }) {
  const columns = [
    { name: "Table", cell: ({ table }) => table },
    { name: "From", cell: ({ from }) => from },
    { name: "To", cell: ({ to }) => to },
    { name: "Replica", cell: ({ status }) => status },
    { name: "Waiting", numeric: true, cell: ({ pending }) => count(pending) },
    { name: "Behind", numeric: true, cell: ({ secondsBehind }) => secondsBehind !== undefined && secondsText(secondsBehind) },
    { name: "Carried out", numeric: true, cell: ({ applied }) => count(applied) },
    { name: "Lost to a later write", numeric: true, cell: ({ outdated }) => count(outdated) },
    { name: "Link", cell: (link) => (
      <button type="button" disabled={busy} aria-label={`${link.cut ? "Heal" : "Cut"} ${link.from} to ${link.to}`}
              onClick={() => change({ cut: withLink(state.cut, link, !link.cut) })}>{link.cut ? "Heal" : "Cut"}</button>) },
  ];
  return <DataTable label="Links" columns={columns} rows={state.replication} rowKey={({ table, from, to }) => `${table} ${from} ${to}`} />;
}

function Clocks({ state, busy, change }) {
  const names = regionsOf(state);
  const [region, choose] = useState(names[0]);
  const [seconds, setSeconds] = useState("5");
  return (
    <section class="panel" aria-label="Clocks">
      <h2>Clocks</h2>
      <p class="muted">The clock of a region decides which of two writes is the later one. All else goes by the clock of the world.</p>
      <Form onSubmit={() => change({ skews: withSkew(state.skews, region, Number(seconds)) })}>
        <div class="row">
          <Choice label="Region" value={region} options={names.map((name) => [name, name])} onChange={choose} />
          <TextField label="Ahead by" hint="Seconds; less than 0: behind; 0: right." type="number" step="any" required
                     value={seconds} onInput={setSeconds} />
          <button disabled={busy}>Set</button>
        </div>
      </Form>
    </section>
  );
}

export function Regions() {
  const [state, setState] = useState();
  const [failure, setFailure] = useState();
  const [run, busy, error] = useAction();
  usePoll(() => admin("GET", "regions").then((read) => {
    setState(read);
    setFailure(undefined);
  }, setFailure), pause, !busy);
  const change = (members) => run(async () =>
    setState(await admin("PUT", "regions", { cut: state.cut, skews: state.skews, ...members })));
  const isEmpty = state && regionsOf(state).length === 0;
  return (
    <>
      <Heading title="Regions">
        {state?.cut.length > 0 && <button type="button" disabled={busy} onClick={() => change({ cut: [] })}>Heal all links</button>}
      </Heading>
      <Problem error={failure ?? error} />
      {isEmpty && (
        <Empty title="No global tables">
          <p>Tables that have replicas in other regions are shown here: what is on its way between them, and which write has won.
            Start the server with <code>--isolate region</code>, and add a replica by UpdateTable.</p>
        </Empty>
      )}
      {state && !isEmpty && (
        <>
          <section class="panel" aria-label="Map"><RegionMap state={state} /></section>
          <Links state={state} busy={busy} change={change} />
          <Clocks state={state} busy={busy} change={change} />
        </>
      )}
    </>
  );
}
