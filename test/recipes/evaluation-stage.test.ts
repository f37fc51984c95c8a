// An evaluation inside a recipe, on a toy: what is asked of it later, and what two sets have in common.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Problem } from "../../src/problems/problem.ts";
import { type AskedPart, runEvaluationStage } from "../../src/recipes/evaluation-stage.ts";
import { tokenizer, toyEngine } from "../training/toy-policy.ts";

const folder = mkdtempSync(join(tmpdir(), "repertoire-evaluation-stage-"));
afterAll(() => rmSync(folder, { recursive: true }));

const problem = (set: string, id: string): Problem => ({ kind: "mathematics", id, set, prompt: "A", answer: "1" });

const evaluated = async (...asked: AskedPart[]) => {
  const { sets } = await runEvaluationStage({
    ...{ policy: "sft", title: "Evaluating sft", folder, config: { policy: "sft" }, asked, seed: 1 },
    sampling: { temperature: 1, maxTokens: 4 },
    open: async () => toyEngine(),
    encode: ({ prompt }) => tokenizer.encode(prompt),
    emit: () => {},
    now: new Date(0),
  });
  return sets.map(({ set, problems, attempts }) => [set, problems, attempts.fewest]);
};

it("a problem that two sets ask for is asked once and counts in the first, whenever it is added", async () => {
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
}, 60_000);
