/** A plugin for Vitest: a server for the run, and for each test file a world of its own. */
export default function dinette(): { name: "dinette"; config(config: object): void };
