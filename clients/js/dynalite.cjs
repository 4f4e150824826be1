// The interface of the package dynalite: a function that returns a server with listen(), close() and address(), as
// servers of Node.js have them. Dinette runs as a process of its own.

const { once, EventEmitter } = require("node:events");
const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { isIP } = require("node:net");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const { defaultProgram, startProgram } = require("./program.cjs");

// As long as dynalite's tables take by default.
const DEFAULT_STATE_MS = 500;

const given = (value) => value !== undefined;

/** All states of tables take the same time: the longest that is given. */
function stateDelay({ createTableMs, updateTableMs, deleteTableMs }) {
  const delays = [createTableMs, updateTableMs, deleteTableMs].filter(given).map(Number);
  return delays.length ? Math.max(...delays) : DEFAULT_STATE_MS;
}

/** Returns the options for TLS; writes a certificate that is given as text into `folder()`. */
function tlsArguments({ ssl, key, cert, useSSLFilePaths }, folder) {
  if (!ssl) return [];
  if (!key || !cert) return ["--tls-self-signed"];
  if (useSSLFilePaths) return ["--tls-key", key, "--tls-cert", cert];
  const place = folder();
  writeFileSync(join(place, "key.pem"), key, { mode: 0o600 });
  writeFileSync(join(place, "cert.pem"), cert);
  return ["--tls-key", join(place, "key.pem"), "--tls-cert", join(place, "cert.pem")];
}

function errorOf(error, port) {
  const inUse = /another program has this port/.test(error.message);
  return Object.assign(error, inUse ? { code: "EADDRINUSE", syscall: "listen", port } : {});
}

class DynaliteServer extends EventEmitter {
  #options;
  #folder;
  #child;
  #address = null;
  #starting = false;

  constructor(options) {
    super();
    this.#options = options;
  }

  get listening() {
    return this.#address !== null;
  }

  address() {
    return this.#address;
  }

  /** listen([port[, host]][, callback]), or listen({ port, host }[, callback]). Without a host: 127.0.0.1 and ::1. */
  listen(...args) {
    const callback = args.find((arg) => typeof arg === "function");
    const settings = typeof args[0] === "object" && args[0] !== null ? args[0] : { port: args[0], host: args[1] };
    if (this.#starting || this.listening) {
      throw Object.assign(new Error("Listen method has been called more than once without closing."), {
        code: "ERR_SERVER_ALREADY_LISTEN",
      });
    }
    if (callback) this.once("listening", callback);
    this.#starting = true;
    const port = typeof settings.port === "function" ? 0 : Number(settings.port ?? 0);
    this.#start(port, typeof settings.host === "string" ? settings.host : undefined).catch((error) => {
      this.#starting = false;
      if (callback) this.removeListener("listening", callback);
      this.#cleanUp();
      // Without a listener it ends the process, as an error of any server does.
      process.nextTick(() => this.emit("error", errorOf(error, port)));
    });
    return this;
  }

  async #start(port, host) {
    const { path, verbose, debug } = this.#options;
    const args = ["--port", String(port), "--state-delay", `${stateDelay(this.#options)}ms`];
    if (host) args.push("--host", host);
    if (path) args.push("--data", path);
    if (verbose || debug) args.push("--log-level", debug ? "debug" : "info");
    args.push(...tlsArguments(this.#options, () => (this.#folder ??= mkdtempSync(join(tmpdir(), "dinette-")))));
    const { child, endpoint } = await startProgram(defaultProgram(), args, { stderr: "pipe" });
    child.stderr.pipe(process.stderr, { end: false });
    const url = new URL(endpoint);
    const address = isIP(host ?? "") ? host : url.hostname.replace(/^\[|\]$/g, "");
    this.#child = child;
    this.#address = { address, family: address.includes(":") ? "IPv6" : "IPv4", port: Number(url.port) };
    this.#starting = false;
    child.once("exit", () => this.#ended());
    this.emit("listening");
  }

  #ended() {
    this.#address = null;
    this.#child = undefined;
    this.#cleanUp();
    this.emit("close");
  }

  #cleanUp() {
    if (this.#folder) rmSync(this.#folder, { recursive: true });
    this.#folder = undefined;
  }

  /** Stops serving when the requests in progress are answered. */
  close(callback) {
    if (this.#starting) {
      once(this, "listening").then(() => this.close(callback), callback);
    } else if (!this.listening) {
      const error = Object.assign(new Error("Server is not running."), { code: "ERR_SERVER_NOT_RUNNING" });
      if (callback) process.nextTick(callback, error);
    } else {
      if (callback) this.once("close", () => callback());
      this.#child.kill("SIGTERM");
    }
    return this;
  }

  /** Keeps this process alive, as an open server does, or not. */
  ref() {
    this.#child?.ref();
    return this;
  }
  unref() {
    this.#child?.unref();
    this.#child?.stdout.unref();
    this.#child?.stderr.unref();
    return this;
  }
}

const dynalite = (options = {}) => new DynaliteServer(options);

module.exports = { dynalite };
