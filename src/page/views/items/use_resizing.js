// Dragging the edge of a column.
import { useState } from "preact/hooks";

/**
 * Returns {drawn, begin}: `begin(event, name, width)` is called when a pointer goes down on the edge of a column; `drawn`, {name, width}, is
 * how wide that column is while it is dragged. At the end `onResized(name, width)` is called.
 */
export function useResizing(onResized) {
  const [drawn, draw] = useState();
  const begin = (event, name, width) => {
    const edge = event.target;
    const start = event.clientX;
    const widthAt = (x) => width + x - start;
    const onMove = (moved) => draw({ name, width: widthAt(moved.clientX) });
    const end = (last) => {
      edge.removeEventListener("pointermove", onMove);
      draw(undefined);
      if (last.type === "pointerup" && last.clientX !== start) onResized(name, widthAt(last.clientX));
    };
    edge.setPointerCapture(event.pointerId);
    edge.addEventListener("pointermove", onMove);
    edge.addEventListener("pointerup", end, { once: true });
    edge.addEventListener("pointercancel", end, { once: true });
    event.preventDefault();
  };
  return { drawn, begin };
}
