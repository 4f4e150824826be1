import { describeTable } from "../lib/dynamodb.js";
import { useLoad } from "../lib/hooks.js";
import { href } from "../lib/route.js";
import { Heading, Parts, Problem } from "../ui/parts.jsx";
import { Items } from "./items.jsx";
import { Settings } from "./settings.jsx";

/** One table: its items, or its settings. */
export function Table({ name, part }) {
  const { data: table, error, reload } = useLoad(() => describeTable(name), [name]);
  return (
    <>
      <Heading title={name} />
      <Parts label="Parts of the table" parts={[
        [href("tables", name), "Items", part === undefined],
        [href("tables", name, "settings"), "Settings", part === "settings"],
      ]} />
      <Problem error={error} />
      {table && (part === "settings" ? <Settings table={table} reload={reload} /> : <Items table={table} />)}
    </>
  );
}
