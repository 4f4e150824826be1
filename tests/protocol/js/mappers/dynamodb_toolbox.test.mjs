// A shop kept with DynamoDB-Toolbox: customers and their orders in one table, orders also in an index by state.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  $add,
  $append,
  $delete,
  $get,
  $remove,
  $subtract,
  $sum,
  BatchDeleteRequest,
  BatchGetCommand,
  BatchGetRequest,
  BatchPutRequest,
  BatchWriteCommand,
  ConditionCheck,
  DeleteItemCommand,
  DeletePartitionCommand,
  DeleteTransaction,
  Entity,
  GetItemCommand,
  GetTransaction,
  PutItemCommand,
  PutTransaction,
  QueryCommand,
  ScanCommand,
  Table,
  UpdateAttributesCommand,
  UpdateItemCommand,
  UpdateTransaction,
  anyOf,
  binary,
  boolean,
  executeBatchGet,
  executeBatchWrite,
  executeTransactGet,
  executeTransactWrite,
  isConditionCheckFailed,
  isTransactionCancelled,
  item,
  list,
  map,
  number,
  prefix,
  record,
  set,
  string,
} from "dynamodb-toolbox";
import { makeClient, makeDocumentClient } from "../client.mjs";
import { startServer } from "../server.mjs";
import { createSingleTable } from "./single_table.mjs";

const ShopTable = new Table({
  name: "Shop",
  partitionKey: { name: "pk", type: "string" },
  sortKey: { name: "sk", type: "string" },
  indexes: {
    gsi1: {
      type: "global",
      partitionKey: { name: "gsi1pk", type: "string" },
      sortKey: { name: "gsi1sk", type: "string" },
    },
  },
});

const Customer = new Entity({
  name: "Customer",
  table: ShopTable,
  timestamps: false,
  schema: item({
    customer: string().key().savedAs("pk").transform(prefix("CUSTOMER")),
    kind: string().key().const("PROFILE").default("PROFILE").savedAs("sk").hidden(),
    email: string(),
    points: number().default(0),
    news: boolean().default(false),
    addresses: record(string(), map({ street: string(), city: string() })).optional(),
    badges: set(string()).optional(),
    photo: binary().optional(),
  }),
});

const Order = new Entity({
  name: "Order",
  table: ShopTable,
  schema: item({
    customer: string().key().savedAs("pk").transform(prefix("CUSTOMER")),
    number: string().key().savedAs("sk").transform(prefix("ORDER")),
    shop: string().savedAs("gsi1pk"),
    state: string().enum("new", "paid", "sent").default("new"),
    total: number(),
    lines: list(map({ sku: string(), amount: number() })).default([]),
    payment: anyOf(
      map({ by: string().const("card"), last: string() }),
      map({ by: string().const("voucher"), code: string() }),
    )
      .discriminate("by")
      .optional(),
  }).and(() => ({
    stateAndNumber: string()
      .savedAs("gsi1sk")
      .hidden()
      .putLink(({ state, number }) => `${state}#${number}`)
      .updateLink(({ state, number }) => state && `${state}#${number}`),
  })),
});

let server, client;
before(async () => {
  server = await startServer();
  client = makeClient(server.endpoint);
  ShopTable.documentClient = makeDocumentClient(client);
  await createSingleTable(client, "Shop", { gsi1: "ALL" });
});
after(async () => {
  client.destroy();
  await server.stop();
});

const name = (i) => String(i).padStart(4, "0");
const names = (count) => Array.from({ length: count }, (_, i) => name(i + 1));
const numbers = (orders) => orders.map(({ number }) => number);

// Orders of a customer and shop of each test's own; every third one is paid.
const makeOrders = (t, count) =>
  names(count).map((number, i) => ({
    customer: t.name,
    number,
    shop: `shop of ${t.name}`,
    state: i % 3 === 2 ? "paid" : "new",
    total: (i + 1) * 10,
  }));
const putOrders = (t, count) =>
  Promise.all(makeOrders(t, count).map((order) => Order.build(PutItemCommand).item(order).send()));

test("a customer is put once, changed and deleted", async (t) => {
  const customer = {
    customer: t.name,
    email: "ada@example.com",
    addresses: {
      home: { street: "12 St James's Square", city: "London" },
      work: { street: "1 Strand", city: "London" },
    },
    badges: new Set(["early", "loyal"]),
    photo: Uint8Array.of(0, 127, 255),
  };
  const put = Customer.build(PutItemCommand)
    .item(customer)
    .options({ condition: { attr: "customer", exists: false } });
  await put.send();
  await assert.rejects(put.send(), isConditionCheckFailed);
  const key = { customer: t.name };
  const get = Customer.build(GetItemCommand).key(key).options({ consistent: true });
  assert.deepEqual((await get.send()).Item, { ...customer, points: 0, news: false });

  const { Attributes } = await Customer.build(UpdateItemCommand)
    .item({
      ...key,
      points: $add(15),
      badges: $delete(new Set(["early"])),
      addresses: { home: { city: "Paris" }, work: $remove() },
      photo: $remove(),
    })
    .options({
      condition: {
        and: [{ attr: "points", lt: 1 }, { not: { attr: "news", eq: true } }, { attr: "badges", contains: "loyal" }],
      },
      returnValues: "ALL_NEW",
    })
    .send();
  const expected = {
    ...key,
    email: customer.email,
    points: 15,
    news: false,
    addresses: { home: { street: "12 St James's Square", city: "Paris" } },
    badges: new Set(["loyal"]),
  };
  assert.deepEqual(Attributes, expected);

  const { Attributes: deleted } = await Customer.build(DeleteItemCommand)
    .key(key)
    .options({ returnValues: "ALL_OLD" })
    .send();
  assert.deepEqual(deleted, expected);
  assert.equal((await get.send()).Item, undefined);
});

test("an order is changed in place, and its index entry with it", async (t) => {
  const key = { customer: t.name, number: name(1) };
  await Order.build(PutItemCommand)
    .item({ ...makeOrders(t, 1)[0], lines: [{ sku: "tea", amount: 1 }], payment: { by: "card", last: "1234" } })
    .send();
  const inState = async (state) => {
    const query = { index: "gsi1", partition: `shop of ${t.name}`, range: { beginsWith: `${state}#` } };
    return (await ShopTable.build(QueryCommand).entities(Order).query(query).send()).Items;
  };
  assert.deepEqual(numbers(await inState("new")), [name(1)]);

  const pay = Order.build(UpdateAttributesCommand)
    .item({
      ...key,
      state: "paid",
      total: $sum($get("total"), 2.5),
      lines: $append([{ sku: "milk", amount: 2 }]),
      payment: { by: "voucher", code: "MAY" },
    })
    .options({ condition: { attr: "state", eq: "new" }, returnValues: "ALL_NEW" });
  const { Attributes: paid } = await pay.send();
  assert.deepEqual(paid.lines, [
    { sku: "tea", amount: 1 },
    { sku: "milk", amount: 2 },
  ]);
  assert.deepEqual([paid.total, paid.payment], [12.5, { by: "voucher", code: "MAY" }]);
  await assert.rejects(pay.send(), isConditionCheckFailed);
  assert.deepEqual(await inState("new"), []);
  assert.deepEqual(await inState("paid"), [paid]);

  await Order.build(UpdateItemCommand)
    .item({ ...key, total: $subtract($get("total"), 0.5), lines: { 0: { amount: 5 }, 1: $remove() } })
    .send();
  const { Item } = await Order.build(GetItemCommand)
    .key(key)
    .options({ attributes: ["total", "lines[0].amount"] })
    .send();
  assert.deepEqual(Item, { total: 12, lines: [{ amount: 5 }] });
});

test("orders of a customer are read a page at a time, both ways", async (t) => {
  await Customer.build(PutItemCommand).item({ customer: t.name, email: "ada@example.com" }).send();
  await putOrders(t, 25);
  const partition = `CUSTOMER#${t.name}`;
  const orders = ShopTable.build(QueryCommand)
    .entities(Order)
    .query({ partition, range: { beginsWith: "ORDER#" } });
  const pages = [];
  let exclusiveStartKey;
  do {
    const page = await orders.options({ limit: 10, exclusiveStartKey }).send();
    pages.push(numbers(page.Items));
    exclusiveStartKey = page.LastEvaluatedKey;
  } while (exclusiveStartKey);
  assert.deepEqual(pages, [names(10), names(20).slice(10), names(25).slice(20)]);

  const latest = await orders.options({ limit: 2, reverse: true }).send();
  assert.deepEqual(numbers(latest.Items), [name(25), name(24)]);
  const dear = {
    filters: {
      Order: {
        and: [
          { attr: "total", gt: 150 },
          { attr: "state", in: ["paid", "sent"] },
        ],
      },
    },
  };
  const filtered = await orders.options({ ...dear, limit: 4, maxPages: Infinity }).send();
  assert.deepEqual(numbers(filtered.Items), [name(18), name(21), name(24)]);
  assert.equal((await orders.options({ select: "COUNT" }).send()).Count, 25);

  // Both entities of the partition at once, each in its own form.
  const all = await ShopTable.build(QueryCommand)
    .entities(Customer, Order)
    .query({ partition, range: { between: ["ORDER#0024", "PROFILE"] } })
    .send();
  assert.deepEqual(
    all.Items.map((one) => one.number ?? one.email),
    [name(24), name(25), "ada@example.com"],
  );
});

test("an index is read a page at a time", async (t) => {
  await putOrders(t, 20);
  const { Items } = await ShopTable.build(QueryCommand)
    .entities(Order)
    .query({ index: "gsi1", partition: `shop of ${t.name}`, range: { gte: "new#0010" } })
    .options({ limit: 3, maxPages: Infinity, reverse: true })
    .send();
  const paid = names(20).filter((_, i) => i % 3 === 2);
  const fresh = names(20).filter((_, i) => i % 3 !== 2 && i >= 9);
  assert.deepEqual(numbers(Items), [...fresh, ...paid].reverse());
});

test("a scan, whole and in segments, finds what its filter lets through", async (t) => {
  await putOrders(t, 20);
  const scan = ShopTable.build(ScanCommand).entities(Order);
  const filters = { Order: { attr: "shop", eq: `shop of ${t.name}` } };
  const whole = await scan.options({ filters, limit: 7, maxPages: Infinity }).send();
  assert.deepEqual(numbers(whole.Items).sort(), names(20));
  const segments = await Promise.all(
    [0, 1, 2].map((segment) => scan.options({ filters, segment, totalSegments: 3, maxPages: Infinity }).send()),
  );
  assert.deepEqual(segments.flatMap(({ Items }) => numbers(Items)).sort(), names(20));
  const index = await scan.options({ filters, index: "gsi1", maxPages: Infinity }).send();
  assert.deepEqual(numbers(index.Items).sort(), names(20));
});

test("customers and orders are put, got and deleted in batches", async (t) => {
  const customer = { customer: t.name, email: "ada@example.com" };
  const orders = makeOrders(t, 24);
  const write = (...requests) =>
    executeBatchWrite({ maxAttempts: 3 }, ShopTable.build(BatchWriteCommand).requests(...requests));
  const written = await write(
    Customer.build(BatchPutRequest).item(customer),
    ...orders.map((order) => Order.build(BatchPutRequest).item(order)),
  );
  assert.deepEqual(written.UnprocessedItems, {});

  const orderKeys = names(24).map((number) => ({ customer: t.name, number }));
  const { Responses } = await executeBatchGet(
    { maxAttempts: 3 },
    ShopTable.build(BatchGetCommand)
      .requests(
        Customer.build(BatchGetRequest).key({ customer: t.name }),
        ...orderKeys.map((key) => Order.build(BatchGetRequest).key(key)),
        Order.build(BatchGetRequest).key({ customer: t.name, number: "none" }),
      )
      .options({ consistent: true }),
  );
  const [[gotCustomer, ...gotOrders]] = Responses;
  assert.deepEqual(gotCustomer, { ...customer, points: 0, news: false });
  assert.equal(gotOrders.pop(), undefined);
  assert.deepEqual(
    gotOrders.map(({ total }) => total),
    orders.map(({ total }) => total),
  );

  await write(...orderKeys.slice(2).map((key) => Order.build(BatchDeleteRequest).key(key)));
  const { Count } = await ShopTable.build(DeletePartitionCommand)
    .entities(Customer, Order)
    .query({ partition: `CUSTOMER#${t.name}` })
    .send();
  assert.equal(Count, 3);
  assert.equal(
    (
      await ShopTable.build(QueryCommand)
        .query({ partition: `CUSTOMER#${t.name}` })
        .send()
    ).Count,
    0,
  );
});

test("an order is paid with points in a transaction", async (t) => {
  const key = { customer: t.name };
  await Customer.build(PutItemCommand)
    .item({ ...key, email: "ada@example.com", points: 50 })
    .send();
  const [order, cancelled] = makeOrders(t, 2);
  await Order.build(PutItemCommand).item(cancelled).send();
  const pay = () => [
    Customer.build(UpdateTransaction)
      .item({ ...key, points: $subtract($get("points"), 30) })
      .options({ condition: { attr: "points", gte: 30 }, returnValuesOnConditionFalse: "ALL_OLD" }),
    Order.build(PutTransaction)
      .item(order)
      .options({ condition: { attr: "customer", exists: false } }),
    Order.build(DeleteTransaction).key({ ...key, number: cancelled.number }),
    Customer.build(ConditionCheck)
      .key({ customer: `${t.name}'s twin` })
      .condition({ attr: "email", exists: false }),
  ];
  const read = async () => {
    const { Responses } = await executeTransactGet(
      Order.build(GetTransaction).key({ ...key, number: cancelled.number }),
      Customer.build(GetTransaction)
        .key(key)
        .options({ attributes: ["points"] }),
      Order.build(GetTransaction)
        .key({ ...key, number: order.number })
        .options({ attributes: ["state", "total"] }),
    );
    return Responses.map(({ Item }) => Item);
  };
  const { ConsumedCapacity } = await executeTransactWrite({ clientRequestToken: "paid", capacity: "TOTAL" }, ...pay());
  // Two for each, and the order's entry in the index, gained and lost.
  assert.deepEqual(ConsumedCapacity, [{ TableName: "Shop", CapacityUnits: 10, WriteCapacityUnits: 10 }]);
  const expected = [undefined, { points: 20 }, { state: "new", total: 10 }];
  assert.deepEqual(await read(), expected);

  const again = pay();
  await assert.rejects(executeTransactWrite(...again), (error) => {
    assert.ok(isTransactionCancelled(error, ...again));
    const [customer, put, ...rest] = error.CancellationReasons;
    assert.deepEqual(customer.FormattedItem, { ...key, email: "ada@example.com", points: 20, news: false });
    assert.deepEqual(
      [customer, put, ...rest].map(({ Code }) => Code),
      ["ConditionalCheckFailed", "ConditionalCheckFailed", "None", "None"],
    );
    return true;
  });
  assert.deepEqual(await read(), expected);
});
