// The parts of the page that need no browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { effectText, newRule, requestsOf, ruleOf } from "../../../src/page/lib/fault_rules.js";
import { changedNames, conflictingNames, merged, updateOf } from "../../../src/page/lib/item_change.js";
import { quantile, readMetrics, sum } from "../../../src/page/lib/open_metrics.js";

const text = (fast, slow) => `# TYPE duration histogram
# HELP duration With labels that hold all that must be escaped.
duration_bucket{operation="a\\"b\\\\c\\nd",le="0.001"} ${fast}
duration_bucket{operation="a\\"b\\\\c\\nd",le="0.003"} ${fast + slow}
duration_bucket{operation="a\\"b\\\\c\\nd",le="+Inf"} ${fast + slow}
duration_bucket{operation="",le="0.001"} 0
duration_bucket{operation="",le="0.003"} 1000
duration_bucket{operation="",le="+Inf"} 2000
connections 3
# EOF
`;

test("samples are read with their labels", () => {
  const metrics = readMetrics(text(1, 2));
  assert.deepEqual(metrics.get("connections"), [{ labels: {}, value: 3 }]);
  assert.deepEqual(metrics.get("duration_bucket")[0], { labels: { operation: 'a"b\\c\nd', le: "0.001" }, value: 1 });
  assert.equal(sum(metrics, "duration_bucket", ({ operation }) => operation !== ""), 7);
  assert.equal(sum(metrics, "missing"), 0);
});

test("quantiles are those of what came between two readings", () => {
  const named = ({ operation }) => operation !== "";
  const before = readMetrics(text(100, 0));
  const after = readMetrics(text(110, 10));
  assert.equal(quantile(before, after, "duration", 0.5, named), 0.001);
  assert.equal(quantile(before, after, "duration", 0.25, named), 0.0005);
  assert.equal(quantile(before, after, "duration", 0.75, named), 0.002);
  assert.equal(quantile(after, after, "duration", 0.5, named), null);
  assert.equal(quantile(before, after, "missing", 0.5, named), null);
});

test("what exceeds every bound counts as the highest one", () => {
  assert.equal(quantile(readMetrics(""), readMetrics(text(0, 0)), "duration", 0.99, () => true), 0.003);
});

test("a form becomes a rule, without what was left empty", () => {
  assert.deepEqual(ruleOf(newRule), { error: { type: "ProvisionedThroughputExceededException" }, phase: "before" });
  const draft = { ...newRule, operation: "BatchWriteItem", effect: "unprocessed", delay: "250", delayKind: "upTo", nth: "3", seed: "5" };
  assert.deepEqual(ruleOf(draft, { id: "x", n: 1 }), {
    operation: "BatchWriteItem", key: { id: { S: "x" }, n: { N: "1" } }, nth: 3, seed: 5, phase: "before",
    delayMilliseconds: { from: 0, to: 250 }, unprocessed: { share: 0.5 },
  });
});

test("every rule is said in words", () => {
  assert.equal(requestsOf({ nth: 3, times: 2, table: "Music" }), "any operation, on Music, from request 3 on, at most 2 times");
  const texts = [
    [{ delayMilliseconds: 5 }, "wait 5 ms"],
    [{ delayMilliseconds: { from: 1, to: 9 }, phase: "after" }, "wait 1 to 9 ms after it was carried out"],
    [{ delayMilliseconds: { mean: 4 }, drop: true }, "wait 4 ms on average, then no answer"],
    [{ error: { type: "InternalServerError" }, phase: "after" }, "InternalServerError after it was carried out"],
    [{ unprocessed: { items: [2, 5] } }, "leave item 2, 5 unprocessed"],
    [{ unprocessed: { items: [], share: 0.25 } }, "leave 25 % of the items unprocessed"],
  ];
  for (const [rule, text] of texts) assert.equal(effectText(rule), text);
});

const S = (text) => ({ S: text });
const before = { id: S("1"), kept: S("k"), changed: S("b"), removed: S("r") };
const mine = { id: S("1"), kept: S("k"), changed: S("mine"), added: { NULL: true } };

test("an update writes what was changed, and expects it as it was read", () => {
  assert.deepEqual(changedNames(before, mine), ["changed", "removed", "added"]);
  assert.deepEqual(changedNames(before, before), []);
  assert.deepEqual(updateOf(before, mine, "id"), {
    AttributeUpdates: {
      changed: { Action: "PUT", Value: S("mine") },
      removed: { Action: "DELETE" },
      added: { Action: "PUT", Value: { NULL: true } },
    },
    Expected: {
      id: { ComparisonOperator: "NOT_NULL" },
      changed: { ComparisonOperator: "EQ", AttributeValueList: [S("b")] },
      removed: { ComparisonOperator: "EQ", AttributeValueList: [S("r")] },
      added: { ComparisonOperator: "NULL" },
    },
  });
});

test("changes conflict if both have made them, and differently", () => {
  const theirs = { ...before, kept: S("theirs") };
  assert.deepEqual(conflictingNames(before, mine, theirs), []);
  assert.deepEqual(merged(before, mine, theirs), { ...mine, kept: S("theirs") });
  const same = { ...before, changed: S("mine") };
  assert.deepEqual(conflictingNames(before, mine, same), []);
  const other = { ...before, changed: S("theirs"), removed: S("x"), added: S("y") };
  assert.deepEqual(conflictingNames(before, mine, other), ["changed", "removed", "added"]);
  assert.deepEqual(merged(before, mine, other), mine);
  assert.deepEqual(merged(before, mine, other, ["changed", "removed", "added"]), other);
});
