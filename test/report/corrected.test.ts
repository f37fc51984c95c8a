// A report of a run that a classifier labeled: changes of labels stand beside what is left of them when its confusions are
// taken out, the same numbers as `traces compare` says, and quality is said on the domains that are shown.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { writeReport } from "../../src/report/report.ts";
import { conclusion, told } from "../../src/results/conclusion.ts";
import { readAnalysis } from "../../src/traces/analysis/analysis-folder.ts";
import { labelerWordsOn } from "../../src/traces/labeler.ts";
import { writeEnglishRun } from "../fixtures/english-run.ts";

vi.setConfig({ testTimeout: 240_000 });
const root = await mkdtemp(join(tmpdir(), "corrected-"));
afterAll(() => rm(root, { recursive: true }));

it("shows every change as labeled and corrected, and the quality on each domain", async () => {
  const run = join(root, "english");
  await writeEnglishRun(run);
  await writeReport({ analysis: { replicates: 60, motifsPerLength: 1 }, runs: [run] });
  const table = await readFile(join(run, "report", "tables", "changes-table.csv"), "utf8");
  const analysis = await readAnalysis(join(run, "analysis"));
  const { comparison } = told(analysis);
  expect(comparison!.changes.filter(({ difference }) => difference.raw).length).toBeGreaterThan(
    analysis.taxonomy.labels.length,
  );
  const [head, ...rows] = table.trim().split("\n");
  expect(head).toMatch(/change.*as labeled.*verdict/);
  expect(rows).toHaveLength(comparison!.passes.length + comparison!.changes.length);
  for (const row of rows) expect(row).toMatch(/,"?(rose|fell|within noise|too few problems|not measured)/);
  // Rounded as the sentences and the terminal round it.
  const markdown = await readFile(join(run, "report", "tables", "changes-table.md"), "utf8");
  for (const { k, difference } of comparison!.passes) {
    const points = [difference.value, difference.low, difference.high].map(
      (value) => `${value < 0 ? "−" : "+"}${Math.abs(100 * value).toFixed(1)}`,
    );
    const row = markdown.split("\n").find((line) => line.includes(`pass@${k} `))!;
    expect(row.replaceAll("\\", "")).toContain(`${points[0]} [${points[1]}, ${points[2]}]`);
  }
  const [labeler] = analysis.labelers.filter(({ kind }) => kind === "classifier");
  const page = await readFile(join(run, "report", "index.html"), "utf8");
  expect(page).toMatch(/accuracy 0\.\d\d, macro-F1 0\.\d\d \(.*mathematics 0\.\d\d, 0\.\d\d; /);
  expect(page).toContain("not measured on board puzzles");
  const { spans } = labeler.quality!.domains.mathematics!;
  expect(spans).toBeGreaterThan(1000);
  expect(labelerWordsOn(labeler, "mathematics")).toMatch(
    new RegExp(`accuracy 0\\.\\d\\d, macro-F1 0\\.\\d\\d on ${spans} spans of mathematics; other with precision `),
  );
  expect(labelerWordsOn(labeler, "puzzle")).toMatch(
    /not measured on board puzzles but where the board decides \(right: .*\); accuracy 0\.\d\d to 0\.\d\d on sources it never saw; other/,
  );
  // A change of 0.06 a trace says something of a rare move, and nothing of one that is made five times.
  const sentence = (first: number) => {
    const [value, low, high] = [0.06, 0.05, 0.07];
    const changes = comparison!.changes.map((one) => {
      const moved = { change: "rose" as const, first, second: first + value };
      const difference = { value, low, high, raw: { value, low, high } };
      return one.measure === "compute" ? { ...one, ...moved, difference } : { ...one, change: "within noise" as const };
    });
    const scopes = analysis.scopes.map((scope) => ({ ...scope, comparisons: [{ ...comparison!, changes }] }));
    return conclusion({ ...analysis, scopes })[2].words;
  };
  expect(sentence(0.02)).toContain("compute rose by 0.06 [0.05, 0.07] a trace");
  expect(sentence(5)).toMatch(/no move of reasoning changed beyond doubt; 1 change too slight to tell/);
  // In words, a comparison of one domain alone says the quality there.
  const words = analysis.scopes.find(({ scope }) => scope.name === "all mathematics")?.comparisons[0].words.join(" ");
  expect(words).toContain(`${spans} spans of mathematics`);
  expect(words).not.toMatch(/board puzzles/);
});
