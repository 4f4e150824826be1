// As users of clients/js write it. Two workers: the files wait for each other, also on one processor.
module.exports = {
  globalSetup: "./global_setup.mjs",
  setupFilesAfterEnv: ["dinette/test-file"],
  maxWorkers: 2,
  testTimeout: 60_000,
  cacheDirectory: "<rootDir>/node_modules/.cache",
};
