/** A refusal of the administration. */
export class DinetteError extends Error {
  readonly status: number;
  readonly code: string;
}

export interface ClockReading {
  world: string;
  /** ISO 8601, to the millisecond. */
  now: string;
  epochMilliseconds: number;
  frozen: boolean;
  rate: number;
}

/** The clock of a world. Every change resolves when all that is due by the new time has happened. */
export interface Clock {
  read(): Promise<ClockReading>;
  /** A Date, ISO 8601 with a zone, or seconds since 1970. */
  set(now: Date | string | number): Promise<ClockReading>;
  /** Seconds, or an ISO 8601 duration such as "PT25H"; negative sets the clock back. */
  advance(step: number | string): Promise<ClockReading>;
  freeze(): Promise<ClockReading>;
  unfreeze(): Promise<ClockReading>;
  setRate(rate: number): Promise<ClockReading>;
}

export interface ForkOptions {
  /** Also the access key id that chooses the fork; by default the server finds one. */
  name?: string;
  /** Seconds without use after which the fork is dropped; by default it stays. */
  ttl?: number;
}

export interface WorldDescription {
  name: string;
  tables: number;
  items: number;
  bytes: number;
  fork: boolean;
  ttl: number | null;
}

/** Tables and a clock of their own. */
export class World {
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

export interface Server {
  readonly endpoint: string;
  /** The default world. */
  readonly world: World;
  /** The world of that name, whether or not it exists yet. */
  worldNamed(name: string): World;
  /** Stops the server, if start() started it. */
  stop(): Promise<void>;
}

/** Starts a server on a free port. It ends with stop(), or with this process. */
export function start(options?: {
  /** By default $DINETTE_PROGRAM, or `dinette` in the PATH. */
  program?: string;
  args?: string[];
}): Promise<Server>;

/** Uses a server that runs already. */
export function connect(endpoint: string, options?: { token?: string }): Server;
