import { useState } from "preact/hooks";
import { explained } from "../lib/dynamodb.js";
import { plural } from "../lib/format.js";
import { useAction } from "../lib/hooks.js";
import { parseJson } from "../lib/json_text.js";
import { keepDigits, typed } from "../lib/typed_json.js";
import { Form, TextArea } from "../ui/form.jsx";
import { Empty, Heading, Problem } from "../ui/parts.jsx";
import { Plan } from "../ui/plan.jsx";
import { ItemTable } from "./item_table.jsx";

const mostKept = 20;
const historyKey = "dinette.statements";

function readHistory() {
  return JSON.parse(sessionStorage.getItem(historyKey) ?? "[]");
}

function remember(statement) {
  const kept = [statement, ...readHistory().filter((one) => one !== statement)].slice(0, mostKept);
  sessionStorage.setItem(historyKey, JSON.stringify(kept));
}

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

const examples = [
  `SELECT * FROM "Music" WHERE artist = 'Nina Simone'`,
  `INSERT INTO "Music" VALUE {'artist': 'Nina Simone', 'song': 'Sinnerman', 'plays': 1}`,
  `UPDATE "Music" SET plays = plays + 1 WHERE artist = 'Nina Simone' AND song = 'Sinnerman'`,
];

function Statements({ title, list, pick }) {
  return (
    <Empty title={title}>
      {list.map((one) => (
        <div key={one}><button type="button" class="link mono" onClick={() => pick(one)}>{one}</button></div>))}
    </Empty>
  );
}

function Result({ result, busy, more }) {
  const { Items: items, NextToken } = result.output;
  return (
    <>
      <div class="actions">
        {NextToken && <button type="button" disabled={busy} onClick={more}>Next page</button>}
        <span class="muted" role="status">{items?.length ? plural(items.length, "item") : "Done; no items."}</span>
      </div>
      <Plan plan={result.plan} milliseconds={result.milliseconds} />
      {items?.length > 0 && <ItemTable label="Result" items={items} />}
    </>
  );
}

export function Partiql() {
  const [statement, write] = useState(() => readHistory()[0] ?? "");
  const [parameters, setParameters] = useState("");
  const [result, setResult] = useState();
  const [run, busy, error] = useAction();
  const { values, problem } = parseParameters(parameters);
  const send = (input) => run(async () => {
    setResult({ input, ...await explained("ExecuteStatement", input) });
    remember(input.Statement);
  });
  const begin = () => {
    setResult(undefined);
    send({ Statement: statement, Limit: 100, ...(values?.length ? { Parameters: values } : {}) });
  };
  const history = readHistory();
  return (
    <>
      <Heading title="PartiQL" />
      <Form onSubmit={() => problem || begin()} class="panel" aria-label="Statement">
        <TextArea label="Statement" rows={4} required value={statement} onInput={write} data-shortcut="/" />
        <TextArea label="Parameters" rows={2} value={parameters} onInput={setParameters} problem={problem}
                  hint='For each ? a value, as plain JSON: ["Nina Simone", 1]' />
        <div class="actions"><button class="primary" disabled={busy || Boolean(problem)}>Run</button>
          <span class="muted">Ctrl Enter</span></div>
      </Form>
      <Problem error={error} />
      {result && <Result result={result} busy={busy}
                         more={() => send({ ...result.input, NextToken: result.output.NextToken })} />}
      {history.length > 0
        ? <Statements title="Statements of this tab" list={history} pick={write} />
        : <Statements title="Statements to try" list={examples} pick={write} />}
    </>
  );
}
