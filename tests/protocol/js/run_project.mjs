// A project of a test runner in a folder of its own, where the runner writes what it likes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

async function makeProject(name, packages, prepare) {
  const project = await mkdtemp(join(tmpdir(), `dinette-${name}-`));
  await cp(here(`runners/${name}`), project, { recursive: true });
  await mkdir(join(project, "node_modules"));
  for (const installed of packages) {
    await mkdir(dirname(join(project, "node_modules", installed)), { recursive: true });
    await symlink(here(`../node_modules/${installed}`), join(project, "node_modules", installed));
  }
  await prepare?.(project);
  return project;
}

/**
 * Runs the project `runners/<name>` to its end, which is not before that of a server that it starts, and returns what
 * it printed. `command`: a script of a package, and its arguments.
 */
export async function runProject(name, [script, ...options], packages, environment, prepare) {
  const project = await makeProject(name, packages, prepare);
  try {
    const child = spawn(process.execPath, [join("node_modules", script), ...options], {
      cwd: project,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    assert.equal(code, 0, output + errors);
    return output + errors;
  } finally {
    await rm(project, { recursive: true });
  }
}
