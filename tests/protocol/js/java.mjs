// For tools that start DynamoDB Local: the folder `java` of the npm package, with a `java` that is Dinette ($DINETTE_PROGRAM)
// and a jar that is never opened. It is in the PATH and, by the link of docs/coming-from.md, where the tools look for the jar.
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, symlink } from "node:fs/promises";
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

export async function withJava(body) {
  const folder = await mkdtemp(join(tmpdir(), "dinette-java-"));
  const path = process.env.PATH;
  try {
    const jars = join(folder, ".dynamodb");
    await symlink(packaged, jars);
    process.env.PATH = packaged + delimiter + path;
    const port = await freePort();
    await body({ folder, jars, port, endpoint: `http://localhost:${port}` });
  } finally {
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
