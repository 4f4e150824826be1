// The page at /_dinette/, used as people do, in headless Chromium.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { BatchWriteCommand, GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { DescribeTableCommand } from "@aws-sdk/client-dynamodb";
import { createTable, makeClient, makeDocumentClient } from "./client.mjs";
import { findings, gone, shown, startBrowser } from "./page_browser.mjs";

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
  const text = form.getByLabel("Item", { exact: true });
  await text.fill(JSON.stringify({ ...Key, plays: 1, tags: { $stringSet: ["jazz"] } }));
  await form.getByRole("button", { name: "Create" }).click();
  await page.getByRole("button", { name: "Nina Simone" }).click();
  await form.getByLabel("Written as").selectOption("dynamodb");
  const typed = JSON.parse(await text.inputValue());
  assert.deepEqual(typed.tags, { SS: ["jazz"] });
  await text.fill(JSON.stringify({ ...typed, plays: { N: "2" } }));
  await form.getByRole("button", { name: "Save" }).click();
  await gone(form);
  assert.deepEqual(await itemOf("Edited", Key), { ...Key, plays: 2, tags: new Set(["jazz"]) });

  await page.getByRole("button", { name: "Nina Simone" }).click();
  await page.waitForFunction(() => document.querySelector("dialog textarea").value.includes('"plays": 2'));
  await form.getByRole("button", { name: "Delete item" }).click();
  await shown(page.getByRole("heading", { name: "No items yet" }));
  assert.equal(await itemOf("Edited", Key), undefined);
});

test("plain JSON keeps every digit, and what is wrong with it is said", async () => {
  await createTable(client, "Digits");
  const page = await browser.visit("tables/Digits");
  await page.getByRole("button", { name: "Create item" }).click();
  const form = page.getByRole("dialog");
  const text = form.getByLabel("Item", { exact: true });
  await text.fill('{"artist": "a",\n "song": }');
  await shown(form.getByText("Line 2, column 10: value expected"));
  assert.ok(await form.getByRole("button", { name: "Create" }).isDisabled());
  await text.fill('{"artist": "a", "song": "b", "n": 1234567890.12345678901234567890123456}');
  await form.getByRole("button", { name: "Create" }).click();
  await shown(page.getByRole("cell", { name: "1234567890.12345678901234567890123456" }));
});

test("a new item does not replace one of the same key", async () => {
  await createTable(client, "Kept");
  await put("Kept", { artist: "a", song: "b", plays: 7 });
  const page = await browser.visit("tables/Kept");
  await page.getByRole("button", { name: "Create item" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Item", { exact: true }).fill('{"artist": "a", "song": "b"}');
  await page.keyboard.press("Control+Enter");
  await shown(form.getByRole("alert").getByText("exists already"));
  assert.equal((await itemOf("Kept", { artist: "a", song: "b" })).plays, 7);
});

async function fill(TableName) {
  await createTable(client, TableName);
  const items = Array.from({ length: 12 }, (_, at) => ({ artist: "Bill Evans", song: `song ${10 + at}`, plays: at }));
  await documents.send(new BatchWriteCommand({
    RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } }));
}

const cells = (page, column) => page.getByRole("region", { name: "Items" }).locator(`tbody td:nth-child(${column})`).allInnerTexts();

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
  await shown(page.getByText("looked at 7, returned 3"));
  assert.deepEqual(await cells(page, 2), ["song 18", "song 17", "song 16"]);
});

test("a scan is read page by page, forward and back", async () => {
  await fill("Scanned");
  const page = await browser.visit("tables/Scanned");
  await page.getByLabel("Limit per page").fill("5");
  await page.getByRole("button", { name: "Run" }).click();
  await shown(page.getByText("Page 1: 5 items, and there may be more"));
  const first = await cells(page, 2);
  await page.getByRole("button", { name: "Next page" }).click();
  await shown(page.getByText("Page 2: 5 items"));
  await page.getByRole("button", { name: "Next page" }).click();
  await shown(page.getByText("Page 3: 2 items, and there are no more"));
  await page.getByRole("button", { name: "Previous page" }).click();
  await shown(page.getByText("Page 2: 5 items"));
  await page.getByRole("button", { name: "Previous page" }).click();
  await shown(page.getByText("Page 1: 5 items"));
  assert.deepEqual(await cells(page, 2), first);
});

test("views are accessible, in light and dark, wide and narrow", async () => {
  await fill("Accessible");
  for (const [colorScheme, width] of [["light", 1280], ["dark", 400]]) {
    const page = await browser.visit("", { colorScheme, viewport: { width, height: 800 } });
    const check = async (what) => assert.deepEqual(await findings(page), [], `${what}, ${colorScheme}, ${width}`);
    const open = async (view) => {
      await page.goto(`${browser.server.endpoint}/_dinette/#/${view}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
    };
    await shown(page.getByRole("link", { name: "Accessible" }));
    await check("tables");
    await page.getByRole("button", { name: "Create table" }).click();
    await page.getByRole("button", { name: "Add index" }).click();
    await check("a new table");
    await page.keyboard.press("Escape");
    await open("tables/Accessible");
    await shown(page.getByRole("region", { name: "Items" }));
    await check("items");
    await page.getByRole("button", { name: "Create item" }).click();
    await check("an item");
    await page.keyboard.press("Escape");
    await open("tables/Accessible/settings");
    await shown(page.getByRole("button", { name: "Turn on" }));
    await check("settings");
  }
});
