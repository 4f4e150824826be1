import dinette from "dinette/vitest";

export default { plugins: [dinette()], test: { globalSetup: "./tables.js" } };
