// What can be done with a cell or column, at the place where it was asked for.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** `actions`: [text, action], at `x`, `y` of the window. */
export function CellMenu({ label, x, y, actions, onClose }) {
  const menu = useRef();
  const items = () => [...menu.current.querySelectorAll("button")];
  useLayoutEffect(() => {
    const { width, height } = menu.current.getBoundingClientRect();
    menu.current.style.left = `${Math.max(4, Math.min(x, innerWidth - width - 4))}px`;
    menu.current.style.top = `${Math.max(4, Math.min(y, innerHeight - height - 4))}px`;
    items()[0].focus();
  }, [x, y]);
  useEffect(() => {
    const onPointerDown = (event) => menu.current.contains(event.target) || onClose();
    addEventListener("pointerdown", onPointerDown);
    addEventListener("resize", onClose);
    return () => {
      removeEventListener("pointerdown", onPointerDown);
      removeEventListener("resize", onClose);
    };
  }, []);
  const onKeyDown = (event) => {
    event.stopPropagation();
    const all = items();
    const at = all.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) all.at(to % all.length).focus();
    else if (event.key === "Escape" || event.key === "Tab") onClose();
    else return;
    event.preventDefault();
  };
  return (
    <div ref={menu} class="menu" role="menu" aria-label={label} onKeyDown={onKeyDown}>
      {actions.map(([text, action]) => (
        <button key={text} type="button" role="menuitem" tabindex={-1} onClick={() => { onClose(); action(); }}>{text}</button>))}
    </div>
  );
}
