const counts = new Intl.NumberFormat("en");
export const count = (number) => counts.format(number);

export function bytes(size) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    ++unit;
  }
  return `${unit && size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

/** "2026-01-31 08:15:00", in UTC. */
export const moment = (milliseconds) => new Date(milliseconds).toISOString().replace("T", " ").slice(0, 19);

export const plural = (number, one, many = one + "s") => `${count(number)} ${number === 1 ? one : many}`;
