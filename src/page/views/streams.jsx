import { useRef, useState } from "preact/hooks";
import { all } from "../lib/dynamodb.js";
import { moment } from "../lib/format.js";
import { useLoad, usePoll } from "../lib/hooks.js";
import { href } from "../lib/route.js";
import { StreamReader } from "../lib/stream_reader.js";
import { brief, plainItem } from "../lib/typed_json.js";
import { Check } from "../ui/form.jsx";
import { DataTable, Empty, Heading, Json, Problem, Short } from "../ui/parts.jsx";

const pause = 500;  // milliseconds
const mostShown = 500;

const listStreams = () => all("ListStreams", "Streams", {}, "LastEvaluatedStreamArn", "ExclusiveStartStreamArn");

function List() {
  const { data: streams, error, reload } = useLoad(listStreams, []);
  const columns = [
    { name: "Table", cell: ({ TableName, StreamArn }) => <a class="value" title={TableName} href={href("streams", StreamArn)}>{TableName}</a> },
    { name: "Since", cell: ({ StreamLabel }) => moment(Date.parse(StreamLabel + "Z")) },
  ];
  return (
    <>
      <Heading title="Streams"><button type="button" data-shortcut="r" onClick={reload}>Reload</button></Heading>
      <Problem error={error} />
      {streams?.length === 0 && (
        <Empty title="No streams yet">
          <p>A stream records each change of a table's items. Turn one on in the settings of a <a href="#/tables">table</a>.</p>
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
  const value = { ...(OldImage && { before: plainItem(OldImage) }), ...(NewImage && { after: plainItem(NewImage) }) };
  if (!OldImage && !NewImage) return null;
  return <details><summary>Item</summary><Json label={`Item of record ${SequenceNumber}`} value={value} /></details>;
}

const columns = [
  { name: "Time", cell: ({ dynamodb }) => moment(dynamodb.ApproximateCreationDateTime * 1000) },
  { name: "What", cell: (record) => words[record.eventName] + (record.userIdentity ? " (expired)" : "") },
  { name: "Key", cell: (record) => <Short text={keysOf(record)} /> },
  { name: "Item", cell: (record) => <Images record={record} /> },
];

function Stream({ arn }) {
  const [records, setRecords] = useState([]);
  const [error, setError] = useState();
  const [running, follow] = useState(true);
  const reader = useRef();
  reader.current ??= new StreamReader(arn, true);
  usePoll(async () => {
    try {
      const fresh = await reader.current.poll();
      if (fresh.length) setRecords((known) => [...fresh.reverse(), ...known].slice(0, mostShown));
      setError(undefined);
    } catch (problem) {
      setError(problem);
    }
  }, pause, running);
  const table = /table\/([^/]+)/.exec(arn)?.[1] ?? arn;
  return (
    <>
      <Heading title={`Stream of ${table}`}>
        <Check label="Follow" checked={running} onChange={follow} />
        <button type="button" onClick={() => setRecords([])}>Clear</button>
      </Heading>
      <Problem error={error} />
      {records.length === 0
        ? <Empty title="No records yet"><p>Change an item of the table {table}, and its record appears here, the newest first.</p></Empty>
        : <DataTable label="Records" columns={columns} rows={records} rowKey={({ eventID }) => eventID} />}
    </>
  );
}

export function Streams({ path: [arn] }) {
  return arn === undefined ? <List /> : <Stream arn={arn} />;
}
