// Addresses of the page: what they say, and that nothing is lost on the way.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fragmentOf, parseFragment } from "../../../src/page/lib/fragment.js";
import { firstRead, itemOf, newFilter, pairsOfItem, pairsOfRead, readOf } from "../../../src/page/lib/read_query.js";

test("a fragment has a world, parts and a query, whatever is in their names", () => {
  for (const one of [
    { world: "default", parts: [], query: "" },
    { world: "default", parts: ["tables", "a/b?c%d#e"], query: "op=Query" },
    { world: "w", parts: ["tables", "w"], query: "" },
    { world: "my fork", parts: ["streams", "arn:aws:dynamodb:x:0:table/T/stream/1"], query: "a=?&b=/" },
  ]) assert.deepEqual(parseFragment(fragmentOf(one)), one);
});

test("the default world is not named, so that short links stay short", () => {
  assert.equal(fragmentOf({ parts: ["tables", "Music"] }), "#/tables/Music");
  assert.equal(fragmentOf({ world: "fork", parts: ["tables"] }), "#/w/fork/tables");
});

test("fragments that were typed or cut are taken as they are", () => {
  assert.deepEqual(parseFragment("#/%E0%A4%A/%"), { world: "default", parts: ["%E0%A4%A", "%"], query: "" });
  assert.deepEqual(parseFragment("#/w"), { world: "default", parts: ["w"], query: "" });
  assert.deepEqual(parseFragment("tables//Music/"), { world: "default", parts: ["tables", "Music"], query: "" });
});

const through = (read) => readOf(new URLSearchParams(pairsOfRead(read)).toString());

test("a read comes back from its address as it was", () => {
  assert.deepEqual(pairsOfRead(firstRead), []);
  for (const change of [
    {},
    { operation: "Query", index: "by state", partition: "a&b=c d+é\n", descending: true, limit: "7" },
    { operation: "Query", partition: "1", sortComparison: "between", sortFirst: "a", sortSecond: "b", consistent: true },
    { filters: [{ ...newFilter, attribute: "a.b[0]", comparison: ">=", type: "N", first: "6" },
      { ...newFilter, attribute: "", comparison: "between", first: "", second: "z" },
      { ...newFilter, attribute: "limit", comparison: "attribute_exists" }] },
  ]) {
    const read = { ...firstRead, ...change };
    assert.deepEqual(through(read), read);
  }
});

test("an address that says nonsense is a plain scan", () => {
  assert.deepEqual(readOf("op=Drop&is=%3D&value=1&nothing=x&sort=__proto__&order=up&%"), firstRead);
  assert.deepEqual(readOf("filter=a&is=toString").filters, [{ ...newFilter, attribute: "a" }]);
});

test("an item's key comes back from its address with its types", () => {
  for (const key of [
    { artist: { S: "N:x & é\n" }, song: { S: "S:" } }, { "a.b=c": { N: "-1.50" }, b: { B: "AQ+/==" } },
  ]) assert.deepEqual(itemOf(new URLSearchParams(pairsOfItem(key)).toString()), key);
  assert.deepEqual(itemOf("item.artist=typed"), { artist: { S: "typed" } });
  assert.equal(itemOf("op=Query"), undefined);
});
