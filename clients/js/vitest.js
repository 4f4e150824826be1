// A plugin for Vitest: a server for the run, and for each test file a world of its own. In the configuration:
//
//     import dinette from "dinette/vitest";
//     export default { plugins: [dinette()] };

import { fileURLToPath } from "node:url";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const listed = (value) => (value === undefined ? [] : [value].flat());

/** Runs before the project's own set-up files, which may need the server and the world. */
export default function dinette() {
  return {
    name: "dinette",
    config(config) {
      const test = (config.test ??= {});
      test.globals = true; // test-file.cjs finds beforeAll and afterAll there
      test.globalSetup = [here("global-setup.js"), ...listed(test.globalSetup)];
      test.setupFiles = [here("test-file.js"), ...listed(test.setupFiles)];
    },
  };
}
