// How wide columns are: as the user has drawn them, or as their content needs, within limits, and wider where there is room. In pixels,
// so that pinned columns know where they are.
import { hasMembers, preview, typeOf } from "../../lib/value_types.js";

const character = 7.7;
const padding = 30;
const narrowest = 72;
/** Limits of a width that the user chooses. */
const narrowestOwn = 48;
const widestOwn = 2000;
const usualOfText = 340;
const usualOfMembers = 190;  // the first of them; the others are unfolded
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

  /** Returns {needed, usual}: how wide a column should be if there is room, and at most if there is none. */
  of(name, items) {
    if (!this.#known.has(name)) {
      const values = items.slice(0, sampled).map((item) => item[name]);
      const longest = Math.max(name.length + 3, ...values.map(lengthOf), 0);
      const needed = Math.ceil(Math.max(narrowest, longest * character + padding));
      const usual = values.some((typed) => typed && hasMembers(typeOf(typed))) ? usualOfMembers : usualOfText;
      if (items.length === 0) return { needed, usual };
      this.#known.set(name, { needed, usual });
    }
    return this.#known.get(name);
  }
}

export const limitedWidth = (width) => Math.round(Math.max(narrowestOwn, Math.min(widestOwn, width)));

/** Returns the width of each column, {own, needed, usual}, where so much room is left after what comes before them. */
export function widthsOf(columns, room) {
  const widths = columns.map(({ own, needed, usual }) => own ?? Math.min(needed, usual));
  let left = room - widths.reduce((sum, width) => sum + width, 0);
  columns.forEach(({ own, needed }, at) => {
    if (own !== undefined) return;
    const more = Math.max(0, Math.min(left, needed - widths[at]));
    widths[at] += more;
    left -= more;
  });
  return widths;
}
