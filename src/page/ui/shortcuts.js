// Shortcuts of the whole page. Letters can be turned off, for those who speak to their computer (WCAG 2.1.4).
import { useEffect } from "preact/hooks";
import { go } from "../lib/route.js";
import { letterShortcuts } from "../lib/state.js";
import { views } from "../views/views.js";

const isTyping = (element) => element.closest?.("input, select, textarea, dialog, [contenteditable]");

function press(selector) {
  const element = document.querySelector(selector);
  if (!element) return false;
  if (element.matches("input")) element.focus();
  else element.click();
  return true;
}

export function useShortcuts(help) {
  useEffect(() => {
    let afterG = false;
    const onKeyDown = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !letterShortcuts.value) return;
      const view = afterG && views.find(({ letter }) => letter === event.key);
      afterG = event.key === "g";
      if (view) go(view.name);
      else if (event.key === "?") help();
      else if (event.key === "/") press("[data-shortcut='/']");
      else if (event.key === "n") press("[data-shortcut='n']");
      else if (event.key === "r") press("[data-shortcut='r']");
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}
