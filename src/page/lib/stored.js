/** Returns what is kept in a storage of the browser; `initial` where there is nothing, or something that is not JSON. */
export function stored(storage, name, initial) {
  try {
    return JSON.parse(storage.getItem(keyOf(name))) ?? initial;
  } catch {
    return initial;
  }
}

export const keyOf = (name) => `dinette.${name}`;
