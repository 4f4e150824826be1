// The regions of a world with global tables, as GET /_dinette/regions describes them.

const keyOf = ({ from, to }) => `${from} ${to}`;

/** Returns the regions that replicas or settings name, in the order of their names. */
export function regionsOf({ replication, cut, skews }) {
  const named = [...replication, ...cut].flatMap(({ from, to }) => [from, to]);
  return [...new Set([...named, ...Object.keys(skews)])].sort();
}

/** Returns the links between regions, over all tables: what waits, and how many seconds the oldest of it has waited. */
export function linksOf({ replication, cut }) {
  const links = new Map();
  for (const { from, to, pending, secondsBehind = 0 } of replication) {
    const link = links.get(keyOf({ from, to })) ?? { from, to, pending: 0, behind: 0 };
    link.pending += pending;
    link.behind = Math.max(link.behind, secondsBehind);
    links.set(keyOf(link), link);
  }
  const isCut = new Set(cut.map(keyOf));
  return [...links.values()].map((link) => ({ ...link, cut: isCut.has(keyOf(link)) }));
}

/** Returns the links that are cut when this one is cut, or is made whole again. */
export const withLink = (cut, { from, to }, isCut) =>
  [...cut.filter((one) => keyOf(one) !== keyOf({ from, to })), ...(isCut ? [{ from, to }] : [])];

/** Returns the clocks that are wrong when this one is ahead by so many seconds. */
export function withSkew(skews, region, seconds) {
  const { [region]: _, ...others } = skews;
  return seconds === 0 ? others : { ...others, [region]: seconds };
}

/** Returns where things stand on a map of this size: by name on an ellipse, from the left. */
export function places(names, width, height) {
  const angle = (index) => Math.PI + (2 * Math.PI * index) / names.length;
  return new Map(names.map((name, index) => [name, {
    x: width / 2 + Math.cos(angle(index)) * width * 0.36, y: height / 2 + Math.sin(angle(index)) * height * 0.36 }]));
}

const space = 8;  // between a box and the lines to it

/** Returns a line between boxes that is bent to its left, so that the one back lies beside it: its path from edge to edge, and its middle. */
export function bent(from, to, box, bend) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const gap = space + Math.min(box.width / 2 / Math.abs(along.x), box.height / 2 / Math.abs(along.y));
  const at = (way, aside) => ({ x: from.x + along.x * way + along.y * aside, y: from.y + along.y * way - along.x * aside });
  const [start, middle, end] = [at(gap, bend / 4), at(length / 2, bend), at(length - gap, bend / 4)];
  const text = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  return { path: `M${text(start)}Q${text(middle)} ${text(end)}`, middle: at(length / 2, bend * 0.7) };
}
