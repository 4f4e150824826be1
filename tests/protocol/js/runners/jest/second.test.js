const { world } = require("dinette/test-file");
const { checkOwnWorld } = require("./own_world.cjs");

test("this file has a world of its own", () => checkOwnWorld(world, "second", "first", 2040));
