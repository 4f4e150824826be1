// Accounts, their users and invoices kept with OneTable, which creates the table, gives it one more index and
// deletes it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Dynamo } from "dynamodb-onetable/Dynamo";
import { OneTableError, Table } from "dynamodb-onetable";
import { makeClient } from "../client.mjs";
import { startServer } from "../server.mjs";

const schema = {
  format: "onetable:1.1.0",
  version: "0.0.1",
  indexes: {
    primary: { hash: "pk", sort: "sk" },
    gs1: { hash: "gs1pk", sort: "gs1sk", project: "all" },
    // Holds keys only; OneTable fetches each item behind an entry.
    gs2: { hash: "gs2pk", sort: "gs2sk", project: "keys", follow: true },
    ls1: { type: "local", sort: "amount", project: ["number"] },
  },
  models: {
    Account: {
      pk: { type: String, value: "account#${name}" },
      sk: { type: String, value: "account#" },
      name: { type: String, required: true },
      id: { type: String, generate: "ulid" },
      balance: { type: Number, default: 0 },
      plan: { type: String, enum: ["free", "paid"], default: "free" },
      address: { type: Object, schema: { street: { type: String }, zip: { type: Number } } },
      tags: { type: Set },
      notes: { type: Array, default: [] },
      since: { type: Date },
    },
    User: {
      pk: { type: String, value: "account#${account}" },
      sk: { type: String, value: "user#${email}" },
      account: { type: String, required: true },
      email: { type: String, required: true },
      role: { type: String, enum: ["user", "admin"], default: "user" },
      gs1pk: { type: String, value: "user#${email}" },
      gs1sk: { type: String, value: "account#${account}" },
    },
    Invoice: {
      pk: { type: String, value: "account#${account}" },
      sk: { type: String, value: "invoice#${number:4:0}" },
      account: { type: String, required: true },
      number: { type: Number, required: true },
      amount: { type: Number, required: true },
      state: { type: String, default: "open" },
      gs2pk: { type: String, value: "invoice#${state}" },
      gs2sk: { type: String, value: "${account}#${number:4:0}" },
    },
    // OneTable keeps an item next to it for each value that is unique, and writes both in a transaction.
    Domain: {
      pk: { type: String, value: "account#${account}" },
      sk: { type: String, value: "domain#${id}" },
      account: { type: String, required: true },
      id: { type: String, required: true },
      host: { type: String, unique: true, required: true },
    },
  },
  params: { isoDates: true, timestamps: true },
};

let server, client, table, Account, User, Invoice, Domain;
before(async () => {
  server = await startServer();
  client = makeClient(server.endpoint);
  table = new Table({ client: new Dynamo({ client }), name: "Accounts", schema, partial: true });
  await table.createTable({ wait: 60 });
  [Account, User, Invoice, Domain] = ["Account", "User", "Invoice", "Domain"].map((name) => table.getModel(name));
});
after(async () => {
  client.destroy();
  await server.stop();
});

const countTo = (count) => Array.from({ length: count }, (_, i) => i + 1);
const numbers = (invoices) => invoices.map(({ number }) => number);
const conditionFailed = (error) => {
  assert.ok(error instanceof OneTableError);
  assert.equal(error.code, "ConditionalCheckFailedException");
  return true;
};

// Invoices of an account of each test's own, the dearest first; every fourth one is settled.
const makeInvoices = (t, count) =>
  countTo(count).map((number) => ({
    account: t.name,
    number,
    amount: (count - number) * 10,
    state: number % 4 === 0 ? "settled" : "open",
  }));
const createInvoices = (t, count) => Promise.all(makeInvoices(t, count).map((invoice) => Invoice.create(invoice)));

test("the table is as the schema says", async () => {
  assert.ok(await table.exists());
  const { Table: description } = await table.describeTable();
  const projections = (indexes) =>
    Object.fromEntries(indexes.map(({ IndexName, Projection }) => [IndexName, Projection]));
  assert.deepEqual(projections(description.GlobalSecondaryIndexes), {
    gs1: { ProjectionType: "ALL" },
    gs2: { ProjectionType: "KEYS_ONLY" },
  });
  assert.deepEqual(projections(description.LocalSecondaryIndexes), {
    ls1: { ProjectionType: "INCLUDE", NonKeyAttributes: ["number"] },
  });
});

test("an account is created once, changed and removed", async (t) => {
  const name = t.name;
  const given = {
    name,
    address: { street: "12 St James's Square", zip: 1 },
    tags: new Set(["new", "trial"]),
    since: new Date("2026-01-01T12:00:00Z"),
  };
  const { id } = await Account.create(given);
  await assert.rejects(Account.create(given), conditionFailed);
  const got = await Account.get({ name }, { consistent: true });
  const { created, updated, ...rest } = got;
  assert.deepEqual(rest, { ...given, id, balance: 0, plan: "free", notes: [] });
  assert.ok(created instanceof Date);
  assert.deepEqual(updated, created);

  await Account.update(
    { name, plan: "paid", address: { zip: 2 } },
    { where: "${plan} = {free} and ${balance} <= {0}" },
  );
  const changed = await Account.update(
    { name },
    {
      add: { balance: 12.5 },
      delete: { tags: new Set(["trial"]) },
      push: { notes: ["called"] },
      remove: ["since"],
      set: { "address.street": "1 Strand" },
    },
  );
  assert.deepEqual(
    [changed.plan, changed.balance, changed.tags, changed.notes, changed.since, changed.address],
    ["paid", 12.5, new Set(["new"]), ["called"], undefined, { street: "1 Strand", zip: 2 }],
  );
  await assert.rejects(Account.update({ name, plan: "paid" }, { where: "${plan} = {free}" }), conditionFailed);

  await Account.remove({ name });
  assert.equal(await Account.get({ name }), undefined);
});

test("conditions hold", async (t) => {
  const { name } = t;
  await assert.rejects(Account.update({ name, plan: "paid" }), conditionFailed);
  await assert.rejects(Account.remove({ name }, { exists: true }), conditionFailed);
  await Account.upsert({ name, plan: "paid" });
  const { created } = await Account.get({ name });
  await Account.upsert({ name, plan: "paid", balance: 5 });
  const account = await Account.get({ name });
  assert.deepEqual([account.plan, account.balance, account.created], ["paid", 5, created]);
});

test("users are found by account and, through an index, by email", async (t) => {
  const email = `ada@${t.name}`;
  const accounts = ["a", "b", "c"].map((one) => `${one} of ${t.name}`);
  await Promise.all(accounts.map((account) => User.create({ account, email, role: "admin" })));
  await User.create({ account: accounts[0], email: "grace@example.com" });

  const found = await User.find({ email }, { index: "gs1" });
  assert.deepEqual(
    found.map(({ account }) => account),
    accounts,
  );
  const one = await User.get({ email, account: accounts[1] }, { index: "gs1" });
  assert.deepEqual([one.account, one.role], [accounts[1], "admin"]);
  const admins = await User.find({ account: accounts[0], role: "admin" });
  assert.deepEqual(
    admins.map((user) => user.email),
    [email],
  );
  assert.equal((await User.find({ account: accounts[0] }, { count: true })).count, 2);

  await User.remove({ account: accounts[2], email });
  assert.equal((await User.find({ email }, { index: "gs1" })).length, 2);
});

test("invoices of an account are read a page at a time, forth and back", async (t) => {
  await createInvoices(t, 25);
  const find = (params) => Invoice.find({ account: t.name }, { limit: 10, ...params });
  const pages = [];
  let page;
  do {
    page = await find({ next: page?.next });
    pages.push(numbers(page));
  } while (page.next);
  assert.deepEqual(pages, [countTo(10), countTo(20).slice(10), countTo(25).slice(20)]);
  assert.deepEqual(numbers(await find({ prev: page.prev })), countTo(20).slice(10));

  assert.deepEqual(numbers(await find({ reverse: true, limit: 2 })), [25, 24]);
  const dear = await find({ where: "${amount} > {150} and ${state} <> {open}", limit: undefined });
  assert.deepEqual(numbers(dear), [4, 8]);
  const from = await Invoice.find(
    { account: t.name, sk: { between: ["invoice#0007", "invoice#0009"] } },
    { hidden: true },
  );
  assert.deepEqual(numbers(from), [7, 8, 9]);
});

test("indexes are read, and the items behind them", async (t) => {
  await createInvoices(t, 12);
  const cheap = await Invoice.find({ account: t.name, amount: { "<": 30 } }, { index: "ls1" });
  assert.deepEqual(
    cheap.map(({ number, amount }) => [number, amount]),
    [
      [12, 0],
      [11, 10],
      [10, 20],
    ],
  );
  const findSettled = () =>
    Invoice.find({ state: "settled", gs2sk: { begins: `${t.name}#` } }, { index: "gs2", hidden: true });
  const settled = await findSettled();
  assert.deepEqual(
    settled.map(({ number, amount }) => [number, amount]),
    [
      [4, 80],
      [8, 40],
      [12, 0],
    ],
  );

  await Invoice.update({ account: t.name, number: 4, state: "open" });
  assert.deepEqual(numbers(await findSettled()), [8, 12]);
});

test("one query fetches an account with everything in it", async (t) => {
  await Account.create({ name: t.name });
  await User.create({ account: t.name, email: "ada@example.com" });
  await createInvoices(t, 3);
  const items = await table.queryItems({ pk: `account#${t.name}` }, { parse: true, hidden: true });
  const { Account: accounts, User: users, Invoice: invoices } = table.groupByType(items);
  assert.deepEqual([accounts.length, users.length, numbers(invoices)], [1, 1, [1, 2, 3]]);
});

test("a scan, whole and in segments, finds the items of a model", async (t) => {
  await createInvoices(t, 20);
  const whole = await Invoice.scan({ account: t.name }, { limit: 100 });
  assert.deepEqual(
    numbers(whole).sort((a, b) => a - b),
    countTo(20),
  );
  const segments = await Promise.all(
    [0, 1, 2].map((segment) => Invoice.scan({ account: t.name }, { segment, segments: 3 })),
  );
  assert.deepEqual(
    numbers(segments.flat()).sort((a, b) => a - b),
    countTo(20),
  );
});

test("items are created, got and removed in batches", async (t) => {
  const creation = {};
  await Account.create({ name: t.name }, { batch: creation });
  for (const invoice of makeInvoices(t, 24)) await Invoice.create(invoice, { batch: creation, exists: null });
  assert.equal(await table.batchWrite(creation), true);

  const reading = {};
  await Account.get({ name: t.name }, { batch: reading });
  for (const number of countTo(30)) await Invoice.get({ account: t.name, number }, { batch: reading });
  const got = table.groupByType(await table.batchGet(reading, { parse: true, hidden: true, consistent: true }));
  assert.equal(got.Account[0].name, t.name);
  assert.deepEqual(
    numbers(got.Invoice).sort((a, b) => a - b),
    countTo(24),
  );

  const part = {};
  await Invoice.get({ account: t.name, number: 7 }, { batch: part });
  const [seventh] = await table.batchGet(part, { parse: true, hidden: true, fields: ["amount"] });
  assert.deepEqual([seventh.amount, seventh.account], [170, undefined]);

  const removal = {};
  for (const number of countTo(23)) await Invoice.remove({ account: t.name, number }, { batch: removal });
  assert.equal(await table.batchWrite(removal), true);
  assert.deepEqual(numbers(await Invoice.find({ account: t.name })), [24]);
});

test("items are written and read in transactions", async (t) => {
  const { name } = t;
  await createInvoices(t, 3);
  await Account.create({ name, balance: 100 });
  const settle = async (number) => {
    const transaction = {};
    const where = "${balance} >= {20}";
    await Account.update({ name }, { add: { balance: -20 }, where, transaction });
    await Invoice.update({ account: name, number, state: "settled" }, { transaction });
    await Invoice.remove({ account: name, number: 3 }, { transaction });
    await User.create({ account: name, email: `payer ${number}` }, { transaction });
    await Invoice.check({ account: name, number: 2 }, { where: "${state} = {open}", transaction });
    await table.transact("write", transaction);
  };
  await settle(1);

  const read = async () => {
    const transaction = {};
    await Account.get({ name }, { transaction });
    for (const number of countTo(3)) await Invoice.get({ account: name, number }, { transaction });
    return table.groupByType(await table.transact("get", transaction, { parse: true, hidden: true }));
  };
  const first = await read();
  assert.equal(first.Account[0].balance, 80);
  assert.deepEqual(
    first.Invoice.map(({ number, state }) => [number, state]),
    [
      [1, "settled"],
      [2, "open"],
    ],
  );

  // There is no invoice 7.
  await assert.rejects(settle(7), (error) => {
    assert.ok(error instanceof OneTableError);
    assert.equal(error.code, "TransactionCanceledException");
    assert.deepEqual(
      error.context.err.CancellationReasons.map(({ Code }) => Code),
      ["None", "ConditionalCheckFailed", "None", "None", "None"],
    );
    return true;
  });
  assert.deepEqual(await read(), first);
  assert.equal(await User.get({ account: name, email: "payer 7" }), undefined);
});

test("a value is unique among the items of a model", async (t) => {
  const host = (one) => `${one}.${t.name}`;
  const create = (id, one) => Domain.create({ account: t.name, id, host: host(one) });
  await create("a", "www");
  await assert.rejects(create("b", "www"), { code: "UniqueError" });
  assert.equal(await Domain.get({ account: t.name, id: "b" }), undefined);
  await create("b", "shop");
  await assert.rejects(Domain.update({ account: t.name, id: "b", host: host("www") }, { return: "none" }), {
    code: "UniqueError",
  });

  await Domain.update({ account: t.name, id: "a", host: host("new") }, { return: "none" });
  await Domain.remove({ account: t.name, id: "b" });
  await create("c", "www");
  await create("d", "shop");
  const found = await Domain.find({ account: t.name });
  assert.deepEqual(
    found.map((domain) => [domain.id, domain.host]),
    [
      ["a", host("new")],
      ["c", host("www")],
      ["d", host("shop")],
    ],
  );
});

test("a table gets one more index, loses it and is deleted", async (t) => {
  const other = new Table({ client: new Dynamo({ client }), name: "Other", schema, partial: true });
  await other.createTable();
  const OtherUser = other.getModel("User");
  await OtherUser.create({ account: t.name, email: "ada@example.com", role: "admin" });
  const indexes = async () => {
    const { Table: description } = await other.describeTable();
    return description.GlobalSecondaryIndexes.map(({ IndexName }) => IndexName).sort();
  };
  await other.updateTable({ create: { name: "gs3", hash: "role", sort: "email", project: ["account"] } });
  assert.deepEqual(await indexes(), ["gs1", "gs2", "gs3"]);
  await other.updateTable({ remove: { name: "gs3" } });
  assert.deepEqual(await indexes(), ["gs1", "gs2"]);
  await other.deleteTable("DeleteTableForever");
  assert.equal(await other.exists(), false);
});
