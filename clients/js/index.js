export { DinetteError, World, connect, start } from "./index.cjs";
