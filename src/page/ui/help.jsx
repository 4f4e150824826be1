import { views } from "../views/views.js";
import { Dialog } from "./parts.jsx";
import { PointClients } from "./point_clients.jsx";

const keys = [
  ["Ctrl K", "go to a table, a view, a query, or do something"],
  ["t", "switch to another table"],
  ["?", "show this help"],
  ["/", "go to the search field, or to the statement"],
  ["n", "create: a table, an item, a fork, a fault"],
  ["r", "reload, or run again"],
  ["Ctrl Enter", "submit the form"],
  ["Ctrl Space", "complete the statement"],
  ["Escape", "close a dialog"],
];

export function Help({ onClose, open }) {
  return (
    <Dialog title="Help" onClose={onClose} wide>
      <h3>Keys</h3>
      <dl class="keys">
        {[...keys, ...views.map(({ letter, title }) => [`g ${letter}`, title])].map(([key, what]) => (
          <div key={key}><dt>{key.split(" ").map((one) => <kbd key={one}>{one}</kbd>)}</dt><dd>{what}</dd></div>))}
      </dl>
      <p class="muted">Keys of one letter can be turned off in
        the <button type="button" class="link" onClick={() => open("preferences")}>preferences</button>.</p>
      <h3>Point a program here</h3>
      <PointClients />
    </Dialog>
  );
}
