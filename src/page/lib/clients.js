// Who sent a request, as far as the request says: its User-Agent, and its trace.

/** What this page calls itself (lib/dynamodb.js). */
export const ownAgent = "dinette-page";

const programs = [
  [/^aws-sdk-js\/(\d+)/, "SDK for JavaScript"], [/^Boto3\/(\d+)/i, "boto3"], [/^aws-cli\/(\d+)/, "AWS CLI"],
  [/^aws-sdk-java\/(\d+)/, "SDK for Java"], [/^aws-sdk-go-v2\/(\d+)/, "SDK for Go"], [/^aws-sdk-rust\/(\d+)/, "SDK for Rust"],
  [/^aws-sdk-dotnet[^/]*\/(\d+)/, "SDK for .NET"], [/^aws-sdk-php\/(\d+)/, "SDK for PHP"], [/^aws-sdk-ruby3?\/(\d+)/, "SDK for Ruby"],
  [/^aws-sdk-cpp\/(\d+)/, "SDK for C++"], [/^aws-sdk-kotlin\/(\d+)/, "SDK for Kotlin"], [/^Botocore\/(\d+)/i, "botocore"],
];

function programOf(agent) {
  if (!agent) return "unnamed";
  if (agent.startsWith(ownAgent)) return "this page";
  for (const [pattern, name] of programs) {
    const [, version] = pattern.exec(agent) ?? [];
    if (version) return `${name} ${version}`;
  }
  return agent.startsWith("Mozilla/") ? "a browser" : agent.split(/[\s(]/)[0];
}

/** Returns the application id that an SDK was given (AWS_SDK_UA_APP_ID); undefined if there is none. */
export const appOf = ({ client }) => /(?:^|\s)app\/(\S+)/.exec(client?.agent ?? "")?.[1];

/** "boto3 1 at 192.0.2.7": the program, and its machine unless it is this one. */
export function clientOf({ client }) {
  const address = (client?.address ?? "").replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  const isHere = !address || /^(127\.|::1$|::ffff:127\.)/.test(address);
  return programOf(client?.agent ?? "") + (isHere ? "" : ` at ${address}`);
}

/** What groups the requests of one test: the application id that it chose, else its trace. */
export const testOf = (request) => appOf(request) ?? (request.trace ? `trace ${request.trace}` : "none");

export const isOwn = ({ client }) => (client?.agent ?? "").startsWith(ownAgent);
