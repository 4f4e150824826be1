import { useEffect, useRef, useState } from "preact/hooks";
import { admin } from "../../lib/admin.js";
import { usePoll } from "../../lib/hooks.js";
import { world } from "../../lib/state.js";

export const mostShown = 1000;
const patience = 20_000;  // milliseconds that the server may wait for the next request
const pause = 100;        // milliseconds between answers, so that many requests come in few of them
const pauseOfFailure = 2000;

/** Returns the requests of a world, the newest first: those that the server has kept, and then each as it is answered. */
export function useRequests(active) {
  const [state, setState] = useState({ requests: [], missed: 0, began: false });
  const last = useRef(0);
  const abort = useRef();
  useEffect(() => () => abort.current?.abort(), []);
  useEffect(() => {
    if (!active) abort.current?.abort();
  }, [active]);
  usePoll(async () => {
    abort.current = new AbortController();
    const isFirst = last.current === 0;
    // The first answer says at once what has happened, if only that nothing has.
    const wanted = new URLSearchParams({ after: last.current, wait: state.began ? patience : 0, limit: mostShown, world: world.value });
    try {
      const { requests, missed, last: reached } = await admin("GET", `requests?${wanted}`, undefined, abort.current.signal);
      last.current = reached;
      setState((known) => ({
        requests: [...requests.reverse(), ...known.requests].slice(0, mostShown),
        missed: known.missed + (isFirst ? 0 : missed),
        began: true,
      }));
    } catch (error) {
      if (error.name === "AbortError") return;
      setState((known) => ({ ...known, error }));
      await new Promise((done) => { setTimeout(done, pauseOfFailure); });
    }
  }, pause, active);
  return { ...state, clear: () => setState((known) => ({ ...known, requests: [], missed: 0 })) };
}
