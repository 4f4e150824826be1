import { world } from "../lib/state.js";

/** How clients reach this server, and the chosen world. */
export function PointClients() {
  const key = world.value === "default" ? "any" : world.value;
  const endpoint = location.origin;
  const text = `# AWS CLI and every SDK
export AWS_ENDPOINT_URL=${endpoint}
export AWS_ACCESS_KEY_ID=${key} AWS_SECRET_ACCESS_KEY=any AWS_REGION=us-east-1

// JavaScript
new DynamoDBClient({ endpoint: "${endpoint}", region: "us-east-1",
  credentials: { accessKeyId: "${key}", secretAccessKey: "any" } });

# Python
boto3.client("dynamodb", endpoint_url="${endpoint}", region_name="us-east-1",
             aws_access_key_id="${key}", aws_secret_access_key="any")`;
  return <pre role="region" aria-label="How to point a program at this server" tabindex={0}>{text}</pre>;
}
