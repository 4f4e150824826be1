// What a bucket holds, opened in a browser: it runs nothing in the origin in which the page of administration and DynamoDB are.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { CreateBucketCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { createTable, makeClient } from "./client.mjs";
import { launchChromium } from "./page_browser.mjs";
import { startServer } from "./server.mjs";

// Synchronous, so that all of it has happened before the page is loaded.
const script = `
  const send = (method, path, headers, body) => {
    const request = new XMLHttpRequest();
    request.open(method, path, false);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    try { request.send(body); return request.status + request.responseText; } catch (error) { return error.name; }
  };
  const report = [origin,
    send("POST", "/", {"x-amz-target": "DynamoDB_20120810.DeleteTable"}, '{"TableName": "Victim"}'),
    send("GET", "/_dinette/worlds", {}), send("POST", "/_dinette/reset", {}, "{}")];
  document.documentElement.setAttribute("data-report", report.join());`;

const html = `<!doctype html><title>object</title><script>${script}</script>
<form method="post" action="/_dinette/reset" enctype="text/plain"><input name="{}"></form>
<script>document.forms[0].submit()</script><object data="/uploads/pic.svg"></object>`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>object</title><script><![CDATA[${script}]]></script></svg>`;
const xhtml = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>object</title></head><body><script><![CDATA[${script}]]></script></body></html>`;

const objects = {
  "page.html": ["text/html", html],
  "notes.bin": ["application/octet-stream", html],
  "pic.svg": ["image/svg+xml", svg],
  "page.xhtml": ["application/xhtml+xml", xhtml],
  "page.xml": ["text/xml", xhtml],
  "worker.js": ["text/javascript", "addEventListener('fetch', (event) => event.respondWith(new Response('taken')))"],
};
const openable = ["page.html", "pic.svg", "page.xhtml", "page.xml", "notes.bin?response-content-type=text/html&X-Amz-Signature=0"];

let browser, site;

/** A web site that is none of the server's: "?" and the HTML that it answers. */
before(async () => {
  site = createServer((request, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end(decodeURIComponent(new URL(request.url, "http://x").search.slice(1)));
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  browser = await launchChromium("--host-resolver-rules=MAP *.example 127.0.0.1", "--disable-features=LocalNetworkAccessChecks");
});
after(async () => {
  await browser.close();
  site.close();
});

const evil = (content) => `http://evil.example:${site.address().port}/?${encodeURIComponent(content)}`;
const friendly = (content) => `http://localhost:${site.address().port}/?${encodeURIComponent(content)}`;

/** Starts a server with a table and the objects, and opens a page in a session of its own. */
async function start(t, ...options) {
  const server = await startServer(...options);
  const client = makeClient(server.endpoint);
  await createTable(client, "Victim");
  const s3 = new S3Client({ endpoint: server.endpoint, region: "us-east-1", forcePathStyle: true,
                            credentials: { accessKeyId: "key", secretAccessKey: "secret" } });
  await s3.send(new CreateBucketCommand({ Bucket: "uploads" }));
  for (const [Key, [ContentType, Body]] of Object.entries(objects)) {
    await s3.send(new PutObjectCommand({ Bucket: "uploads", Key, Body, ContentType }));
  }
  const context = await browser.newContext();
  t.after(async () => {
    await context.close();
    client.destroy();
    s3.destroy();
    await server.stop();
  });
  const tables = async () => (await client.send(new ListTablesCommand({}))).TableNames;
  return { server, tables, page: await context.newPage(), at: (path) => `${server.endpoint}/uploads/${path}` };
}

const reported = (frame) => frame.locator(":root").getAttribute("data-report");

for (const options of [[], ["--cors", "*"]]) {
  test(`an object that a foreign site opens runs nothing (${options.join(" ") || "by default"})`, async (t) => {
    const { page, tables, at } = await start(t, ...options);
    for (const path of openable) {
      await page.goto(evil(`<script>location = ${JSON.stringify(at(path))}</script>`));
      await page.waitForURL(at(path), { waitUntil: "load" });
      assert.equal(await reported(page), null, path);
      await page.goto(evil(`<iframe src="${at(path)}"></iframe>`), { waitUntil: "load" });
      assert.equal(await reported(page.frames()[1]), null, path);
      assert.deepEqual(await tables(), ["Victim"], path);
    }
  });
}

test("response headers are not replaced by a link that nobody signed", async (t) => {
  const { page, at } = await start(t);
  const answer = await page.goto(at("notes.bin?response-content-type=text/html"));
  assert.equal(answer.status(), 400);
  assert.match(await answer.text(), /InvalidRequest/);
});

test("a page without an origin, such as an object, may not call, whatever --cors says", async (t) => {
  const { page, tables, server } = await start(t, "--cors", "*");
  const call = (path, headers) => `
    fetch("${server.endpoint}${path}", {method: "POST", body: '{"TableName": "Victim"}', headers: ${JSON.stringify(headers)}})
      .then((reply) => reply.text(), (error) => error.name)
      .then((seen) => parent.postMessage(seen, "*"));`;
  const calls = [
    call("/", { "x-amz-target": "DynamoDB_20120810.DeleteTable" }),
    call("/_dinette/reset", {}),
    call("/uploads?delete", {}),
  ];
  for (const one of calls) {
    await page.goto(evil("<title>site</title>"));
    const seen = await page.evaluate((source) => new Promise((resolve) => {
      addEventListener("message", (event) => resolve(event.data));
      const frame = document.createElement("iframe");
      frame.sandbox = "allow-scripts";
      frame.srcdoc = `<script>${source}</script>`;
      document.body.append(frame);
    }), one);
    assert.equal(seen, "TypeError");
    assert.deepEqual(await tables(), ["Victim"]);
  }
});

test("a form that a foreign site sends changes nothing", async (t) => {
  const { page, tables, server } = await start(t, "--cors", "local");
  for (const path of ["/_dinette/reset", "/", "/uploads/page.html"]) {
    const action = `${server.endpoint}${path}`;
    const answer = page.waitForResponse(action);
    await page.goto(evil(`<form method="post" action="${action}" enctype="text/plain"><input name="{}"></form>
                          <script>document.forms[0].submit()</script>`));
    assert.equal((await answer).status(), 403, path);
    assert.deepEqual(await tables(), ["Victim"], path);
  }
});

test("an object becomes no service worker, not even for the server's own page", async (t) => {
  const { page, server } = await start(t);
  await page.goto(`${server.endpoint}/_dinette/`);
  const register = () => navigator.serviceWorker.register("/uploads/worker.js").then(() => "registered", (error) => error.message);
  assert.match(await page.evaluate(register), /bad HTTP response code \(403\)/);
});

test("objects are shown as images in pages that may call, and in no others", async (t) => {
  const { page, at } = await start(t);
  const loaded = (url) => page.goto(url).then(() => page.evaluate(() => document.images[0].naturalWidth > 0));
  const image = `<img src="${at("pic.svg")}">`;
  assert.equal(await loaded(friendly(image)), true);
  assert.equal(await loaded(evil(image)), false);
});
