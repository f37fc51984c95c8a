// A taxonomy of one's own, from the file to the tables: judges are asked with it, a classifier learns it, an analysis counts
// with it.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import { readTaxonomy, taxonomySchema } from "../../src/rollouts/taxonomy.ts";
import { defaultAnalysis } from "../../src/traces/analysis/analysis.ts";
import { readRecords } from "../../src/traces/analysis/analysis-folder.ts";
import { analyzeTraces } from "../../src/traces/analyze-traces.ts";
import { makeClassifier } from "../../src/traces/classifier/make-classifier.ts";
import { saveClassifier } from "../../src/traces/classifier/model-file.ts";
import { habitOf, habitsTaxonomy, writtenHabits } from "../../src/traces/habits.ts";
import { guidelinesFor, judgePrompt, readVerdict } from "../../src/traces/judges/judge-prompt.ts";
import { defaultLabeler } from "../../src/traces/labeler-spec.ts";
import { motifCode, motifLengths, motifOfCode } from "../../src/traces/motifs.ts";
import { alphabetOf } from "../../src/traces/sequence.ts";
import { fiveLabelResponse, fiveLabelSpans, fiveLabels } from "../fixtures/five-labels.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "taxonomy-"));
});
afterAll(() => rm(root, { recursive: true }));

describe("a file", () => {
  test("the paper's own is valid and comes back from JSON", () => {
    expect(readTaxonomy(JSON.stringify(paperTaxonomy), "paper.json")).toEqual(paperTaxonomy);
  });

  test.each([
    ["nothing", "", "is not JSON"],
    [
      "a letter twice",
      JSON.stringify({ ...fiveLabels, labels: fiveLabels.labels.map((l) => ({ ...l, letter: "A" })) }),
      "occurs twice",
    ],
    ["a stranger", JSON.stringify({ ...fiveLabels, recover: ["dance"] }), '"dance" is not among the labels'],
    ["a break that works", JSON.stringify({ ...fiveLabels, exploit: ["chatter"] }), "the break cannot be exploitation"],
    ["an unknown key", JSON.stringify({ ...fiveLabels, color: 1 }), "color"],
    ["a marker that is none", JSON.stringify({ ...fiveLabels, markers: ["("] }), "is not a regular expression"],
  ])("with %s says what to mend", (_, text, message) => {
    expect(() => readTaxonomy(text, "mine.json")).toThrow(message);
  });
});

test("codes of motifs stay exact for any number of labels", () => {
  const label = (i: number) => ({
    name: `l-${"abcdefghijklmnopqrst"[i]}`,
    letter: "ABCDEFGHIJKLMNOPQRST"[i],
    meaning: "m",
    color: { light: "#000000", dark: "#ffffff" },
  });
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 20 }), fc.integer(), (size, seed) => {
      const labels = Array.from({ length: size }, (_, i) => label(i));
      const taxonomy = taxonomySchema.parse({
        name: "any",
        labels,
        break: labels[0].name,
        exploit: [labels[1].name],
        recover: [labels[1].name],
      });
      const alphabet = alphabetOf(taxonomy);
      for (const length of motifLengths(alphabet)) {
        const motif = Array.from({ length }, (_, i) => alphabet.labels[Math.abs(seed + i * 7) % (size - 1)]);
        expect(Number.isSafeInteger(motifCode(motif, alphabet))).toBe(true);
        expect(motifOfCode(motifCode(motif, alphabet), length, alphabet)).toEqual(motif);
      }
    }),
  );
});

test("judges are asked with its labels and definitions, and no other label counts", () => {
  const guidelines = guidelinesFor(fiveLabels);
  expect(guidelines).toContain("- doubt: doubts what it did");
  expect(guidelines).not.toContain("hypothesize");
  const labels = fiveLabels.labels.map(({ name }) => name);
  expect(judgePrompt([{ text: "t", previous: "" }], labels)).toContain("chatter, read, work, doubt, finish");
  expect(readVerdict('["doubt"]', 1, labels)).toEqual(["doubt"]);
  expect(readVerdict('["compute"]', 1, labels)).toEqual({
    unusable: 'unknown label "compute" in "[\\"compute\\"]"',
  });
});

test("a classifier learns it, and an analysis counts with it", async () => {
  const folder = join(root, "classifier");
  const trained = makeClassifier({
    ...{ spans: fiveLabelSpans(), voted: [], taxonomy: fiveLabels, name: "five", folds: 2, seed: "1" },
    // What the program writes has the paper's labels; asking for it must not bring them in.
    ...{ written: 10, narrated: 2 },
  });
  expect(trained.description.quality?.accuracy).toBeGreaterThan(0.9);
  await saveClassifier(folder, trained);

  const sequences = [
    ["read", "work", "doubt", "work", "finish"],
    ["read", "work", "work", "chatter", "work", "finish"],
  ];
  const rows = sequences.map((labels, i) => ({
    problem: `p${i}`,
    model: "mine",
    response: fiveLabelResponse(labels),
    correct: i === 0,
  }));
  await writeFile(join(root, "rows.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const analysis = await analyzeTraces(join(root, "analysis"), {
    inputs: [{ path: join(root, "rows.jsonl") }],
    labeler: { ...defaultLabeler, classifier: { folder } },
    analysis: { ...defaultAnalysis, replicates: 20, motifsPerLength: 3 },
    workers: 1,
  });
  expect(analysis.taxonomy.name).toBe("five");
  expect((await readRecords(join(root, "analysis"))).map(({ sequence }) => sequence)).toEqual(["RWDWF", "RWWXWF"]);
  const [mine] = analysis.scopes[0].checkpoints;
  const given = (name: string) => (mine.measures[name].raw ?? mine.measures[name]).value;
  // Runs of work: 1, 1 and 2, 1; the break ends a run. Depths 1 and 2.
  expect(given("chain depth")).toBe(1.5);
  expect(given("doubt")).toBe(0.5);
  expect(given("recovery primitives")).toBe(0.5);
  // Windows of three that hold work and doubt: RWD, WDW, DWF.
  expect(given("recovery trigrams")).toBe(1.5);
  expect(given("work→doubt")).toBe(0.5);
  expect(Object.keys(mine.composition)).toEqual(["read", "work", "doubt", "finish", "chatter"]);
});

describe("the four habits", () => {
  test("are found by the words that announce them, the turn back first", () => {
    const habit = (text: string, previous = "") => habitOf({ text, previous });
    expect(habit("Let me check: 4 + 8 = 12, and both are even.")).toBe("verification");
    expect(habit("I'm stuck. Let me try a different approach, and check it later.")).toBe("backtracking");
    expect(habit("First, we need to find the order of 2 modulo 7.")).toBe("subgoal");
    expect(habit("Working backwards from 24, the last factor is 4.")).toBe("backward-chaining");
    expect(habit("So 3x = 12 and x = 4.")).toBe("onward");
    expect(habit("...")).toBe("formatting");
    expect(writtenHabits([{ text: "So x = 4." }, { text: "That doesn't work." }, { text: "Let's verify." }])).toBe(
      "FBV",
    );
  });

  test("are a taxonomy like any other", () => {
    expect(taxonomySchema.parse(habitsTaxonomy)).toEqual(habitsTaxonomy);
  });
});
