// Calls the API of administration (docs/admin-api.md), for the world that the user has chosen.
import { effect, signal } from "@preact/signals";
import { linkToken } from "./route.js";
import { adminToken, world } from "./state.js";

export class AdminError extends Error {
  constructor(message, status) {
    super(message);
    this.name = "Administration";
    this.status = status;
  }
}

/** Why the server refuses this page or its token: an AdminError, until it serves them. */
export const refusal = signal();

effect(() => {
  if (linkToken.value) refusal.value = undefined;
});

/** Counts what this page has changed: who shows the state of the world looks again. */
export const changes = signal(0);

const isRefusal = (status) => status === 401 || status === 403;

async function send(method, path, body, abort, more) {
  const headers = { "x-dinette-world": world.value, ...more };
  if (adminToken.value) headers["x-dinette-admin-token"] = adminToken.value;
  const reply = await fetch("./" + path, {
    method, headers, signal: abort, body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((error) => {
    throw error.name === "AbortError" ? error : new AdminError("The server did not answer.", 0);
  });
  if (!isRefusal(reply.status)) refusal.value = undefined;
  if (reply.ok) {
    if (method !== "GET") changes.value++;
    return reply;
  }
  const { error } = JSON.parse((await reply.text()) || "{}");
  const failed = new AdminError(error?.message ?? `HTTP ${reply.status}`, reply.status);
  if (isRefusal(reply.status)) refusal.value = failed;
  throw failed;
}

/** Returns the body of the reply. `more`: headers. Throws an AdminError. */
export const admin = async (method, path, body, abort, more) => (await send(method, path, body, abort, more)).json();
export const adminText = async (path) => (await send("GET", path)).text();

/** Administrates with this token from now on, if the server takes it. Throws an AdminError. */
export async function unlock(token) {
  const before = adminToken.value;
  adminToken.value = token;
  try {
    await send("GET", "clock?world=default");
  } catch (error) {
    adminToken.value = before;
    throw error;
  }
}
