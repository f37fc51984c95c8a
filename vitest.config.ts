import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    reporters: ["default", "./scripts/closing-line-reporter.mjs"],
    setupFiles: ["./scripts/property-seed.mjs"],
    // Time is not what tests are about: a busy machine takes many times as long as an idle one. No test has a limit of its own.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 180_000 } },
    // What commands print is compared as text; continuous integration would otherwise color it.
    env: { NO_COLOR: "1" },
    pool: "forks",
    maxWorkers: 2,
  },
});
