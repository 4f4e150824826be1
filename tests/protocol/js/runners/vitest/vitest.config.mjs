// As users of clients/js write it. Two workers: the files wait for each other, also on one processor.
export default {
  test: {
    globals: true,
    globalSetup: ["dinette/global-setup", "./prepare.mjs"],
    setupFiles: "dinette/test-file",
    minWorkers: 2,
    maxWorkers: 2,
    testTimeout: 60_000,
  },
};
