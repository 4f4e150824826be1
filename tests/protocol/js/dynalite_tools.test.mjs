// Tools that start dynalite, unmodified: package.json has npm give them Dinette in its place, and
// "overrides" has them accept its version, in a form that npm 9 reads.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { makeClient } from "./client.mjs";
import { freePort } from "./java.mjs";
import { runProject } from "./run_project.mjs";

const require = createRequire(import.meta.url);

test("npm has replaced dynalite", async () => {
  const { name } = JSON.parse(await readFile(require.resolve("dynalite/package.json"), "utf8"));
  assert.equal(name, "dinette");
});

test("jest-dynalite: its preset starts a server, and makes the tables again for each test", async () => {
  const BASE_PORT = String((await freePort()) - 1); // the first worker adds its number, 1
  const output = await runProject(
    "jest_dynalite",
    ["jest/bin/jest.js"],
    ["jest", "jest-dynalite", "@aws-sdk"],
    { BASE_PORT, AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "local" },
  );
  assert.match(output, /2 passed/);
});

test("@architect/sandbox with its own database", async () => {
  const folder = await mkdtemp(join(tmpdir(), "dinette-sandbox-"));
  const port = await freePort();
  try {
    await writeFile(join(folder, "app.arc"), "@app\nmusic\n\n@tables\nalbums\n  artist *String\n");
    await writeFile(join(folder, "sandbox-seed.json"), JSON.stringify({ albums: [{ artist: "Fela Kuti" }] }));
    Object.assign(process.env, {
      ARC_ENV: "testing",
      ARC_TABLES_PORT: String(port),
      AWS_ACCESS_KEY_ID: "key",
      AWS_SECRET_ACCESS_KEY: "secret",
    });
    const sandbox = require("@architect/sandbox");
    await sandbox.start({ cwd: folder, quiet: true });
    const client = makeClient(`http://localhost:${port}`);
    try {
      const Key = { artist: { S: "Fela Kuti" } };
      const { Item } = await client.send(new GetItemCommand({ TableName: "music-staging-albums", Key }));
      assert.deepEqual(Item, Key);
    } finally {
      client.destroy();
      await sandbox.end();
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
