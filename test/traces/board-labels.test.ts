// Labels that a board decides: what was worked out stays, what is taken back broke a rule, and nothing else is said.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boardIn, boardLabels, type GridBoard, sudokuBroken } from "../../scripts/board-labels.ts";

const question =
  "Solve this 4x4 Mini Sudoku puzzle:\n4 3 _ 2\n1 _ _ 3\n_ _ _ 1\n_ _ 3 _\nFormat your response as above.";
const givens = boardIn(question)!;
const labels = (...texts: string[]) =>
  boardLabels(
    texts.map((text) => ({ text })),
    givens,
    sudokuBroken,
  );
const answer = "4 3 1 2\n1 2 4 3\n3 4 2 1\n2 1 3 4";

describe("a trace about a board", () => {
  test("sets up, works values out, takes back what broke a rule, and sums up", () => {
    expect(
      labels(
        "Given puzzle:\n4 3 _ 2\n1 _ _ 3\n_ _ _ 1\n_ _ 3 _",
        "Row 1 misses 1, so position (1,3) = 1.",
        "Then (2,2) = 4.\nAnd so (3,2) = 4.",
        "That is not right.\n(2,2) = 2\n(2,3) = 4",
        "Row 3: 3 4 2 1\nRow 4: 2 1 3 4",
        `So the grid is\n${answer}`,
      ),
    ).toEqual(["setup", "compute", undefined, "backtrack", "compute", "summarize"]);
  });

  test("says nothing of what is only weighed, of a misread given, or of words alone", () => {
    expect(labels("If (1,3) = 1, then (2,3) = 4.", "(1,1) = 2", "Let me try something else.")).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    // A value that is replaced without having broken anything may have been one of several tries.
    expect(labels("(3,1) = 2", "(3,1) = 3", answer)).toEqual([undefined, undefined, undefined]);
  });

  test("whatever is written, a label is one of four or none", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.stringMatching(/^[()\d,=: _\nrcRowC]{0,60}$/))), (texts) => {
        const found = labels(...texts);
        expect(found).toHaveLength(texts.length);
        for (const label of found) expect([undefined, "setup", "compute", "backtrack", "summarize"]).toContain(label);
      }),
    );
  });
});

test("a board is read however its rows are written", () => {
  const size = fc.integer({ min: 4, max: 9 });
  const board: fc.Arbitrary<GridBoard> = size.chain((n) =>
    fc.array(
      fc.array(fc.option(fc.integer({ min: 1, max: n }).map(String), { nil: undefined }), {
        minLength: n,
        maxLength: n,
      }),
      {
        minLength: n,
        maxLength: n,
      },
    ),
  );
  const forms = [
    (row: readonly string[]) => row.join(" "),
    (row: readonly string[]) => `| ${row.join(" | ")} |`,
    (row: readonly string[]) => `[${row.join(", ")}]`,
  ];
  fc.assert(
    fc.property(board, fc.constantFrom(...forms), fc.constantFrom("_", "."), (rows, form, blank) => {
      const text = rows.map((row) => form(row.map((value) => value ?? blank))).join("\n");
      expect(boardIn(`Solve this puzzle:\n${text}\nAnswer like it.`)).toEqual(rows);
    }),
  );
});
