// What leads through the page, as far as it needs no browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { betterRead, betterStatement, wasteOf, withKeysOfFilters } from "../../../src/page/lib/advice.js";
import { count, duration, moment, writeTimesIn } from "../../../src/page/lib/format.js";
import { keptOf, withKept, withoutKept } from "../../../src/page/lib/kept_reads.js";
import { attributesOf, noteAttributes } from "../../../src/page/lib/known_attributes.js";
import { keyedKept, keyOfWords, keyWords } from "../../../src/page/lib/palette_entries.js";
import { completed, completionsOf, tableOf } from "../../../src/page/lib/partiql_completion.js";
import { firstRead, newFilter } from "../../../src/page/lib/read_query.js";
import { readText } from "../../../src/page/lib/read_text.js";
import { definitionOf } from "../../../src/page/lib/table_definition.js";
import { found, groupsOf } from "../../../src/page/lib/table_groups.js";

const numbered = (prefix, count) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

test("few tables are in no group, many in those of their first parts", () => {
  assert.deepEqual(groupsOf([]), []);
  assert.deepEqual(groupsOf(["a-1", "a-2", "a-3"]), [{ prefix: "", names: ["a-1", "a-2", "a-3"] }]);
  const names = [...numbered("shop-", 8), ...numbered("users_", 4), "x-1", "y"].sort();
  assert.deepEqual(groupsOf(names).map(({ prefix, names: own }) => [prefix, own.length]), [["shop-", 8], ["users_", 4], ["", 2]]);
});

test("what all tables begin with makes no group, and a large group is divided", () => {
  const acme = ["a", "b", "c"].flatMap((area) => numbered(`acme-dev-${area}-`, 15)).sort();
  assert.deepEqual(groupsOf(acme).map(({ prefix }) => prefix), ["acme-dev-a-", "acme-dev-b-", "acme-dev-c-"]);
  assert.deepEqual(groupsOf(["Music", ...acme]).map(({ prefix }) => prefix), ["acme-dev-a-", "acme-dev-b-", "acme-dev-c-", ""]);
  const flat = numbered("table-", 200).sort();
  assert.deepEqual(groupsOf(flat).flatMap(({ names }) => names).sort(), flat);
});

test("every table is in one group", () => {
  const names = [...numbered("a-b-", 40), ...numbered("a-c.", 2), "a", "a-", "-", "..", "b_b_b"].sort();
  assert.deepEqual(groupsOf(names).flatMap(({ names: own }) => own).sort(), names);
});

test("tables are found by words in any order, those that begin so first", () => {
  assert.deepEqual(found(["shop-orders", "orders-old", "Orders", "users"], "ord"), ["orders-old", "Orders", "shop-orders"]);
  assert.deepEqual(found(["shop-orders-eu", "shop-carts"], "eu shop"), ["shop-orders-eu"]);
});

const kept = (query, more) => ({ world: "default", table: "T", query, ...more });

test("the newest of recent queries stay, and all that were saved", () => {
  let list = [];
  for (let at = 0; at < 30; at++) list = withKept(list, kept(`limit=${at}`));
  list = withKept(list, kept("limit=3", { name: "three" }));
  list = withKept(list, kept("limit=1", { world: "fork" }));
  for (let at = 30; at < 50; at++) list = withKept(list, kept(`limit=${at}`));
  const { saved, recent } = keptOf(list, "default", "T");
  assert.deepEqual(saved.map(({ name }) => name), ["three"]);
  assert.deepEqual(recent.map(({ query }) => query), Array.from({ length: 20 }, (_, at) => `limit=${49 - at}`));
  assert.equal(keptOf(list, "fork", "T").recent.length, 1);
  assert.deepEqual(keptOf(withoutKept(list, kept("limit=3", { name: "three" })), "default", "T").saved, []);
});

test("a query that is run again moves to the front, and is not there twice", () => {
  const list = ["a", "b", "a"].reduce((all, query) => withKept(all, kept(query)), []);
  assert.deepEqual(list.map(({ query }) => query), ["a", "b"]);
});

test("kept queries of a world lead to it", () => {
  const list = [kept("op=Query&partition=x", { world: "my fork" }), kept("limit=2", { world: "my fork", name: "two" }), kept("limit=3")];
  assert.deepEqual(keyedKept(list, [], "my fork").map(({ name, link }) => [name, link]), [
    ["T: two", "#/w/my%20fork/tables/T?limit=2"], ['T: Query where key = "x"', "#/w/my%20fork/tables/T?op=Query&partition=x"]]);
});

test("a read is said in words", () => {
  assert.equal(readText(firstRead), "Scan");
  const read = {
    ...firstRead, operation: "Query", index: "byYear", partition: "1961", sortComparison: "between", sortFirst: "a", sortSecond: "b",
    descending: true, filters: [{ ...newFilter, attribute: "gone", comparison: "attribute_not_exists" }],
  };
  assert.equal(readText(read, { partition: "year", sort: "artist" }),
    'Query byYear where year = 1961, artist between "a" and "b", gone does not exist, descending');
});

const schema = (...names) => names.map((AttributeName, at) => ({ AttributeName, KeyType: at ? "RANGE" : "HASH" }));
const table = {
  TableName: "Music", KeySchema: schema("artist", "song"),
  AttributeDefinitions: ["artist", "song", "year", "label"].map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
  GlobalSecondaryIndexes: [{ IndexName: "byYear", KeySchema: schema("year") }, { IndexName: "byYearAndLabel", KeySchema: schema("year", "label") }],
  LocalSecondaryIndexes: [{ IndexName: "ofArtist", KeySchema: schema("artist", "year") }],
};

test("words after a table's name are a key", () => {
  assert.deepEqual(keyWords(["Music", "Other"], ' Music  a "b c" '), { name: "Music", words: ["a", "b c"] });
  assert.equal(keyWords(["Music"], "Music "), undefined);
  assert.equal(keyWords(["Music"], "music a"), undefined);
  assert.deepEqual(keyOfWords(table, ["Bill", "Evans", "x"]), { item: { artist: { S: "Bill Evans" }, song: { S: "x" } } });
  assert.deepEqual(keyOfWords(table, ["Bill"]), { partition: "Bill" });
  assert.deepEqual(keyOfWords({ ...table, KeySchema: schema("year") }, ["19", "61"]), { item: { year: { S: "19 61" } } });
});

const where = (...pairs) => pairs.map(([attribute, first, comparison = "="]) => ({ ...newFilter, attribute, first, comparison }));

test("a Scan that could be a Query is said, with the Query", () => {
  assert.deepEqual(betterRead(table, { ...firstRead, filters: where(["plays", "1"], ["artist", "a"]) }).read,
    { ...firstRead, operation: "Query", partition: "a", filters: where(["plays", "1"]) });
  assert.deepEqual(betterRead(table, { ...firstRead, filters: where(["year", "1961"], ["label", "x"]) }).read,
    { ...firstRead, operation: "Query", index: "byYearAndLabel", partition: "1961", sortComparison: "=", sortFirst: "x", filters: [] });
  assert.equal(betterRead(table, { ...firstRead, filters: where(["artist", "a", ">"], ["plays", "1"]) }), undefined);
  assert.equal(betterRead(table, firstRead), undefined);
});

test("what a filter says of the keys of a Query becomes its key condition, unless that is there", () => {
  const query = { ...firstRead, operation: "Query", filters: where(["artist", "a"], ["song", "s"], ["plays", "1"]) };
  assert.deepEqual(withKeysOfFilters(table, query),
    { ...query, partition: "a", sortComparison: "=", sortFirst: "s", filters: where(["plays", "1"]) });
  const asked = { ...query, partition: "b", sortComparison: ">", sortFirst: "c" };
  assert.deepEqual(withKeysOfFilters(table, asked), asked);
  assert.deepEqual(withKeysOfFilters(table, { ...query, operation: "Scan" }).filters.length, 3);
  assert.deepEqual(withKeysOfFilters(table, { ...query, filters: where(["artist", "a", ">"]) }).filters.length, 1);
});

test("an index that has the filter in its key is said", () => {
  const read = { ...firstRead, operation: "Query", partition: "a" };
  assert.deepEqual(betterRead(table, { ...read, filters: where(["year", "1961"]) }).read,
    { ...read, index: "ofArtist", sortComparison: "=", sortFirst: "1961", filters: [] });
  assert.deepEqual(betterRead(table, { ...read, filters: where(["song", "s"]) }).read,
    { ...read, sortComparison: "=", sortFirst: "s", filters: [] });
  assert.equal(betterRead(table, { ...read, sortComparison: "=", filters: where(["year", "1961"]) }), undefined);
  assert.equal(betterRead(table, { ...read, filters: where(["plays", "1"]) }), undefined);
});

test("a statement that reads everything is told of the index, whatever is in its strings", () => {
  const scan = { Operation: "Scan", TableName: "Music" };
  assert.match(betterStatement(table, `SELECT * FROM Music WHERE year = '1' AND plays > 1`, scan), /"Music"\."byYear"/);
  assert.match(betterStatement(table, `SELECT * FROM Music WHERE "artist" = 'x'`, scan), /FROM "Music" would/);
  assert.equal(betterStatement(table, `SELECT * FROM Music WHERE plays = 'year = 1'`, scan), undefined);
  assert.equal(betterStatement(table, `SELECT * FROM Music WHERE year = '1'`, { ...scan, Operation: "Query" }), undefined);
  assert.equal(betterStatement(table, "SELECT * FROM Music", null), undefined);
});

test("a filter that throws most away is said, if it is worth it", () => {
  assert.match(wasteOf({ ScannedCount: 2000, Count: 3 }), /Of 2,000 items .* left 3/);
  assert.equal(wasteOf({ ScannedCount: 5, Count: 0 }), undefined);
  assert.equal(wasteOf({ ScannedCount: 2000, Count: 1000 }), undefined);
  assert.equal(wasteOf(null), undefined);
});

const known = { tables: ["Music", "shop-orders"], indexes: ["byYear"], attributes: ["artist", "a b", "song", "'so-called"] };
/** `|` is the cursor. */
const offered = (text) => {
  const { from, options } = completionsOf(text.replace("|", ""), text.indexOf("|"), known);
  return { from, texts: options.map((one) => one.text) };
};
const after = (text, at = 0) => {
  const plain = text.replace("|", "");
  const cursor = text.indexOf("|");
  const { from, options } = completionsOf(plain, cursor, known);
  const done = completed(plain, cursor, from, options[at]);
  return `${done.text.slice(0, done.cursor)}|${done.text.slice(done.cursor)}`;
};

test("a statement is completed by what can be there", () => {
  assert.deepEqual(offered("|").texts, ["SELECT * FROM", "INSERT INTO", "UPDATE", "DELETE FROM"]);
  assert.deepEqual(offered("SELECT * FROM |").texts, ['"Music"', '"shop-orders"']);
  assert.deepEqual(offered("select * from mu|"), { from: 14, texts: ['"Music"'] });
  assert.deepEqual(offered('SELECT * FROM "Music".|').texts, ['"byYear"']);
  assert.deepEqual(offered('SELECT * FROM "Music" WHERE ar|').texts, ["artist"]);
  assert.deepEqual(offered('SELECT * FROM "Music" WHERE "a|').texts.slice(0, 2), ["artist", '"a b"']);
  assert.ok(offered("SELECT * FROM Music WHERE begins|").texts.includes("begins_with("));
  assert.deepEqual(offered("SELECT * FROM Music WHERE artist = 'so|").texts, []);
  assert.deepEqual(offered("SELECT * FROM Music WHERE artist = 'it''s' AND son|").texts, ["song"]);
});

test("what is taken replaces the word, and what follows stays", () => {
  assert.equal(after("SELECT * FROM mu|"), 'SELECT * FROM "Music" |');
  assert.equal(after('SELECT * FROM "mu|" WHERE x'), 'SELECT * FROM "Music" |WHERE x');
  assert.equal(after("SELECT * FROM Music WHERE beg|"), "SELECT * FROM Music WHERE begins_with(|");
  assert.equal(after("SELECT * FROM Music WHERE art| = 1"), "SELECT * FROM Music WHERE artist |= 1");
});

test("the table of a statement is found", () => {
  for (const [statement, name] of [
    ['SELECT * FROM "a""b".idx', 'a"b'], ["update Music set x = 1", "Music"], ["INSERT INTO \"shop-orders\" VALUE {}", "shop-orders"],
    ["SELECT * FROM Music.byYear", "Music"], ["SELECT", undefined]]) assert.equal(tableOf(statement), name);
});

test("attributes that were read are known, keys first", () => {
  noteAttributes("Music", [{ plays: 1, artist: 2 }, { tags: 3 }]);
  noteAttributes(undefined, [{ x: 1 }]);
  assert.deepEqual(attributesOf("Music", table), ["artist", "song", "year", "label", "plays", "tags"]);
  assert.deepEqual(attributesOf("Other"), []);
});

test("numbers have commas, as Intl writes them", () => {
  const intl = new Intl.NumberFormat("en");
  for (const number of [0, 7, 999, 1000, 12345, 123456, 1234567, -1, -999, -1000, 2 ** 53, 0.5, 1234.5678, 1e21, NaN]) {
    assert.equal(count(number), intl.format(number));
  }
});

test("times say their zone", () => {
  const at = Date.UTC(2026, 0, 31, 8, 15);
  assert.equal(moment(at), "2026-01-31 08:15:00 UTC");
  writeTimesIn(() => "local");
  const minutes = -new Date(at).getTimezoneOffset();
  assert.equal(Date.parse(moment(at).replace(" ", "T").replace(" ", "")), at);
  assert.match(moment(at), minutes < 0 ? /-\d\d:\d\d$/ : /\+\d\d:\d\d$/);
  writeTimesIn(() => "utc");
  assert.deepEqual([0.1391, 13.46, 2150.2].map(duration), ["0.14 ms", "13.5 ms", "2,150 ms"]);
});

test("a table's description becomes the request that makes such a table", () => {
  const described = {
    ...table, ItemCount: 3, TableArn: "arn", BillingModeSummary: { BillingMode: "PAY_PER_REQUEST" },
    StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" }, DeletionProtectionEnabled: true,
    GlobalSecondaryIndexes: [{ ...table.GlobalSecondaryIndexes[0], IndexStatus: "ACTIVE", Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["a"] } }],
    LocalSecondaryIndexes: undefined,
  };
  assert.deepEqual(definitionOf(described), {
    TableName: "Music", KeySchema: table.KeySchema, AttributeDefinitions: table.AttributeDefinitions, BillingMode: "PAY_PER_REQUEST",
    GlobalSecondaryIndexes: [{
      IndexName: "byYear", KeySchema: schema("year"), Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: ["a"] } }],
    StreamSpecification: { StreamEnabled: true, StreamViewType: "KEYS_ONLY" }, DeletionProtectionEnabled: true,
  });
  const throughput = { ReadCapacityUnits: 7, WriteCapacityUnits: 0, NumberOfDecreasesToday: 1 };
  assert.deepEqual(definitionOf({ ...table, GlobalSecondaryIndexes: [], ProvisionedThroughput: throughput }).ProvisionedThroughput,
    { ReadCapacityUnits: 7, WriteCapacityUnits: 1 });
});
