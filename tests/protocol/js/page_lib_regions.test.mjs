// What the page makes of regions, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ofPage } from "./page_modules.mjs";

const { bent, linksOf, places, regionsOf, withLink, withSkew } = await ofPage("regions");

const east = "us-east-1", west = "us-west-2", ireland = "eu-west-1";
const state = {
  cut: [{ from: east, to: ireland }], skews: { "ap-east-2": 5 },
  replication: [
    { table: "A", from: east, to: ireland, pending: 2, secondsBehind: 3.5 },
    { table: "B", from: east, to: ireland, pending: 1, secondsBehind: 9 },
    { table: "A", from: ireland, to: east, pending: 0 }],
};

test("regions are those of replicas, of links and of clocks", () => {
  assert.deepEqual(regionsOf(state), ["ap-east-2", ireland, east]);
  assert.deepEqual(regionsOf({ cut: [], skews: {}, replication: [] }), []);
});

test("a link has what waits of all tables, and the age of the oldest of it", () => {
  assert.deepEqual(linksOf(state), [
    { from: east, to: ireland, pending: 3, behind: 9, cut: true },
    { from: ireland, to: east, pending: 0, behind: 0, cut: false }]);
});

test("one link is cut or healed, and the others stay as they are", () => {
  const back = { from: ireland, to: east };
  assert.deepEqual(withLink(state.cut, back, true), [...state.cut, back]);
  assert.deepEqual(withLink([...state.cut, back], back, false), state.cut);
  assert.deepEqual(withLink(state.cut, state.cut[0], true), state.cut);
});

test("a clock that is set right is none that is wrong", () => {
  assert.deepEqual(withSkew({ [west]: 5 }, east, -3), { [west]: 5, [east]: -3 });
  assert.deepEqual(withSkew({ [west]: 5 }, west, 0), {});
});

test("places do not lie on one another, and the ways between two differ by direction", () => {
  const at = places([east, west, ireland], 720, 340);
  assert.equal(new Set([...at.values()].map(({ x, y }) => `${x} ${y}`)).size, 3);
  const box = { width: 130, height: 44 };
  const there = bent(at.get(east), at.get(west), box, 30), back = bent(at.get(west), at.get(east), box, 30);
  assert.ok(Math.hypot(there.middle.x - back.middle.x, there.middle.y - back.middle.y) > 30);
  assert.equal(bent({ x: 0, y: 0 }, { x: 0, y: 200 }, box, 0).path, "M0.0 30.0Q0.0 100.0 0.0 170.0");
  assert.match(there.path, /^M[-\d.]+ [-\d.]+Q[-\d.]+ [-\d.]+ [-\d.]+ [-\d.]+$/);
});
