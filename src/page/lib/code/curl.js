// curl, in a POSIX shell: the request as it is on the wire, without a signature.
import { isOfStreams, shellWord } from "./values.js";

function command(operation, body, { endpoint, region, accessKeyId }) {
  const api = isOfStreams(operation) ? "DynamoDBStreams_20120810" : "DynamoDB_20120810";
  const credential = `Credential=${accessKeyId}/20260101/${region}/dynamodb/aws4_request`;
  return [
    `curl ${shellWord(endpoint.replace(/\/*$/, "/"))}`,
    "-H 'Content-Type: application/x-amz-json-1.0'",
    `-H 'X-Amz-Target: ${api}.${operation}'`,
    `-H ${shellWord(`Authorization: AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=none`)}`,
    `--data-raw ${body}`,
  ];
}

const sendAll = (request, sent) => `# Reads all pages; jq finds where the next one begins.
request=${request}
while [ -n "$request" ]; do
  page=$(${sent.join(" \\\n    ")})
  printf '%s\\n' "$page"
  request=$(printf '%s' "$page" | jq --argjson request "$request" \\
    '.LastEvaluatedKey | values | $request + {ExclusiveStartKey: .}')
done
`;

export function curl(operation, input, options) {
  const request = shellWord(JSON.stringify(input, null, 2));
  if (!options.allPages) return `${command(operation, request, options).join(" \\\n  ")}\n`;
  const [first, ...more] = command(operation, '"$request"', options);
  return sendAll(request, [first.replace("curl", "curl -sS"), ...more]);
}
