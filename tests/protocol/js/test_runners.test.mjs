// clients/js in Vitest and Jest: two test files at the same time, each in a world of its own, on one server.
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runProject } from "./run_project.mjs";
import { startServer } from "./server.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const runners = { vitest: ["vitest/vitest.mjs", "run"], jest: ["jest/bin/jest.js"] };

/** Adds what both runners share, and clients/js as npm installs it. */
async function prepare(project) {
  for (const common of ["own_world.cjs", "prepare.mjs"]) await cp(here(`runners/${common}`), join(project, common));
  await cp(here("../../../clients/js"), join(project, "node_modules/dinette"), { recursive: true });
}

async function runTests(runner, environment) {
  assert.match(await runProject(runner, runners[runner], [runner, "@aws-sdk"], environment, prepare), /2 passed/);
}

test("vitest: each file has a world of a server that runs already, and drops it", async () => {
  const server = await startServer();
  try {
    await runTests("vitest", { DINETTE_ENDPOINT: server.endpoint });
    const { worlds } = await (await fetch(`${server.endpoint}/_dinette/worlds`)).json();
    assert.deepEqual(
      worlds.map(({ name }) => name),
      ["default"],
    );
  } finally {
    await server.stop();
  }
});

test("jest: each file has a world of a server that is started for them, and ends with them", () => runTests("jest"));
