// All views, in the order of the navigation. `letter` follows "g" as a shortcut. `administrates`: the view is made of the API of
// administration, which a server may refuse.
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
  { name: "requests", title: "Requests", letter: "r", administrates: true, View: Requests },
  { name: "streams", title: "Streams", letter: "s", View: Streams },
  { name: "clock", title: "Clock", letter: "c", administrates: true, View: Clock },
  { name: "worlds", title: "Worlds", letter: "w", administrates: true, View: Worlds },
  { name: "faults", title: "Faults", letter: "f", administrates: true, View: Faults },
  { name: "metrics", title: "Metrics", letter: "m", administrates: true, View: Metrics },
  { name: "report", title: "Report", letter: "e", administrates: true, View: Report },
];
