const { DynamoDBClient, ListTablesCommand } = require("@aws-sdk/client-dynamodb");
const { world } = require("dinette/test-file");

test("the table of another test file is not in the world of this one", async () => {
  const { TableNames } = await new DynamoDBClient({}).send(new ListTablesCommand({}));
  expect(TableNames).toEqual([]);
});

test("the clock of this file's world is moved", async () => {
  await world.clock.set("2030-01-01T00:00:00Z");
  expect((await world.clock.advance("PT25H")).now).toMatch(/^2030-01-02T01/);
});
