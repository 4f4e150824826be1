import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** Loads by `load`, again when `inputs` change, and when reload() is called. A late answer to an earlier call is ignored. */
export function useLoad(load, inputs) {
  const [state, setState] = useState({});
  const last = useRef(0);
  const reload = useCallback(async () => {
    const mine = ++last.current;
    const result = await load().then((data) => ({ data }), (error) => ({ error }));
    if (mine === last.current) setState(result);
  }, inputs);
  useEffect(() => {
    reload();
    return () => void ++last.current;
  }, inputs);
  return { ...state, reload };
}

/** Runs `work` now and again `milliseconds` after it has ended, while the page is visible and `active`. */
export function usePoll(work, milliseconds, active = true) {
  const latest = useRef();
  latest.current = work;
  useEffect(() => {
    if (!active) return undefined;
    let timer;
    let ended = false;
    const turn = async () => {
      if (!document.hidden) await latest.current();
      if (!ended) timer = setTimeout(turn, milliseconds);
    };
    turn();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }, [milliseconds, active]);
}

/** Returns [run, busy, error]: run(work) does one thing at a time and keeps what it threw. */
export function useAction() {
  const [state, setState] = useState({ busy: false });
  const run = async (work) => {
    setState({ busy: true });
    try {
      const result = await work();
      setState({ busy: false });
      return result ?? true;
    } catch (error) {
      setState({ busy: false, error });
      return undefined;
    }
  };
  return [run, state.busy, state.error];
}
