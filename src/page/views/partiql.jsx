import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { betterStatement, wasteOf } from "../lib/advice.js";
import { describeTable, explained } from "../lib/dynamodb.js";
import { plural } from "../lib/format.js";
import { useAction, useLoad } from "../lib/hooks.js";
import { parseJson } from "../lib/json_text.js";
import { withKept } from "../lib/kept_reads.js";
import { indexesOf, keyOf, keysOf, typesOf } from "../lib/key_schema.js";
import { attributesOf } from "../lib/known_attributes.js";
import { itemLink, statementLink } from "../lib/links.js";
import { completed, completionsOf, tableOf } from "../lib/partiql_completion.js";
import { follow, query } from "../lib/route.js";
import { keptStatements, world } from "../lib/state.js";
import { tables } from "../lib/tables.js";
import { brief, keepDigits, typed } from "../lib/typed_json.js";
import { CompletingText } from "../ui/completing_text.jsx";
import { CopyCode } from "../ui/copy_code.jsx";
import { Form, TextArea } from "../ui/form.jsx";
import { Icon } from "../ui/icon.jsx";
import { KeptMenu } from "../ui/kept_menu.jsx";
import { Empty, Heading, Problem } from "../ui/parts.jsx";
import { Advice, Plan } from "../ui/plan.jsx";
import { ItemTable } from "./item_table.jsx";

const limit = 100;  // items of a page

/** Returns {values}, or {problem}. */
function parseParameters(text) {
  if (!text.trim()) return { values: undefined };
  const { value, problem } = parseJson(text, keepDigits);
  if (problem) return { problem };
  if (!Array.isArray(value)) return { problem: "Parameters are a list: [...]" };
  try {
    return { values: value.map(typed) };
  } catch (error) {
    return { problem: error.message };
  }
}

/** For a table that does not exist yet. */
const musicKeys = [["artist", "S"], ["song", "S"]];
const sampleValues = { S: (name) => `'a ${name}'`, N: () => "1" };

/** Statements about a table with these keys, [[name, type], ...], of which binary ones cannot be written. */
function examplesOf(table, keys) {
  const written = keys.filter(([, type]) => sampleValues[type]).map(([name, type]) => [name, sampleValues[type](name)]);
  const conditions = written.map(([name, value]) => `"${name}" = ${value}`);
  const members = [...written.map(([name, value]) => `'${name}': ${value}`), "'plays': 1"];
  return [
    `SELECT * FROM "${table}" WHERE ${conditions[0] ?? "plays = 1"}`,
    ...(written.length === keys.length ? [
      `INSERT INTO "${table}" VALUE {${members.join(", ")}}`,
      `UPDATE "${table}" SET plays = plays + 1 WHERE ${conditions.join(" AND ")}`] : []),
  ];
}

/** `onPick` is called when one was chosen. */
function Examples({ onPick }) {
  const [first] = tables.value.names ?? [];
  const described = useDescription(first);
  if (first && !described) return null;
  const keys = described ? Object.values(keysOf(described)).filter(Boolean).map((name) => [name, typesOf(described)[name]]) : musicKeys;
  return (
    <Empty title="Statements to try">
      {examplesOf(first ?? "Music", keys).map((one) => (
        <div key={one}><a class="mono" href={statementLink(one)} onClick={onPick}>{one}</a></div>))}
    </Empty>
  );
}

/** Returns the description of a table, undefined until it is there, or if it cannot be had. */
function useDescription(name) {
  const isKnown = name !== undefined && tables.value.names?.includes(name);
  return useLoad(async () => (isKnown ? describeTable(name) : undefined), [isKnown ? name : undefined]).data;
}

function Result({ result, table, busy, more }) {
  const { Items: items, NextToken } = result.output;
  const [plan] = [result.plan].flat();
  const isOfTable = table && plan?.TableName === table.TableName;
  const better = isOfTable && betterStatement(table, result.input.Statement, plan);
  const linkTo = (item) => itemLink(table.TableName, keyOf(table, item));
  const hasKey = (item) => Object.values(keyOf(table, item)).every(Boolean);
  const open = isOfTable && {
    name: "Item",
    cell: (item) => hasKey(item) && (
      <a href={linkTo(item)} aria-label={`Open ${Object.values(keyOf(table, item)).map(brief).join(", ")}`}>Open</a>),
  };
  return (
    <>
      <div class="actions">
        {NextToken && <button type="button" disabled={busy} onClick={more}>Next page</button>}
        <span class="muted" role="status">{items?.length ? plural(items.length, "item") : "Done; no items."}</span>
        <Plan {...result} />
      </div>
      {better && <Advice>{better}</Advice>}
      {!better && wasteOf(result.plan) && <Advice>{wasteOf(result.plan)}</Advice>}
      {items?.length > 0 && <ItemTable label="Result" items={items} columns={open ? [open] : []}
                                       keys={isOfTable ? Object.values(keysOf(table)).filter(Boolean) : []}
                                       onOpen={isOfTable ? (item) => hasKey(item) && follow(linkTo(item)) : undefined} />}
    </>
  );
}

/** Returns what the address says: the statement that was run last, or that a link wants to be looked at. */
function addressed() {
  const asked = new URLSearchParams(query.value);
  return { statement: asked.get("statement") ?? "", parameters: asked.get("parameters") ?? "" };
}

const inputOf = (Statement, values) => ({ Statement, ...(values?.length ? { Parameters: values } : {}) });
const identity = ({ Statement, Parameters }) => JSON.stringify([Statement, Parameters]);
const isReading = (statement) => /^\s*select\b/i.test(statement);

export function Partiql() {
  const { statement: inAddress, parameters: parametersThere } = addressed();
  const [statement, write] = useState(inAddress);
  const [parameters, setParameters] = useState(parametersThere);
  const [result, setResult] = useState();
  const [run, busy, error] = useAction();
  const { values, problem } = parseParameters(parameters);
  const table = useDescription(tableOf(statement));
  const input = inputOf(statement, values);
  const sent = useRef("");
  const send = (wanted) => run(async () => {
    sent.current = identity(wanted);
    setResult({ input: wanted, ...await explained("ExecuteStatement", wanted) });
  });
  // A link must not write: only what reads is run by opening it.
  useEffect(() => {
    write(inAddress);
    setParameters(parametersThere);
    const { values: asked, problem: wrong } = parseParameters(parametersThere);
    const wanted = inputOf(inAddress, asked);
    if (wrong || !isReading(inAddress) || identity(wanted) === sent.current) return;
    setResult(undefined);
    send({ ...wanted, Limit: limit });
  }, [inAddress, parametersThere]);
  const begin = async () => {
    setResult(undefined);
    const asked = statementLink(statement, parameters.trim());
    keptStatements.value = withKept(keptStatements.value, { world: world.value, query: asked.split("?")[1] });
    sent.current = identity(input);  // the new address is not to send it a second time
    follow(asked);
    await send({ ...input, Limit: limit });
  };
  const known = useMemo(() => ({
    tables: tables.value.names ?? [],
    indexes: table ? indexesOf(table).map(({ IndexName }) => IndexName) : [],
    attributes: attributesOf(tableOf(statement), table),
  }), [tables.value, table, tableOf(statement), result]);
  const focusStatement = () => document.querySelector(".statement textarea").focus();
  const textOf = (asked) => new URLSearchParams(asked).get("statement") ?? "";
  const linkOf = (asked) => statementLink(textOf(asked), new URLSearchParams(asked).get("parameters") ?? "");
  return (
    <>
      <Heading title="PartiQL" />
      <Form onSubmit={() => problem || begin()} class="panel statement" aria-label="Statement">
        <CompletingText label="Statement" rows={4} required value={statement} onInput={write} data-shortcut="/"
                        complete={(text, cursor) => completionsOf(text, cursor, known)} take={completed} />
        <TextArea label="Parameters" rows={2} value={parameters} onInput={setParameters} problem={problem}
                  hint='For each ? a value, as plain JSON: ["Nina Simone", 1]' />
        <div class="actions">
          <button class="primary" disabled={busy || Boolean(problem)} data-shortcut="r"><Icon name="play" />Run</button>
          <span class="muted"><kbd>Ctrl</kbd><kbd>Enter</kbd></span>
        </div>
      </Form>
      <div class="actions">
        <KeptMenu label="Statements" of={keptStatements} query={statementLink(statement, parameters.trim()).split("?")[1]}
                  text={textOf} link={linkOf} />
        <CopyCode request={() => ({ operation: "ExecuteStatement", input })} />
      </div>
      <Problem error={error} />
      {result && <Result result={result} table={table} busy={busy}
                         more={() => send({ ...result.input, NextToken: result.output.NextToken })} />}
      {!result && !error && <Examples onPick={focusStatement} />}
    </>
  );
}
