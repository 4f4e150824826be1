const { DynamoDBClient, GetItemCommand, PutItemCommand, ScanCommand } = require("@aws-sdk/client-dynamodb");

const client = new DynamoDBClient({
  endpoint: process.env.MOCK_DYNAMODB_ENDPOINT,
  region: "local",
  credentials: { accessKeyId: "any", secretAccessKey: "any" },
});
afterAll(() => client.destroy());

test("a table has the items of the configuration", async () => {
  const Item = { artist: { S: "Nina Simone" } };
  await client.send(new PutItemCommand({ TableName: "Albums", Item }));
  const read = await client.send(new GetItemCommand({ TableName: "Albums", Key: { artist: { S: "Fela Kuti" } } }));
  expect(read.Item).toEqual({ artist: { S: "Fela Kuti" } });
});

test("each test begins with new tables", async () => {
  const { Items } = await client.send(new ScanCommand({ TableName: "Albums" }));
  expect(Items).toEqual([{ artist: { S: "Fela Kuti" } }]);
});
