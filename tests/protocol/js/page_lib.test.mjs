// The parts of the page that need no browser.
import assert from "node:assert/strict";
import { test } from "node:test";
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
