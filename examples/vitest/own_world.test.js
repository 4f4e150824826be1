import { world } from "dinette/test-file";
import { expect, test } from "vitest";
import { plays } from "./albums.js";

test("what another test file writes is not in the world of this one", async () => {
  expect(await plays("Nina Simone")).toBe(0);
});

test("the clock of this file's world is moved", async () => {
  await world.clock.set("2030-01-01T00:00:00Z");
  expect((await world.clock.advance("PT25H")).now).toMatch(/^2030-01-02T01/);
});
