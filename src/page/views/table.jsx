import { describeTable } from "../lib/dynamodb.js";
import { useLoad } from "../lib/hooks.js";
import { withKept } from "../lib/kept_reads.js";
import { readLink, settingsLink, tableLink } from "../lib/links.js";
import { itemOf, pairsOfRead, readOf } from "../lib/read_query.js";
import { follow, href, query } from "../lib/route.js";
import { keptReads, world } from "../lib/state.js";
import { dialog } from "../ui/dialog.js";
import { IconButton } from "../ui/icon.jsx";
import { Heading, Parts, Problem } from "../ui/parts.jsx";
import { Items } from "./items.jsx";
import { KeyMap } from "./key_map.jsx";
import { Settings } from "./settings.jsx";

function remember(table, read) {
  const asked = new URLSearchParams(pairsOfRead(read)).toString();
  if (asked) keptReads.value = withKept(keptReads.value, { world: world.value, table, query: asked });
}

/** The items that the address asks for. What is read, and which item is opened, becomes its next state. */
function AddressedItems({ table }) {
  const name = table.TableName;
  const read = readOf(query.value);
  return (
    <Items table={table} read={read} item={itemOf(query.value)}
           onRead={(wanted) => follow(readLink(name, wanted))} onAnswered={(answered) => remember(name, answered)}
           onItem={(key) => follow(readLink(name, read, key))} />
  );
}

const parts = { keys: KeyMap, settings: Settings };

/** One table: its items, its keys, or its settings. */
export function Table({ name, part }) {
  const { data: table, error, reload } = useLoad(() => describeTable(name), [name, part]);
  const Part = parts[part];
  return (
    <>
      <Heading title={name}>
        <IconButton class="quiet iconic switch" name="updown" label="Switch to another table (t)"
                    onClick={() => { dialog.value = "tables"; }} />
      </Heading>
      <Parts label="Parts of the table" parts={[
        [tableLink(name), "Items", part === undefined],
        [href("tables", name, "keys"), "Keys and indexes", part === "keys"],
        [settingsLink(name), "Settings", part === "settings"],
      ]} />
      <Problem error={error} />
      {table && (Part ? <Part table={table} reload={reload} /> : <AddressedItems table={table} />)}
    </>
  );
}
