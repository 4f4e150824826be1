import { useEffect, useRef, useState } from "preact/hooks";
import { timeOfDay } from "../lib/format.js";
import { Missing } from "./later.jsx";

const height = 160;
const minute = 60;
const steps = [1, 2, 5, 10, 15, 30, minute, 2 * minute, 5 * minute];  // seconds between two times of the axis

/** Returns a function that looks a colour of the style sheet up, since it changes with the theme. */
const colour = (name) => (plot) => getComputedStyle(plot.root).getPropertyValue(name);

const timeText = (seconds) => timeOfDay(seconds * 1000);

const strokes = ["--first-line", "--second-line"];

function optionsOf({ series }, width) {
  const axis = { stroke: colour("color"), grid: { stroke: colour("--plot-line"), width: 1 }, ticks: { show: false } };
  return {
    width, height,
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_, low, high) => [0, Math.max(1.1 * (high ?? 0), 1)] } },
    axes: [{ ...axis, space: 80, size: 34, gap: 10, incrs: steps, values: (_, times) => times.map(timeText) }, { ...axis, size: 56 }],
    series: [{}, ...series.map(({ name }, index) => ({ label: name, stroke: colour(strokes[index]), width: 2 }))],
  };
}

/**
 * Lines over time. `plot`: {title, series: [{name, text}]}, at most two of them, where `text` writes a value. `times` are in
 * seconds since 1970, `values` an array per series, with null where there is no value. The newest values stand beside the
 * title, for those who cannot see the lines, too.
 */
export function Plot({ plot, times, values }) {
  const place = useRef();
  const drawn = useRef();
  const [isMissing, miss] = useState(false);
  const latest = useRef();
  latest.current = [times, ...values];
  useEffect(() => {
    let isGone = false;
    const observer = new ResizeObserver(() => drawn.current?.setSize({ width: place.current.clientWidth, height }));
    // Run when there is something to draw, not when the page is loaded.
    import("uplot").then(({ default: UPlot }) => {
      if (isGone) return;
      drawn.current = new UPlot(optionsOf(plot, place.current.clientWidth), latest.current, place.current);
      observer.observe(place.current);
    }, () => miss(true));
    return () => {
      isGone = true;
      observer.disconnect();
      drawn.current?.destroy();
    };
  }, []);
  useEffect(() => drawn.current?.setData(latest.current), [times, values]);
  return (
    <figure class="panel" aria-label={plot.title}>
      <figcaption>
        <strong>{plot.title}</strong>
        <ul>
          {plot.series.map(({ name, text }, index) => (
            <li key={name}><i class={`line${index}`} aria-hidden="true" />{name} <b>{text(values[index].at(-1) ?? null)}</b></li>))}
        </ul>
      </figcaption>
      <div ref={place} aria-hidden="true" />
      {isMissing && <Missing />}
    </figure>
  );
}
