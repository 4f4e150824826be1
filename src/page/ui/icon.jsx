// Pictures of 16 by 16, drawn in the colour of the text. They say nothing that is not in words next to them, or in a label.
const paths = {
  tables: "M2.5 3.5h11v9h-11zM2.5 6.5h11M6.5 6.5v6",
  partiql: "M3 4.5l3 3.5-3 3.5M8 12h5",
  requests: "M2.5 5.5h9M9 3l2.5 2.5L9 8M13.5 10.5h-9M7 8l-2.5 2.5L7 13",
  streams: "M2 5c2-2 4-2 6 0s4 2 6 0M2 8.5c2-2 4-2 6 0s4 2 6 0M2 12c2-2 4-2 6 0s4 2 6 0",
  clock: "M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11M8 5v3l2 1.5",
  worlds: "M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11M2.5 8h11M8 2.5c3 3 3 8 0 11M8 2.5c-3 3-3 8 0 11",
  faults: "M8 2.5L14 13H2zM8 6.5v3M8 11v.5",
  metrics: "M2.5 2.5v11h11M5 10l2.5-3 2 2L13 5",
  report: "M4 2.5h6l2.5 2.5v8.5H4zM6.5 7h4M6.5 9.5h4M6.5 12h2",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M10.5 10.5l3 3",
  key: "M10 3a3 3 0 1 1 0 6 3 3 0 0 1 0-6M8 8l-5.5 5.5M4.5 11.5L6 13",
  light: "M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5M8 2v1M8 13v1M2 8h1M13 8h1M3.8 3.8l.7.7M11.5 11.5l.7.7M3.8 12.2l.7-.7M11.5 4.5l.7-.7",
  dark: "M13 9.5A5.5 5.5 0 1 1 6.5 3 4.5 4.5 0 0 0 13 9.5z",
  system: "M2.5 3.5h11v7h-11zM6 13.5h4M8 10.5v3",
  preferences: "M2.5 5h6M11.5 5h2M10 3.5v3M2.5 11h2M7.5 11h6M6 9.5v3",
  help: "M6 6a2 2 0 1 1 3 1.7c-.7.4-1 .8-1 1.6M8 11.5v.5M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8",
  plus: "M8 3v10M3 8h10",
  play: "M5 3.5l7 4.5-7 4.5z",
  filter: "M2.5 4h11M4.5 8h7M6.5 12h3",
  remove: "M4 4l8 8M12 4l-8 8",
  reload: "M13 8a5 5 0 1 1-1.5-3.5L13 6M13 2.5V6H9.5",
  star: "M8 2.5l1.7 3.5 3.8.5-2.8 2.7.7 3.8L8 11.2 4.6 13l.7-3.8L2.5 6.5 6.3 6z",
  history: "M3 8a5 5 0 1 0 1.5-3.5L3 6M3 2.5V6h3.5M8 5.5V8l1.8 1.2",
  code: "M5.5 4.5L2 8l3.5 3.5M10.5 4.5L14 8l-3.5 3.5",
  copy: "M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1",
  check: "M3 8.5l3.5 3.5L13 4.5",
  down: "M4 6l4 4 4-4",
  right: "M6 4l4 4-4 4",
  updown: "M5 6l3-3 3 3M5 10l3 3 3-3",
  warning: "M8 2.5L14 13H2zM8 6.5v3M8 11v.5",
  record: "M8 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8",
  trash: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9M7 7v4M9 7v4",
};

export const Icon = ({ name }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d={paths[name]} /></svg>
);

/** A button of a picture alone. `label` is its name, also shown where the pointer rests. */
export const IconButton = ({ name, label, ...more }) => (
  <button type="button" class="quiet iconic" aria-label={label} title={label} {...more}><Icon name={name} /></button>
);
