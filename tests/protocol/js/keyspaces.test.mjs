// The driver of Apache Cassandra for Node, unmodified, as in docs/keyspaces.md.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import cassandra from "cassandra-driver";
import { startServer } from "./server.mjs";

const { localQuorum } = cassandra.types.consistencies;
const written = { prepare: true, consistency: localQuorum };

let server, client;
before(async () => {
  server = await startServer("--cql-port", "0", "--cql-user", "alice=her password");
  client = await connected("alice", "her password");
  await client.execute("CREATE KEYSPACE shop WITH replication = {'class': 'SingleRegionStrategy'}");
});
after(async () => {
  await client?.shutdown();
  await server.stop();
});

async function connected(username, password) {
  const [, port] = await server.printed(/Amazon Keyspaces \(CQL\) is at 127\.0\.0\.1:(\d+)\./);
  const made = new cassandra.Client({
    contactPoints: [`127.0.0.1:${port}`],
    localDataCenter: "us-east-1",
    credentials: { username, password },
  });
  await made.connect();
  return made;
}

const at = (second) => new Date(second * 1000);

/** A table of orders with those of one customer, and the statement that wrote them. */
async function orders(table, count) {
  await client.execute(
    `CREATE TABLE shop.${table} (customer text, at timestamp, total decimal, tags set<text>, n int, ` +
      "PRIMARY KEY (customer, at)) WITH CLUSTERING ORDER BY (at DESC)",
  );
  const insert = `INSERT INTO shop.${table} (customer, at, total, tags, n) VALUES (?, ?, ?, ?, ?)`;
  const total = cassandra.types.BigDecimal.fromString("1.50");
  for (let n = 0; n < count; n++) await client.execute(insert, ["a", at(n), total, ["x", "y"], n], written);
}

test("rows are written and read by prepared statements", async () => {
  await orders("prepared", 5);
  const select = "SELECT * FROM shop.prepared WHERE customer = ? LIMIT 2";
  const { rows } = await client.execute(select, ["a"], { prepare: true });
  assert.deepEqual(
    rows.map((row) => [row.at.getTime(), row.n, row.total.toString(), row.tags]),
    [
      [4000, 4, "1.50", ["x", "y"]],
      [3000, 3, "1.50", ["x", "y"]],
    ],
  );
});

test("all pages of a partition are read", async () => {
  await orders("paged", 25);
  const read = [];
  const options = { fetchSize: 7, autoPage: true };
  for await (const row of client.stream("SELECT n FROM shop.paged WHERE customer = 'a'", [], options)) read.push(row.n);
  assert.deepEqual(
    read,
    Array.from({ length: 25 }, (_, i) => 24 - i),
  );
});

test("a condition decides, and the row that it saw is returned", async () => {
  await orders("conditions", 1);
  const update = "UPDATE shop.conditions SET n = ? WHERE customer = 'a' AND at = ? IF n = ?";
  const applied = await client.execute(update, [1, at(0), 0], written);
  assert.equal(applied.wasApplied(), true);
  const refused = await client.execute(update, [2, at(0), 0], written);
  assert.equal(refused.wasApplied(), false);
  assert.equal(refused.first().n, 1);
});

test("a batch of statements is carried out", async () => {
  await orders("batches", 2);
  await client.batch(
    [
      { query: "DELETE FROM shop.batches WHERE customer = 'a' AND at = ?", params: [at(0)] },
      { query: "INSERT INTO shop.batches (customer, at, n) VALUES (?, ?, ?)", params: ["b", at(7), 7] },
    ],
    { ...written, logged: false },
  );
  const of = async (customer) =>
    (await client.execute(`SELECT n FROM shop.batches WHERE customer = '${customer}'`)).rows.map((row) => row.n);
  assert.deepEqual(await of("a"), [1]);
  assert.deepEqual(await of("b"), [7]);
});

test("the driver knows keyspaces and tables", async () => {
  await orders("known", 0);
  await client.metadata.refreshKeyspaces();
  assert.ok("shop" in client.metadata.keyspaces);
  const table = await client.metadata.getTable("shop", "known");
  assert.deepEqual(
    table.columns.map((column) => column.name),
    ["at", "customer", "n", "tags", "total"],
  );
  assert.deepEqual(
    table.partitionKeys.map((column) => column.name),
    ["customer"],
  );
  assert.deepEqual(table.clusteringOrder, ["DESC"]);
});

test("what is wrong is said as the service does", async () => {
  const fails = (statement, code, message) =>
    assert.rejects(client.execute(statement), (error) => {
      assert.deepEqual([error.code, error.message], [code, message]);
      return true;
    });
  await fails("SELECT * FROM shop.nothing", 0x2200, "unconfigured table shop.nothing");
  await fails("SELEC * FROM shop.nothing", 0x2000, "line 1:0 no viable alternative at input 'SELEC' ([SELEC] *...)");
});

test("a wrong password is refused", async () => {
  await assert.rejects(connected("alice", "another one"), (error) => {
    const [inner] = Object.values(error.innerErrors);
    assert.equal(inner.constructor.name, "AuthenticationError");
    return true;
  });
});
