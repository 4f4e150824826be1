// The frame: header, navigation, tables, and the view that the address names.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { refusal } from "../lib/admin.js";
import { href, route } from "../lib/route.js";
import { theme, world } from "../lib/state.js";
import { views } from "../views/views.js";
import { dialog } from "./dialog.js";
import { Icon, IconButton } from "./icon.jsx";
import { laterDialog } from "./later.jsx";
import { Locked } from "./locked.jsx";
import { Heading, Empty } from "./parts.jsx";
import { useShortcuts } from "./shortcuts.js";
import { Status } from "./status.jsx";
import { TableTree } from "./table_tree.jsx";
import { WorldPicker } from "./world_picker.jsx";

const nextTheme = { system: "light", light: "dark", dark: "system" };
const themeName = { system: "System theme", light: "Light theme", dark: "Dark theme" };

const later = (pick) => laterDialog(() => import("../views/other_views.js").then(pick));
const Palette = later((views) => views.Palette);

const dialogs = {
  help: later((views) => views.Help),
  access: later((views) => views.Access),
  preferences: later((views) => views.Preferences),
  palette: Palette,
  tables: (more) => <Palette {...more} onlyTables />,
};

function Navigation({ current }) {
  const place = useRef();
  useEffect(() => {  // on a narrow screen it scrolls sideways; scrollIntoView() would also move where the Tab key begins
    const [bar, link] = [place.current, place.current.querySelector("[aria-current]")];
    if (link) bar.scrollLeft = link.offsetLeft - (bar.clientWidth - link.offsetWidth) / 2;
  }, [current]);
  return (
    <nav class="views" aria-label="Views" ref={place}>
      {views.map(({ name, title }) => (
        <a key={name} href={href(name)} aria-current={name === current ? "page" : undefined}><Icon name={name} />{title}</a>))}
    </nav>
  );
}

function Unknown() {
  return (
    <>
      <Heading title="Not found" />
      <Empty title="There is no such view"><p><a href={href("tables")}>Show the tables</a></p></Empty>
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

/** Tells the style sheet the height of the header, which grows with what there is to note. */
function useHeight(name) {
  const place = useRef();
  useLayoutEffect(() => {
    // Told of by the observer, also the first time: asking for it here would lay the page out once more.
    const observer = new ResizeObserver(([{ borderBoxSize: [{ blockSize }] }]) => {
      document.documentElement.style.setProperty(name, `${blockSize}px`);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return place;
}

/** The picture of icon.svg, as a part of the document: as an image, it would be a document of its own. */
const Mark = () => (
  <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
    <rect width="32" height="32" rx="7" fill="#0b5cad" />
    <path d="M6 12h20M16 12v13M10 25h12" stroke="#fff" stroke-width="3" stroke-linecap="round" fill="none" />
  </svg>
);

function Top({ open }) {
  const place = useHeight("--header");
  return (
    <header class="top" ref={place}>
      <div class="bar">
        <a class="brand" href={href("tables")}><Mark />Dinette</a>
        <WorldPicker />
        <button type="button" class="goto" onClick={() => open("palette")}>
          <Icon name="search" /><span>Find</span><kbd>Ctrl K</kbd>
        </button>
        <div class="actions">
          <button type="button" class="quiet" onClick={() => open("access")}><Icon name="key" /><span>Access keys</span></button>
          <IconButton class="quiet iconic theme" name={theme.value} label={themeName[theme.value]} onClick={() => { theme.value = nextTheme[theme.value]; }} />
          <IconButton name="preferences" label="Preferences" onClick={() => open("preferences")} />
          <IconButton name="help" label="Help" onClick={() => open("help")} />
        </div>
      </div>
      <Status />
    </header>
  );
}

export function App() {
  const open = (name) => { dialog.value = name; };
  const [name = "tables", ...rest] = route.value;
  const path = route.value.join("/");
  const view = views.find((one) => one.name === name);
  const View = view?.View ?? Unknown;
  const isLocked = view?.administrates && refusal.value;
  const Over = dialogs[dialog.value];
  useShortcuts(open);
  useFocusOnHeading(path);
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => {
        event.preventDefault();
        document.querySelector("main h1")?.focus();
      }}>Skip to content</a>
      <Top open={open} />
      <div class="side">
        <Navigation current={name} />
        <TableTree current={name === "tables" ? rest[0] : undefined} />
      </div>
      <main id="main">
        {isLocked ? <Locked key={name} title={view.title} />
                  : <View key={`${world.value} ${name} ${rest[0] ?? ""}`} path={rest} />}
      </main>
      {Over && <Over key={dialog.value} onClose={() => open(undefined)} open={open} />}
    </>
  );
}
