// An evaluation in which nearly nothing could be read says so, and what is likely to blame.
import { expect, it } from "vitest";
import { type SetSummary, seriousWarnings, summaryWarnings } from "../../src/evaluation/summary.ts";

const summary = (verdicts: Partial<SetSummary["verdicts"]>, truncated = 0): SetSummary => {
  const counts = { correct: 0, wrong: 0, unreadable: 0, undecided: 0, ...verdicts };
  const graded = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return {
    set: "pattern 4x4 test",
    problems: 10,
    attempts: { fewest: 4, most: 4 },
    states: { complete: graded - truncated, truncated, failed: 0, ungraded: 0 },
    verdicts: counts,
    passAtK: [],
    solved: 0,
  };
};

it("a model that was asked in a way it does not know", () => {
  expect(summaryWarnings(summary({ unreadable: 40 }))).toEqual([
    expect.stringMatching(
      /40 of 40 responses hold no answer .* measures nothing; .*the prompt may differ from training/,
    ),
  ]);
});

it("a token limit that cuts every response", () => {
  expect(summaryWarnings(summary({ unreadable: 38, wrong: 2 }, 30)).join("\n")).toMatch(
    /38 of 40 .*raise --max-tokens/,
  );
});

it("nothing is said of what a weak model does", () => {
  expect(summaryWarnings(summary({ unreadable: 20, wrong: 20 }))).toEqual([]);
  expect(summaryWarnings(summary({}))).toEqual([]);
});

it("at the end of a recipe only what changes the reading of its table is said", () => {
  const [few, most, nothing] = [
    summary({ wrong: 35, undecided: 5 }, 8),
    summary({ wrong: 20, unreadable: 20 }, 30),
    summary({ unreadable: 40 }),
  ];
  const notes = ["3 of 4 rollouts repeat an earlier one"];
  const recorded = [few, most, nothing].map((set, i) => ({ ...set, set: `set ${i}` }));
  const warnings = [...notes, ...recorded.flatMap((set) => summaryWarnings(set))];
  expect(warnings).toHaveLength(5);
  const said = seriousWarnings({ version: 1, policy: "sft", servedBy: [], level: 0.95, sets: recorded, warnings });
  expect(said).toEqual([
    notes[0],
    expect.stringMatching(/^set 1: 30 of 40/),
    expect.stringMatching(/^set 2: 40 of 40/),
  ]);
});
