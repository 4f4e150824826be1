import { Choice, TextField } from "../ui/form.jsx";

export const attributeTypes = [["S", "String"], ["N", "Number"], ["B", "Binary"]];
export const emptyIndex = {
  kind: "global", name: "", partition: "", partitionType: "S", sort: "", sortType: "S", projection: "ALL", included: "",
};
export const streamViews = [["NEW_AND_OLD_IMAGES", "item before and after"], ["NEW_IMAGE", "item after"],
  ["OLD_IMAGE", "item before"], ["KEYS_ONLY", "only its key"]];

/** A key attribute: its name and type. */
export function KeyFields({ label, hint, name, type, onName, onType, ...more }) {
  return (
    <div class="row">
      <TextField label={label} hint={hint} value={name} onInput={onName} {...more} />
      <Choice label={`Type of the ${label.toLowerCase()}`} value={type} options={attributeTypes} onChange={onType} />
    </div>
  );
}

/** The fields of a new index. A local one has the partition key of its table. */
export function IndexFields({ index, onChange, kinds }) {
  const set = (member) => (value) => onChange({ ...index, [member]: value });
  return (
    <>
      <div class="row">
        <TextField label="Index name" required value={index.name} onInput={set("name")} />
        {kinds && <Choice label="Kind" value={index.kind} options={[["global", "Global"], ["local", "Local"]]} onChange={set("kind")} />}
        <Choice label="Projection" value={index.projection} onChange={set("projection")}
                options={[["ALL", "All attributes"], ["KEYS_ONLY", "Keys only"], ["INCLUDE", "Keys and some attributes"]]} />
      </div>
      {index.projection === "INCLUDE" &&
        <TextField label="Included attributes" required hint="Separated by commas." value={index.included} onInput={set("included")} />}
      {index.kind === "global" &&
        <KeyFields label="Index partition key" required name={index.partition} type={index.partitionType}
                   onName={set("partition")} onType={set("partitionType")} />}
      <KeyFields label="Index sort key" required={index.kind === "local"} name={index.sort} type={index.sortType}
                 onName={set("sort")} onType={set("sortType")} />
    </>
  );
}

export const keySchema = (partition, sort) => [
  { AttributeName: partition, KeyType: "HASH" },
  ...(sort ? [{ AttributeName: sort, KeyType: "RANGE" }] : []),
];

/** Returns definitions of the named attributes, each once. */
export function definitions(pairs) {
  const types = new Map(pairs.filter(([name]) => name));
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}

export const attributesOfIndex = (index) => [
  ...(index.kind === "global" ? [[index.partition, index.partitionType]] : []), [index.sort, index.sortType],
];

const projection = ({ projection: ProjectionType, included }) => ({
  ProjectionType,
  ...(ProjectionType === "INCLUDE" ? { NonKeyAttributes: included.split(",").map((name) => name.trim()).filter(Boolean) } : {}),
});

export const describeIndex = (index, tablePartition, throughput) => ({
  IndexName: index.name,
  KeySchema: keySchema(index.kind === "global" ? index.partition : tablePartition, index.sort),
  Projection: projection(index),
  ...(index.kind === "global" && throughput ? { ProvisionedThroughput: throughput } : {}),
});
