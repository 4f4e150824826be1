// For tools that start DynamoDB Local: the folder `java` of the npm package, with a `java` that is Dinette ($DINETTE_PROGRAM)
// and a jar that is never opened. It is, by the link of docs/coming-from.md, where the tools look for the jar; the `java` in the
// PATH first tries whether that of the package starts.
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { watch } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const packaged = fileURLToPath(new URL("../../../clients/js/java", import.meta.url));

// Returns a port that nothing listens on: these tools need to know it in advance. It is below those that the system gives
// out by itself, so that no other test gets it meanwhile.
export async function freePort() {
  const port = randomInt(20_000, 32_000);
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return freePort();
  }
  server.close();
  await once(server, "close");
  return port;
}

// Writes a `java` to a folder that runs that of the package. If it does not start, it says so by a file in the folder.
async function writeJava(bin) {
  await mkdir(bin);
  const script = `#!/bin/sh
"${packaged}/java" --version >/dev/null || { : >"${bin}/failed"; exit 1; }
exec "${packaged}/java" "$@"
`;
  await writeFile(join(bin, "java"), script, { mode: 0o755 });
}

// Ends the process if a tool cannot start its server: the tools would wait for it for ever.
function endIfJavaFails(bin) {
  return watch(bin, (_event, name) => {
    if (name !== "failed") return;
    console.error(`${process.env.DINETTE_PROGRAM} does not start`);
    process.exit(1);
  });
}

export async function withJava(body) {
  const folder = await mkdtemp(join(tmpdir(), "dinette-java-"));
  const path = process.env.PATH;
  const bin = join(folder, "bin");
  await writeJava(bin);
  const watcher = endIfJavaFails(bin);
  try {
    const jars = join(folder, ".dynamodb");
    await symlink(packaged, jars);
    process.env.PATH = bin + delimiter + path;
    const port = await freePort();
    await body({ folder, jars, port, endpoint: `http://localhost:${port}` });
  } finally {
    watcher.close();
    process.env.PATH = path;
    await rm(folder, { recursive: true });
  }
}

// Runs `body`, then `stop`, and returns when the server of that port is gone.
export async function whileServing(port, stop, body) {
  const socket = connect(port, "127.0.0.1").resume();
  const closed = once(socket, "close");
  try {
    await body();
  } finally {
    await stop();
    await closed;
  }
}
