// What the pages compute without a browser: addresses, filters, blocks of text, curves, and boards of a run.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ProblemRow } from "../../src/dashboard/api.ts";
import { readAddress, writeAddress } from "../../src/dashboard/client/address.ts";
import { labelsOf } from "../../src/dashboard/client/label-looks.ts";
import { changeBetween, changed, rateOf } from "../../src/dashboard/client/pages/problem-changes.ts";
import { shownPanel, smoothed } from "../../src/dashboard/client/parts/shown-panel.ts";
import { sortedRows } from "../../src/dashboard/client/parts/sorted-rows.ts";
import { answerTask } from "../../src/dashboard/client/play/puzzle-tasks.ts";
import { answerPicture, readPuzzle } from "../../src/dashboard/client/puzzle-reading.ts";
import { filterValues, listOf, listText, motifOfText } from "../../src/dashboard/client/rollout-filter.ts";
import { blocksOf } from "../../src/dashboard/client/trace/blocks.ts";
import { type LineMark, type Panel, trainingSteps } from "../../src/drawing/panel.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";

const paper = labelsOf(paperTaxonomy);

/** Whole characters of any script, and the ones that addresses care about. */
const name = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1 }),
  fc.constantFrom(".", "..", "~", "~.", "a/b", "%2e", "%", "?", "#", "a b", "\\", "🜁"),
);

describe("addresses", () => {
  it("any path and query survive the browser", () => {
    const query = fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,8}$/), name, { maxKeys: 4 });
    fc.assert(
      fc.property(fc.array(name, { maxLength: 4 }), query, (path, query) => {
        const { pathname, search } = new URL(writeAddress(path, query), "http://localhost");
        expect(readAddress(pathname + search)).toEqual({ path, query: { ...query } });
      }),
    );
  });

  it("a mistyped one is read as it stands, and half a character stops nothing", () => {
    expect(readAddress("/runs/%E0%A4%A/x?y=1").path).toEqual(["runs", "%E0%A4%A", "x"]);
    expect(writeAddress(["a\ud800b"])).toBe("/a%EF%BF%BDb");
    expect(writeAddress(["runs"], { set: "", at: undefined, page: 0 })).toBe("/runs?page=0");
  });
});

describe("filters of rollouts", () => {
  it("lists survive the address", () => {
    fc.assert(
      fc.property(fc.array(name), (values) => {
        expect(listOf(listText(values))).toEqual(values);
      }),
    );
  });

  it("a search of one letter is not asked yet; the rest is the server's to refuse", () => {
    const asked = filterValues(
      "run",
      { text: "a", minTokens: "1x", motif: "comp", verdict: "wrong,correct", at: "7" },
      paper,
    );
    expect(asked).toEqual({ run: "run", verdict: ["wrong", "correct"], minTokens: "1x", motif: "comp" });
  });

  it.each([
    ["compute→check", "compute→check"],
    ["Compute -> check", "compute→check"],
    ["hypothesize compute, backtrack", "hypothesize→compute→backtrack"],
    ["hcb", "HCB"],
    ["check", "check"],
    ["comp", "comp"],
    ["", ""],
  ])("the motif %j means %j", (typed, meant) => expect(motifOfText(typed, paper)).toBe(meant));
});

describe("blocks of a trace", () => {
  it("hold every character that is not white space, in order", () => {
    const cut = fc.tuple(fc.string({ minLength: 1, maxLength: 60 }), fc.array(fc.nat(60), { maxLength: 8 }));
    fc.assert(
      fc.property(cut, ([text, cuts]) => {
        const ends = [...new Set(cuts.filter((at) => at <= text.length))].sort((a, b) => a - b);
        // Every second stretch is a span; the others belong to none.
        const spans = ends
          .slice(1)
          .flatMap((end, i) => (i % 2 === 0 ? [{ start: ends[i], end, label: "check" as const }] : []));
        const blocks = blocksOf(text, spans);
        expect(blocks.filter(({ label }) => label !== undefined).map(({ start, end }) => ({ start, end }))).toEqual(
          spans.map(({ start, end }) => ({ start, end })),
        );
        const covered = blocks.map(({ start, end }) => text.slice(start, end)).join("");
        expect(covered.replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
      }),
    );
  });
});

describe("curves", () => {
  const line = (points: readonly object[], more = {}) =>
    ({ mark: "line", name: "a", ink: "sft", points, ...more }) as LineMark;
  const panel = (marks: readonly LineMark[], x: Panel["x"] = trainingSteps): Panel => ({
    title: "t",
    x,
    y: { label: "y" },
    marks,
  });
  const points = [2, 4, 6].map((value, x) => ({ x, value, low: value - 1, high: value + 2 }));

  it("a calmed line is the mean of the last points with its band, before its own points", () => {
    const calm = [
      { x: 0, value: 2, low: 1, high: 4 },
      { x: 1, value: 3, low: 2, high: 5 },
      { x: 2, value: 5, low: 4, high: 7 },
    ];
    expect(smoothed(points, 2)).toEqual(calm);
    const raw = points.map(({ x, value }) => ({ x, value }));
    expect(shownPanel(panel([line(points)]), { window: 2 }).marks).toEqual([line(raw, { faint: true }), line(calm)]);
    expect(shownPanel(panel([line(raw, { faint: true })]), { window: 2 }).marks).toHaveLength(1);
  });

  it("a part of the steps has its ends, and one without a point is none; a logarithmic axis has only what is above zero", () => {
    const xs = (shown: Panel) => (shown.marks[0] as LineMark).points.map(({ x }) => x);
    expect(xs(shownPanel(panel([line(points)]), { from: 1, to: 2 }))).toEqual([1, 2]);
    expect(xs(shownPanel(panel([line(points)]), { from: 9 }))).toEqual([0, 1, 2]);
    const doubling = panel([line(points)], { kind: "doubling", label: "k", domain: [1, 8] });
    const small = [1.7e-18, 1, 10].map((value, x) => ({ x, value, low: value - 5, high: value + 5 }));
    const log = shownPanel(panel([line(small)]), { log: true });
    // A KL of nothing is seldom exactly 0.
    expect([log.y.log, log.marks]).toEqual([true, [line([{ x: 1, value: 1 }, small[2]])]]);
    expect(shownPanel(panel([line([{ x: 0, value: 0 }])]), { log: true }).y.log).toBeUndefined();
    expect(shownPanel(doubling, { window: 3, from: 1, to: 2 })).toBe(doubling);
  });
});

describe("problems between two checkpoints", () => {
  const row = (problem: string, ...counts: (readonly [number, number] | null)[]): ProblemRow => ({
    ...{ problem, set: "s", kind: "mathematics" },
    counts: counts.map((count) => (count === null ? null : { correct: count[0], attempts: count[1] })),
  });
  const rows = [row("a", [0, 4], [1, 4]), row("b", [2, 4], [0, 4]), row("c", [2, 4], [3, 4]), row("d", null, [4, 4])];
  const left = (change: Parameters<typeof changed>[3]) =>
    rows.filter((candidate) => changed(candidate, 0, 1, change)).map(({ problem }) => problem);

  it("gained was never solved before, lost never after", () => {
    expect([left("gained"), left("lost"), left("better"), left("worse")]).toEqual([["a"], ["b"], ["a", "c"], ["b"]]);
    expect(left("any")).toEqual(["a", "b", "c", "d"]);
  });

  it("are ordered by a checkpoint or by the change, unknown last", () => {
    const order = (by: (row: ProblemRow) => number | undefined, order: "asc" | "desc") =>
      sortedRows(rows, by, order).map(({ problem }) => problem);
    expect(order(({ counts }) => rateOf(counts[0]), "desc")).toEqual(["b", "c", "a", "d"]);
    expect(order(({ counts }) => changeBetween(counts[0], counts[1]), "desc")).toEqual(["a", "c", "b", "d"]);
    expect(order(({ counts }) => rateOf(counts[1]), "asc")).toEqual(["b", "a", "c", "d"]);
  });
});

describe("boards of a run", () => {
  it("an id that cannot be read says so, an answer that breaks a rule is marked", () => {
    expect(readPuzzle("chess", "8x8:x")).toEqual({
      unreadable: expect.stringContaining('unknown puzzle "chess"; expected one of: bridges'),
    });
    expect(readPuzzle("pattern", "4x4:<script>")).toHaveProperty("unreadable");
    const read = readPuzzle("pattern", "4x4:1/1.1/2/1.2/1/2/2/3");
    if ("unreadable" in read) throw new Error(read.unreadable);
    expect(answerPicture(read, "# # # #\n".repeat(4))).toMatchObject({
      correct: false,
      says: expect.stringContaining("its only run is 1"),
    });
    expect(answerPicture(read, "nothing")).toMatchObject({ correct: false, says: "expected 4 rows, found 1" });
  });

  it("a task that cannot be done is an answer too", () => {
    const task = { task: "generate", puzzle: "bridges", size: "0x0", seed: "1" } as const;
    expect(answerTask(task)).toMatchObject({ task: "failed" });
    const made = answerTask({ ...task, size: "5x5" });
    expect(made).toEqual(answerTask({ ...task, size: "5x5" }));
    expect(made).toMatchObject({ task: "generate", id: expect.stringMatching(/^5x5/) });
  });
});
