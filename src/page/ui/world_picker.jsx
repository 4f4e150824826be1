import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { admin } from "../lib/admin.js";
import { world } from "../lib/state.js";

/** [{name, fork, ...}, ...]: those that can be chosen. */
export const worlds = signal([]);

/** Looks for worlds again: after one was made or dropped. */
export async function refreshWorlds() {
  try {
    worlds.value = (await admin("GET", "worlds")).worlds.filter(({ name, fork }) => fork || name === "default");
  } catch {
    worlds.value = [];  // the view of worlds says why
  }
}

export function WorldPicker() {
  useEffect(() => void refreshWorlds(), []);
  const names = new Set(["default", world.value, ...worlds.value.map(({ name }) => name)]);
  return (
    <div class="world">
      <label for="world">World</label>
      <select id="world" value={world.value} onFocus={refreshWorlds} onChange={(event) => { world.value = event.currentTarget.value; }}>
        {[...names].map((name) => <option key={name} value={name} selected={name === world.value}>{name}</option>)}
      </select>
    </div>
  );
}
