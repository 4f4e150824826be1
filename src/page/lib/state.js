// What the user has chosen. All of it survives a reload; keys and tokens end with the browser's tab.
import { effect, signal } from "@preact/signals";
import { linkToken } from "./route.js";

function kept(storage, name, initial) {
  const key = `dinette.${name}`;
  const text = storage.getItem(key);
  const value = signal(text === null ? initial : JSON.parse(text));
  effect(() => storage.setItem(key, JSON.stringify(value.value)));
  return value;
}

export const theme = kept(localStorage, "theme", "system"); // or "light" or "dark"
export const letterShortcuts = kept(localStorage, "letterShortcuts", true);
export const world = kept(sessionStorage, "world", "default");
export const adminToken = kept(sessionStorage, "adminToken", "");
export const credentials = kept(sessionStorage, "credentials", {
  accessKeyId: "", secretAccessKey: "", sessionToken: "", region: "us-east-1",
});

effect(() => {
  if (linkToken.value) adminToken.value = linkToken.value;
});

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});
