// One request: what it asked and got, what it made of its item, and what to do with it.
import { useState } from "preact/hooks";
import { call, describeTable, ServiceError } from "../../lib/dynamodb.js";
import { count } from "../../lib/format.js";
import { useAction, useLoad } from "../../lib/hooks.js";
import { keyOf } from "../../lib/key_schema.js";
import { itemLink, tableLink } from "../../lib/links.js";
import { conditionIn, itemsNamedBy, jsonOf, onlyReads } from "../../lib/requests.js";
import { brief, plainItem } from "../../lib/typed_json.js";
import { Diff } from "../../ui/diff.jsx";
import { laterPart } from "../../ui/later.jsx";
import { Message } from "../../ui/message.jsx";
import { Confirm, Dialog, Facts, Problem } from "../../ui/parts.jsx";
import { Plan } from "../../ui/plan.jsx";
import { factsOf } from "./columns.jsx";

const RequestCode = laterPart(() => import("../code_views.js").then((views) => views.RequestCode));

const mostLinks = 20;

const textOfKey = (key) => Object.entries(key).map(([name, value]) => `${name}: ${brief(value)}`).join(", ");

/** Returns [{table, key}, ...] of items that a request names. Without tables that are gone. */
async function keysOfItems(named) {
  const tables = new Map();
  for (const name of new Set(named.map(({ table }) => table))) {
    const table = await describeTable(name).catch(() => undefined);
    if (table) tables.set(name, table);
  }
  return named.filter(({ table }) => tables.has(table))
    .map(({ table, attributes }) => ({ table, key: keyOf(tables.get(table), attributes) }))
    .filter(({ key }) => Object.values(key).every(Boolean));
}

function Links({ request, input }) {
  const named = itemsNamedBy(input);
  const { data: items = [] } = useLoad(() => keysOfItems(named.slice(0, mostLinks)), []);
  const tables = request.tables.map(({ name }) => name);
  if (tables.length === 0) return null;
  return (
    <ul class="links" aria-label="What it used">
      {tables.map((name) => <li key={name}><a href={tableLink(name)}>Table {name}</a></li>)}
      {items.map(({ table, key }, index) => <li key={index}><a href={itemLink(table, key)}>Item {textOfKey(key)}</a></li>)}
      {named.length > mostLinks && <li class="muted">and {count(named.length - mostLinks)} more items</li>}
    </ul>
  );
}

const plainOf = (body) => {
  const item = body && jsonOf(body);
  return item && plainItem(item);
};

function Change({ request: { before, after } }) {
  if (!before && !after) return null;
  const isWhole = !before?.cut && !after?.cut;
  return (
    <section>
      <h3>The item before and after {!before && <small>created</small>}{!after && <small>removed</small>}</h3>
      {isWhole ? <Diff label="The item before and after" before={plainOf(before)} after={plainOf(after)} />
               : <p class="muted">The item is too large to be shown here.</p>}
    </section>
  );
}

/** The failed condition, with its placeholders replaced. */
function Condition({ request, input }) {
  const condition = request.error === "ConditionalCheckFailedException" && conditionIn(input);
  if (!condition) return null;
  return <p>The item did not meet this condition: <code class="whole">{condition}</code></p>;
}

/** Sends a request as the page sends its own. Returns {status, error, output}. */
async function sendAgain(operation, input) {
  try {
    return { status: 200, output: await call(operation, input) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status === 0) throw error;
    return { status: error.status, error: error.name, output: error.output };
  }
}

const outcome = ({ status, error }) => (error ? `${status} ${error}` : `${status}`);

function Repeated({ request, again }) {
  const before = jsonOf(request.response);
  const isSame = outcome(request) === outcome(again) && JSON.stringify(before) === JSON.stringify(again.output);
  return (
    <section>
      <h3>Sent again</h3>
      <p role="status">
        {isSame ? `The answer is the same: ${outcome(again)}.`
          : `The answer differs: ${outcome(again)}${outcome(request) === outcome(again) ? "" : `, and not ${outcome(request)}`}.`}
      </p>
      {!isSame && (before === undefined ? <p class="muted">Of the first answer only the beginning was kept.</p>
        : <Diff label="What differs" before={before} after={again.output} />)}
    </section>
  );
}

export function Request({ request, onClose }) {
  const [asking, ask] = useState(false);
  const [again, setAgain] = useState();
  const [run, busy, problem] = useAction();
  const { operation, explanation } = request;
  const input = jsonOf(request.request);
  const repeat = () => run(async () => {
    ask(false);
    setAgain(await sendAgain(operation, input));
  });
  const isWhole = operation && input !== undefined;
  return (
    <Dialog title={operation || "Request"} onClose={onClose} wide>
      {isWhole ? (
        <div class="actions">
          <button type="button" disabled={busy} onClick={() => (onlyReads(operation) ? repeat() : ask(true))}>Send again</button>
        </div>) : <p class="muted">Only the beginning of the request was kept: it cannot be sent again, or written as code.</p>}
      <Problem error={problem} />
      {again && <Repeated request={request} again={again} />}
      <Condition request={request} input={input} />
      <Change request={request} />
      <Facts facts={factsOf(request)} />
      <Links request={request} input={input} />
      <Plan plan={explanation && JSON.parse(explanation)} />
      <Message title="Request" body={request.request} />
      <Message title="Answer" body={request.response} />
      {isWhole && <RequestCode operation={operation} input={input} />}
      {asking && (
        <Confirm title={`Send ${operation} again?`} action="Send it" onClose={() => ask(false)} onConfirm={repeat}
                 text="It may change items or tables once more." />)}
    </Dialog>
  );
}
