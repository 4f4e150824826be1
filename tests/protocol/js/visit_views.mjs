// Opens each view of a page, and prints as JSON what it shows: node visit_views.mjs '{"url": ..., "resolve": "MAP app.test ::1"}'.
// With `token`, enters that where the page asks for it. With `works`, also makes a table and an item, as a user would.
import { editorIn } from "./item_dialog.mjs";
import { gone, launchChromium, shown } from "./page_browser.mjs";

const { url, resolve = "", token, works = false } = JSON.parse(process.argv[2]);
const browser = await launchChromium(...(resolve ? [`--host-resolver-rules=${resolve}`] : []));
const page = await browser.newPage();
page.setDefaultTimeout(30_000);

async function stateOf(name) {
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  // What each view shows when its first answer is there, good or bad.
  const main = page.locator("main");
  await main.getByRole("alert").or(main.locator("table, .empty, .panel .time, canvas, form")).first().waitFor();
  if (token && await main.getByLabel("Administration token").count()) {
    await main.getByLabel("Administration token").fill(token);
    await main.getByRole("button", { name: "Unlock" }).click();
    await main.getByLabel("Administration token").waitFor({ state: "detached" });
  }
  return {
    locked: await main.getByLabel("Administration token").count() === 1,
    alerts: await main.getByRole("alert").allInnerTexts(),
  };
}

/** Creates a table and an item, opens the item, and finds the request that wrote it. Returns the requests that the page shows. */
async function work() {
  const button = (where, name) => where.getByRole("button", { name, exact: true });
  const dialog = page.getByRole("dialog");
  const view = (name) => page.getByRole("navigation", { name: "Views" }).getByRole("link", { name, exact: true }).click();
  await view("Requests");
  await page.getByLabel("Those of this page").or(page.getByRole("heading", { name: "Waiting for requests" })).first().waitFor();
  await page.evaluate(() => sessionStorage.setItem("dinette.recordsOwn", "true"));
  await page.reload();
  await view("Tables");
  await button(page, "Create table").click();
  await dialog.getByLabel("Table name").fill("Outside");
  await dialog.getByLabel("Partition key", { exact: true }).fill("id");
  await button(dialog, "Create").click();
  await shown(page.getByRole("heading", { level: 1, name: "Outside" }));
  await button(page, "Create item").click();
  await editorIn(dialog).fill('{"id": "from outside"}');
  await button(dialog, "Create").click();
  await page.getByRole("row", { name: /from outside/ }).getByRole("button").first().click();
  await shown(editorIn(dialog).getByText("from outside").first());
  await page.keyboard.press("Escape");
  await gone(dialog);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /Table, view/ }).fill("view requests");
  await page.keyboard.press("Enter");
  await shown(page.getByRole("heading", { level: 1, name: "Requests" }));
  const requests = page.getByRole("region", { name: "Requests" });
  await shown(requests.getByText("PutItem", { exact: true }).first());
  return requests.innerText();
}

try {
  await page.goto(url);
  const seen = {};
  if (await page.getByRole("navigation", { name: "Views" }).waitFor().then(() => true, () => false)) {
    for (const name of ["Tables", "PartiQL", "Tablestore", "Keyspaces", "Requests", "Streams", "Triggers", "Clock", "Worlds", "Regions", "Faults", "Metrics", "Report"]) {
      seen[name] = await stateOf(name);
    }
  }
  const worked = works ? await work() : "";
  console.log(JSON.stringify({ seen, worked, text: await page.locator("body").innerText(), url: page.url() }));
} finally {
  await browser.close();
}
