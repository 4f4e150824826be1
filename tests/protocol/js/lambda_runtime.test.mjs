// The server of functions that other tests use answers as docs/service/triggers.md section 7 says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Crashed, startFunctions, Throttled, TimedOut } from "./lambda_runtime.mjs";

const boom = () => { throw new TypeError("no"); };
const path = (name) => `/2015-03-31/functions/${name}/invocations`;

/** Starts functions of a form, and returns a way to call them: [status, value of the error header, body]. */
async function callerOf(t, form, handlers) {
  const functions = await startFunctions(form, handlers);
  t.after(functions.stop);
  return async (target, event = { Records: [] }) => {
    const reply = await fetch(functions.endpoint + target, { method: "POST", body: JSON.stringify(event) });
    return [reply.status, reply.headers.get("x-amz-function-error"), await reply.text()];
  };
}

test("AWS tells failures by a header, and refuses unknown functions and calls that are too many", async (t) => {
  const call = await callerOf(t, "aws", {
    echo: (event) => event, silent: () => undefined, boom, late: () => { throw new TimedOut(); }, busy: () => { throw new Throttled(); } });
  assert.deepEqual(await call(path("echo")), [200, null, '{"Records":[]}']);
  assert.deepEqual(await call(path("silent")), [200, null, "null"]);
  assert.deepEqual(await call(path("boom")), [200, "Unhandled", '{"errorMessage":"no","errorType":"TypeError","trace":[]}']);
  const [, header, body] = await call(path("late"));
  assert.equal(header, "Unhandled");
  assert.match(body, /Task timed out after 3.00 seconds/);
  assert.equal((await call(path("busy")))[0], 429);
  assert.equal((await call(path("other")))[0], 404);
  assert.equal((await call("/echo"))[0], 404);
});

test("sam local start-lambda refuses queries, and takes answers for errors that look like them", async (t) => {
  const call = await callerOf(t, "sam", { echo: (event) => event, boom });
  assert.equal((await call(path("echo") + "?Qualifier=1"))[0], 400);
  assert.equal((await call(path("boom")))[1], "Unhandled");
  assert.equal((await call(path("echo"), { errorMessage: "a", errorType: "b" }))[1], "Unhandled");
});

test("the runtime interface emulator has one function, one call at a time, and no header", async (t) => {
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  let started;
  const isStarted = new Promise((resolve) => { started = resolve; });
  const call = await callerOf(t, "rie", { function: async ({ act }) => {
    if (act === "wait") {
      started();
      await held;
    }
    if (act === "boom") boom();
    if (act === "late") throw new TimedOut();
    if (act === "crash") throw new Crashed();
  } });
  const first = call(path("function"), { act: "wait" });
  await isStarted;
  assert.equal((await call(path("function")))[0], 400);
  release();
  assert.deepEqual(await first, [200, null, "null"]);
  const [status, header, body] = await call(path("function"), { act: "boom" });
  assert.deepEqual([status, header, JSON.parse(body).errorType], [200, null, "TypeError"]);
  assert.deepEqual(await call(path("function"), { act: "late" }), [200, null, "Task timed out after 3.00 seconds"]);
  assert.equal((await call(path("function"), { act: "crash" }))[0], 502);
  assert.equal((await call(path("other")))[0], 404);
});

test("serverless-offline calls every error Error", async (t) => {
  const call = await callerOf(t, "offline", { boom, text: () => "done" });
  assert.deepEqual(await call(path("boom")), [200, "Unhandled", '{"errorMessage":"no","errorType":"Error","trace":[]}']);
  assert.deepEqual(await call(path("text")), [200, null, '"done"']);
});

test("a server of one's own answers with statuses", async (t) => {
  const call = await callerOf(t, "url", { hook: () => undefined, "a/b": () => ({ batchItemFailures: [] }), boom });
  assert.deepEqual(await call("/hook"), [204, null, ""]);
  assert.deepEqual(await call("/a/b"), [200, null, '{"batchItemFailures":[]}']);
  assert.equal((await call("/boom"))[0], 500);
});
