// The address of the page, and what it says (fragment.js).
import { batch, effect, signal } from "@preact/signals";
import { decode, fragmentOf, parseFragment } from "./fragment.js";

export { fragmentOf };

/** The administration token of the link that a server prints when it starts: #token=... */
export const linkToken = signal("");

// Fragments are in no request; and out of the address the token is in no history, bookmark or screenshot.
function takeToken() {
  const found = /^#token=(.+)$/.exec(location.hash);
  if (!found) return;
  history.replaceState(null, "", location.pathname);
  linkToken.value = decode(found[1]);
}

takeToken();
const first = parseFragment(location.hash);

/** The chosen world. Setting it shows the same view in the other world. */
export const world = signal(first.world);
/** The parts of the address after the world. */
export const route = signal(first.parts);
/** What follows the "?", as a text: equal texts are equal states. */
export const query = signal(first.query);

function read() {
  const { world: inAddress, parts, query: asked } = parseFragment(location.hash);
  batch(() => {
    world.value = inAddress;
    if (JSON.stringify(parts) !== JSON.stringify(route.value)) route.value = parts;
    query.value = asked;
  });
}

addEventListener("hashchange", () => {
  takeToken();
  read();
});

// A world is also chosen by setting the signal. An item or a query of one world is likely to be meant in the other, too.
effect(() => {
  const chosen = world.value;
  if (parseFragment(location.hash).world === chosen) return;
  history.pushState(null, "", fragmentOf({ world: chosen, parts: route.peek(), query: query.peek() }));
});

/** Returns the link to a view in the chosen world. */
export const href = (...parts) => fragmentOf({ world: world.value, parts });

/** The same with a query: [[name, value], ...]. */
export const hrefWith = (parts, pairs) =>
  fragmentOf({ world: world.value, parts, query: new URLSearchParams(pairs).toString() });

export function go(...parts) {
  location.hash = href(...parts);
}

/** Follows a link of href() or hrefWith(). `replace`: Back does not return to what is shown now. */
export function follow(link, { replace = false } = {}) {
  if (!replace) {
    location.hash = link;
    return;
  }
  history.replaceState(null, "", link);
  read();
}
