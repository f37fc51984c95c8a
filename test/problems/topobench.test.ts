// TopoBench as problems: rows in its own columns, its own names for puzzles, its three data sets.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { loadProblems } from "../../src/problems/sources.ts";
import { besidePublished, topoBenchProblems } from "../../src/problems/topobench.ts";
import { inForm } from "../../src/puzzles/board-forms.ts";
import { puzzleNamed } from "../../src/puzzles/catalog.ts";
import { puzzleResponse } from "../../src/puzzles/prompt.ts";
import { puzzleGrader } from "../../src/rollouts/puzzle-grading.ts";
import { fakeRevision, startFakeHub } from "./fake-hub.ts";

const cache = mkdtempSync(join(tmpdir(), "topobench-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

const names = {
  bridges: "bridges",
  flow_free: "flowfree",
  galaxies: "galaxies",
  loopy: "slitherlink",
  pattern: "pattern",
  undead: "undead",
};

const made = Object.entries(names).flatMap(([puzzlename, name]) =>
  ["hard", "easy"].map((difficulty) => {
    const puzzle = puzzleNamed(name);
    const params = puzzle.readParams(name === "undead" ? "4x4" : "5x5");
    const { instance, solution } = puzzle.generate(params, Random.from("topobench").child(name, difficulty));
    return { puzzlename, difficulty, puzzle, instance, solution, filename: `${name}-${difficulty}.txt` };
  }),
);

it.each([
  ["topobench", "topobench/topobench", "drawn"],
  ["topobench-intformat", "topobench/topobench_intformat", "intformat"],
  ["topobench-intformat-json", "topobench/topobench_intformat_json", "intformat-json"],
] as const)("%s is loaded from its data set, and a right answer in its form is paid", async (name, dataset, form) => {
  const rows = made.map(({ puzzle, instance, solution: _, ...row }) => ({
    ...row,
    problem: inForm(puzzle, form, instance),
    args: "5x5",
  }));
  const lines = [...rows, { ...rows[0], include: false }, { ...rows[0], problem: "?" }, { filename: "none" }];
  const bytes = new TextEncoder().encode(lines.map((row) => JSON.stringify(row)).join("\n"));
  const hub = await startFakeHub({ [dataset]: { "data/test.jsonl": bytes, "data/train.jsonl": new Uint8Array() } });
  try {
    const options = { hub: { cache, hubUrl: hub.url }, count: 0, seed: 1 };
    const { problems, dropped, from } = await loadProblems(name, options);
    expect(from).toBe(`${dataset} at ${fakeRevision}`);
    expect(dropped).toHaveLength(2);
    expect(problems.map(({ set }) => set)).toEqual(
      ["easy", "hard"].flatMap((tier) =>
        Object.values(names)
          .sort()
          .map((puzzle) => `${name} ${tier} ${puzzle}`),
      ),
    );
    for (const problem of problems) {
      if (problem.kind !== "puzzle") throw new Error("not a puzzle");
      const { puzzle, instance, solution } = made.find((one) => one.puzzle.writeId(one.instance) === problem.instance)!;
      expect(problem.prompt).toContain(inForm(puzzle, form, instance));
      const grade = puzzleGrader(problem);
      expect(grade(puzzleResponse("so", inForm(puzzle, form, instance, solution))).verdict).toBe("correct");
      expect(grade(puzzleResponse("so", inForm(puzzle, form, instance))).verdict).not.toBe("correct");
    }
  } finally {
    await hub.close();
  }
});

it("what cannot be read is named", () => {
  const row = { filename: "a.txt", difficulty: "easy", problem: "x" };
  const because = (puzzlename: string) =>
    topoBenchProblems([{ ...row, puzzlename }], "topobench", "drawn").dropped[0].because;
  expect(because("sudoku")).toContain("unknown puzzle");
  for (const name of Object.keys(names)) expect(because(name)).not.toBe("");
});

it("what a set earns stands beside what was published", () => {
  const sets = ["bridges", "undead"].map((name, at) => ({
    set: `topobench-intformat hard ${name}`,
    passAt1: 0.25 + at / 2,
  }));
  expect(besidePublished(sets)?.[0]).toEqual(["this evaluation", "", "", "50.0"]);
  expect(besidePublished([{ set: "bridges 7x7 test", passAt1: 1 }])).toBeUndefined();
});
