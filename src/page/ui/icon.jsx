import paths from "./icons.json";

// Pictures of 16 by 16, drawn in the colour of the text. They say nothing that is not in words next to them, or in a label.
export const Icon = ({ name }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d={paths[name]} /></svg>
);

/** A button of a picture alone. `label` is its name, also shown where the pointer rests. */
export const IconButton = ({ name, label, ...more }) => (
  <button type="button" class="quiet iconic" aria-label={label} title={label} {...more}><Icon name={name} /></button>
);
