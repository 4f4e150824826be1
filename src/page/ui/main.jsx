import { render } from "preact";
import { useErrorBoundary } from "preact/hooks";
import { App } from "./app.jsx";

/** What is thrown while the page is drawn is shown, with a way out, instead of nothing. */
function Page() {
  const [error] = useErrorBoundary();
  if (!error) return <App />;
  return (
    <main>
      <h1>The page failed</h1>
      <p class="problem" role="alert">{String(error)}</p>
      <p><a href="./" onClick={() => setTimeout(() => location.reload())}>Load it again</a></p>
    </main>
  );
}

const root = document.getElementById("app");
root.replaceChildren();  // what is there until the page can be drawn
render(<Page />, root);
