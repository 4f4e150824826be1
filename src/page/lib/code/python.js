// Python, boto3's client. JSON's way of writing texts is one of Python's, too.
import { group, layOut } from "./layout.js";
import { binariesOf, hasBinary, isOfStreams, membersOf, separated } from "./values.js";

const words = new Map([[true, "True"], [false, "False"], [null, "None"]]);
const bytes = (base64) => `base64.b64decode(${JSON.stringify(base64)})`;

function literal(value) {
  if (value === null || typeof value !== "object") return words.get(value) ?? JSON.stringify(value);
  if (Array.isArray(value)) return group("[", value.map(literal), "]");
  const binaries = binariesOf(value);
  if (binaries && "B" in value) return `{"B": ${bytes(binaries[0])}}`;
  if (binaries) return group('{"BS": [', binaries.map(bytes), "]}");
  return group("{", membersOf(value).map(([name, one]) => [`${JSON.stringify(name)}: `, literal(one)]), "}");
}

const call = (name, named) => group(`${name}(`, named.map(([key, value]) => [`${key}=`, literal(value)]), ")");

const unit = "    ";

const sendOne = (method, input) => `response = ${layOut(call(`client.${method}`, membersOf(input)), unit)}
print(response)`;

// Here the size of a page is not a member of the request.
const paged = ({ Limit, ...input }) => ({ ...input, PaginationConfig: Limit && { PageSize: Limit } });

const sendAll = (method, input) => `pages = ${layOut(call(`client.get_paginator("${method}").paginate`, membersOf(paged(input))), unit)}
for page in pages:
    print(page["Items"])`;

export function python(operation, input, { endpoint, region, accessKeyId, allPages }) {
  const client = call("boto3.client", [
    ["service_name", isOfStreams(operation) ? "dynamodbstreams" : "dynamodb"], ["endpoint_url", endpoint], ["region_name", region],
    ["aws_access_key_id", accessKeyId], ["aws_secret_access_key", "any"]]);
  return `${hasBinary(input) ? "import base64\n\n" : ""}import boto3

client = ${layOut(client, unit)}
${(allPages ? sendAll : sendOne)(separated(operation, "_"), input)}
`;
}
