// The page at /_dinette/, used as people do, in headless Chromium.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { BatchWriteCommand, DeleteCommand, GetCommand, PutCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { DescribeTableCommand, GetItemCommand, UpdateContributorInsightsCommand } from "@aws-sdk/client-dynamodb";
import { createTable, makeClient, makeDocumentClient } from "./client.mjs";
import { editorIn, openItem, writtenIn } from "./item_dialog.mjs";
import { checkAccess, findings, gone, shown, startBrowser } from "./page_browser.mjs";
import { startServer } from "./server.mjs";

let browser, client, documents;
before(async () => {
  browser = await startBrowser();
  client = makeClient(browser.server.endpoint);
  documents = makeDocumentClient(client);
});
after(async () => {
  client.destroy();
  await browser.stop();
});
afterEach(() => browser.leave());

const put = (TableName, Item) => documents.send(new PutCommand({ TableName, Item }));
const itemOf = async (TableName, Key) => (await documents.send(new GetCommand({ TableName, Key }))).Item;

test("a table is created, found, and dropped", async () => {
  const page = await browser.visit();
  await page.getByRole("button", { name: "Create table" }).click();
  const form = page.getByRole("dialog", { name: "Create table" });
  await form.getByLabel("Table name").fill("Orders");
  await form.getByLabel("Partition key", { exact: true }).fill("customer");
  await form.getByLabel("Sort key", { exact: true }).fill("number");
  await form.getByLabel("Type of the sort key").selectOption("N");
  await form.getByRole("button", { name: "Add index" }).click();
  await form.getByLabel("Index name").fill("byState");
  await form.getByLabel("Index partition key", { exact: true }).fill("state");
  await form.getByRole("button", { name: "Create", exact: true }).click();
  await shown(page.getByRole("heading", { level: 1, name: "Orders" }));

  const { Table } = await client.send(new DescribeTableCommand({ TableName: "Orders" }));
  assert.deepEqual(Table.KeySchema, [
    { AttributeName: "customer", KeyType: "HASH" }, { AttributeName: "number", KeyType: "RANGE" }]);
  assert.equal(Table.GlobalSecondaryIndexes[0].IndexName, "byState");

  await page.getByRole("link", { name: "Settings" }).click();
  await shown(page.getByText("customer (S), number (N)"));
  await page.getByRole("button", { name: "Drop table" }).click();
  await page.getByRole("button", { name: "Drop it" }).click();
  await shown(page.getByRole("heading", { level: 1, name: "Tables" }));
  await gone(page.getByRole("link", { name: "Orders" }));
});

test("whoever opens the address of the server gets the page", async () => {
  const page = await browser.visit();
  for (const path of ["/", "/shell/"]) {
    await page.goto(browser.server.endpoint + path);
    await shown(page.getByRole("heading", { level: 1, name: "Tables" }));
    assert.equal(new URL(page.url()).pathname, "/_dinette/");
  }
});

test("what the service refuses is shown in its words", async () => {
  const page = await browser.visit();
  await page.keyboard.press("n");
  const form = page.getByRole("dialog");
  await form.getByLabel("Table name").fill("no");
  await form.getByLabel("Partition key", { exact: true }).fill("id");
  await page.keyboard.press("Control+Enter");
  await shown(form.getByRole("alert").getByText("failed to satisfy constraint"));
});

test("a table's settings are changed", async () => {
  await createTable(client, "Changed");
  const page = await browser.visit("tables/Changed/settings");
  await page.getByLabel("Stream").selectOption("NEW_IMAGE");
  await page.getByLabel("Protect the table from being dropped").check();
  await page.getByRole("button", { name: "Save changes" }).click();
  await shown(page.getByRole("link", { name: "Read the stream" }));
  await page.getByRole("region", { name: "Time to live" }).getByLabel("Attribute").fill("expires");
  await page.getByRole("button", { name: "Turn on" }).click();
  await shown(page.getByRole("button", { name: "Turn off" }));
  const { Table } = await client.send(new DescribeTableCommand({ TableName: "Changed" }));
  assert.equal(Table.StreamSpecification.StreamViewType, "NEW_IMAGE");
  assert.equal(Table.DeletionProtectionEnabled, true);
});

test("an item is created, edited in both forms, and deleted", async () => {
  await createTable(client, "Edited");
  const Key = { artist: "Nina Simone", song: "Feeling Good" };
  const page = await browser.visit("tables/Edited");
  await shown(page.getByRole("heading", { name: "No items yet" }));
  await page.getByRole("button", { name: "Create item" }).click();
  const form = page.getByRole("dialog");
  const text = editorIn(form);
  await text.fill(JSON.stringify({ ...Key, plays: 1, tags: { $stringSet: ["jazz"] } }));
  await form.getByRole("button", { name: "Create" }).click();
  await page.getByRole("button", { name: "Nina Simone" }).click();
  await form.getByLabel("Written as").selectOption("dynamodb");
  await shown(text.getByText('"SS"'));
  const typed = await writtenIn(form);
  assert.deepEqual(typed.tags, { SS: ["jazz"] });
  await text.fill(JSON.stringify({ ...typed, plays: { N: "2" } }));
  await form.getByRole("button", { name: "Save" }).click();
  await gone(form);
  assert.deepEqual(await itemOf("Edited", Key), { ...Key, plays: 2, tags: new Set(["jazz"]) });

  await page.getByRole("button", { name: "Nina Simone" }).click();
  await form.getByLabel("Written as").selectOption("plain");  // the last form is kept
  await shown(text.getByText('"plays": 2'));
  await form.getByRole("button", { name: "Delete item" }).click();
  await shown(page.getByRole("heading", { name: "No items yet" }));
  assert.equal(await itemOf("Edited", Key), undefined);
});

test("plain JSON keeps every digit, and what is wrong with it is said", async () => {
  await createTable(client, "Digits");
  const page = await browser.visit("tables/Digits");
  await page.getByRole("button", { name: "Create item" }).click();
  const form = page.getByRole("dialog");
  const text = editorIn(form);
  await text.fill('{"artist": "a",\n "song": }');
  await shown(form.getByText("Line 2, column 10: value expected"));
  assert.ok(await form.getByRole("button", { name: "Create" }).isDisabled());
  await text.fill('{"artist": "a", "song": "b", "n": 1234567890.12345678901234567890123456}');
  await form.getByRole("button", { name: "Create" }).click();
  await shown(page.getByRole("gridcell", { name: "1234567890.12345678901234567890123456" }));
});

test("a new item does not replace one of the same key", async () => {
  await createTable(client, "Kept");
  await put("Kept", { artist: "a", song: "b", plays: 7 });
  const page = await browser.visit("tables/Kept");
  await page.getByRole("button", { name: "Create item" }).click();
  const form = page.getByRole("dialog");
  await editorIn(form).fill('{"artist": "a", "song": "b"}');
  await page.keyboard.press("Control+Enter");
  await shown(form.getByRole("alert").getByText("exists already"));
  assert.equal((await itemOf("Kept", { artist: "a", song: "b" })).plays, 7);
});

test("an item whose key is edited becomes another item, which replaces none", async () => {
  await createTable(client, "Copied");
  await put("Copied", { artist: "a", song: "b", plays: 1 });
  await put("Copied", { artist: "a", song: "c", plays: 2 });
  const page = await browser.visit("tables/Copied");
  const form = await openItem(page, "a b 1", "plays");
  const write = (song) => editorIn(form).fill(JSON.stringify({ artist: "a", song, plays: 3 }));
  await write("c");
  await shown(form.getByText("The key is another one"));
  await form.getByRole("button", { name: "Create" }).click();
  await shown(form.getByRole("alert").getByText("exists already"));
  await write("d");
  await form.getByRole("button", { name: "Create" }).click();
  await gone(form);
  const plays = async (song) => (await itemOf("Copied", { artist: "a", song })).plays;
  assert.deepEqual(await Promise.all(["b", "c", "d"].map(plays)), [1, 2, 3]);
});

test("saving an item writes only what was changed, whatever programs have changed meanwhile", async () => {
  await createTable(client, "Meanwhile1");
  const key = { artist: "a", song: "b" };
  await put("Meanwhile1", { ...key, plays: 1, status: "new", gone: true });
  const page = await browser.visit("tables/Meanwhile1");
  const form = await openItem(page, "a b", "plays");
  await put("Meanwhile1", { ...key, plays: 1, status: "paid", gone: true, note: "by a program" });
  await editorIn(form).fill(JSON.stringify({ ...key, plays: 2, status: "new", added: [1] }));
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await gone(form);
  assert.deepEqual(await itemOf("Meanwhile1", key), { ...key, plays: 2, status: "paid", note: "by a program", added: [1] });
});

test("what both have changed is not overwritten: both are shown, and one is chosen", async () => {
  await createTable(client, "Meanwhile2");
  const key = { artist: "a", song: "b" };
  await put("Meanwhile2", { ...key, plays: 1, status: "new" });
  const page = await browser.visit("tables/Meanwhile2");
  const form = await openItem(page, "a b", "plays");
  const text = editorIn(form);
  const conflict = form.getByRole("alert", { name: "Conflict" });
  const save = form.getByRole("button", { name: "Save", exact: true });

  await put("Meanwhile2", { ...key, plays: 5, note: "by a program" });
  await text.fill(JSON.stringify({ ...key, plays: 2, status: "mine", added: true }));
  await save.click();
  await shown(conflict.getByRole("row", { name: "plays 1 5 2" }));
  await shown(conflict.getByRole("row", { name: 'status "new" none "mine"' }));
  assert.deepEqual(await itemOf("Meanwhile2", key), { ...key, plays: 5, note: "by a program" });
  await conflict.getByRole("button", { name: "Take what is stored" }).click();
  await gone(conflict);
  assert.deepEqual(await writtenIn(form), { ...key, plays: 5, note: "by a program", added: true });

  await put("Meanwhile2", { ...key, plays: 6, note: "by a program" });
  await text.fill(JSON.stringify({ ...key, note: "by a program", added: true }));
  await save.click();
  await shown(conflict.getByRole("row", { name: "plays 5 6 none" }));
  await put("Meanwhile2", { ...key, plays: 7, note: "by a program" });
  await conflict.getByRole("button", { name: "Save mine" }).click();
  await shown(conflict.getByRole("row", { name: "plays 6 7 none" }));
  await conflict.getByRole("button", { name: "Save mine" }).click();
  await gone(form);
  assert.deepEqual(await itemOf("Meanwhile2", key), { ...key, note: "by a program", added: true });
});

test("an item that was deleted meanwhile is not half created by saving it", async () => {
  await createTable(client, "Meanwhile3");
  const key = { artist: "a", song: "b" };
  await put("Meanwhile3", { ...key, plays: 1, status: "new" });
  const page = await browser.visit("tables/Meanwhile3");
  const form = await openItem(page, "a b", "plays");
  await documents.send(new DeleteCommand({ TableName: "Meanwhile3", Key: key }));
  await editorIn(form).fill(JSON.stringify({ ...key, plays: 2, status: "new" }));
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await shown(form.getByText("The item was deleted since you opened it."));
  assert.equal(await itemOf("Meanwhile3", key), undefined);
  await form.getByRole("button", { name: "Create it again" }).click();
  await gone(form);
  assert.deepEqual(await itemOf("Meanwhile3", key), { ...key, plays: 2, status: "new" });
});

test("an item of hundreds of changed attributes is saved", async () => {
  await createTable(client, "Meanwhile4");
  const key = { artist: "a", song: "b" };
  const attributes = (value) => Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`attribute${at}`, value]));
  await put("Meanwhile4", { ...key, plays: 1, ...attributes("before") });
  const page = await browser.visit("tables/Meanwhile4");
  const form = await openItem(page, "a b", "artist");
  await editorIn(form).fill(JSON.stringify({ ...key, plays: 1, ...attributes("after") }));
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await gone(form);
  assert.deepEqual(await itemOf("Meanwhile4", key), { ...key, plays: 1, ...attributes("after") });
});

test("an address that is cut, or not encoded, is shown as one that leads nowhere", async () => {
  const nowhere = await browser.visit("%");
  await shown(nowhere.getByRole("heading", { level: 1, name: "Not found" }));
  const page = await browser.visit("tables/%");
  await shown(page.getByRole("heading", { level: 1, name: "%" }));
  await page.evaluate(() => { location.hash = "#/streams/%E0%A4%A"; });
  await shown(page.getByRole("heading", { level: 1, name: "Stream of %E0%A4%A" }));
});

test("without JavaScript, or without its script, the page says so", async () => {
  const without = await browser.open("", { context: { javaScriptEnabled: false } });
  const said = without.locator("noscript p");
  await shown(said);
  assert.equal(await said.innerText(), "This page needs JavaScript.");
  const prepare = (page) => page.route("**/main-*.js", (route) => route.abort());
  const page = await browser.open("", { prepare });
  await shown(page.getByText("has not been loaded"));
  assert.deepEqual(await findings(page), []);
});

async function fill(TableName) {
  await createTable(client, TableName);
  const items = Array.from({ length: 12 }, (_, at) => ({ artist: "Bill Evans", song: `song ${10 + at}`, plays: at }));
  await documents.send(new BatchWriteCommand({
    RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } }));
}

// The first column has the check boxes.
const cells = (page, column) => page.getByRole("region", { name: "Items" }).locator(`tbody td:nth-child(${column + 1})`).allInnerTexts();

test("a query has a key condition, a filter, a direction, and says what it came to", async () => {
  await fill("Queried");
  const page = await browser.visit("tables/Queried");
  await page.getByLabel("Operation").selectOption("Query");
  await page.getByLabel("artist =").fill("Bill Evans");
  await page.getByLabel("song", { exact: true }).selectOption("between");
  await page.getByLabel("song from").fill("song 12");
  await page.getByLabel("song to").fill("song 18");
  await page.getByLabel("Order").selectOption("descending");
  await page.getByRole("button", { name: "Add filter" }).click();
  await page.getByLabel("Attribute of filter 1").fill("plays");
  await page.getByLabel("Condition").selectOption(">=");
  await page.getByLabel("Type").selectOption("N");
  await page.getByLabel("Value of filter 1").fill("6");
  await page.getByRole("button", { name: "Run" }).click();
  await shown(page.getByText("scanned 7, returned 3"));
  assert.deepEqual(await cells(page, 2), ["song 18", "song 17", "song 16"]);
});

test("a search that finds nothing says so", async () => {
  await createTable(client, "Found");
  const page = await browser.visit();
  await page.getByLabel("Search").fill("no such table");
  await shown(page.getByRole("cell", { name: "No table has such a name." }));
});

test("statements of PartiQL write and read", async () => {
  await createTable(client, "Stated");
  const page = await browser.visit("partiql");
  const run = async (statement, parameters = "") => {
    await page.getByRole("textbox", { name: "Statement" }).fill(statement);
    await page.getByLabel("Parameters").fill(parameters);
    await page.keyboard.press("Control+Enter");
  };
  await run(`INSERT INTO "Stated" VALUE {'artist': 'a', 'song': 'b', 'plays': ?}`, "[3]");
  await shown(page.getByText("Done; no items."));
  await run(`SELECT * FROM "Stated" WHERE artist = 'a'`);
  await shown(page.getByText("Query of Stated where artist = 'a': scanned 1, returned 1"));
  await shown(page.getByRole("gridcell", { name: "3" }));
  await run("SELECT");
  await shown(page.getByRole("alert").getByText("ValidationException"));
});

test("requests appear as they are answered", async () => {
  await createTable(client, "Watched");
  const page = await browser.visit("requests");
  await put("Watched", { artist: "a", song: "b" });
  const row = page.getByRole("row", { name: /PutItem.*Watched/ });
  await shown(row.getByRole("cell", { name: "1 write" }));
  await row.getByRole("button").click();
  await shown(page.getByRole("region", { name: "Request" }).getByText('"TableName": "Watched"'));
});

test("long values take one line, and no column from the others", async () => {
  const long = "a long value ".repeat(30);
  await createTable(client, "Long".padEnd(200, "-name"));
  await createTable(client, "Longer");
  const attributes = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`attribute${at}`, long]));
  await put("Longer", { artist: long, song: "b", ...attributes });
  for (const [view, region] of [["tables/Longer", "Items"], ["tables", "Tables"], ["requests", "Requests"]]) {
    const page = await browser.visit(view);
    const rows = page.getByRole("region", { name: region }).locator("tbody tr");
    await shown(rows.first());
    const heights = await rows.evaluateAll((all) => all.map((row) => row.clientHeight));
    assert.ok(Math.max(...heights) < 45, `${view}: ${heights}`);
  }
});

test("a stream's records appear as they come", async () => {
  const StreamSpecification = { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" };
  await createTable(client, "Streamed", { StreamSpecification });
  const page = await browser.visit("streams");
  await page.getByRole("link", { name: "Streamed" }).click();
  await shown(page.getByRole("heading", { name: "No records yet" }));
  await put("Streamed", { artist: "a", song: "b", plays: 1 });
  await shown(page.getByRole("row", { name: /created.*artist: a, song: b/ }));
  await put("Streamed", { artist: "a", song: "b", plays: 2 });
  await page.getByRole("row", { name: /changed/ }).getByText("Item").click();
  await shown(page.getByText('"plays": 2'));
  // A long key leaves little room for the last column, whose words stay on one line.
  await page.setViewportSize({ width: 1200, height: 800 });
  await put("Streamed", { artist: "a", song: "a long name of a song ".repeat(20), plays: 1 });
  const long = page.getByRole("row", { name: /created.*a long name/ });
  await shown(long);
  const [height, size] = await long.locator("summary").evaluate((one) => [one.clientHeight, parseFloat(getComputedStyle(one).fontSize)]);
  assert.ok(height < 2 * size, `${height} px, of letters of ${size} px`);
});

test("a world is forked, used, and reset, and leaves the others alone", async () => {
  await createTable(client, "Shared");
  const page = await browser.visit("worlds");
  await page.getByRole("button", { name: "Fork", exact: true }).click();
  await page.getByLabel("Name").fill("my-fork");
  await page.getByRole("dialog").getByRole("button", { name: "Fork" }).click();
  const picker = page.getByLabel("World", { exact: true });
  await page.waitForFunction(() => document.querySelector("#world").value === "my-fork");
  await page.getByRole("button", { name: "Reset my-fork" }).click();
  await page.getByRole("button", { name: "Reset it" }).click();
  await shown(page.getByRole("row", { name: /^my-fork 0 0/ }));
  await page.getByRole("link", { name: "Tables", exact: true }).click();
  await shown(page.getByRole("heading", { name: "No tables yet" }));
  await picker.selectOption("default");
  await shown(page.getByRole("link", { name: "Shared" }));
  await page.getByRole("link", { name: "Worlds" }).click();
  await page.getByRole("button", { name: "Drop my-fork" }).click();
  await page.getByRole("button", { name: "Drop it" }).click();
  await gone(page.getByRole("row", { name: /^my-fork/ }));
});

test("a fork that cannot be made says why where it is asked for", async () => {
  const page = await browser.visit("worlds");
  await page.getByRole("button", { name: "Fork", exact: true }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name").fill("no/name");
  await form.getByRole("button", { name: "Fork" }).click();
  await shown(form.getByRole("alert"));
});

test("a snapshot is taken, and returned to", async () => {
  await createTable(client, "Returned");
  const page = await browser.visit("worlds");
  await page.getByRole("button", { name: "Snapshot of default" }).click();
  await shown(page.getByRole("button", { name: "Restore snapshot-1" }));
  await put("Returned", { artist: "a", song: "b" });
  await page.getByRole("button", { name: "Restore snapshot-1" }).click();
  await page.getByRole("button", { name: "Restore it" }).click();
  await gone(page.getByRole("dialog"));
  assert.equal(await itemOf("Returned", { artist: "a", song: "b" }), undefined);
  await page.getByRole("button", { name: "Delete snapshot-1" }).click();
  await shown(page.getByRole("heading", { name: "No snapshots" }));
});

const clock = async () => (await fetch(`${browser.server.endpoint}/_dinette/clock`)).json();

test("the clock is stopped, set, moved, and let go", async () => {
  const page = await browser.visit("clock");
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Go" }).waitFor();
  await page.getByLabel("Time in UTC").fill("2030-01-01T00:00");
  await page.getByRole("button", { name: "Set the time" }).click();
  await shown(page.getByText("2030-01-01 00:00:00"));
  await page.getByRole("button", { name: "25 hours" }).click();
  await shown(page.getByText("2030-01-02 01:00:00"));
  await page.getByLabel("Duration").fill("90");
  await page.getByRole("button", { name: "Move" }).click();
  await shown(page.getByText("2030-01-02 01:01:30"));
  assert.equal((await clock()).now, "2030-01-02T01:01:30.000Z");
  await page.getByRole("button", { name: "Real time" }).click();
  await shown(page.getByText("at the pace of real time"));
  assert.equal((await clock()).frozen, false);
});

test("a fault is ordered, hits, and is removed", async () => {
  await createTable(client, "Faulty");
  const page = await browser.visit("faults");
  await page.getByRole("button", { name: "Add fault" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Operation").fill("Scan");
  await form.getByLabel("Table").fill("Faulty");
  await form.getByLabel("Times").fill("1");
  await form.getByLabel("Error").fill("RequestLimitExceeded");
  await form.getByRole("button", { name: "Add" }).click();
  await shown(page.getByRole("row", { name: "Scan, on Faulty, once RequestLimitExceeded 0 0" }));
  await page.getByLabel("Faults hit the requests of this page, too").check();
  await page.goto(`${browser.server.endpoint}/_dinette/#/tables/Faulty`);
  await shown(page.getByRole("alert").getByText("RequestLimitExceeded"));
  await page.getByRole("button", { name: "Run" }).click();
  await shown(page.getByRole("heading", { name: "No items yet" }));
  await page.getByRole("link", { name: "Faults" }).click();
  await shown(page.getByRole("row", { name: /RequestLimitExceeded 2 1/ }));
  await page.getByRole("button", { name: "Remove fault 1" }).click();
  await shown(page.getByRole("heading", { name: "No faults" }));
});

test("a fault for one item, and one with a delay, are ordered and said in words", async () => {
  const page = await browser.visit("faults");
  const form = page.getByRole("dialog");
  await page.getByRole("button", { name: "Add fault" }).click();
  await form.getByLabel("Key of the item").fill('{"id": }');
  await shown(form.getByText("value expected"));
  await form.getByLabel("Key of the item").fill('{"id": 7}');
  await form.getByLabel("Probability").fill("0.25");
  await form.getByLabel("Seed").fill("3");
  await form.getByLabel("What happens").selectOption("drop");
  await form.getByLabel("When").selectOption("after");
  await form.getByRole("button", { name: "Add" }).click();
  await shown(page.getByRole("row", {
    name: "any operation, with id = 7, with probability 0.25, seed 3 no answer after it was carried out 0 0" }));
  await page.getByRole("button", { name: "Add fault" }).click();
  await form.getByLabel("Operation").fill("Nothing");
  await form.getByLabel("What happens").selectOption("delay");
  await form.getByLabel("Delay in milliseconds").fill("20");
  await form.getByLabel("Length of the delay").selectOption("mean");
  await form.getByRole("button", { name: "Add" }).click();
  await shown(form.getByRole("alert").getByText("serves no operation 'Nothing'"));
  await form.getByLabel("Operation").fill("GetItem");
  await form.getByRole("button", { name: "Add" }).click();
  await shown(page.getByRole("row", { name: "GetItem wait 20 ms on average 0 0" }));
  await page.getByRole("button", { name: "Remove all" }).click();
  await shown(page.getByRole("heading", { name: "No faults" }));
});

test("a report is recorded, shown, and begun again", async () => {
  await createTable(client, "Reported");
  const page = await browser.visit("report");
  await page.getByRole("button", { name: "Record" }).click();
  await shown(page.getByRole("heading", { name: "Recording" }));
  await put("Reported", { artist: "a", song: "b" });
  await documents.send(new ScanCommand({
    TableName: "Reported", FilterExpression: "attribute_exists(nothing_like_it)" }));
  const operations = page.getByRole("region", { name: "Operations" });
  await shown(operations.getByRole("row", { name: "Reported PutItem 1 0 1" }));
  await shown(operations.getByRole("row", { name: "Reported Scan 1 0.5 0 1 0 100 % 1" }));
  await shown(page.getByRole("row", { name: "Reported artist = 'a' 1" }));
  await page.getByRole("button", { name: "Stop recording" }).click();
  await shown(page.getByText("Recording has stopped."));
  await page.getByRole("button", { name: "Begin again" }).click();
  await shown(page.getByRole("heading", { name: "Nothing recorded" }));
});

test("metrics are drawn, and written next to the lines", async () => {
  await createTable(client, "Measured");
  const page = await browser.visit("metrics");
  const requests = page.getByRole("figure", { name: "Requests per second" });
  await shown(requests.getByText("all 0"));
  let seen = false;
  const units = page.getByRole("figure", { name: "Capacity units per second" });
  const wait = shown(units.getByText(/write [1-9]/)).finally(() => { seen = true; });
  while (!seen) await put("Measured", { artist: "a", song: "b" });
  await wait;
  await shown(requests.locator("canvas"));
  for (const theme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: theme });
    await page.waitForFunction(hasColoursOfItsLegend, "Capacity units per second");
  }
});

/** Returns true if the plot of this title draws lines in each colour that its legend shows. */
function hasColoursOfItsLegend(title) {
  const figure = document.querySelector(`figure[aria-label="${title}"]`);
  const canvas = figure.querySelector("canvas");
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  const drawn = new Set();
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) drawn.add(`rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`);
  return [...figure.querySelectorAll("i")].every((mark) => drawn.has(getComputedStyle(mark).backgroundColor));
}

test("keys that contributor insights have counted are shown below the metrics", async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const client = makeClient(server.endpoint);
  t.after(() => client.destroy());
  const page = await browser.visit("metrics", {}, server.endpoint);
  await createTable(client, "Music");
  await client.send(new UpdateContributorInsightsCommand({ TableName: "Music", ContributorInsightsAction: "ENABLE" }));
  for (let at = 0; at < 3; ++at) await client.send(new GetItemCommand({ TableName: "Music", Key: { artist: { S: "a" }, song: { S: "b" } } }));
  const keys = page.getByRole("region", { name: "Partition keys that are accessed most: Music" });
  await shown(keys.getByRole("row", { name: /^artist = a 3 0$/ }));
  assert.deepEqual(await findings(page), []);
});

test("a server that verifies signatures is called with the user's keys", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "dinette-"));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "keys"), "[me]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = secret/key+\n");
  const server = await startServer("--auth", "verify", "--credentials", join(folder, "keys"), "--admin-token", "open sesame");
  t.after(() => server.stop());
  const page = await browser.visit("", {}, server.endpoint);
  await shown(page.getByRole("alert").getByText("security token"));
  await page.getByRole("button", { name: "Access keys" }).click();
  await page.getByLabel("Access key id").fill("AKIDEXAMPLE");
  await page.getByLabel("Secret access key").fill("secret/key+");
  await page.getByLabel("Administration token").fill("open sesame");
  await page.getByRole("button", { name: "Save" }).click();
  await shown(page.getByRole("heading", { name: "No tables yet" }));
  await page.getByRole("link", { name: "Clock" }).click();
  await shown(page.getByText("at the pace of real time"));
});

const administrating = ["Tablestore", "Keyspaces", "Requests", "Triggers", "Clock", "Worlds", "Regions", "Faults", "Metrics", "Report"];
const others = ["Tables", "PartiQL", "Streams"];

test("views that the server refuses show only the remedy, and a field for it", async (t) => {
  const server = await startServer("--admin-token", "open sesame");
  t.after(() => server.stop());
  const page = await browser.visit("", {}, server.endpoint);
  const locked = page.getByRole("heading", { name: "The server does not let this page administrate it" });
  const show = (view) => page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: view, exact: true }).click();
  for (const view of administrating) {
    await show(view);
    await shown(locked);
    await shown(page.getByRole("heading", { level: 1, name: view }));
    await shown(page.getByRole("alert").getByText("--admin-token"));
    const rest = await page.locator("main").getByRole("button").allInnerTexts();
    assert.deepEqual(rest, ["Unlock"], view);
    assert.equal(await page.locator("main").getByRole("figure").count(), 0, view);
  }
  for (const view of others) {
    await show(view);
    await shown(page.getByRole("heading", { level: 1, name: view }));
    assert.equal(await locked.count(), 0, view);
  }
  await show("Clock");
  assert.deepEqual(await findings(page), []);
  const token = page.getByLabel("Administration token");
  await token.fill("wrong");
  await page.getByRole("button", { name: "Unlock" }).click();
  await shown(page.getByRole("alert").getByText("The token is not the one of --admin-token."));
  await token.fill("open sesame");
  await page.keyboard.press("Enter");
  await shown(page.getByText("at the pace of real time"));
  await show("Worlds");
  await shown(page.getByRole("row", { name: /^default/ }));
});

test("the token of a link unlocks the page, and leaves the address and the history", async (t) => {
  const server = await startServer("--admin-token", "open sesame+");
  t.after(() => server.stop());
  const requested = [];
  const page = await browser.open("token=open%20sesame%2B", {
    endpoint: server.endpoint, prepare: (fresh) => fresh.on("request", (request) => requested.push(request.url())) });
  await page.getByRole("link", { name: "Clock" }).click();
  await shown(page.getByText("at the pace of real time"));
  assert.equal(page.url(), `${server.endpoint}/_dinette/#/clock`);
  await page.goBack();
  await shown(page.getByRole("heading", { level: 1, name: "Tables" }));
  assert.equal(page.url(), `${server.endpoint}/_dinette/`);
  assert.deepEqual(requested.filter((url) => url.includes("sesame")), []);
});

test("a link with a token unlocks a page that is open", async (t) => {
  const server = await startServer("--admin-token", "secret");
  t.after(() => server.stop());
  const page = await browser.visit("clock", {}, server.endpoint);
  await shown(page.getByLabel("Administration token"));
  await page.evaluate(() => { location.hash = "#token=secret"; });
  await shown(page.getByRole("heading", { level: 1, name: "Tables" }));
  await page.getByRole("link", { name: "Clock" }).click();
  await shown(page.getByText("at the pace of real time"));
});

test("the keyboard reaches everything and is held nowhere", async () => {
  const page = await browser.visit();
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "Skip to content");
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "Tables");
  await page.keyboard.press("?");
  await shown(page.getByRole("dialog", { name: "Help" }));
  await page.keyboard.press("Escape");
  await gone(page.getByRole("dialog"));
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await shown(page.getByRole("heading", { level: 1, name: "PartiQL" }));
  assert.equal(await focused(), "PartiQL");
  for (const label of ["Statement", "Parameters"]) {
    await page.keyboard.press("Tab");
    assert.ok(await page.getByRole("textbox", { name: label }).evaluate((element) => element === document.activeElement), label);
  }
  await page.keyboard.type("g c ?");
  assert.equal(await page.getByLabel("Parameters").inputValue(), "g c ?");
});

test("the theme follows the system until the user chooses", async () => {
  const page = await browser.visit("", { colorScheme: "dark" });
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await ground();
  await page.emulateMedia({ colorScheme: "light" });
  const light = await ground();
  assert.notEqual(dark, light);
  await page.getByRole("button", { name: "System theme" }).click();
  await page.getByRole("button", { name: "Light theme" }).click();
  assert.equal(await ground(), dark);
  await page.reload();
  await page.getByRole("button", { name: "Dark theme" }).waitFor();
  assert.equal(await ground(), dark);
});

const dialogs = {
  tables: ["Create table", "Help", "Access keys", "Preferences"],
  "tables/Accessible": ["Create item"],
  worlds: ["Fork default"],
  faults: ["Add fault"],
  requests: ["BatchWriteItem"],
};
const ready = {
  "tables/Accessible": (page) => page.getByRole("region", { name: "Items" }),
  "tables/Accessible/settings": (page) => page.getByRole("button", { name: "Turn on" }),
  clock: (page) => page.getByRole("region", { name: "Now" }),
  worlds: (page) => page.getByRole("region", { name: "Worlds" }),
  faults: (page) => page.getByRole("heading", { name: "No faults" }),
  requests: (page) => page.getByRole("region", { name: "Requests" }),
  metrics: (page) => page.getByText(/^open [1-9]/),
  report: (page) => page.getByRole("region", { name: "Operations" }),
};

test("every view is accessible, in light and dark, wide and narrow", async () => {
  await fetch(`${browser.server.endpoint}/_dinette/report`, { method: "PUT", body: '{"recording":true}' });
  await fill("Accessible");
  const page = await browser.visit();
  const check = (what) => checkAccess(page, what);
  const names = await page.getByRole("navigation", { name: "Views" }).getByRole("link").evaluateAll(
    (links) => links.map((link) => link.hash.slice(2)));
  for (const view of [...names, "tables/Accessible", "tables/Accessible/settings", "nowhere"]) {
    await page.goto(`${browser.server.endpoint}/_dinette/#/${view}`);
    await (ready[view]?.(page) ?? page.getByRole("heading", { level: 1 })).waitFor();
    await check(view);
    for (const name of dialogs[view] ?? []) {
      await page.getByRole("button", { name, exact: true }).first().click();
      await check(name);
      await page.keyboard.press("Escape");
      await gone(page.getByRole("dialog"));
    }
  }
});
