// What is in the script that is loaded when a table is opened or created.
import "../ui/app.jsx";  // as in other_views.js
export { CreateTable } from "./create_table.jsx";
export { Table } from "./table.jsx";
