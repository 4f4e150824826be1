// An issue tracker kept with ElectroDB: members and issues in one table, two global indexes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import electrodb from "electrodb";
import { makeClient } from "../client.mjs";
import { startServer } from "../server.mjs";
import { createSingleTable } from "./single_table.mjs";

const { ElectroError, Entity, Service } = electrodb;
const table = "Tracker";

const Member = new Entity({
  model: { entity: "member", version: "1", service: "tracker" },
  attributes: {
    member: { type: "string", required: true },
    email: { type: "string", required: true },
  },
  indexes: {
    byName: { pk: { field: "pk", composite: ["member"] }, sk: { field: "sk", composite: [] } },
    desk: {
      index: "gsi1",
      collection: "desk",
      pk: { field: "gsi1pk", composite: ["member"] },
      sk: { field: "gsi1sk", composite: [] },
    },
  },
});

const Issue = new Entity({
  model: { entity: "issue", version: "1", service: "tracker" },
  attributes: {
    project: { type: "string", required: true },
    number: { type: "number", required: true, padding: { length: 6, char: "0" } },
    title: { type: "string", required: true },
    status: { type: ["open", "closed"], default: "open" },
    member: { type: "string" },
    votes: { type: "number", default: 0 },
    labels: { type: "set", items: "string" },
    comments: {
      type: "list",
      items: { type: "map", properties: { by: { type: "string" }, text: { type: "string" } } },
    },
    estimate: { type: "map", properties: { hours: { type: "number" }, sure: { type: "boolean" } } },
  },
  indexes: {
    byNumber: {
      pk: { field: "pk", composite: ["project"] },
      sk: { field: "sk", composite: ["number"] },
    },
    // Sparse: only an issue with a member is on a desk.
    desk: {
      index: "gsi1",
      collection: "desk",
      pk: { field: "gsi1pk", composite: ["member"] },
      sk: { field: "gsi1sk", composite: ["status", "number"] },
    },
    // Holds keys only; ElectroDB fetches the rest with BatchGetItem.
    byStatus: {
      index: "gsi2",
      pk: { field: "gsi2pk", composite: ["status"] },
      sk: { field: "gsi2sk", composite: ["project", "number"] },
    },
  },
});

const entities = { Member, Issue };
let server, client, tracker;
before(async () => {
  server = await startServer();
  client = makeClient(server.endpoint);
  await createSingleTable(client, table, { gsi1: "ALL", gsi2: "KEYS_ONLY" });
  tracker = new Service(entities, { client, table });
  Object.values(entities).forEach((entity) => entity.setTableName(table));
});
after(async () => {
  client.destroy();
  await server.stop();
});

const conditionFailed = (error) => {
  assert.ok(error instanceof ElectroError);
  assert.match(error.message, /The conditional request failed/);
  return true;
};
const numbers = (issues) => issues.map(({ number }) => number);
const countTo = (count) => Array.from({ length: count }, (_, i) => i + 1);

// A project of each test's own. Every third issue is ada's, every fifth one is closed.
const makeIssues = (t, count) =>
  countTo(count).map((number) => ({
    project: t.name,
    number,
    title: `Issue ${number}`,
    ...(number % 3 === 0 && { member: `ada of ${t.name}` }),
    ...(number % 5 === 0 && { status: "closed" }),
  }));
const putIssues = (t, count) => Promise.all(makeIssues(t, count).map((issue) => Issue.put(issue).go()));

test("an issue is created once, changed and removed", async (t) => {
  const key = { project: t.name, number: 1 };
  const issue = { ...key, title: "It crashes", labels: ["bug", "ui"], estimate: { hours: 2.5, sure: false } };
  const created = await Issue.create(issue).go();
  assert.deepEqual(created.data, { ...issue, status: "open", votes: 0 });
  await assert.rejects(Issue.create(issue).go(), conditionFailed);

  const changed = await Issue.patch(key)
    .set({ member: "ada", title: "It crashes on start" })
    .add({ votes: 3, labels: ["urgent"] })
    .append({ comments: [{ by: "ada", text: "On it" }] })
    .data(({ estimate }, { set, remove }) => {
      set(estimate.hours, 8);
      remove(estimate.sure);
    })
    .where(({ status }, { eq }) => eq(status, "open"))
    .go({ response: "all_new" });
  const expected = {
    ...key,
    title: "It crashes on start",
    status: "open",
    member: "ada",
    votes: 3,
    labels: ["bug", "ui", "urgent"],
    comments: [{ by: "ada", text: "On it" }],
    estimate: { hours: 8 },
  };
  assert.deepEqual(changed.data, expected);
  assert.deepEqual((await Issue.get(key).go({ consistent: true })).data, expected);

  const { data: removed } = await Issue.delete(key).go({ response: "all_old" });
  assert.deepEqual(removed, expected);
  assert.equal((await Issue.get(key).go()).data, null);
});

test("conditions hold", async (t) => {
  const key = { project: t.name, number: 1 };
  await assert.rejects(Issue.patch(key).set({ title: "nobody's" }).go(), conditionFailed);
  await assert.rejects(Issue.remove(key).go(), conditionFailed);
  await Issue.upsert({ ...key, title: "inserted" }).go();
  await Issue.upsert({ ...key, title: "updated" }).go();

  const close = () =>
    Issue.patch(key)
      .set({ status: "closed" })
      .where(
        ({ status, title }, { eq, begins, exists }) =>
          `${eq(status, "open")} AND ${begins(title, "up")} AND ${exists(title)}`,
      )
      .go();
  await close();
  await assert.rejects(close(), conditionFailed);
  const { data } = await Issue.get(key).go();
  assert.deepEqual([data.title, data.status], ["updated", "closed"]);
});

test("issues of a project are read a page at a time, both ways", async (t) => {
  await putIssues(t, 30);
  const pages = [];
  let cursor = null;
  do {
    const page = await Issue.query.byNumber({ project: t.name }).go({ limit: 12, cursor });
    pages.push(numbers(page.data));
    cursor = page.cursor;
  } while (cursor);
  assert.deepEqual(pages, [countTo(12), countTo(24).slice(12), countTo(30).slice(24)]);

  const latest = await Issue.query.byNumber({ project: t.name }).go({ order: "desc", limit: 3 });
  assert.deepEqual(numbers(latest.data), [30, 29, 28]);
  const between = await Issue.query.byNumber({ project: t.name }).between({ number: 9 }, { number: 11 }).go();
  assert.deepEqual(numbers(between.data), [9, 10, 11]);
  const filtered = await Issue.query
    .byNumber({ project: t.name })
    .gte({ number: 10 })
    .where(({ status, member }, { eq, exists }) => `${eq(status, "closed")} AND ${exists(member)}`)
    .go({ pages: "all", limit: 4 });
  assert.deepEqual(numbers(filtered.data), [15, 30]);
});

test("a collection of two entities is one query of an index", async (t) => {
  await putIssues(t, 15);
  const member = `ada of ${t.name}`;
  await Member.put({ member, email: "ada@example.com" }).go();
  const { data } = await tracker.collections.desk({ member }).go({ pages: "all" });
  assert.deepEqual(data.Member, [{ member, email: "ada@example.com" }]);
  // By status, then by number.
  assert.deepEqual(numbers(data.Issue), [15, 3, 6, 9, 12]);
});

test("an index follows the item", async (t) => {
  const key = { project: t.name, number: 1 };
  const member = `grace of ${t.name}`;
  const desk = async () => numbers((await Issue.query.desk({ member }).go()).data);
  await Issue.create({ ...key, title: "No one's yet" }).go();
  assert.deepEqual(await desk(), []);
  await Issue.patch(key).set({ member, status: "open" }).go();
  assert.deepEqual(await desk(), [1]);
  await Issue.patch(key).set({ member: "someone else", status: "open" }).go();
  assert.deepEqual(await desk(), []);
});

test("an index of keys is read with the items behind it", async (t) => {
  await putIssues(t, 30);
  const closed = Issue.query.byStatus({ status: "closed" }).begins({ project: t.name });
  const { data, unprocessed } = await closed.go({ hydrate: true, pages: "all", limit: 4 });
  assert.deepEqual(unprocessed ?? [], []);
  assert.deepEqual(
    data.map(({ title }) => title).sort(),
    [10, 15, 20, 25, 30, 5].map((number) => `Issue ${number}`),
  );
});

test("a scan finds the issues of its filter among all items", async (t) => {
  await putIssues(t, 25);
  const { data } = await Issue.scan
    .where(({ project, number }, { eq, gt }) => `${eq(project, t.name)} AND ${gt(number, 20)}`)
    .go({ pages: "all", limit: 7 });
  assert.deepEqual(numbers(data).sort(), [21, 22, 23, 24, 25]);
});

test("issues are put, got and deleted in batches", async (t) => {
  // More than a request of either kind takes.
  const { unprocessed: notPut } = await Issue.put(makeIssues(t, 120)).go();
  assert.deepEqual(notPut, []);
  const keys = countTo(120).map((number) => ({ project: t.name, number }));
  const got = await Issue.get([...keys, { project: t.name, number: 1000 }]).go({ preserveBatchOrder: true });
  assert.deepEqual(got.unprocessed, []);
  assert.deepEqual(numbers(got.data.slice(0, 120)), countTo(120));
  assert.equal(got.data[120], null);

  const { unprocessed } = await Issue.delete(keys.slice(1)).go();
  assert.deepEqual(unprocessed, []);
  assert.deepEqual(numbers((await Issue.query.byNumber({ project: t.name }).go()).data), [1]);
});

test("an issue moves to another project in a transaction", async (t) => {
  const [from, to] = ["old", "new"].map((half) => ({ project: `${half} of ${t.name}`, number: 1 }));
  await Issue.put({ ...from, title: "It crashes", votes: 7 }).go();
  const move = () =>
    tracker.transaction
      .write(({ Issue }) => [
        Issue.remove(from)
          .where(({ status }, { eq }) => eq(status, "open"))
          .commit({ response: "all_old" }),
        Issue.create({ ...to, title: "It crashes", votes: 7 }).commit({ response: "all_old" }),
      ])
      .go();
  const read = async () => {
    const { canceled, data } = await tracker.transaction
      .get(({ Issue }) => [Issue.get(from).commit(), Issue.get(to).commit()])
      .go();
    assert.equal(canceled, false);
    return data;
  };
  const moved = await move();
  const written = { rejected: false, code: "None", message: undefined, item: null };
  assert.deepEqual(moved, { canceled: false, data: [written, written] });
  const issue = { ...to, title: "It crashes", status: "open", votes: 7 };
  assert.deepEqual(await read(), [
    { rejected: false, item: null },
    { rejected: false, item: issue },
  ]);

  // ElectroDB does not throw; it says what became of each action.
  const { canceled, data } = await move();
  assert.equal(canceled, true);
  const rejected = { rejected: true, code: "ConditionalCheckFailed", message: "The conditional request failed" };
  assert.deepEqual(data, [
    { ...rejected, item: null },
    { ...rejected, item: issue },
  ]);
});

test("a transaction of every kind of action is carried out once for a token", async (t) => {
  const key = (number) => ({ project: t.name, number });
  await putIssues(t, 4);
  const member = `ada of ${t.name}`;
  const vote = () =>
    tracker.transaction
      .write(({ Member, Issue }) => [
        Member.upsert({ member, email: "ada@example.com" }).commit(),
        Issue.check(key(4))
          .where(({ status }, { eq }) => eq(status, "open"))
          .commit(),
        Issue.put({ ...key(1), title: "Put again" }).commit(),
        Issue.patch(key(2)).add({ votes: 1 }).set({ member, status: "open" }).commit(),
        Issue.update(key(5)).add({ votes: 1 }).set({ title: "From nowhere" }).commit(),
        Issue.delete(key(3)).commit(),
      ])
      .go({ token: "one vote" });
  for (const { canceled } of [await vote(), await vote()]) assert.equal(canceled, false);
  const { data } = await Issue.query.byNumber({ project: t.name }).go();
  assert.deepEqual(
    data.map(({ number, title, votes }) => [number, title, votes]),
    [
      [1, "Put again", 0],
      [2, "Issue 2", 1],
      [4, "Issue 4", 0],
      [5, "From nowhere", 1],
    ],
  );
  const desk = await tracker.collections.desk({ member }).go();
  assert.deepEqual([desk.data.Member.length, numbers(desk.data.Issue)], [1, [2]]);
});
