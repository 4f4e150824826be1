// Creates once what every test file needs. Each of them has a copy.

import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { connect } from "dinette";

export default async function createTables() {
  const client = new DynamoDBClient(connect(process.env.DINETTE_ENDPOINT).world.clientConfig);
  await client.send(
    new CreateTableCommand({
      TableName: "Albums",
      AttributeDefinitions: [{ AttributeName: "artist", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "artist", KeyType: "HASH" }],
      BillingMode: "PAY_PER_REQUEST",
    }),
  );
}
