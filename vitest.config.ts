import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    reporters: ["default", "./scripts/closing-line-reporter.mjs"],
    setupFiles: ["./scripts/property-seed.mjs"],
    testTimeout: 30_000,
    // What commands print is compared as text; continuous integration would otherwise colour it.
    env: { NO_COLOR: "1" },
    pool: "forks",
    maxWorkers: 2,
  },
});
