import { EventEmitter } from "node:events";
import { AddressInfo } from "node:net";

/** The function of the package dynalite: returns a server that does not listen yet. */
declare function dinette(options?: dinette.DynaliteOptions): dinette.DynaliteServer;

declare namespace dinette {
  interface DynaliteOptions {
    /** The folder in which tables are kept, as with --data; without it they are in memory. */
    path?: string;
    /** Milliseconds that tables stay CREATING, UPDATING or DELETING: the longest that is given applies to all three;
     * by default 500. */
    createTableMs?: number;
    updateTableMs?: number;
    deleteTableMs?: number;
    /** Serve TLS, by default with a self-signed certificate. */
    ssl?: boolean;
    /** Certificate and private key in PEM, or with useSSLFilePaths the files that hold them. */
    key?: string;
    cert?: string;
    useSSLFilePaths?: boolean;
    /** Log each request to standard error. */
    verbose?: boolean;
    debug?: boolean;
  }

  /** Dinette in a process of its own. Emits "listening", "error" and "close", as servers of Node.js do. */
  interface DynaliteServer extends EventEmitter {
    readonly listening: boolean;
    /** On 127.0.0.1 and ::1 unless a host is given. A port of 0, or none, is a free one. */
    listen(port?: number, host?: string, callback?: () => void): this;
    listen(port?: number, callback?: () => void): this;
    listen(callback?: () => void): this;
    listen(options: { port?: number; host?: string }, callback?: () => void): this;
    /** Stops when the requests in progress are answered. */
    close(callback?: (error?: Error) => void): this;
    /** Null while the server does not listen. */
    address(): AddressInfo | null;
    ref(): this;
    unref(): this;
  }

  /** A refusal of the administration. */
  class DinetteError extends Error {
    readonly status: number;
    readonly code: string;
  }

  interface ClockReading {
    world: string;
    /** ISO 8601, to the millisecond. */
    now: string;
    epochMilliseconds: number;
    frozen: boolean;
    rate: number;
  }

  /** The clock of a world. Every change resolves when all that is due by the new time has happened. */
  interface Clock {
    read(): Promise<ClockReading>;
    /** A Date, ISO 8601 with a zone, or seconds since 1970. */
    set(now: Date | string | number): Promise<ClockReading>;
    /** Seconds, or an ISO 8601 duration such as "PT25H"; negative sets the clock back. */
    advance(step: number | string): Promise<ClockReading>;
    freeze(): Promise<ClockReading>;
    unfreeze(): Promise<ClockReading>;
    setRate(rate: number): Promise<ClockReading>;
  }

  interface ForkOptions {
    /** Also the access key id that chooses the fork; by default the server finds one. */
    name?: string;
    /** Seconds without use after which the fork is dropped; by default it stays. */
    ttl?: number;
  }

  interface WorldDescription {
    name: string;
    tables: number;
    items: number;
    bytes: number;
    fork: boolean;
    ttl: number | null;
  }

  /** Tables and a clock of their own. */
  class World {
    private constructor();
    readonly name: string;
    readonly clock: Clock;
    /** What a DynamoDBClient needs to be in this world. */
    readonly clientConfig: {
      endpoint: string;
      region: string;
      credentials: { accessKeyId: string; secretAccessKey: string };
    };
    /** Copies the world, in microseconds. */
    fork(options?: ForkOptions): Promise<World>;
    /** Drops all tables, and sets the clock to real time. */
    reset(): Promise<void>;
    drop(): Promise<void>;
    /** Resolves to the id of a snapshot, for restore(). */
    snapshot(): Promise<string>;
    restore(snapshot: string): Promise<void>;
    describe(): Promise<WorldDescription>;
  }

  interface Server {
    readonly endpoint: string;
    /** The default world. */
    readonly world: World;
    /** The world of that name, whether or not it exists yet. */
    worldNamed(name: string): World;
    /** Stops the server, if start() started it. */
    stop(): Promise<void>;
  }

  /** Starts a server on a free port. It ends with stop(), or with this process. */
  function start(options?: {
    /** By default $DINETTE_PROGRAM, or `dinette` in the PATH. */
    program?: string;
    args?: string[];
    /** With which the server is administrated; by default $DINETTE_ADMIN_TOKEN, or none. */
    token?: string;
  }): Promise<Server>;

  /** Uses a server that runs already. `token`: of its --admin-token, or that it printed when it started; by default
   * $DINETTE_ADMIN_TOKEN. */
  function connect(endpoint: string, options?: { token?: string }): Server;
}

export = dinette;
