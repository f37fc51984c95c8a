import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import { primitives } from "../../src/rollouts/primitives.ts";
import type { LabeledSpan } from "../../src/traces/classifier/labeled-spans.ts";
import { crossValidate, defaultTraining, featured } from "../../src/traces/classifier/training.ts";
import { readerHabits, readVotedSpans, spansFromVotes, type VotedSpan } from "../../src/traces/classifier/votes.ts";

const code = (label: string) => (primitives as readonly string[]).indexOf(label);

const read = (text: string, label: (typeof primitives)[number]): LabeledSpan => ({
  text,
  previous: "",
  label,
  trace: "reference",
  domain: "toy",
  confidence: "high",
});
const voted = (text: string, votes: VotedSpan["votes"]): VotedSpan => ({
  text,
  previous: "",
  votes,
  trace: "voted",
  domain: "toy",
});

// Reader a says compute for three of four checks and for the one compute there is; reader b is always right.
const reference = [
  read("1", "check"),
  read("2", "check"),
  read("3", "check"),
  read("4", "check"),
  read("5", "compute"),
];
const onReference = [
  voted("1", { a: "compute", b: "check" }),
  voted("2", { a: "compute", b: "check" }),
  voted("3", { a: "compute", b: "check" }),
  voted("4", { a: "check", b: "check" }),
  voted("5", { a: "compute", b: "compute" }),
];

describe("readers' habits", () => {
  test("are counted where the reference has a label, on top of four presumed agreements and a quarter of all else", () => {
    const habits = readerHabits(onReference, reference).get("a")!;
    // Nine labels with a quarter each, four for the label itself, four spans read: 10.25.
    expect(habits[code("check")][code("compute")]).toBeCloseTo((0.25 + 3) / 10.25, 12);
    expect(habits[code("check")][code("check")]).toBeCloseTo((4.25 + 1) / 10.25, 12);
    expect(habits[code("compute")][code("compute")]).toBeCloseTo((4.25 + 1) / 7.25, 12);
    // Nothing was read of it.
    expect(habits[code("plan")][code("plan")]).toBeCloseTo(4.25 / 6.25, 12);
  });

  test("turn votes into shares: how common a label is, times how likely it draws these votes", () => {
    const [span, ...others] = spansFromVotes([...onReference, voted("6", { a: "compute" })], reference);
    expect(others).toEqual([]);
    const check = 4 * (3.25 / 10.25) ** 0.9;
    const compute = 1 * (5.25 / 7.25) ** 0.9;
    expect(span.shares![code("check")]).toBeCloseTo(check / (check + compute), 12);
    // Taken at its word it would be compute; but this reader says so of checks, and checks are common.
    expect(span).toMatchObject({ text: "6", label: "check", trace: "voted" });
    const [both] = spansFromVotes([...onReference, voted("6", { a: "compute", b: "compute" })], reference);
    expect(both.label).toBe("compute");
  });

  test("must be known: a reader without a span in common with the reference is refused", () => {
    expect(() => readerHabits([...onReference, voted("6", { stranger: "plan" })], reference)).toThrow(
      "stranger voted on no span that has a label in --data",
    );
  });

  test("shares add up to one, and spans with a label of their own are left alone", () => {
    const vote = fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom(...primitives), { minKeys: 1 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom("1", "5", "6", "7", "8"), vote)), (drawn) => {
        const spans = spansFromVotes([...onReference, ...drawn.map(([text, votes]) => voted(text, votes))], reference);
        expect(spans).toHaveLength(drawn.filter(([text]) => text > "5").length);
        for (const { shares, label } of spans) {
          expect(shares!.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
          expect(shares![code(label)]).toBe(Math.max(...shares!));
        }
      }),
    );
  });
});

test("voted spans of a held-out trace do not teach the model that is measured on it", () => {
  // The label is written in every text, but each trace has its own code for it: only a leak could know the code.
  const coded = (kind: "read" | "voted"): LabeledSpan[] =>
    Array.from({ length: 40 }, (_, i) => {
      const label = i % 2 === 0 ? "plan" : "check";
      const shares = primitives.map((primitive) => (primitive === label ? 1 : 0));
      const trace = Math.floor(i / 2);
      return {
        text: `w${"abcdefghijklmnopqrst"[trace]}${i % 2 === 0 ? "u" : "v"} is here`,
        previous: "",
        label,
        ...(kind === "voted" && { shares }),
        trace: `t${trace}`,
        domain: "toy",
        confidence: "high",
      };
    });
  const training = { ...defaultTraining, members: 1 };
  const scored = crossValidate(featured([...coded("read"), ...coded("voted")]), training, 4, Random.from(1));
  expect(scored).toHaveLength(40);
  const right = scored.filter(({ span, logits }) => logits[code(span.label)] === Math.max(...logits)).length;
  expect(right / scored.length).toBeLessThan(0.8);
});

test("voted spans are read from JSON lines; bad ones are named", async () => {
  const folder = await mkdtemp(join(tmpdir(), "votes-"));
  try {
    const path = join(folder, "judged.jsonl");
    await writeFile(
      path,
      [
        JSON.stringify({ id: "1", text: "so", previous: "", trace: "t", votes: { a: "Compute" } }),
        JSON.stringify({ text: "so", votes: {} }),
        JSON.stringify({ text: "so", votes: { a: "dance" } }),
        "not JSON",
      ].join("\n"),
    );
    const { spans, skipped } = await readVotedSpans(path, paperTaxonomy);
    expect(spans).toEqual([{ text: "so", previous: "", votes: { a: "compute" }, trace: "t", domain: "unknown" }]);
    expect(skipped.map(({ line }) => line)).toEqual([2, 3, 4]);
    expect(skipped[0].because).toBe("nobody voted");
  } finally {
    await rm(folder, { recursive: true });
  }
});
