// The numbers behind the claims, computed again from raw files by a script that shares nothing with this project.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { analyzeRun } from "../../src/traces/run-analysis.ts";
import { writeInventedRun } from "../report/invented-run.ts";

const python = spawnSync("python3", ["--version"]).status === 0;

test.skipIf(!python)("an independent reading of a run gives the same numbers (needs python3)", async () => {
  const run = await mkdtemp(join(tmpdir(), "claims-"));
  await writeInventedRun(run);
  await analyzeRun(run, { analysis: { replicates: 20, motifsPerLength: 1 }, workers: 1 });
  const said = execFileSync("python3", ["integrations/checks/claims_check.py", run], { encoding: "utf8" });
  expect(said).toMatch(/^[1-9]\d* numbers of [1-9]\d* claims and their pairs compared, 0 differ$/m);
  await rm(run, { recursive: true });
});
