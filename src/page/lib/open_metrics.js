// Reads the text of /_dinette/metrics, in either of its formats, as far as Dinette writes it.

const line = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g;
const unescaped = (text) => text.replace(/\\(.)/g, (_, character) => (character === "n" ? "\n" : character));

/** Returns the samples by the name of their metric: a map of arrays of {labels, value}. */
export function readMetrics(text) {
  const metrics = new Map();
  for (const one of text.split("\n")) {
    const [, name, labels = "", value] = line.exec(one) ?? [];
    if (!name) continue;  // a comment, or the last line
    const sample = { labels: {}, value: Number(value) };
    for (const [, key, content] of labels.matchAll(label)) sample.labels[key] = unescaped(content);
    if (!metrics.has(name)) metrics.set(name, []);
    metrics.get(name).push(sample);
  }
  return metrics;
}

/** Returns the sum of the samples of a metric whose labels `matches` accepts; 0 if there are none. */
export const sum = (metrics, name, matches = () => true) =>
  (metrics.get(name) ?? []).reduce((total, { labels, value }) => total + (matches(labels) ? value : 0), 0);

const boundOf = ({ le }) => (le === "+Inf" ? Infinity : Number(le));

/** Returns how many observations of a histogram were at most as large as each bound: [[bound, count], ...]. */
function buckets(metrics, name, matches) {
  const counts = new Map();
  for (const { labels, value } of metrics.get(name + "_bucket") ?? []) {
    if (matches(labels)) counts.set(boundOf(labels), (counts.get(boundOf(labels)) ?? 0) + value);
  }
  return [...counts].sort(([a], [b]) => a - b);
}

/**
 * Returns the value that `share` (0 to 1) of the observations between two readings did not exceed, as if they were spread
 * evenly within each bucket; null if there were none.
 */
export function quantile(before, after, name, share, matches) {
  const earlier = new Map(buckets(before, name, matches));
  const grown = buckets(after, name, matches).map(([bound, count]) => [bound, count - (earlier.get(bound) ?? 0)]);
  const wanted = share * (grown.at(-1)?.[1] ?? 0);
  if (wanted === 0) return null;
  let [low, below] = [0, 0];
  for (const [bound, count] of grown) {
    if (count >= wanted) return bound === Infinity ? low : low + (bound - low) * (wanted - below) / (count - below);
    [low, below] = [bound, count];
  }
  return null;
}
