import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { figureSvg } from "../../src/drawing/figure.ts";
import { type Panel, percent, plainNumber } from "../../src/drawing/panel.ts";
import { doubling, linear, logarithmic, roundRange, roundTicks } from "../../src/drawing/scales.ts";
import { stripsSvg } from "../../src/drawing/strips.ts";
import { standalone } from "../../src/drawing/svg.ts";
import { longestRun } from "../../src/results/sections/paired-traces.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import { chainDepth } from "../../src/traces/depth.ts";
import { paperAlphabet, readSequence } from "../../src/traces/sequence.ts";

/** To the two digits that the shortest labels have. */
const plainlyRead = (value: number) => value.toPrecision(2);

describe("scales", () => {
  it("ticks are round and stay inside", () => {
    expect(roundTicks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(roundTicks(-0.02, 1.02, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(roundTicks(3, 19, 4)).toEqual([5, 10, 15]);
  });

  it("ranges end at ticks and are never empty", () => {
    expect(roundRange([0.3, 4.1], { fromZero: true })).toEqual([0, 5]);
    expect(roundRange([0, 0])).toEqual([0, 1]);
    expect(roundRange([])).toEqual([0, 1]);
    expect(roundRange([4, 4])).toEqual([2, 6]);
    expect(roundRange([Number.NaN, 1, 3])[0]).toBe(1);
  });

  it("values lie where they should", () => {
    expect(linear([0, 10], [100, 0]).place(2.5)).toBe(75);
    const k = doubling([1, 32], [0, 100]);
    expect(k.ticks).toEqual([1, 2, 4, 8, 16, 32]);
    expect(k.place(2)).toBeCloseTo(20);
  });

  it("a logarithmic axis has two ticks however little it spans", () => {
    expect(logarithmic([0.02, 3], [0, 100]).ticks).toEqual([0.02, 0.05, 0.1, 0.2, 0.5, 1, 2]);
    expect(logarithmic([3.1, 3.9], [0, 100]).ticks).toEqual([3.2, 3.4, 3.6, 3.8]);
    // One power of ten is inside, but a single number gives no scale.
    expect(logarithmic([0.9, 1.4], [0, 100]).ticks).toEqual([0.9, 1, 1.1, 1.2, 1.3, 1.4]);
    fc.assert(
      fc.property(
        fc.double({ min: -12, max: 12, noNaN: true }),
        fc.double({ min: 1, max: 3, noNaN: true }),
        (at, by) => {
          const { place, ticks } = logarithmic([10 ** at, by * 10 ** at], [0, 100]);
          expect(new Set(ticks.map(plainlyRead)).size).toBeGreaterThan(1);
          for (const tick of ticks) expect(Math.abs(place(tick) - 50)).toBeLessThanOrEqual(50 + 1e-6);
        },
      ),
    );
  });

  it("values this close are drawn in the middle of a logarithmic axis", () => {
    expect(logarithmic([7, 7], [0, 100]).place(7)).toBeCloseTo(50);
    const { place } = logarithmic([1, 1.25], [0, 100]);
    expect([place(1), place(1.25)].map(Math.round)).toEqual([0, 100]);
  });

  it("numbers are short", () => {
    expect([0, 0.004, 0.25, 3.1358, 12.34, 123.4, 25000].map(plainNumber)).toEqual([
      "0",
      "0.004",
      "0.25",
      "3.14",
      "12.3",
      "123",
      "25000",
    ]);
    expect(percent(0.125)).toBe("12.5%");
  });
});

const curve: Panel = {
  title: "a curve",
  x: { kind: "doubling", label: "k", domain: [1, 8] },
  y: { label: "pass@k", format: "percent", domain: [0, 1] },
  marks: [
    {
      mark: "line",
      name: "one",
      ink: "at-sft",
      points: [
        { x: 1, value: 0.2, low: 0.1, high: 0.3 },
        { x: 8, value: 0.6, low: 0.4, high: 0.8 },
      ],
    },
  ],
};

const bars: Panel = {
  title: "bars, one of them missing",
  x: { kind: "categories", names: ["hypothesize", "a name of several words", "check"] },
  y: { label: "per trace", fromZero: true },
  marks: [
    {
      mark: "bars",
      series: [
        { name: "one", ink: "at-base", values: [{ value: 1, low: 0.5, high: 1.5 }, null, { value: 0 }] },
        {
          name: "two",
          ink: "at-novelty",
          hollow: true,
          values: [{ value: 2 }, { value: 3, low: 2, high: 4 }, { value: 1 }],
        },
      ],
    },
  ],
};

const dots: Panel = {
  title: "dots",
  x: { kind: "linear", label: "before", domain: [0, 1] },
  y: { label: "after", domain: [0, 1] },
  marks: [
    { mark: "diagonal" },
    {
      mark: "dots",
      ink: "gain",
      symbol: "triangle",
      points: [
        {
          x: { value: 0.2, low: 0.1, high: 0.3 },
          y: { value: 0.8, low: 0.7, high: 0.9 },
          title: "a problem",
        },
      ],
    },
  ],
};

describe("figures", () => {
  it("are drawn as they were", async () => {
    const svg = figureSvg({
      title: "three panels",
      panels: [curve, bars, dots],
      columns: 3,
      legend: [{ name: "one", ink: "at-sft", symbol: "square" }],
    });
    await expect(standalone(svg)).toMatchFileSnapshot("snapshots/panels.svg");
  });

  it("a missing value is named and has no bar", () => {
    const svg = figureSvg({ title: "bars", panels: [bars], columns: 1, legend: [] });
    expect(svg).toContain("<title>one: not measured</title>");
    expect(svg.match(/<rect/g)).toHaveLength(5);
  });

  it("strips box the run whose length is the chain depth", async () => {
    const labelsOf = (text: string) => [...readSequence(text)].map((code) => paperAlphabet.labels[code]);
    const runOf = (text: string) => longestRun(labelsOf(text).map((label) => paperTaxonomy.exploit.includes(label)));
    const text = "PSCKHBCKCKCZ";
    expect(runOf(text)).toEqual({ start: 6, length: 5 });
    for (const text of ["", "P", "CC", "PCKSPO", "COCKOC"]) {
      expect(runOf(text).length).toBe(chainDepth(readSequence(text)));
    }
    const spans = labelsOf(text).map((label, i) => ({ label, letter: text[i] }));
    const trace = { name: "one", note: "solved", problem: "p", spans, boxed: runOf(text) };
    await expect(stripsSvg("a strip", [trace], paperTaxonomy)).toMatchFileSnapshot("snapshots/strip.svg");
  });

  it("hostile names stay text", () => {
    const name = `<script>alert(1)</script>"onload="x\u202e`;
    const svg = figureSvg({
      title: name,
      panels: [{ ...bars, title: name, x: { kind: "categories", names: [name, "b", "c"] } }],
      columns: 1,
      legend: [{ name, ink: "text" }],
    });
    expect(svg).not.toContain("<script");
    expect(svg).not.toContain("\u202e");
    expect(svg).not.toMatch(/"onload=/);
  });

  it("an ink nobody defined is an error", () => {
    expect(() => figureSvg({ title: "", panels: [], columns: 1, legend: [{ name: "x", ink: "mauve" }] })).toThrow(
      "missing ink: mauve",
    );
  });
});
