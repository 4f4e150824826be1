const { CreateTableCommand, DynamoDBClient } = require("@aws-sdk/client-dynamodb");
const { play, plays } = require("./albums.js");

beforeAll(() =>
  new DynamoDBClient({}).send(
    new CreateTableCommand({
      TableName: "Albums",
      AttributeDefinitions: [{ AttributeName: "artist", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "artist", KeyType: "HASH" }],
      BillingMode: "PAY_PER_REQUEST",
    }),
  ),
);

test("plays are counted", async () => {
  await play("Nina Simone");
  await play("Nina Simone");
  expect(await plays("Nina Simone")).toBe(2);
  expect(await plays("Fela Kuti")).toBe(0);
});
