// Opens each view of a page, and prints as JSON what it shows: node visit_views.mjs '{"url": ..., "resolve": "MAP app.test ::1"}'.
// With `token`, enters that where the page asks for it.
import { launchChromium } from "./page_browser.mjs";

const { url, resolve = "", token } = JSON.parse(process.argv[2]);
const browser = await launchChromium(...(resolve ? [`--host-resolver-rules=${resolve}`] : []));
const page = await browser.newPage();
page.setDefaultTimeout(30_000);

async function stateOf(name) {
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
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

try {
  await page.goto(url);
  const seen = {};
  if (await page.getByRole("navigation", { name: "Views" }).waitFor().then(() => true, () => false)) {
    for (const name of ["Tables", "PartiQL", "Requests", "Streams", "Clock", "Worlds", "Faults", "Metrics", "Report"]) {
      seen[name] = await stateOf(name);
    }
  }
  console.log(JSON.stringify({ seen, text: await page.locator("body").innerText(), url: page.url() }));
} finally {
  await browser.close();
}
