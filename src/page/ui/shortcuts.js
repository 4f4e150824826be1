// Shortcuts of the whole page. Letters can be turned off, for those who speak to their computer (WCAG 2.1.4).
import { useEffect } from "preact/hooks";
import { go } from "../lib/route.js";
import { letterShortcuts } from "../lib/state.js";
import { views } from "../views/views.js";

const isTyping = (element) => element.closest?.("input, select, textarea, dialog, [contenteditable]");

function press(selector) {
  const element = document.querySelector(selector);
  if (!element) return;
  if (element.matches("input, textarea")) element.focus();
  else element.click();
}

const isPalette = ({ key, ctrlKey, metaKey, altKey, shiftKey }) =>
  key.toLowerCase() === "k" && (ctrlKey || metaKey) && !altKey && !shiftKey;

/** `open`: opens a dialog of the page by its name. */
export function useShortcuts(open) {
  useEffect(() => {
    let afterG = false;
    const onLetter = (event) => {
      const view = afterG && views.find(({ letter }) => letter === event.key);
      afterG = event.key === "g";
      if (view) go(view.name);
      else if (event.key === "?") open("help");
      else if (event.key === "t") open("tables");
      else if ("/nr".includes(event.key)) press(`[data-shortcut='${event.key}']`);
      else return;
      event.preventDefault();
    };
    const onKeyDown = (event) => {
      if (isPalette(event) && !document.querySelector("dialog")) {
        event.preventDefault();
        open("palette");
      } else if (!(event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) && letterShortcuts.value) {
        onLetter(event);
      }
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}
