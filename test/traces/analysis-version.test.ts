import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readAnalysis } from "../../src/traces/analysis/analysis-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "repertoire-version-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ["null", "is not an analysis: it has no version, expected 5; remove"],
  ["[1]", "is not an analysis: it has no version, expected 5; remove"],
  ['{"version":1}', "is of version 1, expected 5; remove"],
  ['{"version":5}', "is damaged: taxonomy"],
])("an analysis.json of %s is refused in words", async (text, words) => {
  writeFileSync(join(folder, "analysis.json"), text);
  await expect(readAnalysis(folder)).rejects.toThrow(words);
});
