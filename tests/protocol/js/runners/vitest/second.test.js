import { world } from "dinette/test-file";
import { checkOwnWorld } from "./own_world.cjs";

test("this file has a world of its own", () => checkOwnWorld(world, "second", "first", 2040));
