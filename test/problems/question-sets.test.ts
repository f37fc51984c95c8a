// Questions to train on: what is held out, how sources are mixed, and what is refused.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import {
  loadQuestions,
  mixedProblems,
  onSide,
  questionSplit,
  readSources,
  sharesOf,
} from "../../src/problems/question-sets.ts";
import { loadProblems } from "../../src/problems/sources.ts";

const root = mkdtempSync(join(tmpdir(), "repertoire-questions-"));
afterAll(() => rmSync(root, { recursive: true }));
const rows = Array.from({ length: 400 }, (_, i) => ({ question: `What is ${i} + ${i}?`, gold: String(2 * i) }));
const columns = { problem: "question", answer: "gold" };
const hub = { cache: root };
const options = { hub, columns, count: 10, seed: 1 };

function written(name: string, lines: readonly object[], end = "\n"): string {
  writeFileSync(join(root, name), lines.map((line) => JSON.stringify(line) + end).join(""));
  return join(root, name);
}

describe("what is held out", () => {
  it("is a tenth by the question's own text, in any order, with any prompt around it", async () => {
    const set = await loadQuestions(written("sums.jsonl", rows), options);
    expect(set.training.length + set.heldOut.length).toBe(400);
    expect(set.heldOut.length).toBeGreaterThan(20);
    expect(set.heldOut.length).toBeLessThan(60);
    const again = await loadQuestions(written("sums.jsonl", rows.slice().reverse()), {
      ...options,
      prompt: "Q: {problem}",
    });
    const ids = ({ heldOut }: typeof set) => heldOut.map(({ id }) => id).sort();
    expect(ids(again)).toEqual(ids(set));
    const asked = await loadProblems(join(root, "sums.jsonl"), options);
    expect(
      onSide(asked, "test")
        .map(({ id }) => id)
        .sort(),
    ).toEqual(ids(set));
    expect(onSide(asked, "train")).toHaveLength(set.training.length);
  });

  it("does not change when rows are added, and none of it is trained on", async () => {
    const before = await loadQuestions(written("some.jsonl", rows.slice(0, 200)), options);
    const after = await loadQuestions(written("some.jsonl", rows), options);
    const trained = new Set(after.training.map(({ id }) => id));
    expect(before.heldOut.every(({ id }) => !trained.has(id))).toBe(true);
    expect(questionSplit("  What IS\n1? ")).toBe(questionSplit("what is 1?"));
    const none = await loadQuestions(join(root, "some.jsonl"), { ...options, heldOutShare: 0 });
    expect([none.training.length, none.heldOut.length]).toEqual([400, 0]);
  });

  it("of synthetic mathematics is its own test side", async () => {
    const { training, heldOut } = await loadQuestions("synthetic", { ...options, count: 60 });
    const asked = new Set(heldOut.map(({ prompt }) => prompt));
    expect([training.length, heldOut.length]).toEqual([60, 60]);
    expect(training.some(({ prompt }) => asked.has(prompt))).toBe(false);
  });
});

describe("sources", () => {
  it("have weights, and are given once", () => {
    expect(readSources(["a.jsonl", "puzzles*2.5", "hub:o/n*3"])).toEqual([
      { source: "a.jsonl", weight: 1 },
      { source: "puzzles", weight: 2.5 },
      { source: "hub:o/n", weight: 3 },
    ]);
    expect(() => readSources(["a.jsonl", "a.jsonl*2"])).toThrow(/given twice/);
    expect(() => readSources(["a.jsonl*0"])).toThrow(/a weight above 0/);
  });

  it("that hold out puzzles are not trained on", async () => {
    await expect(loadQuestions("puzzles:pattern:4x4", options)).rejects.toThrow(
      /held-out puzzles; to train on puzzles/,
    );
  });

  it("are mixed alike from beginning to end, each used up before any of it comes again", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ weight: fc.integer({ min: 1, max: 5 }), size: fc.integer({ min: 1, max: 40 }) }), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.integer({ min: 0, max: 300 }),
        (kinds, count) => {
          const sources = kinds.map(({ weight, size }, k) => ({
            source: `s${k}`,
            weight,
            problems: Array.from({ length: size }, (_, i) => ({ k, i })),
          }));
          const mixed = mixedProblems(sources, count, Random.from(1));
          expect(mixed).toHaveLength(count);
          const total = kinds.reduce((sum, { weight }) => sum + weight, 0);
          const shares = sharesOf(sources, count);
          for (const [k, { weight, size }] of kinds.entries()) {
            const own = mixed.filter((one) => one.k === k);
            expect(own).toHaveLength(shares[k]);
            // No beginning of the run is further from its share than one problem.
            for (let end = 0; end <= count; end += 17) {
              const given = mixed.slice(0, end).filter((one) => one.k === k).length;
              expect(Math.abs(given - (end * weight) / total)).toBeLessThanOrEqual(kinds.length);
            }
            const pass = own.slice(0, size).map(({ i }) => i);
            expect(new Set(pass).size).toBe(pass.length);
          }
        },
      ),
    );
  });
});
