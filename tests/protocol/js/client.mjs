// Clients as an application makes them; each counts its requests, so that a test sees a retry.
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

export function makeClient(endpoint, options = {}) {
  const client = new DynamoDBClient({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "key", secretAccessKey: "secret" },
    ...options,
  });
  client.requestsSent = 0;
  const count = (next) => (args) => {
    client.requestsSent += 1;
    return next(args);
  };
  client.middlewareStack.add(count, { step: "deserialize", name: "countRequests" });
  return client;
}

export const makeDocumentClient = (client) => DynamoDBDocumentClient.from(client);

export function createTable(client, name, members = {}) {
  return client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [
        { AttributeName: "artist", AttributeType: "S" },
        { AttributeName: "song", AttributeType: "S" },
      ],
      KeySchema: [
        { AttributeName: "artist", KeyType: "HASH" },
        { AttributeName: "song", KeyType: "RANGE" },
      ],
      ...members,
    }),
  );
}
