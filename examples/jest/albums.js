// Code that is tested. It knows nothing of Dinette.

const { DynamoDBClient } = require("@aws-sdk/client-dynamodb");
const { DynamoDBDocumentClient, GetCommand, UpdateCommand } = require("@aws-sdk/lib-dynamodb");

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const TableName = "Albums";

/** Counts one more play of an artist. */
exports.play = (artist) =>
  documents.send(
    new UpdateCommand({
      TableName,
      Key: { artist },
      UpdateExpression: "ADD plays :one",
      ExpressionAttributeValues: { ":one": 1 },
    }),
  );

exports.plays = async (artist) => {
  const { Item } = await documents.send(new GetCommand({ TableName, Key: { artist } }));
  return Item?.plays ?? 0;
};
