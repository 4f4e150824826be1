// A hotel's bookings kept with Dynamoose, which creates the table and later adds an index to it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ConditionalCheckFailedException, DynamoDB, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import dynamoose from "dynamoose";
import { startServer } from "../server.mjs";

const TableName = "Bookings";
const options = {
  throughput: "ON_DEMAND",
  initialize: false,
  waitForActive: { enabled: true, check: { frequency: 0 } },
};

const attributes = {
  hotel: { type: String, hashKey: true },
  // Day of arrival and room.
  stay: { type: String, rangeKey: true },
  guest: { type: String, required: true, index: { type: "global", name: "byGuest", rangeKey: "stay" } },
  nights: { type: Number, required: true, index: { type: "local", name: "byNights", project: ["guest"] } },
  agency: String,
  paid: { type: Boolean, default: false },
  made: { type: Date, default: () => new Date("2026-01-01T12:00:00Z") },
  wishes: { type: Set, schema: [String] },
  bill: { type: Array, schema: [{ type: Object, schema: { what: String, price: Number } }] },
  address: { type: Object, schema: { street: String, city: String } },
  scan: Buffer,
};

let server, client, table, Booking;
before(async () => {
  server = await startServer();
  client = new DynamoDB({
    endpoint: server.endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "key", secretAccessKey: "secret" },
  });
  dynamoose.aws.ddb.set(client);
  Booking = dynamoose.model("Booking", new dynamoose.Schema(attributes));
  table = new dynamoose.Table(TableName, [Booking], { ...options, tags: { application: "hotel" } });
  await table.initialize();
});
after(async () => {
  client.destroy();
  await server.stop();
});

const day = (number) => `2026-05-${String(number).padStart(2, "0")}#12`;
const days = (count) => Array.from({ length: count }, (_, i) => day(i + 1));
const stays = (bookings) => bookings.map(({ stay }) => stay);
const plain = (booking) => JSON.parse(JSON.stringify(booking));

// A hotel of each test's own. Every fourth booking is of ada, the longest stays come first.
const makeBookings = (t, count) =>
  days(count).map((stay, i) => ({
    hotel: t.name,
    stay,
    guest: i % 4 === 0 ? `ada in ${t.name}` : `guest ${i}`,
    nights: count - i,
    paid: i % 2 === 0,
  }));
const saveBookings = (t, count) => Promise.all(makeBookings(t, count).map((booking) => Booking.create(booking)));

test("the table is as the model says", async () => {
  const { Table } = await client.describeTable({ TableName });
  assert.equal(Table.BillingModeSummary.BillingMode, "PAY_PER_REQUEST");
  assert.deepEqual(
    Table.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName),
    ["byGuest"],
  );
  assert.deepEqual(
    Table.LocalSecondaryIndexes.map(({ IndexName, Projection }) => [IndexName, Projection]),
    [["byNights", { ProjectionType: "INCLUDE", NonKeyAttributes: ["guest"] }]],
  );
  const { Tags } = await client.listTagsOfResource({ ResourceArn: Table.TableArn });
  assert.deepEqual(Tags, [{ Key: "application", Value: "hotel" }]);
});

test("a booking is saved once, changed and deleted", async (t) => {
  const key = { hotel: t.name, stay: day(1) };
  const given = {
    ...key,
    guest: "ada",
    nights: 2,
    wishes: new Set(["late breakfast", "sea view"]),
    bill: [{ what: "tea", price: 2.5 }],
    address: { street: "12 St James's Square", city: "London" },
    scan: Buffer.from([0, 1, 255]),
  };
  await new Booking(given).save({ overwrite: false });
  await assert.rejects(Booking.create(given), ConditionalCheckFailedException);
  const saved = await Booking.get(key, { consistent: true });
  assert.deepEqual({ ...saved }, { ...given, paid: false, made: attributes.made.default() });

  const changed = await Booking.update(key, {
    $SET: { paid: true, address: { street: "1 Strand", city: "London" } },
    $ADD: { nights: 3, bill: [{ what: "cake", price: 4 }] },
    $DELETE: { wishes: ["sea view"] },
    $REMOVE: ["scan"],
  });
  assert.deepEqual(
    [changed.paid, changed.nights, changed.address.street, changed.scan],
    [true, 5, "1 Strand", undefined],
  );
  assert.deepEqual(plain(changed.bill), [
    { what: "tea", price: 2.5 },
    { what: "cake", price: 4 },
  ]);
  assert.deepEqual(changed.wishes, new Set(["late breakfast"]));

  await changed.delete();
  assert.equal(await Booking.get(key), undefined);
});

test("conditions hold", async (t) => {
  const key = { hotel: t.name, stay: day(1) };
  await Booking.create({ ...key, guest: "ada", nights: 2 });
  const unpaid = new dynamoose.Condition().where("paid").eq(false).and().where("nights").between(1, 7);
  await Booking.update(key, { paid: true }, { condition: unpaid });
  await assert.rejects(Booking.update(key, { paid: true }, { condition: unpaid }), ConditionalCheckFailedException);
  await assert.rejects(Booking.delete(key, { condition: unpaid }), ConditionalCheckFailedException);
  const stranger = new dynamoose.Condition().where("guest").not().eq("ada").or().where("agency").exists();
  await assert.rejects(Booking.delete(key, { condition: stranger }), ConditionalCheckFailedException);
  await Booking.delete(key, { condition: new dynamoose.Condition().where("guest").beginsWith("a") });
});

test("bookings of a hotel are read a page at a time, both ways", async (t) => {
  await saveBookings(t, 10);
  const pages = [];
  let lastKey;
  do {
    const query = Booking.query("hotel").eq(t.name).limit(4);
    const page = await (lastKey ? query.startAt(lastKey) : query).exec();
    pages.push(stays(page));
    lastKey = page.lastKey;
  } while (lastKey);
  assert.deepEqual(pages, [days(4), days(8).slice(4), days(10).slice(8)]);

  const latest = await Booking.query("hotel").eq(t.name).sort("descending").limit(2).exec();
  assert.deepEqual(stays(latest), [day(10), day(9)]);
  const inMay = Booking.query("hotel").eq(t.name).where("stay").between(day(3), day(6));
  assert.deepEqual(stays(await inMay.where("paid").eq(true).exec()), [day(3), day(5)]);
  const { count } = await Booking.query("hotel").eq(t.name).where("stay").beginsWith("2026-05").count().exec();
  assert.equal(count, 10);
});

test("indexes are queried", async (t) => {
  await saveBookings(t, 12);
  const ofAda = Booking.query("guest").eq(`ada in ${t.name}`).where("stay").gt(day(1)).using("byGuest");
  const [first, ...others] = await ofAda.limit(1).all().exec();
  assert.deepEqual(stays([first, ...others]), [day(5), day(9)]);
  assert.deepEqual({ ...first }, { ...makeBookings(t, 12)[4], made: attributes.made.default() });

  const long = await Booking.query("hotel").eq(t.name).where("nights").ge(10).using("byNights").exec();
  assert.deepEqual(
    long.map((booking) => plain(booking)),
    [
      { hotel: t.name, stay: day(3), nights: 10, guest: "guest 2" },
      { hotel: t.name, stay: day(2), nights: 11, guest: "guest 1" },
      { hotel: t.name, stay: day(1), nights: 12, guest: `ada in ${t.name}` },
    ],
  );
});

test("a scan in segments finds everything that its filter lets through", async (t) => {
  await saveBookings(t, 20);
  const paid = Booking.scan({ hotel: { eq: t.name }, paid: { eq: true } }).attributes(["stay"]);
  const found = await paid.parallel(3).all().exec();
  assert.deepEqual(
    stays(found).sort(),
    days(20).filter((_, i) => i % 2 === 0),
  );
  const paged = await Booking.scan("hotel").eq(t.name).limit(3).all().exec();
  assert.deepEqual(stays(paged).sort(), days(20));
  assert.ok(paged.timesScanned >= 7);
});

test("bookings are put, got and deleted in batches", async (t) => {
  const bookings = makeBookings(t, 25);
  assert.deepEqual((await Booking.batchPut(bookings)).unprocessedItems, []);
  const keys = days(25).map((stay) => ({ hotel: t.name, stay }));
  const got = await Booking.batchGet([...keys, { hotel: t.name, stay: "never" }], { consistent: true });
  assert.deepEqual(got.unprocessedKeys, []);
  assert.deepEqual(
    got.map((booking) => booking.nights),
    bookings.map(({ nights }) => nights),
  );

  const [part] = await Booking.batchGet(keys.slice(0, 1), { attributes: ["hotel", "stay", "guest"] });
  assert.deepEqual({ ...part }, { ...keys[0], guest: bookings[0].guest });

  assert.deepEqual((await Booking.batchDelete(keys.slice(1))).unprocessedItems, []);
  assert.deepEqual(stays(await Booking.query("hotel").eq(t.name).exec()), [day(1)]);
});

test("a booking is moved to another day in a transaction", async (t) => {
  await saveBookings(t, 1);
  const [booking] = makeBookings(t, 1);
  const [from, to] = [day(1), day(2)].map((stay) => ({ hotel: t.name, stay }));
  const move = () =>
    dynamoose.transaction([
      Booking.transaction.delete(from, { condition: new dynamoose.Condition().where("paid").eq(true) }),
      Booking.transaction.create({ ...booking, ...to }, { overwrite: false }),
    ]);
  assert.equal(await move(), null);
  assert.equal(await Booking.get(from), undefined);
  assert.deepEqual({ ...(await Booking.get(to)) }, { ...booking, ...to, made: attributes.made.default() });

  await assert.rejects(move(), (error) => {
    assert.ok(error instanceof TransactionCanceledException);
    assert.equal(
      error.message,
      "Transaction cancelled, please refer cancellation reasons for specific reasons " +
        "[ConditionalCheckFailed, ConditionalCheckFailed]",
    );
    return true;
  });
});

test("bookings are changed and read in transactions", async (t) => {
  await saveBookings(t, 3);
  const key = (number) => ({ hotel: t.name, stay: day(number) });
  const isPaid = new dynamoose.Condition().where("paid").eq(true);
  await dynamoose.transaction([
    Booking.transaction.update(key(1), { $ADD: { nights: 2 }, $SET: { agency: "an agency" } }),
    Booking.transaction.delete(key(2)),
    Booking.transaction.condition(key(3), isPaid),
  ]);
  const got = await dynamoose.transaction([Booking.transaction.get(key(3)), Booking.transaction.get(key(1))]);
  assert.deepEqual(
    got.map(({ stay, nights, agency }) => [stay, nights, agency]),
    [
      [day(3), 1, undefined],
      [day(1), 5, "an agency"],
    ],
  );
  await assert.rejects(
    dynamoose.transaction([Booking.transaction.delete(key(1)), Booking.transaction.condition(key(2), isPaid)]),
    { name: "TransactionCanceledException" },
  );
  assert.deepEqual(stays(await Booking.query("hotel").eq(t.name).exec()), [day(1), day(3)]);
});

test("the next version of the application adds an index and drops another", async (t) => {
  const bookings = makeBookings(t, 6).map((booking) => ({ ...booking, agency: `an agency of ${t.name}` }));
  await Promise.all(bookings.map((booking) => Booking.create(booking)));
  const { index, ...guest } = attributes.guest;
  const NextBooking = dynamoose.model(
    "NextBooking",
    new dynamoose.Schema({
      ...attributes,
      guest,
      agency: { type: String, index: { type: "global", name: "byAgency", rangeKey: "nights", project: false } },
    }),
  );
  const nextTable = new dynamoose.Table(TableName, [NextBooking], {
    ...options,
    update: true,
    tags: { application: "inn" },
  });
  await nextTable.initialize();

  const { Table } = await client.describeTable({ TableName });
  assert.deepEqual(
    Table.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName),
    ["byAgency"],
  );
  const { Tags } = await client.listTagsOfResource({ ResourceArn: Table.TableArn });
  assert.deepEqual(Tags, [{ Key: "application", Value: "inn" }]);
  const found = await NextBooking.query("agency").eq(bookings[0].agency).using("byAgency").exec();
  assert.deepEqual(
    found.map(({ nights }) => nights),
    [1, 2, 3, 4, 5, 6],
  );
});
