// Runs whose labels are not the paper's: a recipe with its analysis, somebody's dump as an analysis alone, both
// with a taxonomy of five labels and a classifier that learned it.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Random } from "../../src/base/random.ts";
import { makeClassifier } from "../../src/traces/classifier/make-classifier.ts";
import { saveClassifier } from "../../src/traces/classifier/model-file.ts";
import { defaultLabeler } from "../../src/traces/labeler-spec.ts";
import { analyzeRun, importAndAnalyze } from "../../src/traces/run-analysis.ts";
import { fiveLabelResponse, fiveLabelSpans, fiveLabels } from "../fixtures/five-labels.ts";
import { jsonLines, writeRun } from "./served-folder.ts";

const analysis = { replicates: 20, motifsPerLength: 5 };

export const fiveLabelSteps = 8;

function invented(random: Random, doubt: number): string[] {
  const labels = ["read"];
  for (let i = 0; i < 4; i++) labels.push("work", ...(random.uniform() < doubt ? ["doubt"] : []));
  return [...labels, ...(random.uniform() < 0.3 ? ["chatter"] : []), "finish"];
}

export async function writeFiveLabelRuns(home: string): Promise<void> {
  const folder = join(home, "classifier");
  await saveClassifier(
    folder,
    makeClassifier({
      ...{ spans: fiveLabelSpans(), voted: [], taxonomy: fiveLabels, name: "five", folds: 2, seed: "1" },
      ...{ written: 0, narrated: 0 },
    }),
  );
  const labeling = {
    labeler: { ...defaultLabeler, classifier: { folder } },
    classifierName: folder,
    ...{ analysis, workers: 1 },
  };
  await writeRecipe(join(home, "five"));
  await analyzeRun(join(home, "five"), labeling);
  const dumps = join(home, "dumps");
  await mkdir(dumps);
  for (let step = 0; step < fiveLabelSteps; step++)
    await writeFile(join(dumps, `${step}.jsonl`), jsonLines(dumped(step)));
  const inputs = [{ path: dumps, name: "theirs" }];
  await importAndAnalyze(join(home, "dump"), { inputs, reading: { format: "verl" }, workers: 1 }, labeling);
  await writeHostile(join(home, "hostile"));
}

export const hostileWords = '<img src=x onerror="window.hacked=1"><script>window.hacked = 2</script>';

/** Somebody's rollouts whose every name means harm. */
async function writeHostile(folder: string): Promise<void> {
  const rows = join(folder, "rows.jsonl");
  await mkdir(folder);
  const row = (i: number, model: string) => ({
    ...{ problem: `${hostileWords} ${i}`, prompt: hostileWords, model, set: hostileWords, correct: i % 2 === 0 },
    ...{ score: 0.5, response: `<think>Wait, ${hostileWords}. ${"So that is it. ".repeat(40)}</think>` },
  });
  const models = [hostileWords, `${hostileWords} again`];
  await writeFile(rows, jsonLines(models.flatMap((model) => [0, 1, 2].map((i) => row(i, model)))));
  await importAndAnalyze(join(folder, "analysis"), { inputs: [{ path: rows }], workers: 1 }, { analysis, workers: 1 });
}

const question = (i: number) => `How many cells of row ${i} are black?`;

async function writeRecipe(folder: string): Promise<void> {
  const problems = Array.from({ length: 10 }, (_, i) => ({
    ...{ kind: "mathematics", id: `rows/${i}`, prompt: question(i), answer: String(i), set: i % 2 ? "odd" : "even" },
  }));
  await writeRun(folder, "recipe", { recipe: "paper", seed: 1 });
  for (const [policy, doubt] of [
    ["base", 0],
    ["sft", 0.6],
  ] as const) {
    const random = Random.from("five labels").child(policy);
    const tries = problems.flatMap(({ id }) => [0, 1].map((attempt) => ({ problem: id, attempt })));
    await writeRun(
      join(folder, "evaluations", policy),
      "evaluate",
      { policy },
      {
        "problems.jsonl": problems,
        "rollouts.jsonl": tries.map((tried, i) => ({
          ...{ ...tried, policy, state: "complete" },
          response: fiveLabelResponse(invented(random.child(i), doubt)),
        })),
        "grades.jsonl": tries.map((tried, i) => ({
          ...{ ...tried, verdict: i % 3 === 0 ? "correct" : "wrong" },
          reward: { exact: i % 3 === 0 ? 1 : 0, total: i % 3 === 0 ? 1 : 0 },
        })),
      },
    );
  }
}

/** What a verl run dumps, with doubt dying out. */
function dumped(step: number) {
  return Array.from({ length: 10 }, (_, i) => ({
    input: question(i),
    output: fiveLabelResponse(invented(Random.from("dumped").child(step, i), Math.max(0, 0.9 - step * 0.3))),
    score: i < step ? 0.75 : 0.25,
    step,
  }));
}
