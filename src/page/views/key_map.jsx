// A picture of what a table can be queried by: its key and its indexes, in words as well.
import { indexesOf, keysOf, typesOf } from "../lib/key_schema.js";
import { readLink } from "../lib/links.js";
import { firstRead } from "../lib/read_query.js";
import { Icon } from "../ui/icon.jsx";

const typeNames = { S: "String", N: "Number", B: "Binary" };

function Attribute({ kind, short, name, type }) {
  return (
    <li><span class="keytype" title={kind} aria-label={kind} role="img">{short}</span><b>{name}</b><small>{typeNames[type]}</small></li>);
}

function projectionText({ ProjectionType, NonKeyAttributes = [] }) {
  if (ProjectionType === "ALL") return "Has all attributes.";
  if (ProjectionType === "KEYS_ONLY") return "Has only keys: other attributes must be read from the table.";
  return `Has the keys and ${NonKeyAttributes.join(", ")}.`;
}

const servesText = ({ partition, sort }) =>
  (sort ? `Query: all items of one ${partition}, ordered by ${sort}, or a range of it.` : `Query: all items of one ${partition}.`);

function Card({ table, of, title, kind, level: Title, children, ...more }) {
  const types = typesOf(table);
  const { partition, sort } = keysOf(of);
  const query = readLink(table.TableName, { ...firstRead, operation: "Query", index: of.IndexName ?? "" });
  return (
    <section aria-label={title} {...more}>
      <Title><Icon name={of.IndexName ? "filter" : "tables"} /><span>{title}</span><small>{kind}</small></Title>
      <ul>
        <Attribute kind="Partition key" short="PK" name={partition} type={types[partition]} />
        {sort && <Attribute kind="Sort key" short="SK" name={sort} type={types[sort]} />}
      </ul>
      <p class="muted">{servesText({ partition, sort })} {children} <a href={query}>Query {title}</a></p>
    </section>
  );
}

export function KeyMap({ table }) {
  const indexes = indexesOf(table);
  const isGlobal = (index) => table.GlobalSecondaryIndexes?.includes(index);
  return (
    <>
      <div class="keymap">
        <Card table={table} of={table} title={table.TableName} kind="table" level="h2" class="keycard of-table">
          {keysOf(table).sort ? "" : "Each has one item."}
        </Card>
        <ul aria-label="Indexes">
          {indexes.map((index) => (
            <li key={index.IndexName}>
              <Card table={table} of={index} title={index.IndexName} kind={isGlobal(index) ? "global index" : "local index"} level="h3"
                    class="keycard">{projectionText(index.Projection)}</Card>
            </li>
          ))}
        </ul>
      </div>
      {indexes.length === 0 && <p class="muted">No indexes. A global index lets a Query find items by other attributes than the key.</p>}
    </>
  );
}
