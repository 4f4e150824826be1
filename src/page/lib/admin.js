// Calls the API of administration (docs/admin-api.md), for the world that the user has chosen.
import { adminToken, world } from "./state.js";

export class AdminError extends Error {
  constructor(message, status) {
    super(message);
    this.name = "Administration";
    this.status = status;
  }
}

async function send(method, path, body, signal) {
  const headers = { "x-dinette-world": world.value };
  if (adminToken.value) headers["x-dinette-admin-token"] = adminToken.value;
  const reply = await fetch("./" + path, {
    method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((error) => {
    throw error.name === "AbortError" ? error : new AdminError("The server did not answer.", 0);
  });
  if (reply.ok) return reply;
  const { error } = JSON.parse((await reply.text()) || "{}");
  throw new AdminError(error?.message ?? `HTTP ${reply.status}`, reply.status);
}

/** Returns the body of the reply. Throws an AdminError. */
export const admin = async (method, path, body, signal) => (await send(method, path, body, signal)).json();
export const adminText = async (path) => (await send("GET", path)).text();
