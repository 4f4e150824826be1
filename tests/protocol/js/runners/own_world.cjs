// What two test files do at the same time. Only the environment tells the SDK which world it is in.
const assert = require("node:assert/strict");
const { CreateTableCommand, DynamoDBClient, GetItemCommand, PutItemCommand } = require("@aws-sdk/client-dynamodb");
const { connect } = require("dinette");

const Music = "Music"; // in the world of each file
const Meeting = "Meeting"; // in the world of all

function createTable(client, TableName) {
  return client.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
      KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      BillingMode: "PAY_PER_REQUEST",
    }),
  );
}

const put = (client, TableName, Item) => client.send(new PutItemCommand({ TableName, Item }));
const get = async (client, TableName, Key) =>
  (await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))).Item;

const inWorldOfAll = () => new DynamoDBClient(connect(process.env.DINETTE_ENDPOINT).world.clientConfig);

/** To be called once, before the test files run. */
exports.prepareMeeting = () => createTable(inWorldOfAll(), Meeting);

/** Resolves when the other file has called this, too. */
async function meet(me, other) {
  const client = inWorldOfAll();
  await put(client, Meeting, { pk: { S: me } });
  while (!(await get(client, Meeting, { pk: { S: other } })));
}

exports.checkOwnWorld = async (world, me, other, year) => {
  const client = new DynamoDBClient({});
  const Key = { pk: { S: "one key" } };
  await createTable(client, Music);
  await put(client, Music, { ...Key, by: { S: me } });
  await world.clock.freeze();
  await world.clock.set(new Date(Date.UTC(year, 0, 1)));
  await meet(me, other);
  assert.equal(await get(client, Meeting, { pk: { S: me } }), undefined); // the table was forked, empty
  assert.deepEqual(await get(client, Music, Key), { ...Key, by: { S: me } });
  assert.equal((await world.clock.read()).now, `${year}-01-01T00:00:00.000Z`);
};
