// Modules of the page's `lib`, for tests without a browser.
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../../src/page");

/** Returns all that these modules export. They are bundled as for the page, with the npm packages that it has copies of. */
export function ofPage(...names) {
  const entry = names.map((name) => `export * from "./lib/${name}.js";`).join("\n");
  const bundle = execFileSync(
    "esbuild", ["--bundle", "--format=esm", "--platform=neutral", "--main-fields=module,main", "--log-level=warning"],
    { cwd: folder, input: entry, env: { ...process.env, NODE_PATH: join(folder, "third_party") }, maxBuffer: 2 ** 26 });
  return import(`data:text/javascript;base64,${bundle.toString("base64")}`);
}
