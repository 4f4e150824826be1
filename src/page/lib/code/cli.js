// The AWS CLI, version 2, in a POSIX shell.
import { isOfStreams, membersOf, separated, shellWord } from "./values.js";

function option(name, value) {
  const flag = `--${separated(name, "-")}`;
  if (value === true) return flag;
  if (value === false) return flag.replace("--", "--no-");
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.startsWith("-") ? `${flag}=${shellWord(text)}` : `${flag} ${shellWord(text)}`;
}

// The AWS CLI reads all pages, unless a member is given that its own reading on would set.
const paged = ({ Limit, ...input }) => ({ ...input, PageSize: Limit });

export function cli(operation, input, { endpoint, region, accessKeyId, allPages }) {
  const service = isOfStreams(operation) ? "dynamodbstreams" : "dynamodb";
  return [
    `AWS_ACCESS_KEY_ID=${shellWord(accessKeyId)} AWS_SECRET_ACCESS_KEY=any`,
    `aws ${service} ${separated(operation, "-")}`,
    ...membersOf(allPages ? paged(input) : input).map(([name, value]) => option(name, value)),
    `--endpoint-url ${shellWord(endpoint)} --region ${shellWord(region)}`,
  ].join(" \\\n  ") + "\n";
}
