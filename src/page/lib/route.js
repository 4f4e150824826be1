// The view is in the fragment of the address: #/tables/Music/settings.
import { signal } from "@preact/signals";

/** Addresses are typed and cut by people: what is not encoded is taken as it is. */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The administration token of the link that a server prints when it starts: #token=... */
export const linkToken = signal("");

// Fragments are in no request; and out of the address the token is in no history, bookmark or screenshot.
function takeToken() {
  const found = /^#token=(.+)$/.exec(location.hash);
  if (!found) return;
  history.replaceState(null, "", location.pathname);
  linkToken.value = decode(found[1]);
}

const read = () => location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decode);

takeToken();
export const route = signal(read());

addEventListener("hashchange", () => {
  takeToken();
  route.value = read();
});

export const href = (...parts) => "#/" + parts.map(encodeURIComponent).join("/");

export function go(...parts) {
  location.hash = href(...parts);
}
