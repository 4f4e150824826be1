// What the page at /_dinette/ shows first, and what it loads later. In headless Chromium.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { createTable, makeClient } from "./client.mjs";
import { findings, gone, shown, startBrowser } from "./page_browser.mjs";

let browser, client;
before(async () => {
  browser = await startBrowser();
  client = makeClient(browser.server.endpoint);
  await createTable(client, "Music");
});
after(async () => {
  client.destroy();
  await browser.stop();
});
afterEach(() => browser.leave());

const heading = (page, name) => page.getByRole("heading", { level: 1, name });
const views = (page) => page.getByRole("navigation", { name: "Views" });
const main = "**/page/main-*.js";
const others = "**/page/other_views-*.js";
const later = /\/page\/(?!(main|first|chunk)-)[\w.]+-\w+\.js$/;

/** Holds requests until the returned function is called. */
async function held(page, pattern) {
  const waiting = [];
  await page.route(pattern, (route) => void waiting.push(route));
  return async () => {
    await Promise.all(waiting.map((route) => route.continue()));
    await page.unroute(pattern);
  };
}

test("the first view needs no other script, and is there while the others are still loaded", async () => {
  const page = await browser.open("", { prepare: (fresh) => fresh.route(later, () => {}) });
  await shown(heading(page, "Tables"));
  await shown(page.getByRole("region", { name: "Tables" }).getByRole("link", { name: "Music" }));
  await shown(page.getByRole("tree", { name: "Tables of this world" }));
});

/** What is seen of the frame: elements, texts, and what the style sheet or the browser makes something of. */
const seen = (page) => page.evaluate(() => {
  const attributes = ["class", "aria-current", "d", "viewBox", "width", "height", "fill", "stroke", "stroke-width"];
  const describe = (element) => [
    element.localName, ...attributes.filter((name) => element.hasAttribute(name)).map((name) => `${name}=${element.getAttribute(name)}`),
    ...[...element.childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.data : describe(node)))];
  return [...document.querySelectorAll(".top .bar, .views")].map(describe).concat(document.querySelector("#world").value);
});
const looks = (page) => page.evaluate(() => ({ ...document.documentElement.dataset }));

test("the frame is there before the script has run, and is what the script draws", async () => {
  for (const [address, theme] of [["/", "system"], ["/w/my-fork/requests", "dark"], ["/tables/Music", "light"], ["/nowhere", "system"]]) {
    const prepare = (page) => page.addInitScript((chosen) => localStorage.setItem("dinette.theme", JSON.stringify(chosen)), theme);
    const unloaded = await browser.open(address, { prepare: async (page) => {
      await prepare(page);
      await page.route(main, (route) => route.abort());
    } });
    const page = await browser.open(address, { prepare });
    await shown(page.getByRole("button", { name: "Access keys" }));
    assert.deepEqual(await seen(unloaded), await seen(page), address);
    assert.deepEqual(await looks(unloaded), await looks(page), address);
    assert.equal((await looks(page)).theme, theme);
    assert.equal(await unloaded.locator(".top button").first().isVisible(), true);
    await browser.leave();
  }
});

test("without JavaScript there is no frame that does nothing", async () => {
  const page = await browser.open("", { context: { javaScriptEnabled: false } });
  assert.equal(await page.locator(".top, .side").and(page.locator(":visible")).count(), 0);
});

test("the document asks for the scripts of the addressed view, before its own script has run", async () => {
  const askedFor = async (address) => {
    const asked = new Set();
    const page = await browser.open(address, { prepare: async (fresh) => {
      fresh.on("request", (request) => asked.add(/\/page\/([a-z_]+)-/.exec(request.url())?.[1]));
      await fresh.route(main, (route) => route.abort());
    } });
    await shown(page.getByText("has not been loaded"));
    await browser.leave();
    return ["table_views", "other_views"].filter((name) => asked.has(name));
  };
  assert.deepEqual(await askedFor("/"), []);
  assert.deepEqual(await askedFor("token=abc"), []);
  assert.deepEqual(await askedFor("/tables?create"), []);
  assert.deepEqual(await askedFor("/tables/Music"), ["table_views"]);
  assert.deepEqual(await askedFor("/w/my-fork/metrics"), ["other_views"]);
});

test("a view that is still loaded has its heading, which keeps the focus", async () => {
  let release;
  const page = await browser.open("", { prepare: async (fresh) => { release = await held(fresh, others); } });
  await views(page).getByRole("link", { name: "Worlds" }).click();
  const isFocused = () => heading(page, "Worlds").evaluate((element) => element === document.activeElement);
  await shown(heading(page, "Worlds"));
  assert.ok(await isFocused());
  assert.equal(await page.getByRole("region", { name: "Worlds" }).count(), 0);
  await release();
  await shown(page.getByRole("region", { name: "Worlds" }));
  assert.ok(await isFocused());
});

test("what cannot be loaded says so, and a reload helps", async () => {
  const page = await browser.open("/clock", { prepare: (fresh) => fresh.route(others, (route) => route.abort()) });
  await shown(page.getByRole("alert").getByText("could not be loaded"));
  await shown(heading(page, "Clock"));
  assert.deepEqual(await findings(page), []);
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Not loaded" });
  await shown(dialog.getByText("could not be loaded"));
  assert.deepEqual(await findings(page), []);
  await page.keyboard.press("Escape");
  await gone(dialog);
  await views(page).getByRole("link", { name: "Tables", exact: true }).click();
  await shown(page.getByRole("region", { name: "Tables" }));
  await page.goBack();
  await shown(page.getByRole("alert").getByText("could not be loaded"));
  await page.unroute(others);
  await page.getByRole("button", { name: "Reload" }).click();
  await shown(page.getByRole("region", { name: "Now" }));
});

test("plots whose script is missing leave the numbers", async () => {
  const page = await browser.open("/metrics", { prepare: (fresh) => fresh.route("**/page/uPlot*.js", (route) => route.abort()) });
  await shown(page.getByRole("figure", { name: "Connections" }).getByRole("alert"));
  await shown(page.getByText(/^open [1-9]/));
});

test("all views and dialogs are loaded soon, and then shown at once", async () => {
  const page = await browser.visit();
  const loaded = ["table_views", "other_views", "code_views"];
  await page.waitForFunction((names) => names.every((name) => performance.getEntriesByType("resource").some(
    ({ name: url, responseEnd }) => responseEnd && url.includes(`/page/${name}-`))), loaded);
  await page.route("**/page/*", (route) => route.abort());
  await page.keyboard.press("Control+k");
  await shown(page.getByRole("dialog").getByRole("combobox"));
  await page.keyboard.press("Escape");
  for (const name of ["PartiQL", "Clock"]) {
    await views(page).getByRole("link", { name }).click();
    await shown(page.locator("main form, main .time").first());
  }
});

test("a file that is not there is not found", async () => {
  const reply = await fetch(`${browser.server.endpoint}/_dinette/page/other_views-AAAAAAAA.js`);
  assert.equal(reply.status, 404);
});
