// What is in the script that writes requests as source code.
import "../ui/app.jsx";  // as in other_views.js
export { CodeDialog } from "../ui/code_dialog.jsx";
export { RequestCode } from "./requests/request_code.jsx";
