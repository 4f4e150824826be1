// What requests consist of, for the writers of all languages.

/** Returns the text of binary values of an attribute, in base64, as a list; undefined for everything else. */
export function binariesOf(value) {
  const [name, ...more] = Object.keys(value);
  if (more.length) return undefined;
  if (name === "B" && typeof value.B === "string") return [value.B];
  if (name === "BS" && Array.isArray(value.BS) && value.BS.every((one) => typeof one === "string")) return value.BS;
  return undefined;
}

/** Returns true if a request has binary values anywhere. */
export function hasBinary(value) {
  if (value === null || typeof value !== "object") return false;
  return (!Array.isArray(value) && binariesOf(value) !== undefined) || Object.values(value).some(hasBinary);
}

/** Returns [[name, value], ...] of what is there. */
export const membersOf = (input) => Object.entries(input).filter(([, value]) => value !== undefined && value !== null);

const ofStreams = new Set(["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"]);
export const isOfStreams = (operation) => ofStreams.has(operation);

/** "SSESpecification" becomes "sse-specification", as botocore and the AWS CLI have it. */
export const separated = (name, separator) =>
  name.replace(/(.)([A-Z][a-z]+)/g, `$1${separator}$2`).replace(/([a-z0-9])([A-Z])/g, `$1${separator}$2`).toLowerCase();

/** Quotes a word for a POSIX shell, if it needs it. */
export const shellWord = (text) => (/^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);
