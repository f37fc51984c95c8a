// The whole recipe at the smallest size that still does everything, with the real engine and the shipped base.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { puzzleIdentity } from "../../src/problems/problem-id.ts";
import { boardOf } from "../../src/problems/puzzle-problems.ts";
import { puzzleNamed } from "../../src/puzzles/catalog.ts";
import { canonicalId } from "../../src/puzzles/puzzle.ts";
import { sharedPuzzles } from "../../src/recipes/mini/shared-puzzles.ts";
import { needsSearch } from "../../src/recipes/mini/world.ts";
import { recipeSchema } from "../../src/recipes/settings.ts";
import { repertoire } from "../cli/in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "repertoire-mini-"));
afterAll(() => rmSync(folder, { recursive: true }));

const small = {
  "corpus.traces": 48,
  "sft.epochs": 1,
  "sft.tracesPerStep": 16,
  "sft.validationPerPuzzle": 1,
  "rl.steps": 4,
  "rl.problemsPerStep": 4,
  "rl.rolloutsPerProblem": 4,
  "rl.epochs": 1,
  "evaluation.heldOutPerPuzzle": 1,
  "evaluation.rollouts": 2,
  "evaluation.searchPerPuzzle": 1,
  "evaluation.largerPerPuzzle": 1,
  "evaluation.syntheticProblems": 7,
};

/** In this process; that a killed run goes on as if it had not been is the paper's test. */
async function runMini(name: string, more: Readonly<Record<string, unknown>> = {}, flags: readonly string[] = []) {
  const settings = Object.entries({ ...small, ...more }).flatMap(([key, value]) => ["--set", `${key}=${value}`]);
  const words = ["run", "mini", "--seed", "5", "--folder", join(folder, name), ...settings, ...flags];
  const { stdout, stderr, status } = await repertoire(...words);
  const output = `${stdout}${stderr}`;
  expect(status, output).toBe(0);
  return output;
}

const events = (name: string, stage: string) => readFileSync(join(folder, name, stage, "events.jsonl"), "utf8");

const problemsIn = (file: string) =>
  new Set(
    readFileSync(join(folder, "seeds-5", file), "utf8")
      .trim()
      .split("\n")
      .map((line): string => JSON.parse(line).problem),
  );

it("RL's puzzles have the share that needs search spread evenly over the steps, and no other that does", () => {
  const drawn = (searchShare?: number) =>
    sharedPuzzles(
      recipeSchema.parse({
        puzzles: {
          training: ["pattern=4x4", "undead=3x3de"],
          search: ["undead=3x3dn"],
          larger: [],
          stages: "shared",
          searchShare,
        },
        sft: { validationPerPuzzle: 1 },
        rl: { steps: 5, problemsPerStep: 8 },
        evaluation: { heldOutPerPuzzle: 1, searchPerPuzzle: 1 },
      }),
    ).training;
  const needing = drawn(0.25).map(({ puzzle: name, instance }) => {
    const puzzle = puzzleNamed(name);
    return needsSearch(puzzle, puzzle.readId(instance), Random.from(9));
  });
  expect(needing).toHaveLength(40);
  for (let step = 0; step < 5; step++)
    expect(needing.slice(8 * step, 8 * (step + 1)).filter(Boolean), `step ${step}`).toHaveLength(2);
  expect(drawn()).toHaveLength(40);
  expect(drawn(1).every(({ puzzle }) => puzzle === "undead")).toBe(true);
});

it("a puzzle that needs search is not among the held-out ones, though levels of a size overlap", () => {
  const settings = recipeSchema.parse({
    puzzles: { training: ["pattern=4x4"], search: ["pattern=4x4"], larger: [], stages: "shared" },
    sft: { validationPerPuzzle: 8 },
    rl: { steps: 1, problemsPerStep: 1 },
    evaluation: { heldOutPerPuzzle: 600, searchPerPuzzle: 600 },
  });
  const { validation, heldOut, search } = sharedPuzzles(settings);
  const boards = [...validation, ...heldOut, ...search].map(boardOf);
  expect(search.length).toBeGreaterThan(0);
  expect(new Set(boards).size).toBe(boards.length);
});

describe("the miniature", () => {
  it("runs seed after seed, pairs them, and a second start finishes at once", async () => {
    const first = await runMini("seeds", {}, ["--seeds", "5,6"]);
    for (const words of ["Accuracy", "claims of the paper:", "Differences by seed"]) {
      expect(first).toContain(words);
    }
    for (const stage of ["sft", "vanilla", "novelty"]) expect(events("seeds-5", stage)).toContain("-end");
    const paired = readFileSync(join(folder, "seeds-seeds", "tables", "seeds-differences.csv"), "utf8").split("\n");
    const row = paired.find((line) => line.startsWith("Vanilla GSPO → Novelty bonus,all mathematics,pass@1"));
    expect(row).toMatch(/5: -?[\d.]+, 6: -?[\d.]+/);
    // A mirror image is the same board: forms that the puzzles themselves say, of ids as they lie on disk.
    const form = (id: string) => {
      const { puzzle: name, instance } = puzzleIdentity(id)!;
      const puzzle = puzzleNamed(name);
      return `${name} ${canonicalId(puzzle, puzzle.readId(instance))}`;
    };
    const taught = new Set([...problemsIn("corpus.jsonl")].map(form));
    const trained = problemsIn("vanilla/rollouts.jsonl");
    const seen = [...trained].filter((problem) => taught.has(form(problem))).length;
    // With this seed there is one.
    expect(seen).toBeGreaterThan(0);
    expect(first).toContain(`${seen} of RL's ${trained.size} problems were also in SFT`);
    // A finished run can be forked later.
    const second = await runMini("seeds-5", {}, ["--fork"]);
    // So small a model may never take the route.
    expect(second).toMatch(/What a move causes|No rollout makes a move to fork/);
    expect(second.match(/already done/g)).toHaveLength(9);
  });

  it("begins RL at a given checkpoint, and a control measures surprise under the shipped base", async () => {
    const variants = JSON.stringify([{ name: "against-base", bonus: "base-reference" }]);
    const sft = join(folder, "seeds-5", "sft", "checkpoints", "epoch-0");
    await runMini("control", { variants }, ["--from", sft]);
    type Recorded = { step: number; response: string; surprisal: { mean: number } };
    const first = (name: string, stage: string) =>
      readFileSync(join(folder, name, stage, "rollouts.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Recorded)
        .filter(({ step }) => step === 0);
    const [own, usual] = [first("control", "against-base"), first("seeds-5", "novelty")];
    // Before any update both have said the same, and the two models are not equally surprised by it.
    expect(own.map(({ response }) => response)).toEqual(usual.map(({ response }) => response));
    expect(own.map(({ surprisal }) => surprisal.mean)).not.toEqual(usual.map(({ surprisal }) => surprisal.mean));
  });
});
