// Reads shapes.js: of which type each member of a request is.
import { requests, structures } from "./shapes.js";

/** Thrown where a request has a member that shapes.js does not know. */
export class UnknownMember extends Error {}

const typesOf = (text) => new Map(text.split(" ").filter(Boolean).map((one) => {
  const [name, type = "String"] = one.split(":");
  return [name, type];
}));

/** Returns [[name, type, value], ...] of what a structure has, or a request if `name` is an operation. Throws UnknownMember. */
export function typedMembers(name, value) {
  const text = Object.hasOwn(requests, name) ? requests[name] : Object.hasOwn(structures, name) ? structures[name] : undefined;
  if (text === undefined) throw new UnknownMember(name);
  const types = typesOf(text);
  return Object.entries(value).filter(([, one]) => one !== undefined && one !== null).map(([member, one]) => {
    if (!types.has(member)) throw new UnknownMember(`${name}.${member}`);
    return [member, types.get(member), one];
  });
}

/** Returns {list: type} or {map: type} of such a type; {} of another. */
export function wrapped(type) {
  const [, kind, inner] = /^(list|map)<(.+)>$/.exec(type) ?? [];
  return kind ? { [kind]: inner } : {};
}

/** Returns the text that `write` makes, or undefined if the request has members that are not known. */
export function ifKnown(write) {
  try {
    return write();
  } catch (error) {
    if (error instanceof UnknownMember) return undefined;
    throw error;
  }
}
