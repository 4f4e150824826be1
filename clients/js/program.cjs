// Starting the program: $DINETTE_PROGRAM, or that of the package for this platform, or `dinette` in the PATH.

const { spawn } = require("node:child_process");
const { createInterface } = require("node:readline");

const READY = /^dinette: ready on (\S+)$/;

/** Returns the program in the package for this platform, which npm has installed next to this one, if there is one. */
function packagedProgram() {
  try {
    return require.resolve(`@dinette/${process.platform}-${process.arch}/bin/dinette`);
  } catch {
    return undefined;
  }
}

const defaultProgram = () => process.env.DINETTE_PROGRAM ?? packagedProgram() ?? "dinette";

/** Returns the error of a program that is not there with what to do about it. */
function explained(error, program) {
  if (error.code !== "ENOENT" && error.code !== "EACCES") return error;
  const why = error.code === "ENOENT" ? "there is no such program" : "it may not be executed";
  const message =
    `Cannot start ${program}: ${why}. Install Dinette (the npm packages @dinette/linux-x64 and @dinette/linux-arm64 have the ` +
    "program; docs/installing.md describes other ways), or set DINETTE_PROGRAM to its path.";
  return Object.assign(new Error(message, { cause: error }), { code: error.code });
}

/** Starts the program, and resolves to the process and its endpoint once it serves. It ends with this process. */
async function startProgram(program, args, { stderr = "inherit", env = process.env } = {}) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", stderr], env });
  const endWithParent = () => child.kill("SIGTERM");
  process.once("exit", endWithParent);
  child.once("exit", () => process.removeListener("exit", endWithParent));
  let complaint = "";
  const collect = (text) => (complaint += text);
  child.stderr?.on("data", collect);
  const endpoint = await new Promise((resolve, reject) => {
    child.once("error", (error) => reject(explained(error, program)));
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
