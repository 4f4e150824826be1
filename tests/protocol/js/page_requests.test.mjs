// What the page shows of what programs do: requests, streams, faults, metrics. In headless Chromium.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { GetCommand, PutCommand, ScanCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { createTable, makeClient, makeDocumentClient } from "./client.mjs";
import { findings, gone, shown, startBrowser } from "./page_browser.mjs";

let browser, client, documents, ofTest;
before(async () => {
  browser = await startBrowser();
  client = makeClient(browser.server.endpoint, { maxAttempts: 1 });
  documents = makeDocumentClient(client);
  ofTest = makeDocumentClient(makeClient(browser.server.endpoint, { userAgentAppId: "orders-test" }));
});
after(async () => {
  client.destroy();
  ofTest.destroy();
  await browser.stop();
});
afterEach(() => browser.leave());

const put = (TableName, Item, through = documents) => through.send(new PutCommand({ TableName, Item }));
const administrate = (method, path, body) =>
  fetch(`${browser.server.endpoint}/_dinette/${path}`, { method, body: body && JSON.stringify(body) });
const focused = (page, locator) => locator.and(page.locator(":focus")).waitFor();
const row = (page, name) => page.getByRole("region", { name: "Requests", exact: true }).getByRole("row", { name });

test("what programs asked before the view was opened is there at once", async () => {
  await createTable(client, "Before");
  await put("Before", { artist: "a", song: "b" });
  await assert.rejects(documents.send(new GetCommand({ TableName: "Missing", Key: { artist: "a" } })));
  const page = await browser.visit("requests");
  await shown(row(page, /PutItem Before 200.*1 write.*SDK for JavaScript 3/));
  await shown(row(page, /GetItem Missing 400 ResourceNotFoundException/));
  await row(page, /PutItem Before/).getByRole("button").click();
  const detail = page.getByRole("dialog", { name: "PutItem" });
  await shown(detail.getByRole("region", { name: "Request" }).getByText('"TableName": "Before"'));
  await shown(detail.getByText(/^aws-sdk-js/));
});

test("requests are filtered, and put together by client and by test", async () => {
  await createTable(client, "Grouped");
  await put("Grouped", { artist: "a", song: "b" }, ofTest);
  await assert.rejects(put("Grouped", { artist: "a" }, ofTest));
  const page = await browser.visit("requests");
  await page.getByLabel("Table", { exact: true }).selectOption("Grouped");
  await page.getByLabel("Errors only").check();
  await shown(row(page, /PutItem Grouped 400/));
  await gone(row(page, /PutItem Grouped 200/));
  await page.getByLabel("Errors only").uncheck();
  await page.getByLabel("Group by").selectOption("test");
  const groups = page.getByRole("region", { name: "Groups" });
  await shown(groups.getByRole("row", { name: /^orders-test 2 1/ }));
  await groups.getByRole("button", { name: "orders-test" }).click();
  await shown(row(page, /PutItem Grouped 200/));
  await gone(row(page, /CreateTable/));
  await page.getByRole("button", { name: "All groups" }).click();
  await page.getByLabel("Group by").selectOption("client");
  await shown(groups.getByRole("row", { name: /^SDK for JavaScript 3 3 1/ }));
});

test("the requests of the page itself are shown if they are asked for", async () => {
  await createTable(client, "Own");
  const page = await browser.visit("requests");
  const look = async () => {
    await page.evaluate(() => { location.hash = "#/tables/Own"; });
    await shown(page.getByRole("heading", { name: "No items yet" }));
    await page.evaluate(() => { location.hash = "#/requests"; });
    await page.getByLabel("Table", { exact: true }).selectOption("Own");
    await shown(row(page, /CreateTable Own/));
  };
  await look();
  await gone(row(page, /this page/));
  await page.getByLabel("Those of this page").check();
  await gone(row(page, /Scan Own/));  // they do not take the place of others, unless they are wanted
  await look();
  await shown(row(page, /Scan Own.*this page/));
  await page.getByLabel("Those of this page").uncheck();
  await gone(row(page, /Scan Own/));
});

test("a write shows its item before and after, leads to it, and is written as code", async () => {
  await createTable(client, "Changed");
  await put("Changed", { artist: "a", song: "b", plays: 1 });
  const page = await browser.visit("requests");
  await shown(row(page, /PutItem Changed/));
  await documents.send(new UpdateCommand({ TableName: "Changed", Key: { artist: "a", song: "b" },
    UpdateExpression: "SET plays = :two", ExpressionAttributeValues: { ":two": 2 } }));
  await row(page, /UpdateItem Changed/).getByRole("button").click();
  const detail = page.getByRole("dialog", { name: "UpdateItem" });
  const change = detail.getByRole("region", { name: "The item before and after" });
  assert.deepEqual(await change.locator(".removed, .added").allInnerTexts().then((all) => all.map((one) => one.replace(/\s+/g, " ").trim())),
    ['- removed: "plays": 1,', '+ added: "plays": 2,']);
  await detail.getByText("As code").click();
  await shown(detail.getByRole("region", { name: "Code" }).getByText("aws dynamodb update-item"));
  await detail.getByLabel("Language").selectOption("python");
  await shown(detail.getByRole("region", { name: "Code" }).getByText("boto3"));
  await detail.getByRole("link", { name: "Item artist: a, song: b" }).click();
  await shown(page.getByRole("heading", { level: 1, name: "Changed" }));
});

test("a failed condition is shown with its placeholders replaced", async () => {
  await createTable(client, "Refused");
  await put("Refused", { artist: "a", song: "b", plays: 1 });
  await assert.rejects(documents.send(new UpdateCommand({
    TableName: "Refused", Key: { artist: "a", song: "b" }, UpdateExpression: "SET plays = :p", ConditionExpression: "#p > :p AND song = :s",
    ExpressionAttributeNames: { "#p": "plays" }, ExpressionAttributeValues: { ":p": 2, ":s": "b" } })));
  const page = await browser.visit("requests");
  await row(page, /UpdateItem Refused/).getByRole("button").click();
  await shown(page.getByRole("dialog").getByText('The item did not meet this condition: plays > 2 AND song = "b"'));
});

test("a request is sent again, and says what differs", async () => {
  await createTable(client, "Again");
  await put("Again", { artist: "a", song: "b", plays: 1 });
  await documents.send(new ScanCommand({ TableName: "Again" }));
  const page = await browser.visit("requests");
  await row(page, /Scan Again/).getByRole("button").click();
  const scan = page.getByRole("dialog", { name: "Scan" });
  await scan.getByRole("button", { name: "Send again" }).click();
  await shown(scan.getByRole("status").getByText("The answer is the same: 200."));
  await put("Again", { artist: "a", song: "b", plays: 7 });
  await scan.getByRole("button", { name: "Send again" }).click();
  await shown(scan.getByRole("region", { name: "What differs" }).getByText('"N": "7"'));
  await page.keyboard.press("Escape");

  await row(page, /PutItem Again/).last().getByRole("button").click();
  const write = page.getByRole("dialog", { name: "PutItem" });
  await write.getByRole("button", { name: "Send again" }).click();
  await page.getByRole("dialog", { name: "Send PutItem again?" }).getByRole("button", { name: "Send it" }).click();
  await shown(write.getByRole("status").getByText("The answer is the same"));
  const { Item } = await documents.send(new GetCommand({ TableName: "Again", Key: { artist: "a", song: "b" } }));
  assert.equal(Item.plays, 1);
});

test("what a fault did is marked, and the page is spared unless the user chooses otherwise", async () => {
  await createTable(client, "Faulty");
  const page = await browser.visit("faults");
  await page.getByRole("button", { name: "Add fault" }).click();
  const form = page.getByRole("dialog");
  const suggested = (list) => form.locator(`datalist#${list} option`).evaluateAll((all) => all.map(({ value }) => value));
  await form.locator('datalist#tables option[value="Faulty"]').waitFor({ state: "attached" });
  assert.ok((await suggested("operations")).includes("Scan"));
  await form.getByLabel("Operation").fill("Scan");
  await form.getByLabel("Table", { exact: true }).fill("Faulty");
  await form.getByLabel("Error").fill("RequestLimitExceeded");
  await form.getByRole("button", { name: "Add" }).click();
  await shown(page.getByRole("row", { name: "Scan, on Faulty RequestLimitExceeded 0 0" }));
  await assert.rejects(documents.send(new ScanCommand({ TableName: "Faulty" })));
  await page.evaluate(() => { location.hash = "#/tables/Faulty"; });
  await shown(page.getByRole("heading", { name: "No items yet" }));
  await page.evaluate(() => { location.hash = "#/requests"; });
  await shown(row(page, /Scan Faulty 400 RequestLimitExceeded\s*injected/));
  await page.evaluate(() => { location.hash = "#/faults"; });
  await shown(page.getByRole("row", { name: "Scan, on Faulty RequestLimitExceeded 1 1" }));
  await page.getByLabel("Faults hit the requests of this page, too").check();
  await page.evaluate(() => { location.hash = "#/tables/Faulty"; });
  await shown(page.getByRole("alert").getByText("RequestLimitExceeded"));
  await administrate("DELETE", "faults");
});

test("a stream is found by its table, and shows what each record changed", async () => {
  const key = "2026-01-31T08:15:00.250Z-".repeat(4);
  await createTable(client, "Streamed", { StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" } });
  await put("Streamed", { artist: "a", song: key, plays: 1 });
  await put("Streamed", { artist: "a", song: key, plays: 2 });
  const page = await browser.open("/streams/Streamed", {
    prepare: (one) => one.addInitScript(() => sessionStorage.setItem("dinette.recordsOwn", "true")) });
  const changed = page.getByRole("row", { name: /changed/ });
  const link = changed.getByRole("link", { name: `artist: a, song: ${key}` });
  await shown(link);
  assert.ok(await link.evaluate((one) => one.scrollWidth <= one.clientWidth), "the key is cut");
  await changed.getByText("Item", { exact: true }).click();
  await shown(changed.locator(".removed").getByText('"plays": 1'));
  await shown(changed.locator(".added").getByText('"plays": 2'));

  await page.evaluate(() => { location.hash = "#/streams"; });
  await page.getByRole("main").getByRole("link", { name: "Streamed" }).click();
  await shown(page.getByRole("heading", { level: 1, name: "Stream of Streamed" }));
  assert.equal(new URL(page.url()).hash, "#/streams/Streamed");
  await page.evaluate(() => { location.hash = "#/requests"; });
  await page.getByLabel("Table", { exact: true }).selectOption("Streamed");
  await shown(row(page, /DescribeTable Streamed.*this page/).first());
  await gone(row(page, /GetRecords|DescribeStream/));
});

test("a stream that is not there is asked for once", async () => {
  await createTable(client, "Still");
  const page = await browser.open("/streams/Still", { prepare: (one) => one.clock.install() });
  await shown(page.getByRole("heading", { name: "This table has no stream" }));
  await page.evaluate(() => { location.hash = "#/streams/Nothing"; });
  await shown(page.getByRole("alert").getByText("ResourceNotFoundException"));
  const asked = [];
  const isOfStream = (request) => request.headers()["x-amz-target"]?.endsWith(".DescribeStream");
  page.on("request", (request) => { if (isOfStream(request)) asked.push(request.postData()); });
  await page.evaluate(() => { location.hash = "#/streams/arn%3Aaws%3Anothing"; });
  await shown(page.getByRole("button", { name: "Try again" }));
  await page.clock.runFor(10_000);
  const second = page.waitForResponse((reply) => isOfStream(reply.request()));
  await page.getByRole("button", { name: "Try again" }).click();
  await second;
  await shown(page.getByRole("button", { name: "Try again" }));
  assert.deepEqual(asked, ['{"StreamArn":"arn:aws:nothing"}', '{"StreamArn":"arn:aws:nothing"}']);
});

test("metrics say nothing before the first reading, and go on when the view is left", async () => {
  let read;
  const answered = new Promise((done) => { read = done; });
  const page = await browser.open("/metrics", {
    prepare: (one) => one.route("**/_dinette/metrics", async (route) => { await answered; await route.continue(); }) });
  const memory = page.getByRole("figure", { name: "Memory in MB" });
  const rates = page.getByRole("figure", { name: "Requests per second" });
  await shown(memory.getByText("program -"));
  read();
  await shown(memory.getByText(/program [1-9].*MB/));
  await shown(rates.getByText(/all [0-9]/));
  await page.evaluate(() => { location.hash = "#/tables"; });
  await shown(page.getByRole("heading", { level: 1, name: "Tables" }));
  const next = page.waitForResponse((reply) => reply.url().endsWith("/metrics"));
  await next;
  await page.evaluate(() => { location.hash = "#/metrics"; });
  // As the view is drawn, before it could have read anything.
  await page.waitForFunction(() => document.querySelector('figure[aria-label="Requests per second"]'));
  assert.match(await rates.innerText(), /all [0-9]/);
});

test("metrics begin with what the server has counted since its start", async () => {
  await createTable(client, "Counted");
  for (const song of ["a", "b", "c"]) await documents.send(new PutCommand({ TableName: "Counted", Item: { artist: "x", song } }));
  const text = await (await fetch(`${browser.server.endpoint}/_dinette/metrics`)).text();
  const written = [...text.matchAll(/^dinette_consumed_write_capacity_units_total.* (\S+)$/gm)].reduce((sum, [, value]) => sum + Number(value), 0);
  assert.ok(written >= 3);
  let read;
  const answered = new Promise((done) => { read = done; });
  const page = await browser.open("/metrics", {
    prepare: (one) => one.route("**/_dinette/metrics", async (route) => { await answered; await route.continue(); }) });
  const totals = page.getByRole("region", { name: "Since the server started" });
  const fact = (name) => totals.locator("div", { has: page.getByText(name, { exact: true }) }).last().locator("dd");
  await shown(fact("Write units").getByText("-", { exact: true }));
  read();
  await shown(fact("Write units").getByText(new Intl.NumberFormat("en").format(written), { exact: true }));
  await shown(fact("Requests").getByText(/^[1-9]/));
  await shown(fact("Median duration").getByText(/^[0-9.]+ ms$/));
  await shown(fact("Started").getByText(/^20.* UTC$/));
});

test("the keyboard opens a request, and comes back to it", async () => {
  await createTable(client, "Keyed");
  const page = await browser.visit("requests");
  const button = row(page, /CreateTable Keyed/).getByRole("button");
  await button.focus();
  await page.keyboard.press("Enter");
  await shown(page.getByRole("dialog", { name: "CreateTable" }));
  await page.keyboard.press("Escape");
  await gone(page.getByRole("dialog"));
  await focused(page, button);
  await page.keyboard.press("/");
  await focused(page, page.getByLabel("Search"));
});

test("all of it is accessible, in light and dark, wide and narrow", async () => {
  await createTable(client, "Seen", { StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" } });
  const page = await browser.visit("requests");
  await shown(row(page, /CreateTable Seen/));
  await put("Seen", { artist: "a", song: "b", plays: 1 });
  await put("Seen", { artist: "a", song: "b", plays: 2 });
  await administrate("PUT", "faults", { rules: [{ operation: "Query", error: { type: "ThrottlingException" } }] });
  const check = async (what) => {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1280, 400]) {
        await page.setViewportSize({ width, height: 800 });
        assert.deepEqual(await findings(page), [], `${what}, ${colorScheme}, ${width}`);
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${what} is wider than ${width}`);
      }
    }
  };
  await row(page, /PutItem Seen/).first().getByRole("button").click();
  const detail = page.getByRole("dialog", { name: "PutItem" });
  await detail.getByText("As code").click();
  await shown(detail.getByRole("link", { name: "Item artist: a, song: b" }));
  await shown(detail.locator(".added").first());
  await check("a request");
  await page.keyboard.press("Escape");
  await check("requests");
  await page.getByLabel("Group by").selectOption("client");
  await check("groups");
  await page.evaluate(() => { location.hash = "#/streams/Seen"; });
  await page.getByRole("row", { name: /changed/ }).getByText("Item", { exact: true }).click();
  await check("a stream");
  await page.evaluate(() => { location.hash = "#/faults"; });
  await shown(page.getByRole("row", { name: /ThrottlingException/ }));
  await check("faults");
  await administrate("DELETE", "faults");
});
