// The view is in the fragment of the address: #/tables/Music/settings.
import { signal } from "@preact/signals";

const read = () => location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);

export const route = signal(read());

addEventListener("hashchange", () => {
  route.value = read();
});

export const href = (...parts) => "#/" + parts.map(encodeURIComponent).join("/");

export function go(...parts) {
  location.hash = href(...parts);
}
