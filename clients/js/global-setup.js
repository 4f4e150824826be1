// `globalSetup` of Vitest and Jest: starts a server, unless DINETTE_ENDPOINT names one, and stops it at the end.

import { start } from "./index.js";

let server;

export async function setup() {
  if (process.env.DINETTE_ENDPOINT) return;
  server = await start();
  process.env.DINETTE_ENDPOINT = server.endpoint;
}

export async function teardown() {
  await server?.stop();
}

// Jest calls the default export, and has a setting of its own for the end; the server also ends with the process.
export default async function globalSetup() {
  await setup();
  return teardown;
}
