// The view of triggers, with answers as docs/admin-api.md describes them.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { checkAccess, gone, shown, startBrowser } from "./page_browser.mjs";

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.stop());
afterEach(() => browser.leave());

const stream = "arn:aws:dynamodb:us-east-1:000000000000:table/Orders/stream/2026-01-31T08:15:00.250";
const listed = (trigger) => ({
  trigger: { enabled: true, batchSize: 100, maximumBatchingWindowInSeconds: 0, startingPosition: "TRIM_HORIZON",
             parallelizationFactor: 1, maximumRecordAgeInSeconds: -1, maximumRetryAttempts: -1, bisectBatchOnFunctionError: false,
             tumblingWindowInSeconds: 0, functionResponseTypes: [], ...trigger, name: trigger.name ?? `${trigger.url} on ${trigger.table}` },
  id: `id-of-${trigger.name}`, ofApi: false, streamArn: stream, place: trigger.url, state: "Enabled",
  lastProcessingResult: "No records processed", positions: [{ shard: "shardId-1", after: "101" }],
  counts: { records: 3, calls: 2, failures: 1, discarded: 0 },
});
const text = (whole) => ({ text: whole, bytes: whole.length, cut: false });
const failure = {
  number: 1, time: "2026-01-31T08:15:01.020Z", trigger: "id-of-orders", functionArn: "arn:aws:lambda:us-east-1:000000000000:function:orders",
  streamArn: stream, shard: "shardId-1", batch: "b", first: "101", last: "101", records: 1, tries: 1, result: "failed", milliseconds: 4,
  reason: "the function failed: TypeError: x is undefined", event: text('{"Records":[{"eventID":"1"}]}'), answer: text('{"errorType":"TypeError"}'),
};

/** Answers as a server that has these triggers and deliveries. Returns what was put and repeated. */
async function serve(page, triggers, deliveries) {
  const done = { put: [], repeated: [] };
  const answer = (route, body) => route.fulfill({ json: { world: "default", ...body } });
  await page.route("**/_dinette/triggers", (route) => {
    if (route.request().method() === "PUT") {
      const body = route.request().postDataJSON();
      done.put.push(body.triggers);
      triggers = body.triggers.map(listed);
    }
    return answer(route, { triggers });
  });
  await page.route("**/_dinette/triggers/deliveries?*", (route) => {
    const number = Number(new URL(route.request().url()).searchParams.get("after"));
    return answer(route, { deliveries: deliveries.filter((one) => one.number > number), last: deliveries.at(-1)?.number ?? 0 });
  });
  await page.route("**/_dinette/triggers/deliveries/*/repeat", (route) => {
    done.repeated.push(new URL(route.request().url()).pathname);
    deliveries = [...deliveries, { ...failure, number: 2, result: "done", reason: undefined, repeats: 1, answer: text("42") }];
    return route.fulfill({ json: deliveries.at(-1) });
  });
  return done;
}

async function open(fragment, triggers, deliveries = []) {
  let done;
  const page = await browser.open(fragment, { prepare: async (fresh) => { done = await serve(fresh, triggers, deliveries); } });
  return { page, done };
}

test("a trigger is added, changed and removed", async () => {
  const { page, done } = await open("/triggers", []);
  await shown(page.getByRole("heading", { name: "No triggers" }));
  await page.getByRole("button", { name: "Add trigger" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Table or stream").fill("Orders");
  await form.getByLabel("Function", { exact: true }).fill("http://127.0.0.1:3000/orders");
  await form.getByLabel("Name").fill("orders");
  await form.getByLabel("Retries").fill("2");
  await form.getByRole("button", { name: "Add" }).click();
  await gone(form);
  assert.deepEqual(done.put[0].map(({ name, table, url, maximumRetryAttempts }) => [name, table, url, maximumRetryAttempts]),
                   [["orders", "Orders", "http://127.0.0.1:3000/orders", 2]]);
  const triggers = page.getByRole("region", { name: "Triggers" });
  await shown(triggers.getByRole("row", { name: /orders Orders http:\/\/127.0.0.1:3000\/orders Enabled No records processed 3 records, 2 calls, 1 failed/ }));

  await page.getByRole("button", { name: "Change orders" }).click();
  assert.equal(await form.getByLabel("Retries").inputValue(), "2");
  await form.getByLabel("Records per call").fill("10");
  await form.getByRole("button", { name: "Change" }).click();
  await gone(form);
  assert.equal(done.put[1][0].batchSize, 10);

  await page.getByRole("button", { name: "Remove orders" }).click();
  await shown(page.getByRole("heading", { name: "No triggers" }));
  assert.deepEqual(done.put[2], []);
});

test("a delivery is looked at and sent again", async () => {
  const { page, done } = await open("/triggers", [listed({ name: "orders", table: "Orders", url: "http://127.0.0.1:3000/orders" })], [failure]);
  const deliveries = page.getByRole("region", { name: "Deliveries" });
  await shown(deliveries.getByRole("row", { name: /orders failed the function failed: TypeError: x is undefined 1 1 4 ms/ }));
  await checkAccess(page, "triggers");
  await deliveries.getByRole("button", { name: "orders" }).click();
  const dialog = page.getByRole("dialog");
  await shown(dialog.getByText('"eventID": "1"'));
  await checkAccess(page, "a delivery");
  await dialog.getByRole("button", { name: "Send again" }).click();
  await shown(dialog.getByText("The function has answered in 4 ms."));
  assert.deepEqual(done.repeated, ["/_dinette/triggers/deliveries/1/repeat"]);
  await page.keyboard.press("Escape");
  await shown(deliveries.getByRole("row", { name: /orders done/ }));
  await page.getByLabel("Only those that failed").check();
  await gone(deliveries.getByRole("row", { name: /orders done/ }));
});

test("one trigger shows how far it has come, and those of the API of Lambda stay", async () => {
  const ofApi = { ...listed({ name: "bill", table: "Orders", function: "bill" }), ofApi: true, reason: "it is not known where the function is" };
  const { page } = await open("/triggers", [ofApi], [failure]);
  await shown(page.getByText("made by the API of Lambda"));
  await shown(page.getByText("Enabled: it is not known where the function is"));
  await page.getByRole("link", { name: "bill" }).click();
  await shown(page.getByText("up to 101"));
  await checkAccess(page, "one trigger");
  await page.goto(`${browser.server.endpoint}/_dinette/#/triggers/other`);
  await shown(page.getByRole("heading", { name: "There is no such trigger" }));
});
