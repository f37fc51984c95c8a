import { tmpdir } from "node:os";
import { join } from "node:path";
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
    // What commands print is compared as text; continuous integration would otherwise color it. What they keep for all runs is not the user's.
    env: { NO_COLOR: "1", XDG_CACHE_HOME: join(tmpdir(), "repertoire-tests") },
    pool: "forks",
    maxWorkers: 2,
  },
});
