// The table that single-table designs are made of: nameless keys, and global indexes of the same kind.
import { CreateTableCommand } from "@aws-sdk/client-dynamodb";

const keySchema = (HASH, RANGE) =>
  Object.entries({ HASH, RANGE }).map(([KeyType, AttributeName]) => ({ AttributeName, KeyType }));

// createSingleTable(client, "Name", { gsi1: "ALL", gsi2: "KEYS_ONLY" }): pk and sk; gsi1pk and gsi1sk; ...
export function createSingleTable(client, TableName, projections) {
  const prefixes = ["", ...Object.keys(projections)];
  return client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: prefixes
        .flatMap((prefix) => [`${prefix}pk`, `${prefix}sk`])
        .map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
      KeySchema: keySchema("pk", "sk"),
      GlobalSecondaryIndexes: Object.entries(projections).map(([IndexName, ProjectionType]) => ({
        IndexName,
        KeySchema: keySchema(`${IndexName}pk`, `${IndexName}sk`),
        Projection: { ProjectionType },
      })),
    }),
  );
}
