// What is in the script that is loaded after the first view: all views but that of tables, and the dialogs of the frame.
import "../ui/app.jsx";  // with it, esbuild puts all that scripts share with the first view into one file
export { Access } from "../ui/access.jsx";
export { Help } from "../ui/help.jsx";
export { Palette } from "../ui/palette.jsx";
export { Preferences } from "../ui/preferences.jsx";
export { Clock } from "./clock.jsx";
export { Faults } from "./faults.jsx";
export { Keyspaces } from "./keyspaces.jsx";
export { Metrics } from "./metrics.jsx";
export { Partiql } from "./partiql.jsx";
export { Regions } from "./regions.jsx";
export { Report } from "./report.jsx";
export { Requests } from "./requests.jsx";
export { Streams } from "./streams.jsx";
export { Tablestore } from "./tablestore.jsx";
export { Triggers } from "./triggers.jsx";
export { Worlds } from "./worlds.jsx";
