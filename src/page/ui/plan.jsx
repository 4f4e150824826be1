import { count, plural } from "../lib/format.js";

function step({ Operation, TableName, IndexName, KeyCondition, ScannedCount, Count, CapacityUnits, LeftOut }) {
  if (LeftOut) return `${LeftOut} more`;
  const where = IndexName ? `${TableName} by ${IndexName}` : TableName;
  const condition = KeyCondition ? ` where ${KeyCondition}` : "";
  return `${Operation} of ${where}${condition}: looked at ${count(ScannedCount)}, returned ${count(Count)}, ` +
    plural(CapacityUnits, "capacity unit");
}

/** What was done for a read, in words (docs/explain.md). */
export function Plan({ plan, milliseconds }) {
  if (!plan) return null;
  const steps = [plan].flat().filter(Boolean);
  return (
    <p class="plan" role="status">
      {steps.map((one, index) => <span key={index}>{step(one)}. </span>)}
      {milliseconds !== undefined && <span>{milliseconds.toFixed(1)} ms.</span>}
    </p>
  );
}
