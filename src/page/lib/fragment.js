// What the page shows is in the fragment of the address, so that it can be kept, sent, and gone back to:
//
//   #/tables/Music/settings                 a view and its parts
//   #/w/my-fork/tables/Music?op=Query&...   in another world than the default one; what follows "?" belongs to the view

/** Addresses are typed and cut by people: what is not encoded is taken as it is. */
export function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const defaultWorld = "default";

/** Returns {world, parts, query} of a fragment. `query` is a text. */
export function parseFragment(fragment) {
  const [path, ...rest] = fragment.replace(/^#?\/?/, "").split("?");
  const parts = path.split("/").filter(Boolean).map(decode);
  const world = parts[0] === "w" && parts[1] ? parts.splice(0, 2)[1] : defaultWorld;
  return { world, parts, query: rest.join("?") };
}

/** Returns the fragment that parseFragment() reads. */
export function fragmentOf({ world = defaultWorld, parts, query = "" }) {
  const path = world === defaultWorld ? parts : ["w", world, ...parts];
  return `#/${path.map(encodeURIComponent).join("/")}${query && `?${query}`}`;
}
