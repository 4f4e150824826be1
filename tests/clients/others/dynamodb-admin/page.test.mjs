// dynamodb-admin's page in headless Chromium: its form makes a table. The environment leads it to the server.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const endpoint = process.env.AWS_ENDPOINT_URL;
const port = process.env.PAGE_PORT;
let admin;
let browser;

before(async () => {
  const options = ["--host", "127.0.0.1", "--port", port, "--dynamo-endpoint", endpoint];
  admin = spawn("node", ["node_modules/dynamodb-admin/dist/dynamodb-admin.js", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  // It prints a line when it listens.
  await Promise.race([once(admin.stdout, "data"), once(admin, "exit").then(() => assert.fail("dynamodb-admin ended"))]);
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-dev-shm-usage"] });
});

after(async () => {
  await browser?.close();
  admin?.kill();
});

const describe = async (TableName) => {
  const headers = { "X-Amz-Target": "DynamoDB_20120810.DescribeTable" };
  return (await fetch(endpoint, { method: "POST", headers, body: JSON.stringify({ TableName }) })).json();
};

test("Create table", async () => {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${port}/create-table`);
  await page.locator("#TableName").fill("OfThePage");
  await page.locator("#HashAttributeName").fill("id");
  await page.locator("#ReadCapacityUnits").fill("7");
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === "POST"),
    page.locator("#saveButton").click(),
  ]);
  if (!answer.ok()) assert.fail(await answer.text());
  await page.getByRole("link", { name: "OfThePage" }).first().waitFor();
  const { Table } = await describe("OfThePage");
  assert.deepEqual(Table.KeySchema, [{ AttributeName: "id", KeyType: "HASH" }]);
  assert.equal(Table.ProvisionedThroughput.ReadCapacityUnits, 7);
});
