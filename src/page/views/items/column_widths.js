// How wide columns are: as the user has drawn them, or as their content needs, within limits, and wider where there is room. In pixels,
// so that pinned columns know where they are.
import { hasMembers, preview, typeOf } from "../../lib/value_types.js";

const character = 7.7;
const padding = 30;
const narrowest = 72;
/** Limits of a width that the user chooses. */
const narrowestOwn = 48;
const widestOwn = 2000;
const usual = 340;
const sampled = 60;

/** Returns how many characters a value takes, with its marks. */
function lengthOf(typed) {
  if (!typed) return 1;
  const type = typeOf(typed);
  return preview(typed, 120).length + (hasMembers(type) ? 8 : type === "B" ? 4 : 2);
}

/** Widths that contents need, by name. They stay as they are when more items are read. */
export class NeededWidths {
  #known = new Map();

  /** Returns how wide a column should be if there is room. */
  of(name, items) {
    if (!this.#known.has(name)) {
      const texts = items.slice(0, sampled).map((item) => lengthOf(item[name]));
      const longest = Math.max(name.length + 3, ...texts, 0);
      const width = Math.ceil(Math.max(narrowest, longest * character + padding));
      if (items.length === 0) return width;
      this.#known.set(name, width);
    }
    return this.#known.get(name);
  }
}

export const limitedWidth = (width) => Math.round(Math.max(narrowestOwn, Math.min(widestOwn, width)));

/** Returns the width of each column, {own, needed}, where so much room is left after what comes before them. */
export function widthsOf(columns, room) {
  const widths = columns.map(({ own, needed }) => own ?? Math.min(needed, usual));
  let left = room - widths.reduce((sum, width) => sum + width, 0);
  columns.forEach(({ own, needed }, at) => {
    if (own !== undefined) return;
    const more = Math.max(0, Math.min(left, needed - widths[at]));
    widths[at] += more;
    left -= more;
  });
  return widths;
}
