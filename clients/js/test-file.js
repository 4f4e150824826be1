export { world } from "./test-file.cjs";
