// An evaluation inside a recipe, on a toy: what is asked of it later, and what two sets have in common.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { wordTokenizer } from "../../src/engine/word-tokenizer.ts";
import type { Problem } from "../../src/problems/problem.ts";
import { type EvaluationPart, runEvaluationStage } from "../../src/recipes/evaluation-stage.ts";
import { ScriptedEngine } from "../engine/scripted.ts";

/** Two words, long enough that saying the same again tells something. */
const tokenizer = wordTokenizer(["A", "a".repeat(50)]);

const root = mkdtempSync(join(tmpdir(), "repertoire-evaluation-stage-"));
afterAll(() => rmSync(root, { recursive: true }));

const problem = (set: string, id: string): Problem => ({ kind: "mathematics", id, set, prompt: "A", answer: "1" });

const evaluate = (folder: string, asked: readonly EvaluationPart[], drawsHere = true) =>
  runEvaluationStage({
    ...{ policy: "sft", title: "Evaluating sft", folder, config: { policy: "sft" }, asked, seed: 1, drawsHere },
    sampling: { temperature: 1, maxTokens: 4 },
    open: async () => new ScriptedEngine({ tokenizer, seed: 3, contextLength: 16 }),
    encode: ({ prompt }) => tokenizer.encode(prompt),
    emit: () => {},
    now: new Date(0),
  });

it("a problem that two sets ask for is asked once and counts in the first, whenever it is added", async () => {
  const folder = join(root, "overlapping");
  const evaluated = async (...asked: EvaluationPart[]) =>
    (await evaluate(folder, asked)).sets.map(({ set, problems, attempts }) => [set, problems, attempts.fewest]);
  const first = { problems: [problem("held-out", "one"), problem("held-out", "two")], rollouts: 2 };
  const second = { problems: [problem("search", "two"), problem("search", "three")], rollouts: 2 };
  expect(await evaluated(first, second)).toEqual([
    ["held-out", 2, 2],
    ["search", 1, 2],
  ]);
  const rollouts = readFileSync(join(folder, "rollouts.jsonl"), "utf8");
  expect(rollouts.trim().split("\n")).toHaveLength(6);
  expect(await evaluated(second, first)).toEqual([
    ["held-out", 2, 2],
    ["search", 1, 2],
  ]);
  expect(readFileSync(join(folder, "rollouts.jsonl"), "utf8")).toBe(rollouts);
});

it("rollouts that repeat over a server are said beside the numbers, as `evaluate` says them; draws of our own are not", async () => {
  const repeats = expect.stringMatching(/rollouts repeat an earlier one word for word although their seeds differ/);
  const asked = [{ problems: [problem("set", "one")], rollouts: 20 }];
  const said = async (name: string, drawsHere: boolean) =>
    (await evaluate(join(root, name), asked, drawsHere)).warnings;
  expect(await said("server", false)).toContainEqual(repeats);
  expect(await said("here", true)).not.toContainEqual(repeats);
  // A second start has what the first said.
  expect(await said("server", false)).toContainEqual(repeats);
});
