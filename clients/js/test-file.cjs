// `setupFiles` of Vitest (with `globals: true`), `setupFilesAfterEnv` of Jest: each test file gets a fork of the
// default world, dropped after the file. AWS SDKs find it by the environment, so the code under test stays as it is.

const { randomBytes } = require("node:crypto");

const { connect } = require("./index.cjs");

const name = `test-${randomBytes(8).toString("hex")}`;
const server = connect(process.env.DINETTE_ENDPOINT ?? "http://127.0.0.1:8000");

/** The world of this test file. */
const world = server.worldNamed(name);

Object.assign(process.env, {
  AWS_ENDPOINT_URL_DYNAMODB: server.endpoint,
  AWS_ACCESS_KEY_ID: name,
  AWS_SECRET_ACCESS_KEY: "any",
  AWS_REGION: process.env.AWS_REGION ?? "us-east-1",
});

const [beforeAll, afterAll] = globalThis.beforeAll
  ? [globalThis.beforeAll, globalThis.afterAll]
  : [require("node:test").before, require("node:test").after];

beforeAll(() => server.world.fork({ name, ttl: 3600 }));
afterAll(() => world.drop());

module.exports = { world };
