import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  DeleteResourcePolicyCommand,
  DescribeContributorInsightsCommand,
  DescribeLimitsCommand,
  GetResourcePolicyCommand,
  ListContributorInsightsCommand,
  PolicyNotFoundException,
  PutResourcePolicyCommand,
  UpdateContributorInsightsCommand,
} from "@aws-sdk/client-dynamodb";
import { createTable, makeClient } from "./client.mjs";
import { startServer } from "./server.mjs";

const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Guarded";
const policy = {
  Version: "2012-10-17",
  Statement: [
    {
      Effect: "Allow",
      Principal: { AWS: "arn:aws:iam::000000000000:user/alice" },
      Action: "dynamodb:GetItem",
      Resource: arn,
    },
  ],
};
let server, client;
before(async () => {
  server = await startServer();
  client = makeClient(server.endpoint);
  await createTable(client, "Guarded");
});
after(async () => {
  client.destroy();
  await server.stop();
});

test("a resource policy is put, read and deleted", async () => {
  const put = await client.send(new PutResourcePolicyCommand({ ResourceArn: arn, Policy: JSON.stringify(policy) }));
  assert.match(put.RevisionId, /^\d{13}$/);
  const got = await client.send(new GetResourcePolicyCommand({ ResourceArn: arn }));
  assert.equal(got.RevisionId, put.RevisionId);
  assert.deepEqual(JSON.parse(got.Policy), policy);
  const deleted = await client.send(
    new DeleteResourcePolicyCommand({ ResourceArn: arn, ExpectedRevisionId: put.RevisionId }),
  );
  assert.equal(deleted.RevisionId, put.RevisionId);
  await assert.rejects(client.send(new GetResourcePolicyCommand({ ResourceArn: arn })), (error) => {
    assert.ok(error instanceof PolicyNotFoundException);
    assert.equal(error.message, `Resource-based policy not found for the provided ResourceArn: ${arn}`);
    return true;
  });
});

test("contributor insights are enabled, described and listed", async () => {
  const TableName = "Guarded";
  const updated = await client.send(
    new UpdateContributorInsightsCommand({
      TableName,
      ContributorInsightsAction: "ENABLE",
      ContributorInsightsMode: "THROTTLED_KEYS",
    }),
  );
  assert.equal(updated.ContributorInsightsStatus, "ENABLING");
  const described = await client.send(new DescribeContributorInsightsCommand({ TableName }));
  assert.equal(described.ContributorInsightsMode, "THROTTLED_KEYS");
  assert.ok(described.LastUpdateDateTime instanceof Date);
  assert.match(described.ContributorInsightsRuleList[0], /^DynamoDBContributorInsights-PKT-Guarded-\d+$/);
  const { ContributorInsightsSummaries } = await client.send(new ListContributorInsightsCommand({}));
  assert.deepEqual(ContributorInsightsSummaries, [
    { TableName, ContributorInsightsStatus: "ENABLED", ContributorInsightsMode: "THROTTLED_KEYS" },
  ]);
});

test("the limits of the account are described", async () => {
  const { TableMaxReadCapacityUnits } = await client.send(new DescribeLimitsCommand({}));
  assert.equal(TableMaxReadCapacityUnits, 40000);
});
