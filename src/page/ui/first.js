// Runs before anything is painted. The frame in index.html is what is seen until the page's script draws the same: this gives it the
// look that the user has chosen, and what the address says. It also has the scripts of the addressed view loaded, which would otherwise
// be known only when those before them have run.
import { parseFragment } from "../lib/fragment.js";
import { stored } from "../lib/stored.js";
import { dark, light } from "./icons.json";

const { world, parts: [view = "tables", table] } = parseFragment(location.hash.replace(/^#token=.*/, ""));
const theme = stored(localStorage, "theme", "system");
Object.assign(document.documentElement.dataset, { theme, density: stored(localStorage, "density", "comfortable") });

const { ofTables, ofOthers } = document.currentScript.dataset;  // paths of scripts, from build_page.py
const scripts = view !== "tables" ? ofOthers : table ? ofTables : "";
for (const href of scripts.split(" ").filter(Boolean)) {
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
}

/** Changes the frame as soon as the browser has read it: before the rest of the document is read, it may be painted. */
new MutationObserver((_, observer) => {
  const links = document.querySelector(".views");
  if (!links) return;
  observer.disconnect();
  if (world !== "default") document.querySelector("#world").append(new Option(world, world, true, true));
  links.querySelector(`[href="#/${CSS.escape(view)}"]`)?.setAttribute("aria-current", "page");
  const picture = { light, dark }[theme];
  if (picture) document.querySelector(".theme path").setAttribute("d", picture);
}).observe(document, { childList: true, subtree: true });
