import { letterShortcuts } from "../lib/state.js";
import { views } from "../views/views.js";
import { Check } from "./form.jsx";
import { Dialog } from "./parts.jsx";
import { PointClients } from "./point_clients.jsx";

const keys = [
  ["?", "show this help"],
  ["/", "go to the search field, or to the statement"],
  ["n", "create: a table, an item, a fork, a fault"],
  ["r", "reload, or run again"],
  ["Ctrl Enter", "submit the form"],
  ["Escape", "close a dialog"],
];

export function Help({ onClose }) {
  return (
    <Dialog title="Help" onClose={onClose} wide>
      <h3>Keys</h3>
      <dl class="keys">
        {[...keys, ...views.map(({ letter, title }) => [`g ${letter}`, title])].map(([key, what]) => (
          <div key={key}><dt>{key.split(" ").map((one) => <kbd key={one}>{one}</kbd>)}</dt><dd>{what}</dd></div>))}
      </dl>
      <Check label="Keys of one letter" checked={letterShortcuts.value}
             onChange={(on) => { letterShortcuts.value = on; }} />
      <h3>Point a program here</h3>
      <PointClients />
    </Dialog>
  );
}
