// What lies in a folder while others write into it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeFileAtomically } from "../../src/base/files.ts";
import { discoverRuns } from "../../src/dashboard/run-discovery.ts";

it("runs are found while their files are replaced under our eyes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "discovery-"));
  let stop = false;
  const description = { kind: "evaluate", config: {}, version: "0.2.0", created: "2026-01-01T00:00:00Z", command: "" };
  await writeFileAtomically(join(folder, "run", "run.json"), JSON.stringify(description));
  const writers = ["summary.json", "state.json", "sampling.json"].map(async (name) => {
    while (!stop) await writeFileAtomically(join(folder, "run", name), "{}");
  });
  try {
    for (let i = 0; i < 300; i++) {
      const { runs, gaps } = await discoverRuns(folder);
      expect([runs.length, gaps]).toEqual([1, []]);
    }
  } finally {
    stop = true;
    await Promise.all(writers);
    await rm(folder, { recursive: true });
  }
});
