// The administration of a Dinette server: docs/admin-api.md. No dependencies. CommonJS, since Jest loads nothing else
// without a flag of Node.js; index.js is the same for `import`.

const { dynalite } = require("./dynalite.cjs");
const { defaultProgram, startProgram } = require("./program.cjs");

/** A refusal of the administration. */
class DinetteError extends Error {
  constructor(status, code, message) {
    super(message);
    this.name = "DinetteError";
    this.status = status;
    this.code = code;
  }
}

class Administration {
  constructor(endpoint, token) {
    this.endpoint = endpoint;
    this.token = token;
  }

  async call(method, path, body) {
    const headers = this.token ? { "X-Dinette-Admin-Token": this.token } : {};
    const response = await fetch(`${this.endpoint}/_dinette/${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new DinetteError(response.status, answer.error.code, answer.error.message);
    return answer;
  }
}

class Clock {
  #administration;
  #world;

  constructor(administration, world) {
    this.#administration = administration;
    this.#world = world;
  }

  #change(change) {
    return this.#administration.call("PUT", "clock", { world: this.#world, ...change });
  }

  read() {
    return this.#administration.call("GET", `clock?world=${encodeURIComponent(this.#world)}`);
  }
  set(now) {
    return this.#change({ now: now instanceof Date ? now.toISOString() : now });
  }
  advance(step) {
    return this.#change({ advance: step });
  }
  freeze() {
    return this.#change({ frozen: true });
  }
  unfreeze() {
    return this.#change({ frozen: false });
  }
  setRate(rate) {
    return this.#change({ rate });
  }
}

class World {
  #administration;

  constructor(administration, name) {
    this.#administration = administration;
    this.name = name;
    this.clock = new Clock(administration, name);
  }

  /** What a DynamoDBClient needs to be in this world. */
  get clientConfig() {
    return {
      endpoint: this.#administration.endpoint,
      region: "us-east-1",
      credentials: { accessKeyId: this.name, secretAccessKey: "any" },
    };
  }

  async fork(options = {}) {
    const forked = await this.#administration.call("POST", "worlds", { from: this.name, ...options });
    return new World(this.#administration, forked.name);
  }

  async reset() {
    await this.#administration.call("POST", "reset", { world: this.name });
  }

  async drop() {
    await this.#administration.call("DELETE", `worlds/${encodeURIComponent(this.name)}`);
  }

  /** Returns the id of a snapshot, for restore(). */
  async snapshot() {
    return (await this.#administration.call("POST", "snapshots", { world: this.name })).id;
  }

  async restore(snapshot) {
    await this.#administration.call("POST", `snapshots/${snapshot}/restore`, { world: this.name });
  }

  describe() {
    return this.#administration.call("GET", `worlds/${encodeURIComponent(this.name)}`);
  }
}

class Server {
  #administration;
  #process;

  constructor(endpoint, token, process) {
    this.endpoint = endpoint;
    this.#administration = new Administration(endpoint, token);
    this.world = this.worldNamed("default");
    this.#process = process;
  }

  /** The world of that name, whether or not it exists yet. */
  worldNamed(name) {
    return new World(this.#administration, name);
  }

  async stop() {
    if (!this.#process || this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.ref();
    this.#process.kill("SIGTERM");
    await ended;
  }
}

const defaultToken = () => process.env.DINETTE_ADMIN_TOKEN;

/** Uses a server that runs already. */
function connect(endpoint, { token = defaultToken() } = {}) {
  return new Server(endpoint.replace(/\/$/, ""), token);
}

/** Starts a server on a free port. It ends with stop(), or with this process. */
async function start({ program = defaultProgram(), args = [], token = defaultToken() } = {}) {
  // Other users of the machine can list arguments.
  const env = token ? { ...process.env, DINETTE_ADMIN_TOKEN: token } : process.env;
  const { child, endpoint } = await startProgram(program, ["--port", "0", ...args], { env });
  // The server does not keep this process from ending.
  child.unref();
  child.stdout.unref();
  return new Server(endpoint, token, child);
}

// Itself the function of the package dynalite, which this one can take the place of.
module.exports = Object.assign(dynalite, { DinetteError, World, connect, start });
