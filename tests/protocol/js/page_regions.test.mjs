// The view of regions, of a server with a global table.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { DescribeTableCommand, PutItemCommand, UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import { createTable, makeClient } from "./client.mjs";
import { checkAccess, shown, startBrowser } from "./page_browser.mjs";

let browser, client;
before(async () => {
  browser = await startBrowser("--isolate", "region");
  client = makeClient(browser.server.endpoint);
});
after(async () => {
  client.destroy();
  await browser.stop();
});
afterEach(() => browser.leave());

test("without global tables the view says what they are", async () => {
  const page = await browser.visit("regions");
  await shown(page.getByRole("heading", { name: "No global tables" }));
  await checkAccess(page, "no regions");
});

test("a link is cut, changes wait at it, and it is healed", async () => {
  await createTable(client, "Music");
  await client.send(new UpdateTableCommand({ TableName: "Music", ReplicaUpdates: [{ Create: { RegionName: "eu-west-1" } }] }));
  const replica = async () => (await client.send(new DescribeTableCommand({ TableName: "Music" }))).Table.Replicas?.[0]?.ReplicaStatus;
  while (await replica() !== "ACTIVE");

  const page = await browser.visit("regions");
  await shown(page.getByRole("img", { name: "Map: 2 regions, 2 links, 0 cut" }));
  const row = page.getByRole("region", { name: "Links" }).getByRole("row", { name: /^Music us-east-1 eu-west-1/ });
  await row.getByRole("button", { name: "Cut us-east-1 to eu-west-1" }).click();
  await shown(page.getByRole("img", { name: "Map: 2 regions, 2 links, 1 cut" }));
  await client.send(new PutItemCommand({ TableName: "Music", Item: { artist: { S: "a" }, song: { S: "b" } } }));
  await shown(page.getByText(/^cut, 1 waiting, [\d.,]+ s behind$/));
  await checkAccess(page, "regions");

  const clocks = page.getByRole("region", { name: "Clocks" });
  await clocks.getByLabel("Region").selectOption("eu-west-1");
  await clocks.getByLabel("Ahead by").fill("-2.5");
  await clocks.getByRole("button", { name: "Set" }).click();
  await shown(page.getByText("2.5 s behind", { exact: true }));

  await page.getByRole("button", { name: "Heal all links" }).click();
  await shown(row.getByRole("cell", { name: "1", exact: true }));  // carried out
  await shown(row.getByRole("button", { name: "Cut us-east-1 to eu-west-1" }));
  assert.equal(await page.getByText(/waiting/).count(), 0);
});
