// All views, in the order of the navigation. `letter` follows "g" as a shortcut.
import { Tables } from "./tables.jsx";

export const views = [
  { name: "tables", title: "Tables", letter: "t", View: Tables },
];
