// All views, in the order of the navigation. `letter` follows "g" as a shortcut.
import { Clock } from "./clock.jsx";
import { Faults } from "./faults.jsx";
import { Metrics } from "./metrics.jsx";
import { Partiql } from "./partiql.jsx";
import { Report } from "./report.jsx";
import { Requests } from "./requests.jsx";
import { Streams } from "./streams.jsx";
import { Tables } from "./tables.jsx";
import { Worlds } from "./worlds.jsx";

export const views = [
  { name: "tables", title: "Tables", letter: "t", View: Tables },
  { name: "partiql", title: "PartiQL", letter: "p", View: Partiql },
  { name: "requests", title: "Requests", letter: "r", View: Requests },
  { name: "streams", title: "Streams", letter: "s", View: Streams },
  { name: "clock", title: "Clock", letter: "c", View: Clock },
  { name: "worlds", title: "Worlds", letter: "w", View: Worlds },
  { name: "faults", title: "Faults", letter: "f", View: Faults },
  { name: "metrics", title: "Metrics", letter: "m", View: Metrics },
  { name: "report", title: "Report", letter: "e", View: Report },
];
