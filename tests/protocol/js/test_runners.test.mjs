// clients/js in Vitest and Jest: two test files at the same time, each in a world of its own, on one server.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { startServer } from "./server.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const runners = { vitest: ["vitest/vitest.mjs", "run"], jest: ["jest/bin/jest.js"] };

/** A project of its own, with clients/js as npm installs it: neither runner writes anything here. */
async function makeProject(runner) {
  const project = await mkdtemp(join(tmpdir(), `dinette-${runner}-`));
  await cp(here(`runners/${runner}`), project, { recursive: true });
  for (const common of ["own_world.cjs", "prepare.mjs"]) await cp(here(`runners/${common}`), join(project, common));
  await mkdir(join(project, "node_modules"));
  await cp(here("../../../clients/js"), join(project, "node_modules/dinette"), { recursive: true });
  for (const installed of [runner, "@aws-sdk"])
    await symlink(here(`../node_modules/${installed}`), join(project, "node_modules", installed));
  return project;
}

/** Runs the tests of a project to the end, which is not before that of a server that they start. */
async function runTests(runner, environment) {
  const project = await makeProject(runner);
  try {
    const [program, ...options] = runners[runner];
    const child = spawn(process.execPath, [join("node_modules", program), ...options], {
      cwd: project,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    assert.equal(code, 0, output + errors);
    assert.match(output + errors, /2 passed/);
  } finally {
    await rm(project, { recursive: true });
  }
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
