// Bundles the page into one C++ source: node build.mjs page_files.cc
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const folder = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2];

async function bundle(entry) {
  const built = await build({
    entryPoints: [join(folder, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: ["chrome123", "firefox120", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    logLevel: "warning",
  });
  return Buffer.from(built.outputFiles[0].contents);
}

const read = (name) => readFileSync(join(folder, name));

const files = [
  ["/_dinette/", "text/html; charset=utf-8", read("index.html")],
  ["/_dinette/page/app.js", "text/javascript; charset=utf-8", await bundle("ui/main.jsx")],
  ["/_dinette/page/app.css", "text/css; charset=utf-8", await bundle("ui/style.css")],
  ["/_dinette/page/icon.svg", "image/svg+xml", read("icon.svg")],
];

/** Returns a C++ string literal of the bytes. */
function literal(bytes) {
  const escaped = Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9 ]/.test(character) ? character : "\\" + byte.toString(8).padStart(3, "0");
  });
  return `"${escaped.join("")}"`;
}

function element([path, type, bytes]) {
  const zipped = gzipSync(bytes, { level: 9 });
  const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
  return `    {"${path}", "${type}", {${literal(zipped)}, ${zipped.length}}, ${bytes.length}, "${digest}"},\n`;
}

mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, `// Made by src/page/build.mjs.
#include "admin/page.h"

namespace dinette::admin {

std::span<const PageFile> page_files() {
  static constexpr PageFile files[] = {
${files.map(element).join("")}  };
  return files;
}

}  // namespace dinette::admin
`);
