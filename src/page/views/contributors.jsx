import { useState } from "preact/hooks";
import { admin } from "../lib/admin.js";
import { count } from "../lib/format.js";
import { usePoll } from "../lib/hooks.js";
import { DataTable, Short } from "../ui/parts.jsx";

const pause = 2000;  // milliseconds

// As in the names of rules: DynamoDBContributorInsights-PKC-Music-1790000000000.
const kinds = { PKC: "Partition keys that are accessed most", PKT: "Partition keys that are throttled most",
                SKC: "Items that are accessed most", SKT: "Items that are throttled most" };
const titleOf = ({ rule, table, index }) => `${kinds[rule.split("-")[1]]}: ${index ? `${table}, index ${index}` : table}`;

const columns = [
  { name: "Key", cell: ({ key }) => <Short text={key} /> },
  { name: "Count", numeric: true, cell: (key) => count(key.count) },
  { name: "Of that, perhaps of other keys", numeric: true, cell: ({ atMostOver }) => count(atMostOver) },
];

/** What contributor insights have counted; nothing where no table has them. */
export function Contributors() {
  const [rules, setRules] = useState([]);
  // A server that does not answer refuses the metrics as well, which say so.
  usePoll(() => admin("GET", "contributors").then((read) => setRules(read.rules), () => setRules([])), pause);
  if (rules.length === 0) return null;
  return (
    <section class="panel" aria-label="Contributor insights">
      <h2>Contributor insights</h2>
      {rules.map((one) => (
        <section key={one.rule}>
          <h3>{titleOf(one)}</h3>
          <DataTable label={titleOf(one)} columns={columns} rows={one.keys} rowKey={({ key }) => key} none="Nothing counted yet" />
        </section>
      ))}
    </section>
  );
}
