module.exports = {
  tables: [
    {
      TableName: "Albums",
      AttributeDefinitions: [{ AttributeName: "artist", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "artist", KeyType: "HASH" }],
      ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
      data: [{ artist: "Fela Kuti" }],
    },
  ],
  basePort: Number(process.env.BASE_PORT),
};
