// Ways through the page at /_dinette/: addresses, tables among hundreds, the palette, kept queries, statements, and what the page says
// of the chosen world. In headless Chromium.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { BatchWriteCommand, GetCommand, PutCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { DescribeTableCommand, DescribeTimeToLiveCommand, UpdateTimeToLiveCommand } from "@aws-sdk/client-dynamodb";
import { createTable, makeClient, makeDocumentClient } from "./client.mjs";
import { checkAccess, findings, gone, launchChromium, shown, startBrowser } from "./page_browser.mjs";
import { startServer } from "./server.mjs";

let browser, client, documents;
before(async () => {
  browser = await startBrowser();
  client = makeClient(browser.server.endpoint);
  documents = makeDocumentClient(client);
  await createTable(client, "Music", {
    AttributeDefinitions: ["artist", "song", "label"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
    GlobalSecondaryIndexes: [{
      IndexName: "byLabel", KeySchema: [{ AttributeName: "label", KeyType: "HASH" }], Projection: { ProjectionType: "ALL" } }],
  });
  await fill("Music");
});
after(async () => {
  client.destroy();
  await browser.stop();
});
afterEach(() => browser.leave());

async function fill(TableName) {
  const items = Array.from({ length: 24 }, (_, at) => ({
    artist: at % 2 ? "Nina Simone" : "Bill Evans", song: `song ${10 + at}`, plays: at, label: at % 3 ? "Verve" : "Philips" }));
  await documents.send(new BatchWriteCommand({
    RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } }));
}

const administrate = (method, path, body) =>
  fetch(`${browser.server.endpoint}/_dinette/${path}`, { method, body: body && JSON.stringify(body) });
const heading = (page, name) => page.getByRole("heading", { level: 1, name });
const rows = (page, label = "Items") => page.getByRole("region", { name: label }).locator("tbody tr");
const fragment = (page) => new URL(page.url()).hash;

test("a read is in the address: Back, a reload and another tab show it", async () => {
  const page = await browser.visit("tables/Music");
  await page.getByLabel("Operation").selectOption("Query");
  await page.getByLabel("artist =").fill("Bill Evans");
  await page.getByLabel("Order").selectOption("descending");
  await page.getByRole("button", { name: "Add filter" }).click();
  await page.getByLabel("Attribute of filter 1").fill("plays");
  await page.getByLabel("Condition").selectOption(">=");
  await page.getByLabel("Type").selectOption("N");
  await page.getByLabel("Value of filter 1").fill("20");
  await page.getByRole("button", { name: "Run" }).click();
  const isShown = async (on) => {
    await shown(on.getByText("scanned 12, returned 2"));
    assert.equal(await on.getByLabel("artist =").inputValue(), "Bill Evans");
    assert.equal(await on.getByLabel("Order").inputValue(), "descending");
    assert.equal(await on.getByLabel("Value of filter 1").inputValue(), "20");
  };
  await isShown(page);
  assert.equal(fragment(page), "#/tables/Music?op=Query&partition=Bill+Evans&order=descending&filter=plays&is=%3E%3D&type=N&value=20");
  await page.reload();
  await isShown(page);
  await page.getByRole("link", { name: "Streams" }).click();
  await shown(heading(page, "Streams"));
  await page.goBack();
  await isShown(page);
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await isShown(tab);
  await page.goBack();
  await shown(page.getByText("scanned 24, returned 24"));
  assert.equal(await page.getByLabel("Operation").inputValue(), "Scan");
});

test("an opened item is in the address, with the read behind it", async () => {
  const page = await browser.visit("tables/Music?op=Query&partition=Nina+Simone&limit=3");
  await rows(page).filter({ hasText: "song 11" }).getByRole("button").first().click();
  const editor = page.getByRole("dialog");
  await shown(editor);
  assert.equal(fragment(page), "#/tables/Music?op=Query&partition=Nina+Simone&limit=3&item.artist=S%3ANina+Simone&item.song=S%3Asong+11");
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await tab.waitForFunction(() => document.querySelector("dialog")?.textContent.includes("song 11") ||
    document.querySelector("dialog textarea")?.value.includes("song 11"));
  await page.goBack();
  await gone(editor);
  await shown(page.getByText("scanned 3, returned 3"));
});

test("a world is in the address, and a link opens it in another tab", async () => {
  await administrate("POST", "worlds", { name: "my-fork" });
  const page = await browser.visit("tables/Music");
  await page.getByLabel("World", { exact: true }).selectOption("my-fork");
  await page.waitForFunction(() => location.hash === "#/w/my-fork/tables/Music");
  await page.getByRole("link", { name: "PartiQL" }).click();
  await page.waitForFunction(() => location.hash === "#/w/my-fork/partiql");
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await shown(heading(tab, "PartiQL"));
  assert.equal(await tab.getByLabel("World", { exact: true }).inputValue(), "my-fork");
  await page.goBack();
  await page.goBack();
  await page.waitForFunction(() => document.querySelector("#world").value === "default");
  await administrate("DELETE", "worlds/my-fork");
});

test("queries are kept by table: those that were run, and those that were saved", async () => {
  const page = await browser.visit("tables/Music");
  await page.getByRole("button", { name: "Access keys" }).click();
  await page.getByLabel("Session token").fill("a secret");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByLabel("Operation").selectOption("Query");
  await page.getByLabel("artist =").fill("Bill Evans");
  await page.getByRole("button", { name: "Run" }).click();
  await shown(page.getByText("scanned 12, returned 12"));
  const menu = page.locator("details.keptmenu");
  await menu.locator("summary").click();
  await shown(menu.getByRole("link", { name: 'Query where artist = "Bill Evans"' }));
  await menu.getByLabel("Name of what is shown").fill("All of Bill");
  await menu.getByRole("button", { name: "Save" }).click();
  await shown(menu.getByRole("link", { name: "All of Bill" }));
  const stored = await page.evaluate(() => JSON.stringify(localStorage));
  assert.match(stored, /All of Bill/);
  assert.doesNotMatch(stored, /a secret/);

  await page.goto(`${browser.server.endpoint}/_dinette/#/tables/Music`);
  await shown(page.getByText("scanned 24, returned 24"));
  await page.keyboard.press("Control+k");
  await shown(page.getByRole("dialog").getByRole("combobox"));
  await page.keyboard.type("saved bill");
  await page.keyboard.press("Enter");
  await shown(page.getByText("scanned 12, returned 12"));
  await menu.locator("summary").click();
  await menu.getByRole("button", { name: "Forget All of Bill" }).click();
  await gone(menu.getByRole("link", { name: "All of Bill" }));
  await page.keyboard.press("Escape");
  await gone(menu.getByLabel("Name of what is shown"));
});

test("a query is copied as code, for the world and the address that are shown", async () => {
  await administrate("POST", "worlds", { name: "coded" });
  const page = await browser.visit("w/coded/tables/Music?op=Query&partition=O%27Hara", { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByRole("button", { name: "Copy as code" }).click();
  const dialog = page.getByRole("dialog", { name: "Query as code" });
  const text = () => dialog.getByRole("tabpanel").innerText();
  assert.match(await text(), /AWS_ACCESS_KEY_ID=coded.*[^]*'\\''Hara/);
  await dialog.getByRole("tab", { name: "AWS CLI" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await dialog.getByRole("tab", { selected: true }).innerText(), "Python");
  assert.match(await text(), /endpoint_url="http:\/\/127\.0\.0\.1:\d+"/);
  await dialog.getByRole("button", { name: "Copy" }).click();
  await shown(dialog.getByRole("button", { name: "Copied" }));
  assert.equal((await page.evaluate(() => navigator.clipboard.readText())).trim(), (await text()).trim());
  await administrate("DELETE", "worlds/coded");
});

test("what has more than one page is copied with all of them, unless one is wanted", async () => {
  const page = await browser.visit("tables/Music?op=Query&partition=Bill+Evans&limit=5");
  await shown(page.getByText("and there may be more"));
  await page.getByRole("button", { name: "Copy as code" }).click();
  const dialog = page.getByRole("dialog", { name: "Query as code" });
  await dialog.getByRole("tab", { name: "Python" }).click();
  const text = () => dialog.getByRole("tabpanel").innerText();
  assert.match(await text(), /get_paginator\("query"\)[^]*PageSize": 5/);
  await dialog.getByLabel("Read all pages").uncheck();
  assert.match(await text(), /client\.query\([^]*Limit=5/);
  await page.keyboard.press("Escape");
  await page.goto(`${browser.server.endpoint}/_dinette/#/tables/Music?op=Query&partition=Bill+Evans`);
  await shown(page.getByText("and there are no more"));
  await page.getByRole("button", { name: "Copy as code" }).click();
  assert.match(await text(), /client\.query\(/);
});

test("code is also copied where browsers give pages no clipboard", async (t) => {
  const server = await startServer("--cors", "local,app.test");
  t.after(() => server.stop());
  const other = await launchChromium("--host-resolver-rules=MAP app.test 127.0.0.1");
  t.after(() => other.close());
  const page = await other.newPage();
  await page.goto(`${server.endpoint.replace("127.0.0.1", "app.test")}/_dinette/#/partiql?statement=UPDATE`);
  assert.equal(await page.evaluate(() => isSecureContext), false);
  await page.getByRole("button", { name: "Copy as code" }).click();
  await page.evaluate(() => document.addEventListener("copy", ({ target }) => { globalThis.copied = target.value; }));
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Copy" }).click();
  await shown(dialog.getByRole("button", { name: "Copied" }));
  assert.equal((await page.evaluate(() => globalThis.copied)).trim(), (await dialog.getByRole("tabpanel").innerText()).trim());
  assert.equal(await dialog.locator("textarea").count(), 0);
});

const statement = (page) => page.getByRole("textbox", { name: "Statement" });

test("a statement is completed by keyboard, and its result says its plan and opens items", async () => {
  const page = await browser.visit("partiql");
  await statement(page).focus();
  await page.keyboard.press("Control+Space");
  await shown(page.getByRole("option", { name: "SELECT * FROM" }));
  await page.keyboard.press("Enter");
  await page.keyboard.type("mus");
  await shown(page.getByRole("option", { name: '"Music"' }));
  const described = page.waitForResponse((response) => response.request().headers()["x-amz-target"]?.endsWith("DescribeTable"));
  await page.keyboard.press("Tab");
  await described;
  await page.keyboard.type("WHERE son");
  await page.keyboard.press("Escape");
  await gone(page.getByRole("listbox"));
  await page.keyboard.press("Control+Space");
  await shown(page.getByRole("option", { name: "song" }));
  const active = await statement(page).getAttribute("aria-activedescendant");
  assert.match(await page.locator(`[id="${active}"]`).innerText(), /song/);
  await page.keyboard.press("Tab");
  await page.keyboard.type("= 'song 12' AND label = 'Philips'");
  assert.equal(await statement(page).inputValue(), `SELECT * FROM "Music" WHERE song = 'song 12' AND label = 'Philips'`);
  await page.keyboard.press("Control+Enter");
  await shown(page.getByText("Scan of Music: scanned 24"));
  await shown(page.getByText(/Server [\d.]+ ms, round trip [\d.,]+ ms/));
  await shown(page.getByRole("note").getByText('"Music"."byLabel"'));
  await page.reload();
  await shown(page.getByText("Scan of Music: scanned 24"));
  await statement(page).fill(`SELECT * FROM "Music" WHERE artist = 'Bill Evans' AND song = 'song 12'`);
  await page.keyboard.press("Control+Enter");
  await shown(page.getByText("returned 1,"));
  await page.locator('[aria-label="Result"]').locator("a, [data-open]").first().click();
  await shown(page.getByRole("dialog"));
  assert.match(fragment(page), /#\/tables\/Music\?item\.artist=S%3ABill\+Evans&item\.song=S%3Asong\+12/);
});

test("opening a link runs statements that read, and no others", async () => {
  const insert = encodeURIComponent(`INSERT INTO "Music" VALUE {'artist': 'by a link', 'song': 'x'}`);
  const page = await browser.visit(`partiql?statement=${insert}`);
  assert.match(await statement(page).inputValue(), /^INSERT/);
  await page.evaluate(() => { location.hash = `#/partiql?statement=${encodeURIComponent(`SELECT * FROM "Music" WHERE artist = 'by a link'`)}`; });
  await shown(page.getByText("scanned 0, returned 0"));
  const { Item } = await documents.send(new GetCommand({ TableName: "Music", Key: { artist: "by a link", song: "x" } }));
  assert.equal(Item, undefined);
});

test("a Scan that an index would serve leads to the Query", async () => {
  const page = await browser.visit("tables/Music?filter=label&value=Philips&filter=plays&is=%3E&type=N&value=5");
  await page.getByRole("note").getByRole("link", { name: 'Run it as Query byLabel where label = "Philips"' }).click();
  await shown(page.getByText(/Query of Music by byLabel.*: scanned 8, returned 6/));
  await gone(page.getByRole("note"));
});

test("two hundred tables are found, grouped, and gone through by keyboard; the frame stays while the view scrolls", async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const many = makeClient(server.endpoint);
  const names = ["shop", "billing", "users", "search"].flatMap((area) => Array.from({ length: 50 }, (_, at) => `acme-${area}-${at}`));
  await Promise.all(names.map((name) => createTable(many, name)));
  many.destroy();
  const page = await browser.visit("", {}, server.endpoint);
  const tree = page.getByRole("tree");
  const item = (name) => tree.getByRole("treeitem", { name, exact: true });
  await shown(tree);
  assert.deepEqual(await tree.getByRole("treeitem").allInnerTexts(), ["billing", "search", "shop", "users"].map((area) => `acme-${area}-\n50`));

  const filter = page.getByLabel("Filter the list");
  await filter.fill("shop 49");
  await shown(item("acme-shop-49"));
  assert.equal(await tree.getByRole("treeitem").count(), 1);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await shown(heading(page, "acme-shop-49"));
  await filter.fill("");
  assert.equal(await item("acme-shop-49").getAttribute("aria-current"), "page");

  await item("acme-shop-49").focus();
  await page.keyboard.press("ArrowLeft");
  const group = tree.getByRole("treeitem", { name: /^acme-shop-\s*50/ });
  assert.ok(await group.evaluate((element) => element === document.activeElement));
  await page.keyboard.press("ArrowLeft");
  await gone(item("acme-shop-49"));
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await shown(heading(page, "acme-billing-0"));

  await page.keyboard.press("t");
  await shown(page.getByRole("dialog").getByRole("combobox"));
  await page.keyboard.type("users-17");
  await page.keyboard.press("Enter");
  await shown(heading(page, "acme-users-17"));

  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await shown(page.getByRole("link", { name: "acme-users-9", exact: true }));
  const region = page.getByRole("region", { name: "Tables" });
  await region.evaluate((element) => element.scrollTo(0, 3000));
  await page.evaluate(() => scrollTo(0, 10_000));
  for (const seen of [page.getByRole("navigation", { name: "Views" }), page.getByLabel("World", { exact: true }), tree,
    region.getByRole("columnheader", { name: "Name" })]) {
    assert.ok(await seen.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    }));
  }
  assert.deepEqual(await findings(page), []);
});

test("a query that the service refused is not among the recent ones", async () => {
  const page = await browser.visit("tables/Music");
  await shown(page.getByText("24 items, and there are no more"));
  const run = (query) => page.evaluate((text) => { location.hash = `#/tables/Music?${text}`; }, query);
  await run("op=Query&partition=Bill+Evans&filter=artist&value=x");
  await shown(page.getByRole("alert").getByText("ValidationException"));
  await run("op=Query&partition=Bill+Evans");
  await shown(page.getByText("scanned 12, returned 12"));
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem("dinette.reads")).map(({ query }) => query));
  assert.deepEqual(kept, ["op=Query&partition=Bill+Evans"]);
});

test("the palette leads to views, tables and worlds, and does things, by keyboard alone", async () => {
  await administrate("POST", "worlds", { name: "elsewhere" });
  const page = await browser.visit();
  const seek = async (words) => {
    await page.keyboard.press("Control+k");
    await shown(page.getByRole("combobox", { name: /Table, view/ }));
    await page.keyboard.type(words);
  };
  const go = async (words) => {
    await seek(words);
    await page.keyboard.press("Enter");
  };
  await go("view clock");
  await shown(heading(page, "Clock"));
  await go("table music");
  await shown(heading(page, "Music"));
  await go('Music "Bill Evans" song 10');
  await shown(page.getByRole("dialog", { name: "Edit artist: Bill Evans song, song: 10" }));
  await page.keyboard.press("Escape");
  await gone(page.getByRole("dialog"));
  await go('Music "Bill Evans" "song 10"');
  await shown(page.getByRole("dialog", { name: "Edit artist: Bill Evans, song: song 10" }));
  await page.keyboard.press("Escape");
  await gone(page.getByRole("dialog"));
  await go('Music "Bill Evans"');
  await shown(page.getByText("scanned 12, returned 12"));
  await go("keys and indexes of");
  await shown(page.getByRole("region", { name: "byLabel" }));
  await go("dark theme");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await go("create a table");
  await shown(page.getByRole("dialog", { name: "Create table" }));
  await page.keyboard.press("Escape");
  await gone(page.getByRole("dialog"));
  await go("world elsewhere");
  await page.waitForFunction(() => location.hash === "#/w/elsewhere/tables");
  await seek("no such thing");
  await shown(page.getByText("Nothing has such a name."));
  await page.keyboard.press("Escape");
  await gone(page.getByRole("dialog"));
  await administrate("DELETE", "worlds/elsewhere");
});

test("every view says what is unlike the service in the chosen world, and asks for little", async () => {
  await administrate("POST", "worlds", { name: "changed" });
  await administrate("PUT", "faults", { world: "changed", rules: [{ operation: "GetItem", drop: true }, { operation: "PutItem", drop: true }] });
  await administrate("PUT", "clock", { world: "changed", now: "2030-01-02T03:04:05Z", frozen: true });
  await administrate("PUT", "report", { recording: true });
  const page = await browser.visit("w/changed/tables/Music/keys");
  const notes = page.locator(".notes");
  await shown(notes.getByText("2 faults are active."));
  await shown(notes.getByText("Time is stopped at 03:04:05 UTC on 2030-01-02."));
  await shown(notes.getByText("Requests are recorded."));
  assert.deepEqual(await findings(page), []);
  await page.setViewportSize({ width: 400, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  assert.deepEqual(await findings(page, "color-contrast", "target-size"), []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400);
  await page.setViewportSize({ width: 1280, height: 800 });
  // What the page itself changes is seen at once: a hidden page asks for nothing else.
  const hide = (hidden) => page.evaluate((value) => Object.defineProperty(document, "hidden", { value, configurable: true }), hidden);
  await notes.getByRole("link", { name: "Change the rules" }).click();
  const removeAll = page.getByRole("button", { name: "Remove all" });
  await shown(removeAll);
  await hide(true);
  await removeAll.click();
  await gone(notes.getByText("faults are active"));
  await hide(false);
  await notes.getByRole("link", { name: "Set the time" }).click();
  await page.getByRole("button", { name: "Real time" }).click();
  await gone(notes.getByText("Time is stopped"));
  await administrate("PUT", "clock", { world: "changed", frozen: true });
  await shown(notes.getByText("Time is stopped"));
  await page.route("**/status", () => {});  // what is known of one world is not said of another, however long its answer takes
  await page.getByLabel("World", { exact: true }).selectOption("default");
  await gone(notes.getByText("Time is stopped"));
  await page.unroute("**/status");
  await page.reload();
  await shown(notes.getByText("Requests are recorded."));
  assert.equal(await notes.getByText("Time is stopped").count(), 0);
  await administrate("PUT", "report", { recording: false });

  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole("link", { name: "PartiQL" }).click();
  const poll = () => page.waitForRequest((request) => request.url().endsWith("/_dinette/status"));
  await poll();
  await poll();
  assert.ok(asked.filter((path) => path === "/").length <= 1, "one table is described, for statements to try");
  assert.deepEqual(new Set(asked.filter((path) => path !== "/" && !path.endsWith("/clock") && !path.includes("/page/"))), new Set(["/_dinette/status"]));
  await administrate("DELETE", "worlds/changed");
});

test("a page that may not administrate asks for no status, and works", async (t) => {
  const server = await startServer("--admin-token", "open sesame");
  t.after(() => server.stop());
  let asked = 0;
  const page = await browser.open("/partiql", { endpoint: server.endpoint, prepare: (fresh) => {
    fresh.on("request", (request) => { asked += request.url().endsWith("/status"); });
  } });
  await page.keyboard.press("Control+k");
  await shown(page.getByRole("dialog").getByRole("combobox"));
  await page.keyboard.type("view clock");
  await page.keyboard.press("Enter");
  await page.getByLabel("Administration token").fill("open sesame");
  const before = asked;
  assert.ok(before <= 1);
  const unlocked = page.waitForResponse((response) => response.url().endsWith("/status") && response.ok());
  await page.keyboard.press("Enter");
  await unlocked;
});

test("a table is created with an index of some attributes, and a stream of one kind; Create stays in the window", async () => {
  const page = await browser.visit("tables?create", { viewport: { width: 1280, height: 600 } });
  const form = page.getByRole("dialog", { name: "Create table" });
  await form.getByLabel("Table name").fill("Created");
  await form.getByLabel("Partition key", { exact: true }).fill("id");
  const create = form.getByRole("button", { name: "Create", exact: true });
  for (const number of [1, 2, 3]) {
    await form.getByRole("button", { name: "Add index" }).click();
    const index = form.getByRole("group", { name: `Index ${number}` });
    await index.getByLabel("Index name").fill(`index${number}`);
    await index.getByLabel("Index partition key", { exact: true }).fill("state");
  }
  const [top, bottom] = await create.evaluate((button) => [button.getBoundingClientRect().top, button.getBoundingClientRect().bottom]);
  assert.ok(top > 0 && bottom <= 600, `${top} to ${bottom}`);
  const first = form.getByRole("group", { name: "Index 1" });
  await first.getByLabel("Projection").selectOption("INCLUDE");
  await first.getByLabel("Included attributes").fill("name, size ,");
  await form.getByLabel("Stream of changes").selectOption("OLD_IMAGE");
  await create.click();
  await shown(heading(page, "Created"));
  const { Table } = await client.send(new DescribeTableCommand({ TableName: "Created" }));
  const projections = new Map(Table.GlobalSecondaryIndexes.map(({ IndexName, Projection }) => [IndexName, Projection]));
  assert.deepEqual(projections.get("index1"), { ProjectionType: "INCLUDE", NonKeyAttributes: ["name", "size"] });
  assert.deepEqual(projections.get("index2"), { ProjectionType: "ALL" });
  assert.equal(Table.StreamSpecification.StreamViewType, "OLD_IMAGE");
  assert.equal(fragment(page), "#/tables/Created");
  await shown(page.getByRole("tree").getByRole("treeitem", { name: "Created" }));
});

test("a table is emptied in both ways, and stays what it was", async () => {
  await createTable(client, "Emptied", { StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" } });
  await client.send(new UpdateTimeToLiveCommand({
    TableName: "Emptied", TimeToLiveSpecification: { Enabled: true, AttributeName: "expires" } }));
  const left = async () => (await documents.send(new ScanCommand({ TableName: "Emptied" }))).Count;
  const page = await browser.visit("tables/Emptied/settings");
  const dialog = page.getByRole("dialog", { name: "Empty Emptied" });
  for (const way of [/^Delete each item/, /^Drop the table and create it again/]) {
    await fill("Emptied");
    await page.getByRole("button", { name: "Empty table" }).click();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await gone(dialog);
    assert.equal(await left(), 24);
    await page.getByRole("button", { name: "Empty table" }).click();
    await dialog.getByLabel(way).check();
    await dialog.getByRole("button", { name: "Empty it" }).click();
    await gone(dialog);
    assert.equal(await left(), 0);
  }
  const { Table } = await client.send(new DescribeTableCommand({ TableName: "Emptied" }));
  assert.equal(Table.StreamSpecification.StreamViewType, "KEYS_ONLY");
  const { TimeToLiveDescription: ttl } = await client.send(new DescribeTimeToLiveCommand({ TableName: "Emptied" }));
  assert.equal(ttl.AttributeName, "expires");
});

test("settings show fresh counts, and times in the zone that is preferred", async () => {
  await createTable(client, "Fresh");
  const page = await browser.visit("tables/Fresh", { timezoneId: "Asia/Tokyo" });
  const parts = page.getByRole("navigation", { name: "Parts of the table" });
  await parts.getByRole("link", { name: "Settings" }).click();
  const summary = page.getByRole("region", { name: "Summary" });
  await shown(summary.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/));
  await parts.getByRole("link", { name: "Items" }).click();
  await documents.send(new PutCommand({ TableName: "Fresh", Item: { artist: "a", song: "b" } }));
  await parts.getByRole("link", { name: "Settings" }).click();
  await shown(summary.locator("div", { hasText: /^Items\s*1$/ }));
  await page.getByRole("button", { name: "Preferences" }).click();
  await page.getByLabel("Times").selectOption("local");
  await page.keyboard.press("Escape");
  await shown(summary.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+09:00$/));
});

test("keys and indexes are pictured, in words too, and lead to queries", async () => {
  const page = await browser.visit("tables/Music/keys");
  const index = page.getByRole("region", { name: "byLabel" });
  await shown(index.getByRole("img", { name: "Partition key" }));
  await shown(index.getByText("all items of one label. Has all attributes."));
  await index.getByRole("link", { name: "Query byLabel" }).click();
  await page.getByLabel("label =").fill("Philips");
  await page.getByLabel("label =").press("Enter");
  await shown(page.getByText("scanned 8, returned 8"));
});

const opened = {
  "tables/Music/keys": [],
  "tables/Music?op=Query&partition=a&filter=plays&type=N&value=1": ["Copy as code"],
  "tables/Music/settings": ["Empty table", "Create index", "Copy the definition as code"],
  "partiql?statement=SELECT+*+FROM+%22Music%22+WHERE+label+%3D+%27Verve%27": ["Help", "Preferences", "Find", "Copy as code"],
};

test("every view and dialog is accessible, in light and dark, wide and narrow", async () => {
  const page = await browser.visit();
  const check = (what) => checkAccess(page, what);
  for (const [view, dialogs] of Object.entries(opened)) {
    await page.goto(`${browser.server.endpoint}/_dinette/#/${view}`);
    await page.locator("main .panel, main .keycard").first().waitFor();
    await check(view);
    for (const name of dialogs) {
      await page.getByRole("button", { name, exact: name !== "Find" }).first().click();
      await page.getByRole("dialog").waitFor();
      await check(`${view}: ${name}`);
      await page.keyboard.press("Escape");
      await gone(page.getByRole("dialog"));
    }
  }
  await page.locator("details.keptmenu summary").click();
  await check("kept statements");
  await page.keyboard.press("Escape");
  await statement(page).fill("SELECT * FROM mu");
  await page.getByRole("listbox").waitFor();
  await check("completion");
});
