import { useEffect, useRef, useState } from "preact/hooks";
import { admin, changes } from "../lib/admin.js";
import { examples, isReading, keyText, offsetOf, pointer, queryOf, selectAll, statementOf } from "../lib/cql.js";
import { plural } from "../lib/format.js";
import { useAction, useLoad } from "../lib/hooks.js";
import { withKept } from "../lib/kept_reads.js";
import { follow, hrefWith, query } from "../lib/route.js";
import { runCql } from "../lib/run_cql.js";
import { keptCql, world } from "../lib/state.js";
import { Choice, Form, TextArea } from "../ui/form.jsx";
import { Icon } from "../ui/icon.jsx";
import { KeptMenu } from "../ui/kept_menu.jsx";
import { DataTable, Empty, Heading, Problem, Short } from "../ui/parts.jsx";

const pageSize = 100;  // rows

const linkOf = (asked) => hrefWith(["keyspaces"], new URLSearchParams(asked));
const statementLink = (statement, keyspace) => linkOf(queryOf(statement, keyspace));

const Columns = ({ columns }) => (
  <ul>
    {columns.map(({ name, type, kind, order }) => (
      <li key={name}>
        <span class="mono">{name}</span> <small>{type}{kind === "static" ? ", static" : ""}{order === "desc" ? ", descending" : ""}</small>
      </li>))}
  </ul>
);

function KeyspaceList({ keyspaces, inUse }) {
  return (
    <nav class="objects" aria-label="Keyspaces and tables">
      {keyspaces.map(({ name: keyspace, tables }) => (
        <section key={keyspace}>
          <h2>{keyspace}</h2>
          {tables.length === 0 && <small>No tables</small>}
          <ul>
            {tables.map((table) => (
              <li key={table.name}>
                <a href={statementLink(selectAll(keyspace, table.name), inUse)}>{table.name}</a>
                {table.status !== "ACTIVE" && <small> {table.status.toLowerCase()}</small>}
                <details>
                  <summary><small>PRIMARY KEY ({keyText(table)})</small></summary>
                  <Columns columns={table.columns} />
                </details>
              </li>))}
          </ul>
        </section>))}
    </nav>
  );
}

const Value = ({ text }) => (text === null ? <span class="muted">null</span> : <Short text={text} mono />);

function Result({ result, busy, more }) {
  const { columns, rows, keyspace, pagingState } = result;
  if (!columns) return <p class="muted" role="status">{keyspace ? `Statements use the keyspace ${keyspace}.` : "Done."}</p>;
  return (
    <>
      <DataTable label="Result" rows={rows} none="No rows"
                 columns={columns.map(({ name, type }, index) => ({ name: `${name} ${type}`, cell: (row) => <Value text={row[index]} /> }))} />
      <div class="actions">
        {pagingState && <button type="button" disabled={busy} onClick={more}>Next page</button>}
        <span class="muted" role="status">{plural(rows.length, "row")}</span>
      </div>
    </>
  );
}

/** An error, and the place in the statement at which it is. */
function Failure({ error, statement }) {
  const place = error && pointer(statement, error);
  return (
    <>
      <Problem error={error} />
      {place && <pre class="pointer" role="region" aria-label="Where the error is" tabindex={0}>{place.source}{"\n"}<b>{place.mark}</b></pre>}
    </>
  );
}

function Examples({ keyspace }) {
  return (
    <Empty title="Statements to try">
      {examples.map((one) => <div key={one}><a class="mono" href={statementLink(one, keyspace)}>{one}</a></div>)}
    </Empty>
  );
}

/** The prompt. What the address says was run last, or a link wants it to be looked at. */
function Prompt({ names }) {
  const { statement: inAddress, keyspace: keyspaceThere } = statementOf(query.value);
  const [statement, write] = useState(inAddress);
  const [keyspace, use] = useState(keyspaceThere);
  const [result, setResult] = useState();
  const [run, busy, error] = useAction();
  const sent = useRef({ query: "" });
  const send = (asked, pagingState) => run(async () => {
    sent.current = { ...asked, query: queryOf(asked.statement, asked.keyspace) };
    setResult(undefined);
    const answer = await runCql({ statement: asked.statement, ...(asked.keyspace ? { keyspace: asked.keyspace } : {}), pageSize,
                                  ...(pagingState ? { pagingState } : {}) });
    if (answer.keyspace) use(answer.keyspace);
    setResult(answer);
  });
  // A link must not write: only what reads is run by opening it.
  useEffect(() => {
    write(inAddress);
    use(keyspaceThere);
    if (!isReading(inAddress) || queryOf(inAddress, keyspaceThere) === sent.current.query) return;
    send({ statement: inAddress, keyspace: keyspaceThere });
  }, [inAddress, keyspaceThere]);
  useEffect(() => {
    const field = document.querySelector(".statement textarea");
    if (!error?.line || field.value !== sent.current.statement || !pointer(field.value, error)) return;
    const offset = offsetOf(field.value, error);
    field.focus();
    field.setSelectionRange(offset, offset);
  }, [error]);
  const begin = async () => {
    const asked = { statement, keyspace };
    keptCql.value = withKept(keptCql.value, { world: world.value, query: queryOf(statement, keyspace) });
    sent.current = { ...asked, query: queryOf(statement, keyspace) };  // the new address is not to send it a second time
    follow(statementLink(statement, keyspace));
    await send(asked);
  };
  const known = keyspace && !names.includes(keyspace) ? [...names, keyspace] : names;
  return (
    <>
      <Form onSubmit={begin} class="panel statement" aria-label="Statement">
        <TextArea label="Statement" rows={4} required value={statement} onInput={write} data-shortcut="/" />
        <div class="row">
          <Choice label="Keyspace" value={keyspace} options={[["", "none in use"], ...known]} onChange={use} />
          <button class="primary" disabled={busy} data-shortcut="r"><Icon name="play" />Run</button>
          <span class="muted"><kbd>Ctrl</kbd><kbd>Enter</kbd></span>
        </div>
      </Form>
      <div class="actions">
        <KeptMenu label="Statements" of={keptCql} query={queryOf(statement, keyspace)} text={(asked) => statementOf(asked).statement} link={linkOf} />
      </div>
      <Failure error={error} statement={sent.current.statement ?? ""} />
      {result && <Result result={result} busy={busy} more={() => send(sent.current, result.pagingState)} />}
      {!result && !error && !busy && <Examples keyspace={keyspace} />}
    </>
  );
}

export function Keyspaces() {
  const { data, error } = useLoad(() => admin("GET", "cql/keyspaces"), [changes.value]);
  const keyspaces = data?.keyspaces;
  const names = (keyspaces ?? []).map(({ name }) => name);
  return (
    <>
      <Heading title="Keyspaces" />
      <Problem error={error} />
      {keyspaces && (
        <div class={keyspaces.length > 0 ? "beside" : "below"}>
          {keyspaces.length > 0
            ? <KeyspaceList keyspaces={keyspaces} inUse={statementOf(query.value).keyspace} />
            : (
              <Empty title="No keyspaces">
                {data.port
                  ? <p>Drivers of Cassandra reach the server at <code>{location.hostname}:{data.port}</code>: what they create is shown here.</p>
                  : (
                    <p>Start the server with <code>--cql-port 9042</code>, and drivers of Cassandra reach it
                      at <code>{location.hostname}:9042</code>: what they create is shown here. The prompt works without that port.</p>)}
              </Empty>)}
          <div><Prompt names={names} /></div>
        </div>)}
    </>
  );
}
