import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { plainForm } from "../../src/engine/chat-template/chat-form.ts";
import { wordTokenizer } from "../../src/engine/word-tokenizer.ts";
import { referenceSignals } from "../../src/recipes/reference-signals.ts";
import { ScriptedEngine } from "../engine/scripted.ts";

const folder = mkdtempSync(join(tmpdir(), "repertoire-signals-"));
afterAll(() => rmSync(folder, { recursive: true }));

const tokenizer = wordTokenizer(["a", "b", "c", "d", "?"]);
const responses: Record<string, string[]> = {
  first: ["a b c d", "d d d", "a", "b a b a b a"],
  second: ["c c", "a d"],
  other: ["a a", "b b b"],
  alone: ["a"],
};
const sets: Record<string, string> = { first: "puzzles", second: "puzzles", other: "mathematics", alone: "single" };
const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
writeFileSync(
  join(folder, "problems.jsonl"),
  lines(Object.keys(responses).map((id) => ({ kind: "mathematics", id, prompt: "?", answer: "a", set: sets[id] }))),
);
const rollouts = Object.entries(responses).flatMap(([problem, texts]) =>
  texts.map((response, attempt) => ({ problem, attempt, policy: "p", state: "complete", response })),
);
writeFileSync(
  join(folder, "rollouts.jsonl"),
  lines([
    ...rollouts,
    { problem: "first", attempt: 4, policy: "p", state: "failed", response: "", failure: "broken" },
    { problem: "first", attempt: 5, policy: "p", state: "complete", response: "a", reasoning: "thought apart" },
  ]),
);

describe("the signal table of an evaluation", () => {
  it("is the mean over problems of the spread between their attempts, under the reference", async () => {
    const engine = new ScriptedEngine({ tokenizer, seed: 7 });
    const { tables, leftOut } = await referenceSignals({ folder, engine, chat: plainForm(tokenizer) });
    expect(leftOut).toBe(2);
    expect(tables.map(({ set, rollouts }) => [set, rollouts])).toEqual([
      ["puzzles", 6],
      ["mathematics", 2],
    ]);

    const surprisals = async (text: string) => {
      const prompt = tokenizer.encode("?");
      const tokens = [...prompt, ...tokenizer.encode(text), tokenizer.endOfText];
      const [{ logprobs }] = await engine.logprobs([{ tokens, promptLength: prompt.length }]);
      return [...logprobs].map((logprob) => -logprob).sort((a, b) => b - a);
    };
    const spread = (values: number[]) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
    };
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    const [first, second] = await Promise.all(
      ["first", "second"].map((id) => Promise.all(responses[id].map(surprisals))),
    );
    const within = (read: (surprisal: number[]) => number) => (spread(first.map(read)) + spread(second.map(read))) / 2;
    const [mean, topTen] = tables[0].rows;
    expect(mean.withinProblem).toBeCloseTo(
      within((surprisal) => sum(surprisal) / surprisal.length),
      6,
    );
    // Divided by k, not by how many there are: short responses have less to be surprised by.
    expect(topTen.withinProblem).toBeCloseTo(
      within((surprisal) => sum(surprisal.slice(0, 10)) / 10),
      6,
    );
    expect(topTen.amplification).toBeCloseTo(topTen.withinProblem / mean.withinProblem, 6);
  });

  it("takes as many problems and attempts as are asked for", async () => {
    const engine = new ScriptedEngine({ tokenizer, seed: 7 });
    const request = { folder, engine, chat: plainForm(tokenizer), problems: 1, attempts: 2 };
    const { tables } = await referenceSignals(request);
    expect(tables.map(({ set, rollouts, rows }) => [set, rollouts, rows[0].problems])).toEqual([
      ["puzzles", 2, 1],
      ["mathematics", 2, 1],
    ]);
  });
});
