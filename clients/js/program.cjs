// Starting the program: $DINETTE_PROGRAM, or that of this package, or `dinette` in the PATH.

const { spawn } = require("node:child_process");
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { createInterface } = require("node:readline");

const READY = /^dinette: ready on (\S+)$/;
const packaged = join(__dirname, "linux-x64", "bin", "dinette");

const defaultProgram = () =>
  process.env.DINETTE_PROGRAM ?? (existsSync(packaged) ? join(__dirname, "bin", "dinette") : "dinette");

/** Starts the program, and resolves to the process and its endpoint once it serves. It ends with this process. */
async function startProgram(program, args, { stderr = "inherit" } = {}) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", stderr] });
  const endWithParent = () => child.kill("SIGTERM");
  process.once("exit", endWithParent);
  child.once("exit", () => process.removeListener("exit", endWithParent));
  let complaint = "";
  const collect = (text) => (complaint += text);
  child.stderr?.on("data", collect);
  const endpoint = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      reject(new Error(complaint.trim() || `${program} ended with ${code} before it was ready`)),
    );
    createInterface({ input: child.stdout }).on("line", (line) => {
      const ready = READY.exec(line);
      if (ready) resolve(ready[1]);
    });
  });
  child.stderr?.off("data", collect);
  return { child, endpoint };
}

module.exports = { defaultProgram, startProgram };
