// Which rows of a long list are in view. Only these are in the document, between two spacers.

/** Browsers draw no element that is higher than some 17 (Firefox) to 33 (Chromium) million pixels. */
const highest = 15_000_000;

/**
 * Heights of `count` rows of `height` pixels, of which some are higher: `extras` maps their index to the pixels that they have
 * more. All offsets are from the first row.
 */
export class RowHeights {
  constructor(count, height, extras = new Map()) {
    this.count = count;
    this.height = height;
    this.extras = [...extras].filter(([index]) => index < count).sort(([a], [b]) => a - b);
    this.total = count * height + this.extras.reduce((sum, [, more]) => sum + more, 0);
  }

  /** Returns where a row begins; the end of the list for `count`. */
  top(index) {
    let top = index * this.height;
    for (const [at, more] of this.extras) {
      if (at >= index) break;
      top += more;
    }
    return top;
  }

  /** Returns the row at an offset. */
  at(offset) {
    let before = 0;  // what higher rows above have more
    for (const [index, more] of this.extras) {
      const top = index * this.height + before;
      if (offset < top) break;
      if (offset < top + this.height + more) return index;
      before += more;
    }
    return Math.max(0, Math.min(this.count - 1, Math.floor((offset - before) / this.height)));
  }
}

/** Returns the height of what scrolls. A longer list is scrolled in larger steps. */
export const scrollHeight = (heights) => Math.min(heights.total, highest);

/** Returns by how much an offset of the list is more than one of what scrolls. */
const scale = (heights, view) => (heights.total > highest ? (heights.total - view) / (highest - view) : 1);

/** Returns the scroll position at which an offset of the list is at the top of the view. */
export const scrollOf = (heights, view, offset) => offset / scale(heights, view);

/**
 * Returns the rows to draw, {first, end, shift}, where the scroller has these pixels in view from this scroll position on.
 * `shift` is where the first of them is drawn.
 */
export function rowsInView(heights, scroll, view, spare = 6) {
  if (heights.count === 0) return { first: 0, end: 0, shift: 0 };
  const offset = Math.min(scroll * scale(heights, view), Math.max(0, heights.total - view));
  const drawnAt = (index) => heights.top(index) - offset + Math.min(scroll, scrollHeight(heights));
  let first = heights.at(offset);
  for (let more = 0; more < spare && first > 0 && drawnAt(first - 1) >= 0; more++) --first;
  const end = Math.min(heights.count, heights.at(offset + view) + 1 + spare);
  return { first, end, shift: Math.max(0, drawnAt(first)) };
}
