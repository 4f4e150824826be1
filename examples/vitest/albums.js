// Code that is tested. It knows nothing of Dinette.

import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const TableName = "Albums";

/** Counts one more play of an artist. */
export const play = (artist) =>
  documents.send(
    new UpdateCommand({
      TableName,
      Key: { artist },
      UpdateExpression: "ADD plays :one",
      ExpressionAttributeValues: { ":one": 1 },
    }),
  );

export const plays = async (artist) => {
  const { Item } = await documents.send(new GetCommand({ TableName, Key: { artist } }));
  return Item?.plays ?? 0;
};
