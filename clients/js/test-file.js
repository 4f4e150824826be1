// `setupFiles` of Vitest (with `globals: true`), `setupFilesAfterEnv` of Jest: each test file gets a fork of the
// default world, dropped after the file. AWS SDKs find it by the environment, so the code under test stays as it is.

import { randomBytes } from "node:crypto";

import { connect } from "./index.js";

const name = `test-${randomBytes(8).toString("hex")}`;
const server = connect(process.env.DINETTE_ENDPOINT ?? "http://127.0.0.1:8000", {
  token: process.env.DINETTE_ADMIN_TOKEN,
});

/** The world of this test file. */
export let world;

Object.assign(process.env, {
  AWS_ENDPOINT_URL_DYNAMODB: server.endpoint,
  AWS_ACCESS_KEY_ID: name,
  AWS_SECRET_ACCESS_KEY: "any",
  AWS_REGION: process.env.AWS_REGION ?? "us-east-1",
});

const { beforeAll, afterAll } = globalThis.beforeAll
  ? globalThis
  : await import("node:test").then(({ before, after }) => ({ beforeAll: before, afterAll: after }));

beforeAll(async () => {
  world = await server.world.fork({ name, ttl: 3600 });
});
afterAll(() => world.drop());
