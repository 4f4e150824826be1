// All views, in the order of the navigation. `letter` follows "g" as a shortcut. `administrates`: the view is made of the API of
// administration, which a server may refuse. The page begins with the tables; what else it has is in other scripts.
import { laterView } from "../ui/later.jsx";
import { Tables } from "./tables.jsx";

const later = (title, pick) => laterView(() => import("./other_views.js").then(pick), () => title);

export const views = [
  { name: "tables", title: "Tables", letter: "t", View: Tables },
  { name: "partiql", title: "PartiQL", letter: "p", View: later("PartiQL", ({ Partiql }) => Partiql) },
  { name: "tablestore", title: "Tablestore", letter: "b", administrates: true, View: later("Tablestore", ({ Tablestore }) => Tablestore) },
  { name: "keyspaces", title: "Keyspaces", letter: "k", administrates: true, View: later("Keyspaces", ({ Keyspaces }) => Keyspaces) },
  { name: "requests", title: "Requests", letter: "r", administrates: true, View: later("Requests", ({ Requests }) => Requests) },
  { name: "streams", title: "Streams", letter: "s", View: later("Streams", ({ Streams }) => Streams) },
  { name: "triggers", title: "Triggers", letter: "l", administrates: true, View: later("Triggers", ({ Triggers }) => Triggers) },
  { name: "clock", title: "Clock", letter: "c", administrates: true, View: later("Clock", ({ Clock }) => Clock) },
  { name: "worlds", title: "Worlds", letter: "w", administrates: true, View: later("Worlds", ({ Worlds }) => Worlds) },
  { name: "regions", title: "Regions", letter: "o", administrates: true, View: later("Regions", ({ Regions }) => Regions) },
  { name: "faults", title: "Faults", letter: "f", administrates: true, View: later("Faults", ({ Faults }) => Faults) },
  { name: "metrics", title: "Metrics", letter: "m", administrates: true, View: later("Metrics", ({ Metrics }) => Metrics) },
  { name: "report", title: "Report", letter: "e", administrates: true, View: later("Report", ({ Report }) => Report) },
];
