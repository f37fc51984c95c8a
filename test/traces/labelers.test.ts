// Who labels a trace: the grammar only where the run says that its model speaks the terse language, recorded labels only
// where it is known whose they are, and otherwise the labeler in use; and that this is written into every record.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writePolicyCard } from "../../src/engine/policy-card.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import type { Taxonomy } from "../../src/rollouts/taxonomy.ts";
import { type Analysis, defaultAnalysis } from "../../src/traces/analysis/analysis.ts";
import { readPairs, readRecords } from "../../src/traces/analysis/analysis-folder.ts";
import { analyzeTraces } from "../../src/traces/analyze-traces.ts";
import { labelerId, labelerWords } from "../../src/traces/labeler.ts";
import { defaultLabeler, readerOf, rolloutLabelerFor } from "../../src/traces/labeler-spec.ts";
import { grammarLabeler } from "../../src/traces/labelers/grammar.ts";
import type { SpanClassifier } from "../../src/traces/span-classifier.ts";
import { writeEnglishRun } from "../fixtures/english-run.ts";
import { writeInventedRun } from "../report/invented-run.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "labelers-"));
});
afterAll(() => rm(root, { recursive: true }));

const quick = { ...defaultAnalysis, replicates: 20, motifsPerLength: 2 };
const english = "Suppose x = 4. Then 4 + 8 = 12. Let me check: 12 = 12, so it works. Going back is not needed.";
const terse = "<reasoning>\nplan scan\nhyp R1 = 3\ncomp R1 > 3\nback R1\n</reasoning>";

describe("the rule", () => {
  test("English is never read by the grammar, whatever words it holds", async () => {
    const reader = await readerOf(defaultLabeler);
    const { labeledBy } = await reader.read({ response: english });
    expect(labeledBy.kind).toBe("classifier");
    // Even text in the terse language is not, unless its run says that this is what the model speaks.
    expect((await reader.read({ response: terse })).labeledBy.kind).toBe("classifier");
    const read = await reader.read({ response: terse, language: "terse" });
    expect(read.labeledBy).toBe(grammarLabeler.description);
    expect(Array.from(read.sequence, (code) => reader.alphabet.labels[code])).toEqual([
      "plan",
      "hypothesize",
      "compute",
      "backtrack",
    ]);
    expect(read.spans.map(({ text }) => text)).toEqual(["plan scan", "hyp R1 = 3", "comp R1 > 3", "back R1"]);
  });

  test("recorded labels are believed from a teacher and from the labeler itself, and from nobody else", async () => {
    const reader = await readerOf(defaultLabeler);
    const recorded = { response: english, labels: ["backtrack"] };
    const sequence = async (labeledBy?: string) => {
      const read = await reader.read({ ...recorded, ...(labeledBy && { labeledBy }) });
      return { labels: Array.from(read.sequence, (code) => reader.alphabet.labels[code]), by: read.labeledBy.kind };
    };
    expect(await sequence("teacher")).toEqual({ labels: ["backtrack"], by: "recorded" });
    expect(await sequence(labelerId(reader.labeler.description))).toEqual({
      labels: ["backtrack"],
      by: "classifier",
    });
    for (const stranger of [undefined, "grammar:terse@0", "classifier:another@1"]) {
      const { labels, by } = await sequence(stranger);
      expect(labels).not.toEqual(["backtrack"]);
      expect(by).toBe("classifier");
    }
  });

  test("a model that is trained is labeled by what it speaks", async () => {
    expect((await rolloutLabelerFor("terse")).id).toBe(labelerId(grammarLabeler.description));
    for (const language of ["english", undefined] as const) {
      const labeler = await rolloutLabelerFor(language);
      expect(labeler.id).toMatch(/^classifier:/);
      expect(await labeler.labels(english)).not.toContain("backtrack");
    }
  });

  test("a classifier that is named for a terse model is not asked, and that is said; one of other labels is", async () => {
    const named = (taxonomy: Taxonomy): SpanClassifier => ({
      description: { kind: "classifier", name: "mine", version: "1", about: "a test", taxonomy: taxonomy.name },
      taxonomy,
      label: async (spans) => spans.map(() => ({ label: taxonomy.break, confidence: 1 })),
    });
    const said: string[] = [];
    const asked = (taxonomy: Taxonomy, language?: "terse") =>
      rolloutLabelerFor(language, { ...defaultLabeler, classifier: named(taxonomy) }, (text) => said.push(text));
    expect((await asked(paperTaxonomy, "terse")).id).toBe(labelerId(grammarLabeler.description));
    expect(said).toEqual([expect.stringMatching(/^mine is not asked: this model speaks the terse language/)]);
    expect((await asked({ ...paperTaxonomy, name: "other" }, "terse")).id).toBe("classifier:mine@1");
    expect((await asked(paperTaxonomy)).id).toBe("classifier:mine@1");
    expect(said.length).toBe(1);
  });
});

describe("a run in English, over a server", () => {
  let analysis: Analysis;
  const folder = () => join(root, "english-analysis");
  beforeAll(async () => {
    await writeEnglishRun(join(root, "english"));
    analysis = await analyzeTraces(folder(), {
      inputs: [{ path: join(root, "english") }],
      analysis: quick,
      workers: 1,
    });
  });

  test("has hypotheses and computations, and nothing labeled by the grammar or by nobody", async () => {
    expect(analysis.labelers.map(({ kind }) => kind)).toEqual(["classifier"]);
    const records = await readRecords(folder());
    expect(new Set(records.map(({ labeledBy }) => labeledBy))).toEqual(new Set([labelerId(analysis.labelers[0])]));
    // What version 0.1 recorded for vanilla GSPO was one word of the grammar, `backtrack`, for every rollout.
    const vanilla = analysis.training.find(({ series }) => series === "vanilla")!;
    expect(vanilla.points.every(({ measures }) => measures.compute.value > 0)).toBe(true);
    expect(vanilla.points[0].measures.hypothesize.value).toBeGreaterThan(
      vanilla.points.at(-1)!.measures.hypothesize.value,
    );
  });

  test("knows the puzzle and size of training rollouts by their slash ids", async () => {
    const training = (await readRecords(folder())).filter(({ stage }) => stage === "training");
    expect(training.length).toBeGreaterThan(0);
    for (const { puzzle, size, kind } of training) {
      expect(kind).toBe("puzzle");
      expect(puzzle).toMatch(/^(bridges|galaxies|pattern|undead)$/);
      expect(size).toMatch(/^\d+x\d+$/);
    }
  });

  test("looks at all puzzles together and at each benchmark on its own", () => {
    const names = analysis.scopes.map(({ scope }) => scope.name);
    expect(names.slice(0, 3)).toEqual(["everything", "all puzzles", "all mathematics"]);
    expect(names).toContain("olymmath-en-hard");
    const [everything, puzzles, mathematics] = analysis.scopes;
    expect(puzzles.problems + mathematics.problems).toBe(everything.problems);
  });

  test("pairs show the labels by which they were chosen", async () => {
    const pairs = await readPairs(folder());
    expect(pairs.length).toBeGreaterThan(0);
    for (const { first, second, firstSpans, secondSpans } of pairs) {
      const letters = (spans: typeof firstSpans) =>
        spans.map(({ label }) => analysis.taxonomy.labels.find(({ name }) => name === label)!.letter).join("");
      expect(letters(firstSpans)).toBe(first.sequence);
      expect(letters(secondSpans)).toBe(second.sequence);
      expect(firstSpans.every(({ text }) => text !== "")).toBe(true);
    }
    // Not one problem many times.
    const keys = pairs.map(({ kind, problem, first, second }) =>
      [kind, problem, first.checkpoint, second.checkpoint].join(),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("corrections use the confusions of the labeler that labeled", () => {
    const { comparisons } = analysis.scopes[0];
    expect(comparisons[0].changes.some(({ difference }) => difference.raw !== undefined)).toBe(true);
    expect(comparisons[0].words.join(" ")).toContain(analysis.labelers[0].name);
  });
});

describe("the miniature", () => {
  test("is read exactly by its grammar, and exact labels are not corrected", async () => {
    await writeInventedRun(join(root, "invented"));
    const folder = join(root, "invented-analysis");
    const analysis = await analyzeTraces(folder, {
      inputs: [{ path: join(root, "invented") }],
      analysis: quick,
      workers: 1,
    });
    expect(analysis.labelers.map(labelerWords)).toEqual([
      "labels by the grammar of the terse language (exact by construction)",
    ]);
    const { comparisons } = analysis.scopes[0];
    for (const { changes, words } of comparisons) {
      expect(changes.every(({ difference }) => difference.raw === undefined)).toBe(true);
      expect(words.join(" ")).not.toContain("mistakes");
    }
  });

  test("a policy card says what a model speaks, wherever its rollouts lie", async () => {
    const folder = join(root, "carded");
    await writePolicyCard(folder, { promptStyle: "terse", chat: "plain", language: "terse" });
    const rollout = { problem: "p", attempt: 0, policy: "tiny", state: "complete", response: terse };
    await writeFile(join(folder, "rollouts.jsonl"), `${JSON.stringify(rollout)}\n`);
    await analyzeTraces(join(root, "carded-analysis"), { inputs: [{ path: folder }], analysis: quick, workers: 1 });
    expect((await readRecords(join(root, "carded-analysis")))[0]).toMatchObject({
      sequence: "PHCB",
      labeledBy: expect.stringMatching(/^grammar:/),
    });
  });
});
