// A server of functions, as local ones answer: docs/service/triggers.md section 7. For tests of what calls functions.
import { createServer } from "node:http";
import { randomUUID } from "node:crypto";

const json = "application/json";
const executed = { "X-Amz-Executed-Version": "$LATEST" };
const failed = { "X-Amz-Function-Error": "Unhandled" };

/** Thrown by a handler to have a call refused before it runs. */
export class Throttled extends Error {}
/** Thrown by a handler that takes too long. */
export class TimedOut extends Error {}
/** Thrown by a handler whose process ends. */
export class Crashed extends Error {}

const refusal = (status, type, message, header = "x-amzn-ErrorType") => ({
  status, headers: { "Content-Type": json, [header]: type }, body: JSON.stringify({ Type: "User", Message: message, message }),
});
const throttle = () => ({
  ...refusal(429, "TooManyRequestsException", "Rate Exceeded."),
  body: JSON.stringify({ Reason: "ReservedFunctionConcurrentInvocationLimitExceeded", Type: "User", message: "Rate Exceeded." }),
});
const answer = (body, headers = {}) => ({ status: 200, headers: { "Content-Type": json, ...headers }, body });
const written = (value) => (value === undefined ? "null" : JSON.stringify(value));
const errorOf = (error) => ({ errorMessage: error.message, errorType: error.name });
const timeout = "Task timed out after 3.00 seconds";

/** AWS, and what is built to be like it. */
const aws = {
  unknown: (name) => refusal(404, "ResourceNotFoundException", `Function not found: arn:aws:lambda:us-east-1:000000000000:function:${name}`),
  done: (value) => answer(written(value), executed),
  thrown: (error) => answer(JSON.stringify({ ...errorOf(error), trace: [] }), { ...executed, ...failed }),
  timedOut: () => answer(JSON.stringify({ errorType: "Sandbox.Timedout", errorMessage: `RequestId: ${randomUUID()} Error: ${timeout}` }),
                         { ...executed, ...failed }),
  crashed: () => answer(JSON.stringify({ errorType: "Runtime.ExitError", errorMessage: "RequestId: 1 Error: Runtime exited" }),
                        { ...executed, ...failed }),
  throttled: throttle,
};

const forms = {
  aws,
  /** sam local start-lambda: guesses from the body which answer is an error, and refuses queries. */
  sam: {
    ...aws,
    unknown: (name) => refusal(404, "ResourceNotFound", `Function not found: ${name}`, "x-amzn-errortype"),
    done: (value) => answer(written(value), value?.errorMessage && value?.errorType ? failed : {}),
    thrown: (error) => answer(JSON.stringify({ ...errorOf(error), stackTrace: [] }), failed),
    refused: (request) => request.url.includes("?") && refusal(400, "InvalidRequestContent", "Query Parameters are not supported", "x-amzn-errortype"),
  },
  /** The runtime interface emulator of container images: one function, named "function", one call at a time, no header. */
  rie: {
    ...aws,
    name: "function",
    oneAtATime: true,
    busy: () => ({ status: 400, headers: {}, body: "" }),
    done: (value) => ({ status: 200, headers: { "Content-Type": "text/plain; charset=utf-8" }, body: written(value) }),
    thrown: (error) => ({ status: 200, headers: { "Content-Type": "text/plain; charset=utf-8" },
                          body: JSON.stringify({ ...errorOf(error), requestId: randomUUID(), stackTrace: [] }) }),
    timedOut: () => ({ status: 200, headers: { "Content-Type": "text/plain; charset=utf-8" }, body: timeout }),
    crashed: () => ({ status: 502, headers: {}, body: "" }),
  },
  /** serverless-offline: texts are written with quotes, and all errors are called Error. */
  offline: {
    ...aws,
    thrown: (error) => answer(JSON.stringify({ errorMessage: error.message, errorType: "Error", trace: [] }), failed),
  },
  /** A server of one's own, at any path. */
  url: {
    ...aws,
    anyPath: true,
    done: (value) => (value === undefined ? { status: 204, headers: {}, body: "" } : answer(written(value))),
    thrown: () => ({ status: 500, headers: {}, body: "" }),
    timedOut: () => ({ status: 504, headers: {}, body: "" }),
    crashed: () => ({ status: 502, headers: {}, body: "" }),
  },
};

function nameIn(form, request) {
  const path = request.url.split("?")[0];
  if (form.anyPath) return decodeURIComponent(path.slice(1));
  const found = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(path);
  const name = found && decodeURIComponent(found[1]);
  return form.name === undefined || name === form.name ? name : undefined;
}

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

async function outcome(form, handler, event) {
  try {
    return form.done(await handler(event));
  } catch (error) {
    if (error instanceof Throttled) return form.throttled();
    if (error instanceof TimedOut) return form.timedOut();
    if (error instanceof Crashed) return form.crashed();
    return form.thrown(error);
  }
}

/**
 * Starts a server that answers as `form` does: aws, sam, rie, offline or url. `handlers`: functions by name, which get the event;
 * that of rie is called "function", those of url are named by their paths. Returns its address, the calls so far
 * ([{name, event, headers, url}]), and stop().
 */
export async function startFunctions(formName, handlers) {
  const form = forms[formName];
  const calls = [];
  let running = 0;

  async function replyTo(request) {
    const body = await bodyOf(request);
    const name = nameIn(form, request);
    const refused = form.refused?.(request);
    if (refused) return refused;
    if (name == null || !Object.hasOwn(handlers, name)) return form.unknown(name);
    if (form.oneAtATime && running > 0) return form.busy();
    const event = JSON.parse(body);
    calls.push({ name, event, headers: request.headers, url: request.url });
    ++running;
    try {
      return await outcome(form, handlers[name], event);
    } finally {
      --running;
    }
  }

  const server = createServer((request, response) => {
    replyTo(request).then(({ status, headers, body }) => response.writeHead(status, headers).end(body), (error) => response.destroy(error));
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  return {
    endpoint: `http://127.0.0.1:${server.address().port}`,
    calls,
    stop: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}
