// curl, in a POSIX shell: the request as it is on the wire, without a signature.
import { isOfStreams, shellWord } from "./values.js";

export function curl(operation, input, { endpoint, region, accessKeyId }) {
  const api = isOfStreams(operation) ? "DynamoDBStreams_20120810" : "DynamoDB_20120810";
  const credential = `Credential=${accessKeyId}/20260101/${region}/dynamodb/aws4_request`;
  return [
    `curl ${shellWord(endpoint.replace(/\/*$/, "/"))}`,
    "-H 'Content-Type: application/x-amz-json-1.0'",
    `-H 'X-Amz-Target: ${api}.${operation}'`,
    `-H ${shellWord(`Authorization: AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=none`)}`,
    `--data-raw ${shellWord(JSON.stringify(input, null, 2))}`,
  ].join(" \\\n  ") + "\n";
}
