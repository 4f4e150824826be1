// The frame: navigation, the chosen world, theme, shortcuts, and the view that the address names.
import { useLayoutEffect, useState } from "preact/hooks";
import { refusal } from "../lib/admin.js";
import { route } from "../lib/route.js";
import { theme, world } from "../lib/state.js";
import { views } from "../views/views.js";
import { Access } from "./access.jsx";
import { Help } from "./help.jsx";
import { Locked } from "./locked.jsx";
import { Heading, Empty } from "./parts.jsx";
import { useShortcuts } from "./shortcuts.js";
import { WorldPicker } from "./world_picker.jsx";

const nextTheme = { system: "light", light: "dark", dark: "system" };
const themeName = { system: "Auto", light: "Light", dark: "Dark" };

function Navigation({ current }) {
  return (
    <nav class="views" aria-label="Views">
      {views.map(({ name, title }) => (
        <a key={name} href={`#/${name}`} aria-current={name === current ? "page" : undefined}>{title}</a>))}
    </nav>
  );
}

function Unknown() {
  return (
    <>
      <Heading title="Not found" />
      <Empty title="There is no such view"><p><a href="#/tables">Show the tables</a></p></Empty>
    </>
  );
}

/**
 * Moves the focus to the heading of a new view, for keyboards and screen readers; not when the page loads. Before the view is
 * painted, so that no key is lost.
 */
function useFocusOnHeading(path) {
  const [first, setFirst] = useState(path);
  useLayoutEffect(() => {
    if (path === first) return;
    setFirst(undefined);
    document.querySelector("main h1")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [path]);
}

export function App() {
  const [dialog, open] = useState();
  const close = () => open(undefined);
  const [name = "tables", ...rest] = route.value;
  const path = route.value.join("/");
  const view = views.find((one) => one.name === name);
  const View = view?.View ?? Unknown;
  const isLocked = view?.administrates && refusal.value;
  useShortcuts(() => open("help"));
  useFocusOnHeading(path);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => {
        event.preventDefault();
        document.querySelector("main h1")?.focus();
      }}>Skip to content</a>
      <header class="top">
        <a class="brand" href="#/tables"><img src="page/icon.svg" alt="" width="22" height="22" />Dinette</a>
        <WorldPicker />
        <div class="actions">
          <button type="button" class="quiet" onClick={() => open("access")}>Keys</button>
          <button type="button" class="quiet" onClick={() => { theme.value = nextTheme[theme.value]; }}
                  aria-label={`${themeName[theme.value]} theme`}>{themeName[theme.value]}</button>
          <button type="button" class="quiet" onClick={() => open("help")} >Help</button>
        </div>
      </header>
      <Navigation current={name} />
      <main id="main">
        {isLocked ? <Locked key={name} title={view.title} />
                  : <View key={`${world.value} ${name} ${rest[0] ?? ""}`} path={rest} />}
      </main>
      {dialog === "help" && <Help onClose={close} />}
      {dialog === "access" && <Access onClose={close} />}
    </>
  );
}
