// The views of Tablestore and Keyspaces, of a server that the vendor's client and statements have filled.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import Tablestore from "tablestore";
import { checkAccess, gone, shown, startBrowser } from "./page_browser.mjs";
import { startServer } from "./server.mjs";

let browser;
before(async () => { browser = await startBrowser(); });
after(() => browser.stop());
afterEach(() => browser.leave());

const { Condition, Long, RowExistenceExpectation } = Tablestore;
const condition = new Condition(RowExistenceExpectation.IGNORE, null);

/** Makes a table with 45 rows: three artists, and of one row several versions. */
async function fill() {
  const client = new Tablestore.Client({ accessKeyId: "ak", accessKeySecret: "sk", secretAccessKey: "sk", endpoint: browser.server.endpoint,
                                         instancename: "inst", maxRetries: 0 });
  await client.createTable({
    tableMeta: { tableName: "music", primaryKey: [{ name: "artist", type: "STRING" }, { name: "number", type: "INTEGER" }],
                 definedColumn: [{ name: "label", type: Tablestore.DefinedColumnType.DCT_STRING }] },
    reservedThroughput: { capacityUnit: { read: 0, write: 0 } },
    tableOptions: { timeToLive: -1, maxVersions: 3 },
  });
  for (const artist of ["a", "b", "c"]) {
    for (let number = 0; number < 15; ++number) {
      await client.putRow({ tableName: "music", condition, primaryKey: [{ artist }, { number: Long.fromNumber(number) }],
                            attributeColumns: [{ plays: Long.fromNumber(number) }, { title: `${artist} ${number}` }] });
    }
  }
  const now = Date.now();
  for (const [plays, later] of [["9007199254740993", 1000], ["9007199254740995", 2000]]) {
    await client.updateRow({ tableName: "music", condition, primaryKey: [{ artist: "a" }, { number: Long.fromNumber(0) }],
                             updateOfAttributeColumns: [{ PUT: [{ plays: Long.fromString(plays), timestamp: now + later }] }] });
  }
}

test("without tables the view says how to point a client at the server", async () => {
  const page = await browser.visit("tablestore");
  await shown(page.getByRole("heading", { name: "No tables of Tablestore" }));
  await shown(page.getByText(`the endpoint ${browser.server.endpoint}`));
  await checkAccess(page, "no tables");
});

test("rows are read with all versions of their cells, a page after another, and by a range", async () => {
  await fill();
  const page = await browser.visit("tablestore");
  await shown(page.getByRole("heading", { name: "Choose a table" }));
  await page.getByRole("navigation", { name: "Tables of Tablestore" }).getByRole("link", { name: "music" }).click();
  await shown(page.getByText("artist STRING; number INTEGER"));
  const rows = page.getByRole("region", { name: "Rows" });
  await shown(rows.getByRole("row", { name: /^"a" 0 9007199254740995 INTEGER, .* 9007199254740993 INTEGER, .* 0 INTEGER, .* "a 0" STRING, / }));
  await shown(page.getByText("20 rows so far"));
  await checkAccess(page, "rows");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("button", { name: "More rows" }).click();
  await shown(page.getByText("40 rows so far"));
  await page.getByRole("button", { name: "More rows" }).click();
  await shown(page.getByText("45 rows", { exact: true }));
  await gone(page.getByRole("button", { name: "More rows" }));

  const form = page.getByRole("form", { name: "Range" });
  await form.getByLabel("From number").fill("12");
  await shown(form.getByText("A value needs those of the columns before it."));
  await form.getByLabel("From artist").fill("b");
  await form.getByLabel("To artist").fill("b");
  await form.getByLabel("To number").fill("10");
  await form.getByLabel("Direction").selectOption("backward");
  await form.getByLabel("Versions per column").fill("1");
  await form.getByRole("button", { name: "Read rows" }).click();
  await shown(page.getByText("2 rows", { exact: true }));
  assert.match(await rows.getByRole("row").nth(1).innerText(), /^"b"\s+12\s/);
  assert.match(page.url(), /#\/tablestore\/inst\/music\?begin=b&begin=12&end=b&end=10&direction=backward&versions=1$/);
  await page.reload();
  await shown(page.getByText("2 rows", { exact: true }));
  await form.getByLabel("Versions from, ms").fill("0");
  await form.getByLabel("Versions until, ms").fill("1");
  await form.getByRole("button", { name: "Read rows" }).click();
  await page.waitForURL(/&versions=1&from=0&until=1$/);
  await shown(rows.getByRole("row", { name: /^"b" 12$/ }));
  await page.goBack();
  await shown(page.getByText("2 rows", { exact: true }));
  await page.goBack();
  await shown(page.getByText("20 rows so far"));
});

test("a range that the service refuses says why, and a table that is gone is named", async () => {
  const page = await browser.visit("tablestore/inst/music?begin=b&end=a");
  await shown(page.getByRole("alert").getByText("Begin key must less than end key in FORWARD"));
  await page.goto(`${browser.server.endpoint}/_dinette/#/tablestore/inst/other`);
  await shown(page.getByRole("heading", { name: "There is no such table" }));
});

test("without keyspaces the view says how to reach it, and statements make some", async () => {
  const page = await browser.visit("keyspaces");
  await shown(page.getByRole("heading", { name: "No keyspaces" }));
  await shown(page.getByText("--cql-port 9042"));
  await checkAccess(page, "no keyspaces");
  await page.setViewportSize({ width: 1280, height: 800 });
  const form = page.getByRole("form", { name: "Statement" });
  const statement = form.getByLabel("Statement");
  const run = async (text) => {
    await statement.fill(text);
    await Promise.all([page.waitForResponse(/\/_dinette\/cql$/), page.keyboard.press("Control+Enter")]);
  };
  await run("CREATE KEYSPACE shop WITH replication = {'class': 'SingleRegionStrategy'}");
  await shown(page.getByText("Done.", { exact: true }));
  await run("USE shop");
  await shown(page.getByText("Statements use the keyspace shop."));
  assert.equal(await form.getByLabel("Keyspace").inputValue(), "shop");
  await run("CREATE TABLE orders (customer int, number bigint, lines list<text>, PRIMARY KEY (customer, number)) WITH CLUSTERING ORDER BY (number DESC)");
  const list = page.getByRole("navigation", { name: "Keyspaces and tables" });
  await shown(list.getByText("PRIMARY KEY ((customer), number)"));
  await list.getByText("PRIMARY KEY ((customer), number)").click();
  await shown(list.getByText("bigint, descending"));
  await run("INSERT INTO orders (customer, number, lines) VALUES (7, 9007199254740993, ['tea'])");
  await shown(page.getByText("Done.", { exact: true }));
  await run("INSERT INTO orders (customer, number) VALUES (7, 1)");
  await shown(page.getByText("Done.", { exact: true }));
  await list.getByRole("link", { name: "orders" }).click();
  const result = page.getByRole("region", { name: "Result" });
  await shown(result.getByRole("row", { name: '7 9007199254740993 ["tea"]' }));
  await shown(result.getByRole("row", { name: "7 1 null" }));
  await shown(page.getByText("2 rows", { exact: true }));
  await checkAccess(page, "a result");
});

test("a server with a port for Keyspaces says which", async () => {
  const server = await startServer("--cql-port", "0");
  const [, port] = await server.printed(/\(CQL\) is at 127\.0\.0\.1:(\d+)/);
  const page = await browser.visit("keyspaces", {}, server.endpoint);
  await shown(page.getByText(`Drivers of Cassandra reach the server at 127.0.0.1:${port}`));
  await gone(page.getByText("Start the server with"));
  await browser.leave();
  await server.stop();
});

test("an error points to its place in the statement, and what was run is found again", async () => {
  const page = await browser.visit("keyspaces?statement=SELECT+*+FROM+system.local&keyspace=shop");
  await shown(page.getByRole("region", { name: "Result" }));  // a link runs what reads
  const statement = page.getByRole("form", { name: "Statement" }).getByLabel("Statement");
  await statement.fill("SELECT *\n  FORM orders");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await shown(page.getByRole("alert").getByText("SyntaxError"));
  assert.equal(await page.getByRole("region", { name: "Where the error is" }).innerText(), "  FORM orders\n  ^");
  assert.equal(await statement.evaluate((field) => document.activeElement === field && field.selectionStart), 11);
  await checkAccess(page, "an error");
  await page.setViewportSize({ width: 1280, height: 800 });
  await statement.fill("SELECT customer FROM orders");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await shown(page.getByRole("region", { name: "Result" }));
  await page.getByText("Statements", { exact: true }).click();
  await shown(page.getByRole("link", { name: "SELECT customer FROM orders" }));
});

test("a link does not run what writes", async () => {
  const page = await browser.visit("keyspaces?statement=TRUNCATE+shop.orders");
  await shown(page.getByRole("heading", { name: "Statements to try" }));
  assert.equal(await page.getByRole("form", { name: "Statement" }).getByLabel("Statement").inputValue(), "TRUNCATE shop.orders");
  const asked = await fetch(`${browser.server.endpoint}/_dinette/cql`, { method: "POST", body: '{"statement": "SELECT count(*) FROM shop.orders"}' });
  assert.deepEqual((await asked.json()).rows, [["2"]]);
});

test("results of more than a page go on, and the world of the page is asked", async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const run = async (statement) => {
    const reply = await fetch(`${server.endpoint}/_dinette/cql`, { method: "POST", body: JSON.stringify({ statement }) });
    assert.equal((await reply.json()).error, undefined);
  };
  await run("CREATE KEYSPACE k WITH replication = {'class': 'SingleRegionStrategy'}");
  await run("CREATE TABLE k.t (p int, c int, PRIMARY KEY (p, c))");
  for (let c = 0; c < 101; ++c) await run(`INSERT INTO k.t (p, c) VALUES (1, ${c})`);
  await fetch(`${server.endpoint}/_dinette/worlds`, { method: "POST", body: '{"name": "fork"}' });
  await run("TRUNCATE k.t");
  const page = await browser.visit("w/fork/keyspaces?statement=SELECT+*+FROM+k.t", {}, server.endpoint);
  await shown(page.getByText("100 rows", { exact: true }));
  await page.getByRole("button", { name: "Next page" }).click();
  await shown(page.getByText("1 row", { exact: true }));
  await page.goto(`${server.endpoint}/_dinette/#/keyspaces?statement=SELECT+*+FROM+k.t`);
  await shown(page.getByText("0 rows", { exact: true }));
});
