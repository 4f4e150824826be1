// What the page's view of items computes, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ofPage } from "./page_modules.mjs";

const {
  arranged, mostColumns, withHidden, withMoved, withPinned, withWidth, parseCsv, copiedItems, writeItems, canFilterBy,
  filteredBy, forEach, problemOf, readItems, readItem, writeItem, compareNumbers, sorted, itemSize, unitsOf,
  addedPlans, readOn, converted, itemProblem, keysFirst, renamed, isAmbiguous, membersOf, preview, RowHeights,
  rowsInView, scrollHeight, scrollOf,
} = await ofPage(
  "columns", "csv", "export_items", "filter_by_value", "for_each", "import_items", "item_forms", "item_order",
  "item_size", "read_on", "typed_form", "value_types", "virtual_rows",
);

const S = (text) => ({ S: text });
const N = (text) => ({ N: text });
const table = {
  TableName: "Music", ItemCount: 10,
  KeySchema: [{ AttributeName: "artist", KeyType: "HASH" }, { AttributeName: "song", KeyType: "RANGE" }],
  AttributeDefinitions: [{ AttributeName: "artist", AttributeType: "S" }, { AttributeName: "song", AttributeType: "N" }],
};
const key = (artist, song) => ({ artist: S(artist), song: N(song) });

test("a value in one line is bounded, however large or deep it is", () => {
  assert.equal(preview({ M: { a: { L: [N("1"), S("x")] }, b: { SS: ["q"] } } }), '{a: [1, "x"], b: {"q"}}');
  assert.equal(preview(S("x".repeat(1000)), 10), `${"x".repeat(10)}\u2026`);
  let reads = 0;
  const list = new Proxy(Array.from({ length: 100_000 }, () => N("1")), {
    get: (target, name) => (/^\d+$/.test(String(name)) && reads++, target[name]) });
  assert.ok(preview({ L: list }, 20).length <= 21);
  assert.ok(reads < 30, `${reads} of its elements were read`);
});

test("texts that look like other values are told from them", () => {
  for (const text of ["", "12", "-1.5e3", "true", "null", "NULL", " a", "a ", "-"]) assert.ok(isAmbiguous(text), text);
  for (const text of ["a", "12 songs", "truest", "-x"]) assert.ok(!isAmbiguous(text), text);
});

test("members have the type of their set", () => {
  assert.deepEqual(membersOf({ NS: ["1", "2"] }), [[0, N("1")], [1, N("2")]]);
  assert.deepEqual(membersOf({ M: { a: S("b") } }), [["a", S("b")]]);
});

// docs/service/values.md section 6
test("items are as large as DynamoDB counts them", () => {
  const numbers = {
    0: 1, "-0": 1, 1: 2, 12: 2, 123: 3, 1234: 3, 15: 2, "0042": 2, 100: 2, 1010: 3, "0.0000001": 2, "1E125": 2, "1E-100": 2, 1.5: 3, 1.234: 4,
    3.14159: 5, 123456: 4, 100.5: 4, 0.15: 2, "-42": 3, "1.200": 3, "-1": 3, "-12": 3, "00012.3400": 3, "1E+125": 2, "1E-130": 2, "0.0100": 2,
    "12345678901234567890123456789012345678": 20,
  };
  for (const [text, size] of Object.entries(numbers)) assert.equal(itemSize({ n: N(text) }), 1 + size, text);
  const values = [
    [S("\u00e9\u2603"), 5], [{ B: "AAECAwQFBgcICQ==" }, 10], [{ BOOL: true }, 1], [{ NULL: true }, 1], [{ SS: ["\u00e9", "three"] }, 7],
    [{ BS: ["AQI=", "AQID"] }, 5], [{ NS: ["1", "-12", "0.0100"] }, 7], [{ L: [] }, 3], [{ M: {} }, 3],
    [{ L: [N("1"), S("\u00e9"), { NULL: true }] }, 11], [{ M: { n: N("-1"), b: { BOOL: true } } }, 11],
  ];
  for (const [value, size] of values) assert.equal(itemSize({ ab: value }), 2 + size, JSON.stringify(value));
});

test("units are rounded up, as for eventually consistent reads and for writes", () => {
  assert.deepEqual([1024, 1025, 4096, 4097].map((size) => unitsOf(size)),
    [{ read: 0.5, write: 1 }, { read: 0.5, write: 2 }, { read: 0.5, write: 4 }, { read: 1, write: 5 }]);
});

test("numbers are compared by all their digits", () => {
  const ascending = ["-1e5", "-2.5", "-1", "0", "1e-130", "0.5", "9", "10", "10.5", "12345678901234567890123456789012345678", "1e100"];
  for (let at = 1; at < ascending.length; at++) {
    assert.ok(compareNumbers(ascending[at - 1], ascending[at]) < 0, `${ascending[at - 1]} < ${ascending[at]}`);
  }
  assert.ok(compareNumbers("12345678901234567890", "12345678901234567891") < 0);
  assert.equal(compareNumbers("1.0", "1"), 0);
  assert.equal(compareNumbers("100", "1e2"), 0);
  assert.equal(compareNumbers("-0", "0"), 0);
});

test("rows are sorted by type and value, and those that lack the attribute are last in both directions", () => {
  const items = [{ a: S("10") }, {}, { a: N("10") }, { a: N("9") }, { a: S("9") }, { a: { BOOL: true } }];
  const order = (descending) => sorted(items, { name: "a", descending }).map(({ a }) => (a ? Object.values(a)[0] : "absent"));
  assert.deepEqual(order(false), ["9", "10", "10", "9", true, "absent"]);
  assert.deepEqual(order(true), [true, "9", "10", "10", "9", "absent"]);
  const large = ["12345678901234567891", "12345678901234567890"].map((text) => ({ a: N(text) }));
  assert.deepEqual(sorted(large, { name: "a" }), [large[1], large[0]]);
});

const namesOf = (columns) => columns.map(({ name, pinned }) => (pinned ? `[${name}]` : name)).join(" ");

test("columns are the keys, pinned, then the others, until the user has them otherwise", () => {
  const names = ["a", "id", "b", "c"];
  const shown = (kept) => namesOf(arranged(names, ["id"], kept));
  assert.equal(shown({}), "[id] a b c");
  assert.equal(shown(withHidden({}, "b", true)), "[id] a c");
  assert.equal(shown(withHidden(withHidden({}, "b", true), "b", false)), "[id] a b c");
  assert.equal(shown(withPinned({}, ["id"], "c", true)), "[id] [c] a b");
  assert.equal(shown(withPinned({}, ["id"], "id", false)), "id a b c");
  const wide = withWidth(withWidth({}, "a", 100), "b", 200);
  assert.deepEqual(arranged(names, ["id"], wide).map(({ ownWidth }) => ownWidth), [undefined, 100, 200, undefined]);
  assert.deepEqual(withWidth(wide, "a", undefined).widths, { b: 200 });
  const moved = withMoved({}, ["id", "a", "b", "c"], "c", -2);
  assert.equal(shown(moved), "[id] c a b");
  assert.equal(namesOf(arranged([...names, "new"], ["id"], moved)), "[id] c a b new");
  assert.equal(namesOf(arranged(["id", "c"], ["id"], moved)), "[id] c");
  assert.equal(shown(withMoved({}, ["id", "a", "b", "c"], "c", 5)), "[id] a b c");
});

test("of hundreds of attributes only some are columns on their own, and those that were chosen", () => {
  const names = Array.from({ length: 300 }, (_, at) => `n${at}`);
  assert.equal(arranged(names, ["id"], {}).length, mostColumns);
  const columns = arranged(names, ["id"], { order: ["n299", "id"] });
  assert.ok(columns.some(({ name }) => name === "n299"));
  assert.equal(columns.length, mostColumns);
});

test("of many rows those in view are drawn, with some to spare", () => {
  const heights = new RowHeights(1000, 30);
  assert.equal(scrollHeight(heights), 30_000);
  assert.deepEqual(rowsInView(heights, 0, 300, 5), { first: 0, end: 16, shift: 0 });
  assert.deepEqual(rowsInView(heights, 3000, 300, 5), { first: 95, end: 116, shift: 2850 });
  assert.deepEqual(rowsInView(heights, 29_700, 300, 5), { first: 985, end: 1000, shift: 29_550 });
  assert.deepEqual(rowsInView(new RowHeights(0, 30), 0, 300), { first: 0, end: 0, shift: 0 });
});

test("rows that are unfolded are higher, and those below them lower", () => {
  const heights = new RowHeights(100, 30, new Map([[10, 70], [2, 100], [500, 9]]));
  assert.equal(heights.total, 3170);
  assert.deepEqual([0, 2, 3, 10, 11, 100].map((index) => heights.top(index)), [0, 60, 190, 400, 500, 3170]);
  assert.deepEqual([0, 59, 60, 189, 190, 399, 400, 499, 500, 3169, 9999].map((offset) => heights.at(offset)), [0, 1, 2, 2, 3, 9, 10, 10, 11, 99, 99]);
});

test("a list that is higher than browsers draw is scrolled in larger steps, to its very end", () => {
  const heights = new RowHeights(1_000_000, 31);
  const [view, height] = [600, scrollHeight(heights)];
  assert.ok(height < 17_000_000);
  for (const row of [0, 1, 5, 499_999, 999_979]) {
    const scroll = scrollOf(heights, view, heights.top(row));
    const { first, end, shift } = rowsInView(heights, scroll, view);
    assert.ok(first <= row && row < end, `row ${row} is among ${first} to ${end}`);
    const place = shift + heights.top(row) - heights.top(first) - scroll;
    assert.ok(Math.abs(place) < 31, `row ${row} is ${place} pixels from the top`);
  }
  const last = rowsInView(heights, height - view, view);
  assert.equal(last.end, 1_000_000);
  assert.ok(Math.abs(last.shift + heights.top(last.end) - heights.top(last.first) - height) < 1);
});

/** Sends as a table of these items would, of which `matching` pass the filter, in pages of at most `most` items. */
function pages(items, most, matches = () => true) {
  const inputs = [];
  const send = async (input) => {
    inputs.push(input);
    const from = input.ExclusiveStartKey ? input.ExclusiveStartKey.at + 1 : 0;
    const looked = items.slice(from, from + Math.min(most, input.Limit ?? Infinity));
    const last = from + looked.length - 1;
    return {
      output: { Items: looked.filter(matches), ScannedCount: looked.length, ...(last < items.length - 1 ? { LastEvaluatedKey: { at: last } } : {}) },
      plan: { Operation: "Scan", ScannedCount: looked.length, Count: 0, CapacityUnits: 1 }, milliseconds: 1,
    };
  };
  return { send, inputs };
}
const numbered = (count) => Array.from({ length: count }, (_, at) => ({ at }));
async function readAll(options) {
  const found = { items: [], looked: 0, calls: 0 };
  await readOn({
    onPage({ items, looked, next }) {
      found.items.push(...items.map(({ at }) => at));
      found.looked += looked;
      found.next = next;
      found.calls++;
    },
    ...options,
  });
  return found;
}

test("a read without a filter asks for as many as are wanted, over as many pages as that takes", async () => {
  const { send, inputs } = pages(numbered(100), 4);
  const found = await readAll({ send, input: {}, wanted: 10 });
  assert.deepEqual(found.items, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual(inputs.map(({ Limit }) => Limit), [10, 6, 2]);
  assert.deepEqual(found.next, { at: 9 });
});

test("a filter is read on until enough is found, in ever larger steps", async () => {
  const { send, inputs } = pages(numbered(20_000), 9000, ({ at }) => at % 1000 === 999);
  const found = await readAll({ send, input: { FilterExpression: "f" }, wanted: 3 });
  assert.deepEqual(found.items, [999, 1999, 2999, 3999, 4999], "what was paid for is shown");
  assert.deepEqual(inputs.map(({ Limit }) => Limit), [3, 24, 192, 1536, 4212]);
  assert.deepEqual(found.next, { at: 5966 });
  const rest = await readAll({ send, input: { FilterExpression: "f" }, start: found.next, wanted: Infinity });
  assert.equal(rest.items.length, 15);
  assert.equal(rest.next, undefined);
  assert.equal(found.looked + rest.looked, 20_000, "nothing is read twice");
});

test("of what many items match no more is read than is needed", async () => {
  const { send, inputs } = pages(numbered(20_000), 9000, ({ at }) => at % 10 === 0);
  const found = await readAll({ send, input: { FilterExpression: "f" }, wanted: 50 });
  assert.deepEqual(inputs.map(({ Limit }) => Limit), [50, 400, 60]);
  assert.equal(found.items.length, 51);
});

test("reading on is stopped between pages, and goes on from there", async () => {
  const { send } = pages(numbered(100), 10, () => false);
  let calls = 0;
  const found = await readAll({ send, input: { FilterExpression: "f" }, wanted: 5, isStopped: () => ++calls === 2 });
  assert.equal(found.calls, 2);
  const rest = await readAll({ send, input: { FilterExpression: "f" }, start: found.next, wanted: 5 });
  assert.equal(found.looked + rest.looked, 100);
});

test("the plans of pages are one", () => {
  const plan = { Operation: "Scan", TableName: "T", ScannedCount: 2, Count: 1, CapacityUnits: 0.5 };
  assert.deepEqual(addedPlans(addedPlans(null, plan), plan), { ...plan, ScannedCount: 4, Count: 2, CapacityUnits: 1 });
  assert.equal(addedPlans(null, null), null);
});

const scan = { operation: "Scan", index: "", partition: "", sortComparison: "", sortFirst: "", sortSecond: "", filters: [], limit: "50" };

test("a value narrows a read: by a query where it is a key, otherwise by a filter", () => {
  assert.deepEqual(filteredBy(table, scan, "artist", S("a")), { ...scan, operation: "Query", partition: "a" });
  const query = { ...scan, operation: "Query", partition: "a", sortComparison: ">", sortFirst: "1" };
  assert.deepEqual(filteredBy(table, query, "song", N("2")), { ...query, sortComparison: "=", sortFirst: "2" });
  assert.deepEqual(filteredBy(table, query, "artist", S("a")), query);
  assert.equal(filteredBy(table, query, "artist", S("b")).sortComparison, "");
  const once = filteredBy(table, scan, "address.city", S("x"));
  assert.deepEqual(once.filters, [{ attribute: "address.city", comparison: "=", type: "S", first: "x", second: "" }]);
  const twice = filteredBy(table, filteredBy(table, once, "live", { BOOL: true }), "address.city", S("y"));
  assert.deepEqual(twice.filters.map(({ attribute, type, first }) => [attribute, type, first]), [["live", "BOOL", "true"], ["address.city", "S", "y"]]);
  assert.ok(!canFilterBy({ L: [] }) && !canFilterBy(undefined) && canFilterBy({ NULL: true }));
});

test("when the work for one element fails, no other is begun, and those that were are waited for", async () => {
  const begun = [];
  const ended = [];
  const work = async (at) => {
    begun.push(at);
    await Promise.resolve();
    if (at === 3) throw new Error("three");
    ended.push(at);
  };
  await assert.rejects(forEach(Array.from({ length: 1000 }, (_, at) => at), work), /three/);
  assert.ok(begun.length < 30, `${begun.length} were begun`);
  assert.equal(ended.length, begun.length - 1);
  let done;
  await forEach([1, 2, 5], async () => {}, (count) => { done = count; });
  assert.equal(done, 3);
});

const every = {
  ...key("a", "1.50"), big: N("12345678901234567890"), flag: { BOOL: false }, none: { NULL: true }, bytes: { B: "AQ==" }, empty: S(""),
  tags: { SS: ["x", "y"] }, numbers: { NS: ["1", "12345678901234567890"] }, blobs: { BS: ["AQ=="] }, list: { L: [N("1"), { M: { a: S("b") } }] }, map: { M: {} },
};

test("what is exported as JSON is what is imported, in every type and digit", () => {
  for (const format of ["json", "dynamodb"]) {
    const items = [every, key("b", "2")];
    assert.deepEqual(readItems(writeItems(format, items), table), { items, problems: [] }, format);
    assert.deepEqual(readItems(writeItems(format, []), table).items, [], format);
  }
  assert.deepEqual(readItems(copiedItems([every]), table).items, [every]);
});

test("CSV keeps texts and numbers, with whatever is in them", () => {
  const items = [{ ...key("a,\"b\"\r\n", "1"), note: S(" x ") }, key("c", "12345678901234567890")];
  const text = writeItems("csv", items, ["artist", "song", "note"]);
  assert.equal(text, 'artist,song,note\r\n"a,""b""\r\n",1," x "\r\nc,12345678901234567890,\r\n');
  assert.deepEqual(readItems(text, table), { items, problems: [] });
  assert.equal(writeItems("csv", [{ a: { SS: ["x"] }, b: { M: { c: N("1") } } }], ["a", "b"]), 'a,b\r\n"[""x""]","{""c"":1}"\r\n');
});

test("rows of CSV are separated by what separates their names", () => {
  assert.deepEqual(parseCsv("\ufeffa;b\n1;2,3\n\n;\n"), [["a", "b"], ["1", "2,3"], ["", ""]]);
  assert.deepEqual(parseCsv("a\tb\r\n1\t"), [["a", "b"], ["1", ""]]);
  assert.deepEqual(parseCsv('a,b\n"x\ny",'), [["a", "b"], ["x\ny", ""]]);
  assert.throws(() => parseCsv('a,b\n1,"x'), /Row 2: a quotation mark is not closed/);
  assert.deepEqual(parseCsv(""), []);
  assert.deepEqual(parseCsv('"'.repeat(2)), []);
});

test("responses of Scan, lines and single items are imported too", () => {
  const one = key("a", "1");
  for (const text of [
    JSON.stringify({ Items: [one], Count: 1 }), JSON.stringify(one), '{"artist": "a", "song": 1}', JSON.stringify([{ Item: one }]),
    '{"artist": {"S": "a"}, "song": {"N": 1}}']) assert.deepEqual(readItems(text, table).items, [one], text);
  assert.deepEqual(readItems('{"artist": "a", "song": 1}\n\n{"artist": "b", "song": 1}\n', table).items.length, 2);
});

test("what cannot be imported is named, and the rest is kept", () => {
  const text = JSON.stringify([{ artist: "a", song: 1 }, { artist: "a" }, { artist: "b", song: "1" }, { artist: "a", song: 1 }, 5]);
  const { items, problems } = readItems(text, table);
  assert.deepEqual(items, [key("a", "1")]);
  assert.deepEqual(problems, [
    "Item 2: The key song is missing.", "Item 3: The key song is a string, not a number.", "Item 4: Another one before it has the same key.",
    "Item 5: An item is an object: {...}"]);
  assert.deepEqual(readItems('{"artist":\n }', table).problems, ["Line 2, column 2: value expected"]);
  assert.deepEqual(readItems('{"artist": "a", "song": 1}\n{"artist"', table).problems, ["Line 2: column 10: colon expected"]);
  assert.deepEqual(readItems("  \n", table), { items: [], problems: [] });
  assert.match(problemOf({ ...key("a", "1"), x: S("x".repeat(409_600)) }, table), /It has 4096\d\d bytes/);
});

test("texts that would exhaust the page are refused", () => {
  for (const text of [`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`, `${"[".repeat(100_000)}`, '"'.repeat(99_999), `[${"[".repeat(5000)}${"]".repeat(5000)}]`]) {
    const { items, problems } = readItems(text, table);
    assert.deepEqual([items.length, problems.length], [0, 1], problems[0]);
    assert.doesNotMatch(problems[0], /stack/);
    assert.ok(readItem(text, "plain").problem);
  }
  const nested = (levels) => JSON.stringify({ artist: "a", song: 1 }).replace("}", `, "x": ${"[".repeat(levels)}${"]".repeat(levels)}}`);
  assert.equal(readItems(nested(32), table).items.length, 1);
  assert.deepEqual(readItems(nested(70), table).problems, ["Item 1: It is nested deeper than 32 levels."]);
});

const seed = Number(process.env.DINETTE_TEST_SEED ?? Date.now() % 1_000_000);
/** Returns a function that returns numbers from 0 to below its argument. */
function chance() {
  let state = seed;
  return (limit) => (state = (state * 48_271 + 11) % 2_147_483_647) % limit;
}

test("whatever a text is, its items can be written, and what is wrong is said in our words", () => {
  const below = chance();
  const pieces = ["{", "}", "[", "]", ",", ":", " ", "\n", '"', '"a"', '"artist":', '"song":', '"S":', '"N":', '"NULL":', '"NS":', '"L":', '"M":',
    '"BOOL":', '"B":', '"$number":', '"$map":', '"$stringSet":', '"$numberSet":', '"Item":', '"Items":', "1", "-1.5e3", "123456789012345678901",
    "true", "null", '"x"', "\ufeff", "\u0000", "a,b", "\u00e9"];
  const whole = ['{"artist":"a","song":1}', '{"artist":{"S":"a"},"song":{"N":"1"},"x":{"L":[{"NS":["1"]},{"M":{"k":{"BOOL":true}}}]}}',
    '{"artist":"a","song":1,"x":{"$map":{"$number":"1"}},"y":{"$binary":"YQ=="}}', "artist,song\na,1\n", '[{"artist":"a","song":1}]'];
  const mutated = (text) => {
    const at = below(text.length);
    return text.slice(0, at) + pieces[below(pieces.length)] + text.slice(at + below(6));
  };
  for (let round = 0; round < 5000; round++) {
    const text = round % 2 ? mutated(mutated(whole[below(whole.length)])) : Array.from({ length: below(20) }, () => pieces[below(pieces.length)]).join("");
    const note = `seed ${seed}: ${text}`;
    const { items, problems } = readItems(text, table);
    for (const problem of problems) assert.doesNotMatch(problem, /is not a function|undefined|Cannot|iterable|Unexpected|stack/, note);
    if (items.length) assert.deepEqual(readItems(writeItems("dynamodb", items), table), { items, problems: [] }, note);
  }
});

test("rows of any texts are read from CSV as they were written", () => {
  const below = chance();
  const pieces = ["a", '"', ",", "\n", "\r", ";", " ", "\t", "\u00e9", '""'];
  const text = () => Array.from({ length: below(5) }, () => pieces[below(pieces.length)]).join("");
  for (let round = 0; round < 300; round++) {
    const names = ["first", "second", "third"].slice(0, 2 + below(2));
    const rows = Array.from({ length: 1 + below(4) }, () => names.map(() => S(text())));
    const items = rows.map((row) => Object.fromEntries(row.map((value, at) => [names[at], value])));
    const read = parseCsv(writeItems("csv", items, names));
    assert.deepEqual(read, [names, ...rows.map((row) => row.map((value) => value.S))], `seed ${seed}`);
    try {
      parseCsv(text() + text() + text());  // ends, whatever the text is
    } catch (error) {
      assert.match(error.message, /not closed/);
    }
  }
});

test("an item is written in both forms, and what is wrong with it is said", () => {
  for (const form of ["plain", "dynamodb"]) assert.deepEqual(readItem(writeItem(every, form), form), { item: every });
  assert.deepEqual(readItem("{", "plain").problem, "Line 1, column 2: close brace expected");
  assert.match(readItem('{"a": 1}', "dynamodb").problem, /^a has no type/);
  assert.match(readItem('{"a": {"N": "x"}}', "dynamodb").problem, /^a: "x" is not a number/);
  assert.match(readItem('{"a": {"b": {"$stringSet": []}}}', "plain").problem, /^a\.b: A string set has one element at least/);
});

test("a value that gets another type keeps what that type can hold", () => {
  const cases = [
    [S("12"), "N", N("12")], [S("x"), "N", N("0")], [N("1.50"), "S", S("1.50")], [{ BOOL: true }, "S", S("true")], [S("true"), "BOOL", { BOOL: true }],
    [S("a"), "SS", { SS: ["a"] }], [{ SS: ["1", "2"] }, "NS", { NS: ["1", "2"] }], [{ SS: ["a"] }, "L", { L: [S("a")] }], [N("1"), "L", { L: [N("1")] }],
    [{ M: { a: N("1") } }, "S", S('{"a":1}')], [{ NULL: true }, "S", S("")], [S("a"), "M", { M: {} }], [S("a"), "S", S("a")],
  ];
  for (const [from, type, to] of cases) assert.deepEqual(converted(from, type), to, `${JSON.stringify(from)} as ${type}`);
});

test("a form finds what is wrong anywhere in an item", () => {
  assert.equal(itemProblem(every), undefined);
  assert.deepEqual(itemProblem({ a: { L: [{ M: { b: N("1,5") } }] } }), { path: "a.0.b", problem: '"1,5" is not a number.' });
  assert.equal(itemProblem({ a: { NS: ["1", "1"] } }).problem, "A number set has each element once.");
  assert.equal(itemProblem({ a: { B: "?" } }).problem, "Bytes are written in base64.");
});

test("a member is renamed at its place, and never over another", () => {
  assert.deepEqual(Object.keys(renamed({ a: 1, b: 2, c: 3 }, "b", "x")), ["a", "x", "c"]);
  assert.equal(renamed({ a: 1, b: 2 }, "a", "b"), undefined);
  assert.deepEqual(Object.keys(keysFirst({ b: 1, song: 2, artist: 3 }, ["artist", "song", "none"])), ["artist", "song", "b"]);
});
