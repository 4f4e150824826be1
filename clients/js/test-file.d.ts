import type { World } from "./index.js";

/** The world of this test file. It exists from before the first test until after the last. */
export const world: World;
