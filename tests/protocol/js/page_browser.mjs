// Headless Chromium on the page of a started Dinette.
import assert from "node:assert/strict";
import axe from "axe-core";
import { chromium } from "playwright-core";
import { startServer } from "./server.mjs";

// Only reached if the page hangs.
const patience = 30_000;

export const launchChromium = (...args) => chromium.launch({
  executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-dev-shm-usage", ...args] });

/** Starts a server and a browser. `visit` opens a page, whose faults `stop` reports. */
export async function startBrowser(...options) {
  const server = await startServer(...options);
  const browser = await launchChromium();
  const faults = [];

  const watch = (page, origin) => {
    page.on("pageerror", (error) => faults.push(`thrown: ${error.message}`));
    page.on("console", (message) => {
      // The browser itself reports answers that are errors, which some tests ask for.
      const isAnswer = message.text().startsWith("Failed to load resource");
      if (["error", "warning"].includes(message.type()) && !isAnswer) faults.push(`${message.type()}: ${message.text()}`);
    });
    page.on("request", (request) => {
      if (new URL(request.url()).origin !== origin) faults.push(`left the origin: ${request.url()}`);
    });
  };

  async function visit(fragment, context, endpoint, prepare) {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, ...context })).newPage();
    page.setDefaultTimeout(patience);
    watch(page, endpoint);
    await prepare?.(page);
    const answer = await page.goto(`${endpoint}/_dinette/#${fragment}`);
    assert.ok(answer.ok(), await answer.text());
    await page.getByRole("heading", { level: 1 }).waitFor();
    return page;
  }

  return {
    server,
    /** Opens `#/view`, in a session of its own, of this server or of another. */
    visit: (view = "", context = {}, endpoint = server.endpoint) => visit(`/${view}`, context, endpoint),
    /** Opens the page with this fragment. `prepare` is called before it is loaded. */
    open: (fragment, { context = {}, endpoint = server.endpoint, prepare } = {}) => visit(fragment, context, endpoint, prepare),
    /** Closes all pages, which follow the server as long as they are open. */
    leave: () => Promise.all(browser.contexts().map((context) => context.close())),
    async stop() {
      await browser.close();
      await server.stop();
      assert.deepEqual(faults, []);
    },
  };
}

/** Waits until exactly one such element is visible. */
export const shown = (locator) => locator.waitFor({ state: "visible" });
export const gone = (locator) => locator.waitFor({ state: "hidden" });

/** Returns what axe-core finds wrong with the page as it is; of some rules, if they are given. */
export async function findings(page, ...rules) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const options = rules.length ? { runOnly: rules } : {};
  const { violations } = await page.evaluate((wanted) => globalThis.axe.run(wanted), options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}

/** Checks that what a page shows can be used by all, in light and dark, wide and narrow. Leaves it narrow and dark. */
export async function checkAccess(page, what) {
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 800 });
  assert.deepEqual(await findings(page), [], what);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: 400, height: 800 });
  assert.deepEqual(await findings(page, "color-contrast", "scrollable-region-focusable", "target-size"), [], `${what}, dark`);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400, `${what} is wider than the screen`);
}
