// Parts of the page that are in other scripts than its first view. They are loaded when they are shown first, or in advance.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Dialog, Heading } from "./parts.jsx";

/** In the place of what could not be loaded. Browsers remember failed imports, so only a reload tries again in all of them. */
export function Missing() {
  return (
    <div class="problem" role="alert">
      <p>This part of the page could not be loaded: the server does not answer, or has another version of the page by now.</p>
      <button type="button" onClick={() => location.reload()}>Reload</button>
    </div>
  );
}

const all = [];

/**
 * Returns a component that draws what `load` promises, a component. Until it is there, and if it cannot be loaded, it draws `Place`,
 * which gets the same properties and `isMissing`.
 */
function later(load, Place) {
  let Loaded;
  const prepare = async () => { Loaded ??= await load(); };
  function Later(props) {
    const [isMissing, miss] = useState(false);
    const [, draw] = useState();
    const hadFocus = useRef(false);
    const isGone = useRef(false);
    useState(() => {  // not in an effect, which would run after the page is painted
      const show = () => {
        hadFocus.current = document.activeElement?.matches("main h1");
        draw({});
      };
      if (!Loaded) prepare().then(() => isGone.current || show(), () => isGone.current || miss(true));
    });
    useEffect(() => () => { isGone.current = true; }, []);
    // The heading that had the focus of a new view (app.jsx) is replaced by the heading of what was loaded.
    useLayoutEffect(() => {
      if (hadFocus.current) document.querySelector("main h1")?.focus({ preventScroll: true });
      hadFocus.current = false;
    });
    return Loaded ? <Loaded {...props} /> : <Place {...props} isMissing={isMissing} />;
  }
  all.push(prepare);
  return Later;
}

/** Returns when the browser has nothing better to do. */
const idle = () => new Promise((done) => (globalThis.requestIdleCallback ?? setTimeout)(done));

/** Loads all that was not shown yet, so that it is shown at once, and also when the server has ended. What fails is tried again then. */
export async function prepareAll() {
  for (const prepare of all) {
    await idle();
    await prepare().catch(() => {});
  }
}

/** A view. `titleOf`: its title at a path, which is there at once. */
export const laterView = (load, titleOf) => later(load, ({ isMissing, ...props }) => (
  <>
    <Heading title={titleOf(props)} />
    {isMissing && <Missing />}
  </>));

export const laterDialog = (load) => later(load, ({ isMissing, onClose }) => (
  isMissing ? <Dialog title="Not loaded" onClose={onClose}><Missing /></Dialog> : null));

export const laterPart = (load) => later(load, ({ isMissing }) => (isMissing ? <Missing /> : null));
