module.exports = {
  preset: "jest-dynalite",
  testTimeout: 60_000,
  cacheDirectory: "<rootDir>/node_modules/.cache",
};
