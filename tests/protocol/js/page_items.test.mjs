// The page's view of a table's items, used as people do, in headless Chromium.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { BatchWriteCommand, DeleteCommand, GetCommand, PutCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { createTable, makeClient, makeDocumentClient } from "./client.mjs";
import { editorIn, openItem, writtenIn } from "./item_dialog.mjs";
import { checkAccess, findings, gone, shown, startBrowser } from "./page_browser.mjs";

const many = 20_000;
const longestRow = 60;  // cells of rows in view, and as many again

let browser, client, documents, folder;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "dinette-"));
  browser = await startBrowser("--load", makeLargeTable());
  client = makeClient(browser.server.endpoint);
  documents = makeDocumentClient(client);
});
after(async () => {
  client.destroy();
  rmSync(folder, { recursive: true });
  await browser.stop();
});
afterEach(() => browser.leave());

/** Writes a folder to load: many small items, of which one is sought. */
function makeLargeTable() {
  const items = Array.from({ length: many }, (_, at) => ({ id: `user-${at}`, n: at, email: at === 12_345 ? "needle@example.com" : `${at}@example.com` }));
  const load = mkdtempSync(join(folder, "load-"));
  writeFileSync(join(load, "items.json"), items.map((item) => JSON.stringify(item)).join("\n"));
  writeFileSync(join(load, "table.json"), JSON.stringify({ CreateTable: {
    TableName: "Large", BillingMode: "PAY_PER_REQUEST", KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }] } }));
  return load;
}

const put = (TableName, Item) => documents.send(new PutCommand({ TableName, Item }));
const itemOf = async (TableName, Key) => (await documents.send(new GetCommand({ TableName, Key }))).Item;
const itemsOf = async (TableName) => (await documents.send(new ScanCommand({ TableName }))).Items;
const putAll = (TableName, items) => documents.send(new BatchWriteCommand({
  RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } }));

const songs = Array.from({ length: 8 }, (_, at) => ({ artist: "Bill Evans", song: `song ${at}`, plays: (at * 3) % 8 }));
async function fill(TableName) {
  await createTable(client, TableName);
  await putAll(TableName, songs);
}

const gridOf = (page) => page.getByRole("grid", { name: "Items" });
const row = (page, name) => gridOf(page).getByRole("row", { name });
const cell = (page, rowName, name) => row(page, rowName).locator(`td[data-name="${name}"]`);
const column = (page, name) => gridOf(page).locator(`tbody td[data-name="${name}"]`).allInnerTexts();
const button = (place, name) => place.getByRole("button", { name, exact: true });
const menuItem = (page, name) => page.getByRole("menuitem", { name, exact: true });
const dialog = (page) => page.getByRole("dialog");

async function visit(table) {
  const page = await browser.visit(`tables/${table}`);
  await shown(gridOf(page));
  return page;
}

test("each type is seen at a glance", async () => {
  await createTable(client, "Types");
  await put("Types", {
    artist: "a", song: "b", text: "12", number: 12, flag: true, none: null, empty: "", tags: new Set(["x"]), sizes: new Set([1]), bytes: new Uint8Array([1]),
    list: [1], map: { a: 1 } });
  await put("Types", { artist: "c", song: "d" });
  const page = await visit("Types");
  const texts = { text: '"12"', number: "12", flag: "true", none: "null", empty: '""' };
  for (const [name, text] of Object.entries(texts)) assert.equal(await cell(page, /Select a, b/, name).innerText(), text, name);
  assert.equal(await cell(page, /Select c, d/, "text").innerText(), "-");
  for (const [name, mark] of Object.entries({ tags: "string set", sizes: "number set", bytes: "binary", list: "list", map: "map" })) {
    await shown(cell(page, /Select a, b/, name).getByTitle(mark, { exact: true }));
  }
  const alignment = (name) => cell(page, /Select a, b/, name).evaluate((element) => getComputedStyle(element).textAlign);
  assert.deepEqual([await alignment("number"), await alignment("text")], ["right", "left"]);
  const colours = await Promise.all(["text", "number", "flag", "tags", "bytes"].map((name) =>
    cell(page, /Select a, b/, name).locator(".typed").evaluate((element) => getComputedStyle(element).color)));
  assert.equal(new Set(colours).size, 5);
});

test("a list or map unfolds in its cell, and a value within it becomes a filter", async () => {
  await createTable(client, "Unfolded");
  await putAll("Unfolded", Array.from({ length: 6 }, (_, at) => ({ artist: "a", song: `${at}`, address: { city: at < 2 ? "Paris" : "Rome", lines: [at] } })));
  const page = await visit("Unfolded");
  await button(row(page, /Select a, 0/), "Unfold address").click();
  const tree = cell(page, /Select a, 0/, "address").locator(".tree").first();
  await shown(tree.getByText("Paris"));
  await tree.getByText("lines").click();
  await shown(tree.locator(".tree").getByText("0").last());
  const heights = await gridOf(page).locator("tbody tr").evaluateAll((rows) => rows.map((one) => one.offsetHeight));
  assert.ok(heights[0] > 90 && heights[1] < 40, heights);
  await tree.getByText("Paris").hover();
  await button(tree, "Filter by address.city").click();
  await shown(page.getByText("2 items, looked at 6, and there are no more"));
  assert.equal(await page.getByLabel("Attribute of filter 1").inputValue(), "address.city");
  await button(page, "Remove filter 1").click();
  await page.getByRole("button", { name: "Run" }).click();
  await shown(row(page, /Select a, 5/));
});

test("a value of a cell becomes a filter, a key a query", async () => {
  await fill("Filtered");
  await put("Filtered", { artist: "Other", song: "x", plays: 3 });
  const page = await visit("Filtered");
  await cell(page, /Select Other, x/, "plays").click({ button: "right" });
  await menuItem(page, "Filter by this value").click();
  await shown(page.getByText("2 items, looked at 9, and there are no more"));
  await cell(page, /Select Other, x/, "artist").click({ button: "right" });
  await menuItem(page, "Filter by this value").click();
  await shown(page.getByText("Query of Filtered where artist = 'Other'"));
  assert.deepEqual(await column(page, "song"), ['"x"'].map((text) => text.replaceAll('"', "")));
});

test("a cell is edited in its place, and its value keeps its type", async () => {
  await fill("InCell");
  const Key = { artist: "Bill Evans", song: "song 1" };
  const page = await visit("InCell");
  const plays = cell(page, /song 1/, "plays");
  await plays.dblclick();
  const input = page.getByRole("textbox", { name: "Value of plays" });
  await input.fill("many");
  await page.keyboard.press("Enter");
  assert.equal(await input.getAttribute("aria-invalid"), "true");
  await input.fill("12345678901234567890");
  await page.keyboard.press("Enter");
  await shown(page.getByText("Saved."));
  assert.equal(await plays.innerText(), "12345678901234567890");
  await page.keyboard.press("Enter");
  await input.fill("5");
  await page.keyboard.press("Escape");
  assert.equal(await plays.innerText(), "12345678901234567890");
  await page.keyboard.press("Control+z");
  await shown(plays.getByText("3", { exact: true }));
  assert.deepEqual(await itemOf("InCell", Key), { ...Key, plays: 3 });
});

test("what a program has changed meanwhile is not overwritten from a cell: both are shown", async () => {
  await fill("CellConflict");
  const Key = { artist: "Bill Evans", song: "song 1" };
  const page = await visit("CellConflict");
  await put("CellConflict", { ...Key, plays: 99, note: "by a program" });
  await cell(page, /song 1/, "plays").dblclick();
  await page.getByRole("textbox", { name: "Value of plays" }).fill("4");
  await page.keyboard.press("Enter");
  const conflict = page.getByRole("alert", { name: "Conflict" });
  await shown(conflict.getByRole("row", { name: "plays 3 99 4" }));
  assert.equal((await itemOf("CellConflict", Key)).plays, 99);
  await button(conflict, "Save mine").click();
  await gone(dialog(page));
  assert.deepEqual(await itemOf("CellConflict", Key), { ...Key, plays: 4, note: "by a program" });
});

test("every key that is typed quickly is in the text", async () => {
  await fill("Typed");
  const page = await visit("Typed");
  const form = await openItem(page, "song 1", "plays");
  const text = '{"artist":"Bill Evans","song":"song 1","n":[7,null]}';
  await editorIn(form).click();
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
  assert.equal(await editorIn(form).innerText(), text);
  await page.keyboard.press("Control+Enter");
  await gone(dialog(page));
  assert.deepEqual(await itemOf("Typed", { artist: "Bill Evans", song: "song 1" }), JSON.parse(text));
});

test("an opened item has its keys first and in its title, its size, and what it costs", async () => {
  await createTable(client, "Sized");
  await put("Sized", { attribute: "x".repeat(1000), artist: "Nina Simone", song: "Sinnerman" });
  const page = await visit("Sized");
  const form = await openItem(page, "Nina", "Sinnerman");
  await shown(page.getByRole("dialog", { name: "Edit artist: Nina Simone, song: Sinnerman" }));
  const names = (await editorIn(form).innerText()).matchAll(/^ *"(\w+)":/gm);
  assert.deepEqual(Array.from(names, ([, name]) => name), ["artist", "song", "attribute"]);
  await shown(form.getByText("1,039 bytes (1.0 KB): 0.5 units to read, 2 units to write"));
  await shown(form.getByText("10", { exact: true }).or(form.locator(".cm-lineNumbers")).first());
});

test("Escape asks only if something was changed", async () => {
  await fill("Escaped");
  const page = await visit("Escaped");
  let form = await openItem(page, "song 1", "plays");
  await page.keyboard.press("Escape");
  await gone(form);
  form = await openItem(page, "song 1", "plays");
  await editorIn(form).fill('{"artist": "Bill Evans", "song": "song 1", "plays": 100}');
  await page.keyboard.press("Escape");
  const question = page.getByRole("dialog", { name: "Discard what you have changed?" });
  await button(question, "Keep editing").click();
  await gone(question);
  assert.equal((await writtenIn(form)).plays, 100);
  await page.keyboard.press("Escape");
  await button(question, "Discard").click();
  await gone(form);
  assert.equal((await itemOf("Escaped", { artist: "Bill Evans", song: "song 1" })).plays, 3);
});

test("the form changes types, names, members of maps and sets, and says what is wrong", async () => {
  await createTable(client, "Formed");
  const Key = { artist: "a", song: "b" };
  await put("Formed", { ...Key, n: 1, tags: new Set(["x"]), map: { deep: [true] }, old: "text" });
  const page = await visit("Formed");
  await openItem(page, "Select a, b", "artist");
  const form = dialog(page);
  await form.getByLabel("Written as").selectOption("form");
  assert.equal(await form.getByLabel("Name of artist").count(), 0, "a key keeps its name");
  await form.getByLabel("Value of n").fill("x");
  await shown(form.getByRole("alert").getByText('n: "x" is not a number.'));
  assert.ok(await button(form, "Save").isDisabled());
  await form.getByLabel("Value of n").fill("2.50");
  await form.getByLabel("Elements of tags").fill("x\ny");
  await form.getByLabel("Type of map.deep[0]").selectOption("S");
  await form.getByLabel("Name of old").fill("n");
  await form.getByLabel("Value of old").focus();
  assert.equal(await form.getByLabel("Name of old").inputValue(), "old", "a name that another has is refused");
  await form.getByLabel("Name of old").fill("new");
  await form.getByLabel("Name of old").press("Tab");
  await form.getByLabel("Type of new").selectOption("L");
  await button(form, "Add element to new").click();
  await button(form, "Add attribute").click();
  await form.getByLabel("Type of attribute", { exact: true }).selectOption("BOOL");
  await form.getByLabel("Value of attribute", { exact: true }).selectOption("true");
  await button(form, "Remove map").waitFor();
  await button(form, "Save").click();
  await gone(form);
  assert.deepEqual(await itemOf("Formed", Key), { ...Key, n: 2.5, tags: new Set(["x", "y"]), map: { deep: ["true"] }, new: ["text", ""], attribute: true });
});

test("deleting, saving and creating are taken back, by the button and by the keyboard", async () => {
  await fill("Undone");
  const Key = { artist: "Bill Evans", song: "song 1" };
  const page = await visit("Undone");
  let form = await openItem(page, "song 1", "plays");
  await button(form, "Delete item").click();
  await shown(page.getByText("Deleted."));
  await gone(row(page, /song 1/));
  assert.equal(await itemOf("Undone", Key), undefined);
  await button(page, "Undo").click();
  await shown(row(page, /song 1/));
  assert.deepEqual(await itemOf("Undone", Key), { ...Key, plays: 3 });

  form = await openItem(page, "song 1", "plays");
  await editorIn(form).fill(JSON.stringify({ ...Key, plays: 50, added: true }));
  await button(form, "Save").click();
  await shown(cell(page, /song 1/, "plays").getByText("50"));
  await put("Undone", { ...Key, plays: 50, added: true, note: "by a program" });
  await page.keyboard.press("Control+z");
  await shown(cell(page, /song 1/, "plays").getByText("3", { exact: true }));
  assert.deepEqual(await itemOf("Undone", Key), { ...Key, plays: 3, note: "by a program" });

  await button(page, "Create item").click();
  await editorIn(dialog(page)).fill('{"artist": "New", "song": "s"}');
  await button(dialog(page), "Create").click();
  await shown(row(page, /Select New, s/));
  await button(page, "Undo").click();
  await gone(row(page, /Select New, s/));
  assert.equal(await itemOf("Undone", { artist: "New", song: "s" }), undefined);
});

test("what was done last can be taken back when its notice has gone, whatever is shown then", async () => {
  await fill("UndoneLater");
  const Key = { artist: "Bill Evans", song: "song 1" };
  const page = await visit("UndoneLater");
  const remove = async () => {
    await cell(page, /song 1/, "plays").click();
    await page.keyboard.press("Delete");
    await shown(page.getByText("Deleted."));
    await button(page, "Dismiss").click();
    await gone(page.getByText("Deleted."));
  };
  await remove();
  await button(page, "Undo").click();
  await shown(row(page, /song 1/));
  await gone(button(page, "Undo"));
  assert.deepEqual(await itemOf("UndoneLater", Key), { ...Key, plays: 3 });

  await remove();
  await page.getByLabel("Operation").selectOption("Query");
  await page.getByLabel("artist =").fill("Nobody");
  await button(page, "Run").click();
  await shown(page.getByText("No items found"));
  await button(page, "Undo").click();
  await gone(button(page, "Undo"));
  assert.deepEqual(await itemOf("UndoneLater", Key), { ...Key, plays: 3 });
  await shown(page.getByText("No items found"));
  await page.goBack();
  await shown(row(page, /song 1/));

  await remove();
  await put("UndoneLater", { ...Key, plays: 77 });
  await button(page, "Undo").click();
  await shown(page.getByRole("alert"));
  assert.equal((await itemOf("UndoneLater", Key)).plays, 77);
});

test("a copy begins in its key, whose text is selected", async () => {
  await fill("Duplicated");
  const page = await visit("Duplicated");
  const duplicate = async () => {
    await cell(page, /song 4/, "plays").click({ button: "right" });
    await menuItem(page, "Duplicate item").click();
  };
  const isFocused = (element) => element.getRootNode().activeElement === element;
  const types = async (text, field) => {
    await field.waitFor();
    await page.waitForFunction(isFocused, await field.elementHandle());
    await page.keyboard.type(text);
    await button(dialog(page), "Create").click();
    await shown(row(page, new RegExp(`Select Bill Evans, ${text}`)));
    assert.deepEqual(await itemOf("Duplicated", { artist: "Bill Evans", song: text }), { ...songs[4], song: text });
  };
  for (const [form, name] of [["plain", "plainly"], ["dynamodb", "typed"]]) {
    await page.evaluate((chosen) => localStorage.setItem("dinette.itemForm", chosen), form);
    await duplicate();
    await types(name, editorIn(dialog(page)));
  }
  await page.evaluate(() => localStorage.setItem("dinette.itemForm", "form"));
  await duplicate();
  await types("in a form", dialog(page).getByLabel("Value of song"));
  await page.evaluate(() => localStorage.setItem("dinette.itemForm", "plain"));
});

test("an undo never overwrites what was written since", async () => {
  await fill("NotUndone");
  const Key = { artist: "Bill Evans", song: "song 1" };
  const page = await visit("NotUndone");
  await cell(page, /song 1/, "plays").dblclick();
  await page.getByRole("textbox", { name: "Value of plays" }).fill("4");
  await page.keyboard.press("Enter");
  await shown(page.getByText("Saved."));
  await put("NotUndone", { ...Key, plays: 77 });
  await button(page, "Undo").click();
  await shown(page.getByRole("alert").getByText("The item was changed meanwhile."));
  assert.equal((await itemOf("NotUndone", Key)).plays, 77);
});

test("several items are selected, deleted and brought back", async () => {
  await fill("Selected");
  const page = await visit("Selected");
  const check = (name) => page.getByRole("checkbox", { name });
  await check("Select Bill Evans, song 1").click();
  await check("Select Bill Evans, song 5").click({ modifiers: ["Shift"] });
  await shown(page.getByText("5 selected"));
  await check("Select Bill Evans, song 3").click();
  await shown(page.getByText("4 selected"));
  await button(page, "Delete selected").click();
  await shown(page.getByText("4 items deleted."));
  assert.deepEqual((await itemsOf("Selected")).map(({ song }) => song).sort(), ["song 0", "song 3", "song 6", "song 7"]);
  await button(page, "Undo").click();
  await shown(row(page, /song 5/));
  const byName = (one, other) => one.song.localeCompare(other.song);
  assert.deepEqual((await itemsOf("Selected")).sort(byName), songs);
  await check("Select all").click();
  await shown(page.getByText("8 selected"));
  await button(page, "Clear selection").click();
  await gone(page.getByText("8 selected"));
});

test("when deleting fails on the way, what was deleted can be brought back", async () => {
  await createTable(client, "HalfDeleted");
  await putAll("HalfDeleted", Array.from({ length: 20 }, (_, at) => ({ artist: "a", song: `${100 + at}` })));
  const page = await visit("HalfDeleted");
  let deletions = 0;
  await page.route(`${browser.server.endpoint}/`, (route) => {
    const isRefused = route.request().headers()["x-amz-target"].endsWith(".DeleteItem") && ++deletions === 10;
    return isRefused ? route.fulfill({ status: 400, json: { __type: "com.amazonaws.dynamodb.v20120810#LimitExceededException", message: "enough" } }) : route.continue();
  });
  await gridOf(page).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await shown(page.getByRole("alert").getByText("enough"));
  const left = (await itemsOf("HalfDeleted")).length;
  assert.ok(left >= 3 && left < 20, `${left} items are left`);
  await shown(page.getByText(`${20 - left} items deleted.`));
  await page.keyboard.press("Control+z");
  await shown(page.getByText("20 items, and there are no more"));
  assert.equal((await itemsOf("HalfDeleted")).length, 20);
});

/** Pastes a text, as the browser does for Ctrl+V. */
const paste = (page, text) => page.evaluate((pasted) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", pasted);
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
}, text);

/** Returns what Ctrl+C would put into the clipboard. */
const copied = (page) => page.evaluate(() => {
  const clipboardData = new DataTransfer();
  document.activeElement.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
  return clipboardData.getData("text/plain");
});

test("items are copied, pasted and duplicated, and none is replaced on the way", async () => {
  await fill("Copied2");
  const page = await visit("Copied2");
  await page.getByRole("checkbox", { name: "Select Bill Evans, song 1" }).click();
  await page.getByRole("checkbox", { name: "Select Bill Evans, song 2" }).click();
  const text = await copied(page);
  assert.deepEqual(JSON.parse(text), [songs[1], songs[2]]);
  await paste(page, text.replaceAll("song 2", "song new"));
  const form = dialog(page);
  await shown(form.getByText("2 items to write. Nothing is written yet."));
  await button(form, "Write 2 items").click();
  await shown(page.getByText("1 item written, 1 kept as they were."));
  assert.equal((await itemsOf("Copied2")).length, 9);

  await cell(page, /song 4/, "plays").click({ button: "right" });
  await menuItem(page, "Duplicate item").click();
  await shown(editorIn(form).getByText("song 4"));
  await button(form, "Create").click();
  await shown(form.getByRole("alert").getByText("exists already"));
  await editorIn(form).fill(JSON.stringify({ ...songs[4], song: "copy" }));
  await button(form, "Create").click();
  await shown(row(page, /Select Bill Evans, copy/));
  await cell(page, /song 5/, "plays").click();
  await page.keyboard.press("ArrowLeft");
  assert.equal(await copied(page), "song 5");
});

test("what is shown, selected, or read as a whole is exported", async () => {
  await fill("Exported");
  await put("Exported", { artist: "Nina", song: "s", tags: new Set(["a"]), n: 1 });
  const page = await visit("Exported");
  const form = dialog(page);
  const exported = async (choose) => {
    await page.getByRole("button", { name: /^Export/ }).click();
    await choose?.();
    const [file] = await Promise.all([page.waitForEvent("download"), button(form, "Download").click()]);
    await gone(form);
    return [file.suggestedFilename(), readFileSync(await file.path(), "utf8")];
  };
  const [name, json] = await exported();
  assert.equal(name, "Exported.json");
  assert.equal(JSON.parse(json).length, 9);
  assert.deepEqual(JSON.parse(json).find(({ artist }) => artist === "Nina"), { artist: "Nina", song: "s", tags: { $stringSet: ["a"] }, n: 1 });
  await page.getByRole("checkbox", { name: "Select Nina, s" }).click();
  const [, csv] = await exported(() => form.getByLabel("Format").selectOption("csv"));
  assert.equal(csv, 'artist,song,n,tags\r\nNina,s,1,"[""a""]"\r\n');
  await button(page, "Clear selection").click();
  await page.getByLabel("Limit per page").fill("2");
  await page.getByRole("button", { name: "Run" }).click();
  await shown(page.getByText("2 items, and there may be more"));
  const [, lines] = await exported(async () => {
    await form.getByLabel("Items", { exact: true }).selectOption("all");
    await form.getByLabel("Format").selectOption("dynamodb");
  });
  const items = lines.trim().split("\n").map((line) => JSON.parse(line).Item);
  assert.equal(items.length, 9);
  assert.ok(items.some(({ tags }) => tags?.SS[0] === "a"));
});

test("a file is shown before its items are written, in the place of others only if that is chosen", async () => {
  await fill("Imported");
  const file = join(folder, "songs.csv");
  writeFileSync(file, "artist,song,note\nBill Evans,song 1,from a file\nNew,\"x, y\",\nNo song\n");
  const page = await visit("Imported");
  const form = dialog(page);
  for (const existing of ["keep", "replace"]) {
    await button(page, "Import").click();
    await form.getByLabel("File").setInputFiles(file);
    await shown(form.getByRole("grid", { name: "Preview" }).getByRole("row", { name: /x, y/ }));
    await shown(form.getByRole("alert").getByText("Item 3: The key song is missing."));
    await form.getByLabel("Where there is an item of the same key").selectOption(existing);
    if (existing === "keep") assert.equal((await itemsOf("Imported")).length, 8, "nothing is written yet");
    await button(form, "Write 2 items").click();
    await gone(form);
    const { plays, note } = await itemOf("Imported", { artist: "Bill Evans", song: "song 1" });
    assert.deepEqual([plays, note], existing === "keep" ? [3, undefined] : [undefined, "from a file"]);
  }
  assert.deepEqual(await itemOf("Imported", { artist: "New", song: "x, y" }), { artist: "New", song: "x, y" });
});

test("rows are sorted, columns chosen, ordered and pinned, and that is kept", async () => {
  await fill("Arranged");
  await put("Arranged", { artist: "Bill Evans", song: "song 8", extra: true });
  const page = await visit("Arranged");
  const heads = () => gridOf(page).locator("thead th[data-name]").evaluateAll((all) =>
    all.map((head) => (getComputedStyle(head).left === "auto" ? head.dataset.name : `[${head.dataset.name}]`)).join(" "));
  const head = (name) => page.getByRole("columnheader", { name });
  await head("plays").click();
  assert.deepEqual(await column(page, "plays"), ["0", "1", "2", "3", "4", "5", "6", "7", "-"]);
  assert.equal(await head("plays").getAttribute("aria-sort"), "ascending");
  await head("plays").click();
  assert.deepEqual(await column(page, "plays"), ["7", "6", "5", "4", "3", "2", "1", "0", "-"]);
  assert.equal(await heads(), "[artist] [song] plays extra");

  await head("extra").click({ button: "right" });
  await menuItem(page, "Move left").click();
  assert.equal(await heads(), "[artist] [song] extra plays");
  await button(page, "Columns").click();
  await dialog(page).getByLabel("extra", { exact: true }).uncheck();
  await button(dialog(page), "Pin song").click();
  await button(dialog(page), "Done").click();
  assert.equal(await heads(), "[artist] song plays");
  await page.reload();
  await shown(gridOf(page));
  assert.equal(await heads(), "[artist] song plays");
  await button(page, "Columns").click();
  await button(dialog(page), "Reset").click();
  await button(dialog(page), "Done").click();
  assert.equal(await heads(), "[artist] [song] plays extra");
});

test("columns are dragged wider, or made so by their menu, and that is kept", async () => {
  await fill("Widths");
  const page = await visit("Widths");
  const head = page.getByRole("columnheader", { name: "song" });
  const widthOf = async () => Math.round((await head.boundingBox()).width);
  const before = await widthOf();
  const edge = head.locator("[data-resize]");
  const { x, y, width, height } = await edge.boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 100, y + height / 2, { steps: 4 });
  assert.equal(await widthOf(), before + 100, "it follows the pointer");
  await page.mouse.up();
  assert.equal(await widthOf(), before + 100);
  assert.equal(await head.getAttribute("aria-sort"), null, "dragging does not sort");
  await page.reload();
  await shown(gridOf(page));
  assert.equal(await widthOf(), before + 100);
  await edge.dblclick();
  assert.equal(await widthOf(), before);
  await head.click({ button: "right" });
  await menuItem(page, "Wider").click();
  assert.equal(await widthOf(), Math.round(before * 1.5));
  await head.click({ button: "right" });
  await menuItem(page, "As wide as its content").click();
  assert.equal(await widthOf(), before);
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(0, y + height / 2, { steps: 4 });
  await page.mouse.up();
  assert.equal(await widthOf(), 48, "no narrower than can be dragged again");
});

test("rows are as high as the user's setting says", async () => {
  await fill("Heights");
  const page = await visit("Heights");
  const heightOf = async () => (await row(page, /song 1/).boundingBox()).height;
  assert.equal(await heightOf(), 31);
  await page.evaluate(() => localStorage.setItem("dinette.density", JSON.stringify("compact")));
  await page.reload();
  await shown(gridOf(page));
  assert.equal(await heightOf(), 25);
});

test("a page is read after another when the end is in view, and no item is lost", async () => {
  await createTable(client, "Paged");
  for (let at = 0; at < 100; at += 25) await putAll("Paged", Array.from({ length: 25 }, (_, more) => ({ artist: "a", song: String(at + more).padStart(3, "0") })));
  const page = await visit("Paged");
  await shown(page.getByText("50 items, and there may be more"));
  await gridOf(page).focus();
  await page.keyboard.press("Control+End");
  await shown(page.getByText("100 items"));
  await page.keyboard.press("Control+End");
  await shown(row(page, /Select a, 099/));
  await shown(page.getByText("100 items, and there are no more"));
});

const sentFilters = (page, onFilter) => page.route(`${browser.server.endpoint}/`, async (route) => {
  if ((route.request().postData() ?? "").includes("FilterExpression")) await onFilter();
  await route.continue();
});

test("a filter is typed at any speed, right after it was added, and a row without an attribute is not meant", async () => {
  await fill("TypedFast");
  const page = await visit("TypedFast");
  await button(page, "Add filter").click();
  await page.keyboard.type("attribute.of.some.length");
  assert.equal(await page.getByLabel("Attribute of filter 1").inputValue(), "attribute.of.some.length");
  await page.getByLabel("Attribute of filter 1").fill("");
  await button(page, "Run").click();
  await shown(page.getByText("8 items, and there are no more"));
});

test("a filter on a key moves into the key condition when the scan becomes a query", async () => {
  await fill("Moved");
  const page = await visit("Moved?filter=artist&value=Bill+Evans&filter=plays&type=N&value=3");
  await shown(page.getByText(/^1 item, looked at/));
  await page.getByLabel("Operation").selectOption("Query");
  assert.equal(await page.getByLabel("artist =").inputValue(), "Bill Evans");
  assert.equal(await page.getByLabel("Attribute of filter 1").inputValue(), "plays");
  await button(page, "Run").click();
  await shown(page.getByText(/^1 item, looked at 8/));
});

test("after all that was read is deleted, more can be read", async () => {
  await fill("Emptied");
  const page = await visit("Emptied?limit=3");
  await shown(page.getByText("3 items, and there may be more"));
  await page.getByLabel("Select all").check();
  await button(page, "Delete selected").click();
  await shown(page.getByRole("heading", { name: "None of what was read is left" }));
  await button(page, "Read more").click();
  await shown(page.getByText("3 items, and there may be more"));
});

test("a filter reads on until it has found its page, says how far it is, is stopped and continued", async () => {
  const page = await visit("Large");
  let release;
  let requests = 0;
  await sentFilters(page, () => (++requests === 3 ? new Promise((done) => { release = done; }) : undefined));
  await button(page, "Add filter").click();
  await page.getByLabel("Attribute of filter 1").fill("email");
  await page.getByLabel("Value of filter 1").fill("needle@example.com");
  await page.getByRole("button", { name: "Run" }).click();
  await shown(page.getByText(/^[01] items?, looked at 450 of about 20,000$/));
  await button(page, "Stop").click();
  release();
  await shown(page.getByText(/looked at 3,650 of about 20,000. Stopped/));
  assert.equal(requests, 3);
  await button(page, "Continue").click();
  await shown(page.getByText("1 item, looked at 20,000, and there are no more"));
  await shown(row(page, /user-12345/));
});

test("of thousands of rows those in view are in the document, and the column heads stay in view", async () => {
  const page = await visit("Large");
  await button(page, "Read all").click();
  await shown(page.getByText("20,000 items, and there are no more"));
  const rows = () => gridOf(page).locator("tbody tr[data-index]").count();
  const region = page.getByRole("region", { name: "Items" });
  const first = await rows();
  assert.ok(first < longestRow, `${first} rows`);
  for (const share of [0.25, 0.5, 1]) {
    await region.evaluate((element, part) => { element.scrollTop = element.scrollHeight * part; }, share);
    const index = Math.min(many - 1, Math.round(many * share));
    await page.waitForFunction((wanted) => [...document.querySelectorAll("tr[data-index]")].some(({ dataset }) => Math.abs(dataset.index - wanted) < 30), index);
    assert.ok(await rows() < longestRow, `${await rows()} rows`);
    const [head, view] = await Promise.all([page.getByRole("columnheader", { name: "email" }).boundingBox(), region.boundingBox()]);
    assert.ok(Math.abs(head.y - view.y) < 3, `${head.y} is not ${view.y}`);
  }
  await gridOf(page).focus();
  await page.keyboard.press("Control+Home");
  await shown(gridOf(page).locator("tr[data-index='0']"));
  assert.equal(await gridOf(page).getAttribute("aria-rowcount"), String(many + 1));
  await page.getByRole("columnheader", { name: "n", exact: true }).click();
  await shown(gridOf(page).locator("tr[data-index='3']").getByText("user-3", { exact: true }));
});

test("everything is done by the keyboard alone", async () => {
  await fill("ByKeyboard");
  const page = await visit("ByKeyboard");
  const press = async (...keys) => { for (const one of keys) await page.keyboard.press(one); };
  const isIn = (name) => page.evaluate((wanted) => document.activeElement.getAttribute("aria-label") === wanted, name);
  for (let tabs = 0; tabs < 60 && !(await isIn("Items")); tabs++) await press("Tab");
  assert.ok(await isIn("Items"), "the grid is reached by Tab");
  const active = () => page.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).innerText);
  await press("ArrowDown", "ArrowRight", "ArrowRight");
  assert.match(await active(), /song 1/);
  await press("Space", "Shift+ArrowDown", "Shift+ArrowDown");
  await shown(page.getByText("3 selected"));
  await press("Delete");
  await shown(page.getByText("3 items deleted."));
  await press("Control+z");
  await shown(row(page, /song 2/));
  await press("Control+Home", "ArrowRight", "Enter");
  await shown(dialog(page));
  await shown(editorIn(dialog(page)));
  await press("Escape");
  await gone(dialog(page));
  assert.ok(await isIn("Items"), "the focus returns to the grid");
  await press("ArrowRight", "Shift+F10");
  await shown(menuItem(page, "Copy value"));
  await press("ArrowDown", "Escape");
  await gone(page.getByRole("menu"));
  assert.ok(await isIn("Items"));
  await press("End", "ArrowUp", "Enter");
  assert.equal(await page.getByRole("columnheader", { name: "plays" }).getAttribute("aria-sort"), "ascending");
  await press("Shift+F10");
  await press("End", "ArrowUp", "Enter");
  await gone(page.getByRole("columnheader", { name: "plays" }));
  await press("Tab");
  assert.ok(!(await isIn("Items")), "the grid does not hold the keyboard");
});

test("the items of an index are shown as it has them, after a write too", async () => {
  await createTable(client, "Indexed", {
    AttributeDefinitions: ["artist", "song", "state"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
    GlobalSecondaryIndexes: [{ IndexName: "byState", KeySchema: [{ AttributeName: "state", KeyType: "HASH" }], Projection: { ProjectionType: "KEYS_ONLY" } }] });
  await put("Indexed", { artist: "a", song: "b", state: "new", plays: 1 });
  const page = await visit("Indexed");
  await page.locator("select:has(option[value='byState'])").selectOption("byState");
  await page.getByRole("button", { name: "Run" }).click();
  await gone(page.getByRole("columnheader", { name: "plays" }));
  const form = await openItem(page, "Select a, b", "plays");
  assert.equal((await writtenIn(form)).plays, 1, "the whole item is opened");
  await editorIn(form).fill('{"artist": "a", "song": "b", "plays": 2}');
  await button(form, "Save").click();
  await shown(page.getByRole("heading", { name: /^No items/ }));
  await button(page, "Undo").click();
  await shown(row(page, /Select a, b/));
  assert.deepEqual(await itemOf("Indexed", { artist: "a", song: "b" }), { artist: "a", song: "b", state: "new", plays: 1 });
});

test("results of statements are sorted and unfolded like items", async () => {
  await createTable(client, "Stated2");
  await putAll("Stated2", [{ artist: "a", song: "1", map: { x: 1 } }, { artist: "a", song: "2", map: { x: 2 } }]);
  const page = await browser.visit("partiql");
  await page.getByRole("textbox", { name: "Statement" }).fill('SELECT * FROM "Stated2"');
  await page.keyboard.press("Control+Enter");
  const result = page.getByRole("grid", { name: "Result" });
  await result.getByRole("columnheader", { name: "song" }).click();
  await result.getByRole("columnheader", { name: "song" }).click();
  assert.deepEqual(await result.locator("td[data-name='song']").allInnerTexts(), ['"2"', '"1"']);
  await button(result, "Unfold map").first().click();
  await shown(result.locator(".tree").getByText("x"));
});

test("the editor's script is loaded after the first view, and its absence leaves a text field", async () => {
  await fill("Plain");
  const prepare = (page) => page.route("**/editor-*.js", (route) => route.abort());
  const page = await browser.open("/tables/Plain", { prepare });
  await row(page, /song 1/).getByRole("button").first().click();
  const text = dialog(page).getByLabel("Item", { exact: true });
  await text.fill('{"artist": "Bill Evans", "song": "song 1", "plays": 8}');
  await button(dialog(page), "Save").click();
  await gone(dialog(page));
  assert.equal((await itemOf("Plain", { artist: "Bill Evans", song: "song 1" })).plays, 8);
});

test("an item that others have deleted is said to be gone", async () => {
  await fill("Gone");
  const page = await visit("Gone");
  await documents.send(new DeleteCommand({ TableName: "Gone", Key: { artist: "Bill Evans", song: "song 1" } }));
  await row(page, /song 1/).getByRole("button").first().click();
  await shown(dialog(page).getByRole("alert").getByText("There is no item with this key."));
});

test("items, their editor and all dialogs are accessible, in light and dark, wide and narrow", async () => {
  await createTable(client, "Accessible2");
  await putAll("Accessible2", Array.from({ length: 20 }, (_, at) => ({
    artist: "a", song: `song ${10 + at}`, n: at, map: { deep: [1, { x: true }] }, tags: new Set(["x"]), bytes: new Uint8Array([at]), none: null, flag: false, empty: "" })));
  const page = await visit("Accessible2");
  const check = (what) => checkAccess(page, what);
  const wide = () => page.setViewportSize({ width: 1280, height: 800 });
  await button(row(page, /song 10/), "Unfold map").click();
  await cell(page, /song 10/, "map").getByText("deep").last().click();
  await page.getByRole("checkbox", { name: "Select a, song 12" }).click();
  await cell(page, /song 13/, "n").dblclick();
  await check("the grid");
  await wide();
  await page.getByRole("textbox", { name: "Value of n" }).fill("100");
  await page.keyboard.press("Enter");
  await shown(button(page, "Undo"));
  await gridOf(page).focus();
  await page.keyboard.press("Shift+F10");
  await shown(page.getByRole("menu"));
  assert.deepEqual(await findings(page), [], "a menu, and what was done");
  await page.keyboard.press("Escape");
  await openItem(page, "song 15", "artist");
  await check("the editor");
  await dialog(page).getByLabel("Written as").selectOption("form");
  await check("the form");
  await dialog(page).getByLabel("Written as").selectOption("plain");
  await page.keyboard.press("Escape");
  await gone(dialog(page));
  for (const name of ["Columns", "Export", "Import"]) {
    await button(page, name).click();
    if (name === "Import") await dialog(page).getByLabel("Or text").fill('[{"artist": "a", "song": "b"}, {}]');
    await check(name);
    await page.keyboard.press("Escape");
    await gone(dialog(page));
  }
});
