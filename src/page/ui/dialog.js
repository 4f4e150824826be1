import { signal } from "@preact/signals";

/** The dialog of the page over the view: "help", "access", "preferences", "palette", or "tables", the palette with tables alone. */
export const dialog = signal();
