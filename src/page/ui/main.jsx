import { render } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";
import { askWhileDrawing } from "../lib/tables.js";
import { App } from "./app.jsx";
import { prepareAll } from "./later.jsx";

/** What is thrown while the page is drawn is shown, with a way out, instead of nothing. */
function Page() {
  const [error] = useErrorBoundary();
  useEffect(drawn, []);  // after the effects of all parts
  if (!error) return <App />;
  return (
    <main>
      <h1>The page failed</h1>
      <p class="problem" role="alert">{String(error)}</p>
      <p><a href="./" onClick={() => setTimeout(() => location.reload())}>Load it again</a></p>
    </main>
  );
}

const drawn = askWhileDrawing();
const root = document.getElementById("app");
root.querySelector("main").remove();  // it says that the script has not been loaded
render(<Page />, root);  // the frame that is there becomes that of App
addEventListener("load", () => setTimeout(prepareAll, 500));
