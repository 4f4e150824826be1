import { count, duration, plural } from "../lib/format.js";
import { Icon } from "./icon.jsx";

function step({ Operation, TableName, IndexName, KeyCondition, ScannedCount, Count, CapacityUnits, LeftOut }) {
  if (LeftOut) return `${LeftOut} more`;
  const where = IndexName ? `${TableName} by ${IndexName}` : TableName;
  const condition = KeyCondition ? ` where ${KeyCondition}` : "";
  return `${Operation} of ${where}${condition}: scanned ${count(ScannedCount)}, returned ${count(Count)}, ` +
    plural(CapacityUnits, "capacity unit");
}

const times = (milliseconds, server) =>
  [server !== undefined && `Server ${duration(server)}`, milliseconds !== undefined && `round trip ${duration(milliseconds)}`]
    .filter(Boolean).join(", ");

/** What was done for a read, in words (docs/explain.md), and how long it took: at the server, and until it was here. */
export function Plan({ plan, milliseconds, serverMilliseconds }) {
  if (!plan) return null;
  const steps = [plan].flat().filter(Boolean);
  return (
    <p class="plan" role="status">
      {steps.map((one, index) => <span key={index}>{step(one)}. </span>)}
      <span class="times">{times(milliseconds, serverMilliseconds)}</span>
    </p>
  );
}

/** Says what would be cheaper, with what leads there. */
export const Advice = ({ children }) => <p class="advice" role="note"><Icon name="warning" /><span>{children}</span></p>;
