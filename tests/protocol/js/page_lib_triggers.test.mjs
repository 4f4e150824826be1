// What the page makes of triggers and deliveries, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ofPage } from "./page_modules.mjs";

const { draftOf, merged, newTrigger, resultText, sourceOf, stateText, targetOf, triggerOf } = await ofPage("triggers");

/** As the server lists it. */
const orders = {
  name: "orders", table: "Orders", url: "http://127.0.0.1:3000/orders", enabled: true, batchSize: 100,
  maximumBatchingWindowInSeconds: 0, startingPosition: "TRIM_HORIZON", parallelizationFactor: 1, maximumRecordAgeInSeconds: -1,
  maximumRetryAttempts: -1, bisectBatchOnFunctionError: false, tumblingWindowInSeconds: 0, functionResponseTypes: [],
};

test("a form names only what was filled in", () => {
  assert.deepEqual(triggerOf({ ...newTrigger, source: "Orders", target: "http://127.0.0.1:3000/orders" }), {
    table: "Orders", url: "http://127.0.0.1:3000/orders", enabled: true, startingPosition: "TRIM_HORIZON",
    bisectBatchOnFunctionError: false, functionResponseTypes: [] });
  const stream = "arn:aws:kinesis:us-east-1:000000000000:stream/s";
  assert.deepEqual(triggerOf({ ...newTrigger, source: stream, target: "bill:live", position: "AT_TIMESTAMP", time: "2026-01-31T08:15:00Z",
                               retries: "0", pattern: '{"a":[1]}', destination: "arn:aws:s3:::failures", reports: true }), {
    stream, function: "bill:live", enabled: true, startingPosition: "AT_TIMESTAMP", startingPositionTimestamp: "2026-01-31T08:15:00Z",
    maximumRetryAttempts: 0, bisectBatchOnFunctionError: false, functionResponseTypes: ["ReportBatchItemFailures"],
    destinationConfig: { onFailure: { destination: "arn:aws:s3:::failures" } }, filterCriteria: { filters: [{ pattern: '{"a":[1]}' }] } });
});

test("a form that is not changed leaves a trigger as it is", () => {
  const { maximumRecordAgeInSeconds, maximumRetryAttempts, maximumBatchingWindowInSeconds, tumblingWindowInSeconds, ...rest } = orders;
  assert.deepEqual(triggerOf(draftOf(orders), orders), rest);  // the others are absent, which means the same
  const program = { ...orders, url: undefined, command: ["node", "orders.js"], maximumRetryAttempts: 3,
                    filterCriteria: { filters: [{ pattern: "{}" }, { pattern: '{"a":[1]}' }] } };
  const kept = triggerOf(draftOf(program), program);
  assert.deepEqual(kept.command, program.command);
  assert.equal(kept.maximumRetryAttempts, 3);
  assert.deepEqual(kept.filterCriteria, program.filterCriteria);
});

test("triggers and deliveries are said in words", () => {
  assert.equal(sourceOf({ stream: "arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/2026" }), "Orders");
  assert.equal(sourceOf({ stream: "arn:aws:kinesis:us-east-1:000000000000:stream/s" }), "s");
  assert.equal(targetOf({ command: ["node", "a.js"] }), "node a.js");
  assert.equal(stateText({ state: "Enabled", streamArn: "" }), "waits for a stream");
  assert.equal(stateText({ state: "Enabled", streamArn: "arn" }), "Enabled");
  assert.equal(stateText({ state: "Enabled", streamArn: "arn", reason: "no server" }), "Enabled: no server");
  assert.equal(resultText({ result: "discarded", records: 1 }), "1 record discarded");
  assert.equal(resultText({ result: "partly", records: 2 }), "some records failed");
});

test("deliveries are merged newest first, and a function that is not reached has one per batch", () => {
  const delivery = (number, result = "done", batch = "b") => ({ number, result, batch });
  const known = merged([], [delivery(1), delivery(2, "unavailable"), delivery(3, "unavailable", "other")], 10);
  assert.deepEqual(known.map(({ number }) => number), [3, 2, 1]);
  assert.deepEqual(merged(known, [delivery(4, "unavailable")], 10).map(({ number }) => number), [4, 3, 1]);
  assert.deepEqual(merged(known, [delivery(4)], 3).map(({ number }) => number), [4, 3, 2]);
});
