// A started Dinette for one test file: on a free port, stopped at the end, with a check of its exit code.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export async function startServer(...options) {
  const data = process.env.DINETTE_TEST_ENGINE === "durable" ? mkdtempSync(join(tmpdir(), "dinette-")) : undefined;
  if (data) options = [...options, "--data", data];
  const child = spawn(process.env.DINETTE_PROGRAM, ["--port", "0", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const line = once(createInterface({ input: child.stdout }), "line");
  const [ready] = await Promise.race([line, ended.then(([code]) => [`it ended with ${code}`])]);
  const endpoint = /^dinette: ready on (\S+)$/.exec(ready)?.[1];
  assert.ok(endpoint, `the server did not become ready: ${ready}`);

  return {
    endpoint,
    async stop() {
      child.kill("SIGTERM");
      const [code] = await ended;
      if (data) rmSync(data, { recursive: true });
      assert.equal(code, 0, "the server's exit code");
    },
  };
}
