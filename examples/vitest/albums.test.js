import { expect, test } from "vitest";
import { play, plays } from "./albums.js";

test("plays are counted", async () => {
  await play("Nina Simone");
  await play("Nina Simone");
  expect(await plays("Nina Simone")).toBe(2);
  expect(await plays("Fela Kuti")).toBe(0);
});
