// A started Dinette for one test file: on a free port, stopped at the end, with a check of its exit code.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Returns the URL of an empty one, where with_postgres.py has started PostgreSQL. */
function newDatabase() {
  const sockets = process.env.DINETTE_TEST_SOCKETS;
  const name = `test_${randomBytes(8).toString("hex")}`;
  execFileSync("createdb", ["-h", sockets, "-U", "dinette", name]);
  return `postgresql:///${name}?user=dinette&host=${sockets}`;
}

export async function startServer(...options) {
  const data = process.env.DINETTE_TEST_ENGINE === "durable" ? mkdtempSync(join(tmpdir(), "dinette-")) : undefined;
  if (data) options = [...options, "--data", data];
  if (process.env.DINETTE_TEST_ENGINE === "postgres" && !options.includes("--data")) options = [...options, "--store", newDatabase()];
  const child = spawn(process.env.DINETTE_PROGRAM, ["--port", "0", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const output = createInterface({ input: child.stdout });
  const lines = [];
  output.on("line", (line) => lines.push(line));
  const [ready] = await Promise.race([once(output, "line"), ended.then(([code]) => [`it ended with ${code}`])]);
  const endpoint = /^dinette: ready on (\S+)$/.exec(ready)?.[1];
  assert.ok(endpoint, `the server did not become ready: ${ready}`);

  return {
    endpoint,
    /** Returns the match of a line that the server prints. */
    async printed(pattern) {
      for (;;) {
        const found = lines.map((line) => pattern.exec(line)).find(Boolean);
        if (found) return found;
        await once(output, "line");
      }
    },
    async stop() {
      child.kill("SIGTERM");
      const [code] = await ended;
      if (data) rmSync(data, { recursive: true });
      assert.equal(code, 0, "the server's exit code");
    },
  };
}
