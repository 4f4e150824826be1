// Makes pictures of the page: node screenshots.mjs FOLDER. scripts/screenshots runs it.
import { join } from "node:path";
import { UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import { BatchWriteCommand, PutCommand, QueryCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { createTable, makeClient, makeDocumentClient } from "./client.mjs";
import { shown, startBrowser } from "./page_browser.mjs";

const folder = process.argv[2];
const browser = await startBrowser();
const client = makeClient(browser.server.endpoint);
const documents = makeDocumentClient(client);

const songs = [
  ["Bill Evans", "Peace Piece", 1958, "Riverside", ["piano", "solo"]],
  ["Bill Evans", "Waltz for Debby", 1961, "Riverside", ["piano", "trio", "live"]],
  ["Bill Evans", "My Foolish Heart", 1961, "Riverside", ["piano", "trio", "live"]],
  ["Bill Evans", "Gloria's Step", 1961, "Riverside", ["piano", "trio", "live"]],
  ["Bill Evans", "You Must Believe in Spring", 1977, "Warner", ["piano", "trio"]],
  ["Nina Simone", "Sinnerman", 1965, "Philips", ["live"]],
  ["Nina Simone", "Feeling Good", 1965, "Philips", ["voice"]],
  ["Miles Davis", "Blue in Green", 1959, "Columbia", ["trumpet"]],
  ["Miles Davis", "So What", 1959, "Columbia", ["trumpet"]],
].map(([artist, song, year, label, tags], at) => ({ artist, song, year, plays: 3 + (at * 7) % 40, release: { label }, tags: new Set(tags) }));

async function makeData() {
  await fetch(`${browser.server.endpoint}/_dinette/requests`);  // they are kept from now on
  await fetch(`${browser.server.endpoint}/_dinette/report`, { method: "PUT", body: '{"recording":true}' });
  for (const name of ["Carts", "Customers", "Music", "Orders"]) await createTable(client, name);
  await client.send(new UpdateTableCommand({
    TableName: "Music", StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" } }));
  await documents.send(new BatchWriteCommand({ RequestItems: { Music: songs.map((Item) => ({ PutRequest: { Item } })) } }));
  for (const song of ["Sinnerman", "Four Women"]) {
    await documents.send(new PutCommand({ TableName: "Music", Item: { artist: "Nina Simone", song, year: 1965 } }));
  }
  await documents.send(new QueryCommand({
    TableName: "Music", KeyConditionExpression: "artist = :a", ExpressionAttributeValues: { ":a": "Miles Davis" } }));
  await documents.send(new PutCommand({
    TableName: "Music", Item: { artist: "Nina Simone", song: "Sinnerman" }, ConditionExpression: "attribute_not_exists(artist)",
  })).catch(() => {});
}

/** Sends what a shop might, more at some times than at others, for the plots to have a form. */
async function sendTraffic(seconds) {
  const end = Date.now() + seconds * 1000;
  for (let sent = 0; Date.now() < end; sent++) {
    const customer = `customer-${(sent * 7) % 23}`;
    await documents.send(new PutCommand({ TableName: "Orders", Item: { artist: customer, song: `order-${sent}`, cents: sent * 37 } }));
    await documents.send(new QueryCommand({
      TableName: "Orders", KeyConditionExpression: "artist = :c", Limit: 20, ExpressionAttributeValues: { ":c": customer } }));
    const busy = 1 + Math.sin(Date.now() / 3000);
    await new Promise((done) => setTimeout(done, 4 + 12 * (2 - busy)));
  }
}

async function shoot(page, name) {
  await page.evaluate(() => document.activeElement.blur());
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

await makeData();

const requests = await browser.visit("requests", { colorScheme: "dark", viewport: { width: 1280, height: 640 } });
await shown(requests.getByRole("cell", { name: /ConditionalCheckFailed/ }));
await shoot(requests, "requests");

const items = await browser.visit("tables/Music", { viewport: { width: 1280, height: 640 } });
await items.getByLabel("Operation").selectOption("Query");
await items.getByLabel("artist =").fill("Bill Evans");
await items.getByRole("button", { name: "Add filter" }).click();
await items.getByLabel("Attribute of filter 1").fill("year");
await items.getByLabel("Type").selectOption("N");
await items.getByLabel("Value of filter 1").fill("1961");
await items.getByRole("button", { name: "Run" }).click();
await shown(items.getByText("returned 3"));
await shoot(items, "items");

const metrics = await browser.visit("metrics", { viewport: { width: 1280, height: 760 } });
await sendTraffic(25);
await shoot(metrics, "metrics");

await documents.send(new ScanCommand({
  TableName: "Orders", FilterExpression: "cents > :c", ExpressionAttributeValues: { ":c": 10_000 } }));
const report = await browser.visit("report", { viewport: { width: 1280, height: 760 } });
await shown(report.getByRole("region", { name: "Operations" }));
await shoot(report, "report");

client.destroy();
await browser.stop();
