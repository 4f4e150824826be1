// What the page makes of Tablestore and Keyspaces, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ofPage } from "./page_modules.mjs";

const tablestore = await ofPage("tablestore");
const cql = await ofPage("cql");

const music = {
  name: "music", key: [{ name: "artist", type: "STRING" }, { name: "number", type: "INTEGER", autoIncrement: true }],
  indexes: [{ name: "by_label", kind: "GLOBAL", key: [{ name: "label", type: "STRING" }], attributes: [] }],
};
const instances = [{ name: "inst", tables: [music] }];
const range = (members) => ({ begin: [], end: [], direction: "forward", versions: "", from: "", until: "", ...members });

test("a table or an index is found by its instance and its name", () => {
  const { targetOf } = tablestore;
  assert.equal(targetOf(instances, "inst", "music").table, music);
  assert.equal(targetOf(instances, "inst", "music").index, undefined);
  assert.deepEqual(targetOf(instances, "inst", "by_label"), { name: "by_label", key: music.indexes[0].key, table: music, index: music.indexes[0] });
  assert.equal(targetOf(instances, "inst", "other"), undefined);
  assert.equal(targetOf(instances, "other", "music"), undefined);
  assert.equal(targetOf(instances), undefined);
});

test("keys, times to live and versions are said in words", () => {
  assert.equal(tablestore.keyText(music.key), "artist STRING; number INTEGER, numbered");
  assert.equal(tablestore.timeToLiveText(-1), "none");
  assert.equal(tablestore.timeToLiveText(86_400), "86,400 seconds");
  assert.equal(tablestore.versionText(1_769_847_300_250), "2026-01-31 08:15:00.250");
  assert.equal(tablestore.versionText(8.64e15 + 2), "8640000000000002");
});

test("a range is the same in the address and in the form", () => {
  const { pairsOf, rangeOf } = tablestore;
  for (const one of [range(), range({ begin: ["a b", "1"], end: ["a&b"], direction: "backward", versions: "3", from: "5", until: "7" })])
    assert.deepEqual(rangeOf(new URLSearchParams(pairsOf(one)).toString()), one);
  assert.deepEqual(pairsOf(range({ begin: ["a", ""], end: ["", ""] })), [["begin", "a"]]);
});

test("a value needs those of the columns before it", () => {
  const { problemOf } = tablestore;
  assert.equal(problemOf(range()), undefined);
  assert.equal(problemOf(range({ begin: ["a", ""], end: ["a", "1"] })), undefined);
  assert.match(problemOf(range({ begin: ["", "1"] })), /columns before it/);
  assert.match(problemOf(range({ end: ["", "1"] })), /columns before it/);
});

test("rows are read by the parameters of the range", () => {
  const asked = (...of) => Object.fromEntries(new URLSearchParams(tablestore.pathOf("inst", "music", ...of).split("?")[1]));
  assert.deepEqual(asked(range()), { instance: "inst", table: "music", direction: "forward" });
  assert.deepEqual(asked(range({ begin: ['a "b"', "7", ""], direction: "backward", versions: "2", from: "5", until: "7" }), "/w=="), {
    instance: "inst", table: "music", direction: "backward", begin: '["a \\"b\\"","7"]', maxVersions: "2", from: "5", until: "7", next: "/w==" });
});

test("rows have a column per attribute, with its versions in their order", () => {
  const { columnsOf, versionsOf } = tablestore;
  const cell = (name, version) => ({ name, version, type: "INTEGER", value: "1" });
  const rows = [{ key: [], cells: [cell("b", 2), cell("b", 1)] }, { key: [], cells: [cell("a", 1)] }];
  assert.deepEqual(columnsOf(rows), ["a", "b"]);
  assert.deepEqual(versionsOf(rows[0], "b").map(({ version }) => version), [2, 1]);
  assert.deepEqual(versionsOf(rows[1], "b"), []);
});

test("texts are in quotes and long values are cut", () => {
  const { valueText } = tablestore;
  assert.equal(valueText({ type: "STRING", value: '1 "a"\n' }), '"1 \\"a\\"\\n"');
  assert.equal(valueText({ type: "INTEGER", value: "9223372036854775807" }), "9223372036854775807");
  assert.equal(valueText({ type: "BINARY", value: "A".repeat(1000) }).length, 503);
});

test("names that need quotes get them", () => {
  const { quoted, selectAll } = cql;
  assert.deepEqual(["orders", "Orders", "order", "a-b", 'a"b', "_a", "a1"].map(quoted),
                   ["orders", '"Orders"', '"order"', '"a-b"', '"a""b"', '"_a"', "a1"]);
  assert.equal(selectAll("shop", "Orders"), 'SELECT * FROM shop."Orders"');
});

test("a primary key is written as in CREATE TABLE", () => {
  const column = (name, kind) => ({ name, kind, type: "int" });
  assert.equal(cql.keyText({ columns: [column("a", "partition_key"), column("b", "partition_key"), column("c", "clustering"), column("d", "regular")] }),
               "(a, b), c");
});

test("an error points to its place, also after characters of two units and tabs", () => {
  const { pointer, offsetOf } = cql;
  const statement = "SELECT '\u{1F600}',\n\tFRM k.t";
  assert.deepEqual(pointer(statement, { line: 2, column: 1 }), { source: "\tFRM k.t", mark: "\t^" });
  assert.equal(statement.slice(offsetOf(statement, { line: 2, column: 1 })), "FRM k.t");
  assert.deepEqual(pointer(statement, { line: 1, column: 10 }), { source: "SELECT '\u{1F600}',", mark: `${" ".repeat(10)}^` });
  assert.equal(statement[offsetOf(statement, { line: 1, column: 10 })], ",");
  assert.equal(pointer(statement, {}), undefined);
  assert.equal(pointer(statement, { line: 3, column: 0 }), undefined);
});

test("links run what reads, and say the statement and its keyspace", () => {
  const { isReading, queryOf, statementOf } = cql;
  assert.deepEqual([" select 1", "INSERT", "selected", "BEGIN BATCH"].map(isReading), [true, false, false, false]);
  assert.deepEqual(statementOf(queryOf("SELECT 'a&b'", "shop")), { statement: "SELECT 'a&b'", keyspace: "shop" });
  assert.equal(queryOf("USE shop", ""), "statement=USE+shop");
});
