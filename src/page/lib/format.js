let fractions;
const withFraction = (number) => (fractions ??= new Intl.NumberFormat("en")).format(number);
const withCommas = (integer) => String(integer).replace(/\B(?=(\d{3})+$)/g, ",");

/** "1,234", "0.125": at most three digits after the point. Intl is asked only for fractions, since it takes a few milliseconds to begin. */
export const count = (number) => (Number.isSafeInteger(number) ? withCommas(number) : withFraction(number));

export function bytes(size) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    ++unit;
  }
  return `${unit && size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`;
}

const two = (number) => String(number).padStart(2, "0");

/** "+01:00": how far the time of this machine is from UTC at a moment. */
function offsetOf(date) {
  const minutes = -date.getTimezoneOffset();
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}

let zone = () => "utc";

/** Calls `read` for each time that is written: "utc" or "local". */
export function writeTimesIn(read) {
  zone = read;
}

/** "2026-01-31 08:15:00 UTC", or "2026-01-31 09:15:00 +01:00" if the user prefers local times. */
export function moment(milliseconds) {
  const date = new Date(milliseconds);
  if (zone() === "utc") return `${date.toISOString().replace("T", " ").slice(0, 19)} UTC`;
  const local = new Date(milliseconds - date.getTimezoneOffset() * 60_000);
  return `${local.toISOString().replace("T", " ").slice(0, 19)} ${offsetOf(date)}`;
}

/** "08:15:00": the time of the day of moment(), without the zone. */
export const timeOfDay = (milliseconds) => moment(milliseconds).slice(11, 19);

/** "0.14 ms", "13.5 ms", "2,150 ms" */
export const duration = (milliseconds) =>
  `${milliseconds < 10 ? milliseconds.toFixed(2) : milliseconds < 100 ? milliseconds.toFixed(1) : count(Math.round(milliseconds))} ms`;

export const plural = (number, one, many = one + "s") => `${count(number)} ${number === 1 ? one : many}`;
