import { useState } from "preact/hooks";
import { isOwn } from "../lib/clients.js";
import { count } from "../lib/format.js";
import { groupsOf, noFilter, operationsIn, passes, tablesIn } from "../lib/requests.js";
import { recordsOwn, world } from "../lib/state.js";
import { Check, Choice, TextField } from "../ui/form.jsx";
import { DataTable, Empty, Heading, Problem } from "../ui/parts.jsx";
import { PointClients } from "../ui/point_clients.jsx";
import { groupColumns, requestColumns } from "./requests/columns.jsx";
import { Request } from "./requests/detail.jsx";
import { mostShown, useRequests } from "./requests/follow.js";

const anyOf = (names, any) => [["", any], ...names.map((name) => [name, name])];

function Filters({ requests, filter, by, onFilter, onGroup }) {
  const set = (member) => (value) => onFilter({ ...filter, [member]: value });
  return (
    <div class="row filters">
      <TextField label="Search" type="search" value={filter.text} onInput={set("text")} data-shortcut="/" />
      <Choice label="Table" value={filter.table} options={anyOf(tablesIn(requests), "any")} onChange={set("table")} />
      <Choice label="Operation" value={filter.operation} options={anyOf(operationsIn(requests), "any")} onChange={set("operation")} />
      <Choice label="Group by" value={by} options={[["", "nothing"], ["client", "client"], ["test", "test"]]} onChange={onGroup} />
      <Check label="Errors only" checked={filter.failed} onChange={set("failed")} />
      <Check label="Those of this page" checked={recordsOwn.value} onChange={(own) => { recordsOwn.value = own; }} />
    </div>
  );
}

export function Requests() {
  const [running, follow] = useState(true);
  const [filter, setFilter] = useState(noFilter);
  const [by, group] = useState("");
  const [opened, open] = useState();
  const { requests, missed, error, began, clear } = useRequests(running);
  const shown = requests.filter((one) => (recordsOwn.value || !isOwn(one)) && passes(one, filter, by));
  const none = requests.every(isOwn) && !recordsOwn.value ? "Only this page has sent requests." : "No request matches.";
  const isGrouped = by !== "" && filter.group === undefined;
  const groupBy = (name) => {
    group(name);
    setFilter({ ...filter, group: undefined });
  };
  return (
    <>
      <Heading title="Requests">
        <Check label="Follow" checked={running} onChange={follow} />
        <button type="button" onClick={clear}>Clear</button>
      </Heading>
      <Problem error={error} />
      {requests.length === 0
        ? began && <Empty title="Waiting for requests">
            <p>The latest requests to the world {world.value} appear here, and each as it is answered. Point a program here:</p>
            <PointClients />
          </Empty>
        : <>
            <Filters requests={requests} filter={filter} by={by} onFilter={setFilter} onGroup={groupBy} />
            {filter.group !== undefined && (
              <p>Only {by} <strong class="whole">{filter.group}</strong>{" "}
                <button type="button" onClick={() => setFilter({ ...filter, group: undefined })}>All groups</button></p>)}
            <p class="muted">
              {by === "test"
                ? "A test is identified by the application id that its SDK sends (AWS_SDK_UA_APP_ID), or by its trace."
                : `The last ${count(mostShown)} requests, as long as this view is open; of those before, what the server keeps (--requests, usually 200).`}
              {recordsOwn.value && " Those of this page are recorded from now on."}
            </p>
            {missed > 0 && <p class="muted">{count(missed)} requests came too fast to be shown.</p>}
            {isGrouped
              ? <DataTable label="Groups" columns={groupColumns(by, (name) => setFilter({ ...filter, group: name }))}
                           rows={groupsOf(shown, by)} rowKey={({ name }) => name} none={none} />
              : <DataTable label="Requests" columns={requestColumns(open)} rows={shown} rowKey={({ number }) => number}
                           none={none} />}
          </>}
      {opened && <Request key={opened.number} request={opened} onClose={() => open(undefined)} />}
    </>
  );
}
