import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    reporters: ["default", "./scripts/closing-line-reporter.mjs"],
    testTimeout: 30_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
