import { useRef, useState } from "preact/hooks";
import { all, describeTable } from "../lib/dynamodb.js";
import { moment } from "../lib/format.js";
import { useLoad, usePoll } from "../lib/hooks.js";
import { itemLink, settingsLink } from "../lib/links.js";
import { href } from "../lib/route.js";
import { StreamReader } from "../lib/stream_reader.js";
import { brief, plainItem } from "../lib/typed_json.js";
import { Diff } from "../ui/diff.jsx";
import { Check } from "../ui/form.jsx";
import { DataTable, Empty, Heading, Problem, Short } from "../ui/parts.jsx";

const pause = 500;  // milliseconds
const mostShown = 500;

const listStreams = () => all("ListStreams", "Streams", {}, "LastEvaluatedStreamArn", "ExclusiveStartStreamArn");

/** The address of a stream is the name of its table, as long as it is the latest of that table. */
function addressOf({ TableName, StreamArn, StreamLabel }, streams) {
  const isLatest = streams.every((one) => one.TableName !== TableName || one.StreamLabel <= StreamLabel);
  return href("streams", isLatest ? TableName : StreamArn);
}

function List() {
  const { data: streams, error, reload } = useLoad(listStreams, []);
  const columns = [
    { name: "Table", cell: (one) => <a class="value" title={one.TableName} href={addressOf(one, streams)}>{one.TableName}</a> },
    { name: "Since", cell: ({ StreamLabel }) => moment(Date.parse(StreamLabel + "Z")) },
  ];
  return (
    <>
      <Heading title="Streams"><button type="button" data-shortcut="r" onClick={reload}>Reload</button></Heading>
      <Problem error={error} />
      {streams?.length === 0 && (
        <Empty title="No streams yet">
          <p>A stream records each change of a table's items. Turn one on in the settings of a <a href={href("tables")}>table</a>.</p>
        </Empty>
      )}
      {streams?.length > 0 &&
        <DataTable label="Streams" columns={columns} rows={streams} rowKey={({ StreamArn }) => StreamArn} />}
    </>
  );
}

const words = { INSERT: "created", MODIFY: "changed", REMOVE: "removed" };

const keysOf = ({ dynamodb: { Keys } }) => Object.entries(Keys).map(([name, value]) => `${name}: ${brief(value)}`).join(", ");

function Images({ record: { dynamodb: { OldImage, NewImage, SequenceNumber } } }) {
  if (!OldImage && !NewImage) return null;
  return (
    <details>
      <summary>Item</summary>
      <Diff label={`Item of record ${SequenceNumber}`} before={OldImage && plainItem(OldImage)} after={NewImage && plainItem(NewImage)} />
    </details>
  );
}

const columnsOf = (table) => [
  { name: "Time", cell: ({ dynamodb }) => <span class="moment">{moment(dynamodb.ApproximateCreationDateTime * 1000)}</span> },
  { name: "What", cell: (record) => words[record.eventName] + (record.userIdentity ? " (expired)" : "") },
  { name: "Key", cell: (record) => <a class="keytext" href={itemLink(table, record.dynamodb.Keys)}>{keysOf(record)}</a> },
  { name: "Item", cell: (record) => <Images record={record} /> },
];

/** What the service refuses, it refuses again; whether it answers at all may change by itself. */
const isLasting = ({ status }) => status >= 400 && status < 500;

function Stream({ arn, table }) {
  const [records, setRecords] = useState([]);
  const [error, setError] = useState();
  const [running, follow] = useState(true);
  const reader = useRef();
  reader.current ??= new StreamReader(arn, true);
  const isStuck = error && isLasting(error);
  usePoll(async () => {
    try {
      const fresh = await reader.current.poll();
      if (fresh.length) setRecords((known) => [...fresh.reverse(), ...known].slice(0, mostShown));
      setError(undefined);
    } catch (problem) {
      setError(problem);
    }
  }, pause, running && !isStuck);
  return (
    <>
      <Heading title={`Stream of ${table}`}>
        {isStuck && <button type="button" data-shortcut="r" onClick={() => setError(undefined)}>Try again</button>}
        <Check label="Follow" checked={running} onChange={follow} />
        <button type="button" onClick={() => setRecords([])}>Clear</button>
      </Heading>
      <Problem error={error} />
      {records.length > 0 &&
        <DataTable label="Records" columns={columnsOf(table)} rows={records} rowKey={({ eventID }) => eventID} />}
      {records.length === 0 && !error &&
        <Empty title="No records yet"><p>Change an item of the table {table}, and its record appears here, the newest first.</p></Empty>}
    </>
  );
}

/** The latest stream of a table, for addresses that people type. */
function OfTable({ table }) {
  const { data, error } = useLoad(() => describeTable(table), [table]);
  if (data?.LatestStreamArn) return <Stream arn={data.LatestStreamArn} table={table} />;
  return (
    <>
      <Heading title={`Stream of ${table}`} />
      <Problem error={error} />
      {error?.name === "ResourceNotFoundException" && <p><a href={href("streams")}>Show the streams that there are</a></p>}
      {data && (
        <Empty title="This table has no stream">
          <p>Turn one on in the <a href={settingsLink(table)}>settings of <Short text={table} /></a>: it records each change of an item.</p>
        </Empty>
      )}
    </>
  );
}

export function Streams({ path: [named] }) {
  if (named === undefined) return <List />;
  if (!named.startsWith("arn:")) return <OfTable table={named} />;
  return <Stream arn={named} table={/table\/([^/]+)/.exec(named)?.[1] ?? named} />;
}
