// Forks where the truth is planted: by a policy whose next word depends on its last alone, so that what a move is worth is a
// number in its table.
import { mkdtemp, readFile, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { forksOfTrace } from "../../src/dashboard/trace-forks.ts";
import { shown } from "../../src/drawing/table.ts";
import { EndpointClient } from "../../src/endpoints/client.ts";
import { endpointSchema } from "../../src/endpoints/endpoint.ts";
import { writePolicyCard } from "../../src/engine/policy-card.ts";
import { wordTokenizer } from "../../src/engine/word-tokenizer.ts";
import { endpointSampler } from "../../src/evaluation/endpoint-sampler.ts";
import { engineSampler } from "../../src/evaluation/engine-sampler.ts";
import { writeProblems } from "../../src/evaluation/evaluation-folder.ts";
import { RolloutStore } from "../../src/evaluation/rollout-store.ts";
import type { Sampler } from "../../src/evaluation/sampler.ts";
import { sampleIntoStore } from "../../src/evaluation/sampling-loop.ts";
import type { MathematicsProblem } from "../../src/problems/problem.ts";
import { type ForkStage, runForkStage } from "../../src/recipes/fork-stage.ts";
import { forkedTraces, forksTable } from "../../src/results/sections/forks.ts";
import { openRunFolder } from "../../src/runs/run-folder.ts";
import { type ForkStory, forkEffects } from "../../src/traces/forks/effects.ts";
import { cutOut, movePlace } from "../../src/traces/forks/fork.ts";
import { readDraws } from "../../src/traces/forks/fork-folder.ts";
import { grammarLabeler } from "../../src/traces/labelers/grammar.ts";
import { segment, terseSegmentation } from "../../src/traces/segmentation.ts";
import { paperAlphabet } from "../../src/traces/sequence.ts";
import { startFakeServer } from "../endpoints/fake-server.ts";
import { ScriptedEngine } from "../engine/scripted.ts";

const [right, wrong] = ["<answer>4</answer>", "<answer>5</answer>"];
const words = ["ask", "setup", "hyp", "comp", "sum", right, wrong];
const tokenizer = wordTokenizer(words);
const [ask, setup, hyp, comp, sum, yes, no] = words.map((word) => tokenizer.encode(word)[0]);

/** The chances of each next word; what is not named has none. */
type Chances = Readonly<Record<number, Readonly<Record<number, number>>>>;

function policy(chances: Chances): ScriptedEngine {
  const engine = new ScriptedEngine({ tokenizer });
  engine.logits.fill(-60);
  for (const [last, next] of Object.entries(chances))
    for (const [word, chance] of Object.entries(next))
      engine.logits[Number(last) * tokenizer.vocabularySize + Number(word)] = Math.log(chance);
  return engine;
}

/** Half of its traces hypothesize; right with these chances then, and otherwise. */
const planted = (hypothesizing: number, otherwise: number, made = 0.5): Chances => ({
  [ask]: { [setup]: 1 },
  [setup]: { [hyp]: made, [comp]: 1 - made },
  [hyp]: { [yes]: hypothesizing, [no]: 1 - hypothesizing },
  [comp]: { [sum]: 1 },
  [sum]: { [yes]: otherwise, [no]: 1 - otherwise },
  [yes]: { [tokenizer.endOfText]: 1 },
  [no]: { [tokenizer.endOfText]: 1 },
});

const problems = Array.from(
  { length: 24 },
  (_, i): MathematicsProblem => ({ kind: "mathematics", id: `p#${i}`, set: "synthetic", prompt: "ask", answer: "4" }),
);
const sampling = { temperature: 1, maxTokens: 20 };
const samplerOf = (engine: ScriptedEngine): Sampler => engineSampler(engine, sampling, { policy: "scripted" });

let run: string;
beforeEach(async () => {
  run = await mkdtemp(join(tmpdir(), "forks-"));
});
afterEach(() => rm(run, { recursive: true, force: true }));

async function evaluated(engine: ScriptedEngine): Promise<void> {
  const folder = await openRunFolder(run, { kind: "evaluate", config: { policy: "scripted" }, now: new Date(0) });
  await writePolicyCard(run, { promptStyle: "terse", chat: "plain", language: "terse" });
  await writeProblems(run, problems);
  const store = await RolloutStore.open(run);
  const input = { problems, rolloutsPerProblem: 8, sampler: samplerOf(engine), seed: 1 };
  await sampleIntoStore(store, input);
  await store.close();
  await folder.release();
}

const stage = (engine: ScriptedEngine, change: Partial<ForkStage> = {}): ForkStage => ({
  ...{ run, name: "forks", of: { name: "scripted", folder: run }, by: "scripted", sampling },
  choice: { moves: [["hypothesize"]], perProblem: 2, problems: 24 },
  settings: { n: 8, tries: 10, without: "next", seed: 1 },
  open: async () => ({ sampler: samplerOf(engine), close: () => engine.dispose() }),
  emit: () => {},
  now: new Date(0),
  ...change,
});

const forked = async (chances: Chances, change: Partial<ForkStage> = {}) => {
  await evaluated(policy(chances));
  return (await runForkStage(stage(policy(chances), change)))!;
};

describe("a planted effect", () => {
  it("of a move that is necessary is found, with the rate at which it is made all the same", async () => {
    const { effects, stories } = await forked(planted(0.8, 0));
    expect(stories).toHaveLength(46);
    const [{ effect, without, ...found }] = effects;
    expect(found).toMatchObject({
      move: "hypothesize",
      scope: "synthetic",
      forks: 46,
      problems: 24,
      blocked: 0,
      later: 0,
    });
    expect(found.with.low).toBeLessThan(0.8);
    expect(found.with.high).toBeGreaterThan(0.8);
    expect(without.value).toBe(0);
    expect(effect.low).toBeGreaterThan(0.7);
    expect(effect.high).toBeLessThan(0.9);
    // Half of the draws at that place make the move.
    expect(found.rejected).toBeGreaterThan(0.4);
    expect(found.rejected).toBeLessThan(0.6);
  });

  it("of a move that is useless is none, although traces differ", async () => {
    const [{ effect, ...found }] = (await forked(planted(0.5, 0.5))).effects;
    expect(found.with.value).toBeCloseTo(0.5, 0);
    expect(effect.low).toBeLessThan(0);
    expect(effect.high).toBeGreaterThan(0);
    expect(Math.abs(effect.value)).toBeLessThan(0.12);
  });

  it("of another policy that goes on is that policy's", async () => {
    await evaluated(policy(planted(0.8, 0)));
    const result = await runForkStage(stage(policy(planted(0, 0.9)), { by: "other" }));
    expect(result?.effects[0].effect.value).toBeLessThan(-0.8);
    expect(result).toMatchObject({ of: "scripted", by: "other" });
  });

  it("where the policy never goes on without the move there is none, and it is said", async () => {
    const { effects, stories } = await forked(planted(0.8, 0, 1), {
      settings: { n: 2, tries: 3, without: "next", seed: 1 },
    });
    expect(effects).toMatchObject([{ forks: 0, problems: 0, blocked: 48, rejected: 1 }]);
    expect(effects[0].effect.value).toBeNaN();
    expect(stories[0]).toMatchObject({ draws: 6, rejected: 6, gaveUp: 2, without: [] });
  });

  it("a move that is only put off counts as made later, unless it may never be made", async () => {
    // After a computation it hypothesizes all the same, half of the time.
    const later: Chances = { ...planted(0.8, 0), [sum]: { [hyp]: 0.5, [no]: 0.5 } };
    const [next] = (await forked(later)).effects;
    expect(next.later).toBeCloseTo(0.5, 0);
    expect(next.without.value).toBeCloseTo(0.4, 0);
    const ever = await runForkStage(
      stage(policy(later), { name: "ever", settings: { n: 8, tries: 10, without: "ever", seed: 1 } }),
    );
    expect(ever?.effects[0]).toMatchObject({ later: 0, without: { value: 0 } });
  });
});

it("intervals hold the planted effect as often as they promise, with few problems too", () => {
  const runs = 400;
  const held = [8, 30].map((count) => {
    const random = Random.from("coverage").child(count);
    let inside = 0;
    for (let i = 0; i < runs; i++) {
      const stories = Array.from({ length: count }, (_, problem) => plantedStory(String(problem), random));
      const [{ effect }] = forkEffects(stories, () => "H");
      if (effect.low <= 0.3 && effect.high >= 0.3) inside += 1;
    }
    return inside / runs;
  });
  for (const share of held) {
    expect(share).toBeGreaterThan(0.92);
    expect(share).toBeLessThan(0.99);
  }
});

/** What the move is worth differs between problems; on average it is 0.3. */
function plantedStory(problem: string, random: Random): ForkStory {
  const base = 0.1 + 0.3 * random.uniform();
  const worth = 0.6 * random.uniform();
  const ends = (chance: number) => Array.from({ length: 8 }, () => ({ right: random.chance(chance), sequence: "C" }));
  const about = { id: problem, problem, attempt: 0, first: 0, move: ["hypothesize"], set: "s", sequence: "H" };
  return { ...about, with: ends(base + worth), without: ends(base), draws: 8, rejected: 0, gaveUp: 0 };
}

describe("a run of forks that was killed", () => {
  it("goes on where it was, and ends as if nothing had happened", async () => {
    await forked(planted(0.8, 0));
    const [draws, result] = ["draws.jsonl", "result.json"].map((name) => join(run, "forks", "forks", name));
    const [whole, told] = [await readDraws(join(run, "forks", "forks")), await readFile(result, "utf8")];
    await rm(result);
    await rm(join(run, "forks", "forks", "files.json"));
    // In the middle of a line.
    const bytes = (await readFile(draws)).length;
    await truncate(draws, Math.floor(bytes / 3));
    let drawn = 0;
    const engine = policy(planted(0.8, 0));
    await runForkStage(stage(engine, { emit: (event) => void (drawn += event.type === "progress" ? 1 : 0) }));
    expect(drawn).toBeLessThan(whole.length * 0.75);
    expect(await readFile(result, "utf8")).toBe(told);
    const key = (draw: (typeof whole)[number]) => JSON.stringify(draw);
    expect((await readDraws(join(run, "forks", "forks"))).map(key).sort()).toEqual(whole.map(key).sort());
  });

  it("asks nothing again when it is finished, and only what is missing when more is asked for", async () => {
    await forked(planted(0.8, 0));
    const before = (await readDraws(join(run, "forks", "forks"))).length;
    const unasked = async () => expect.fail("a finished run opened its policy");
    await runForkStage(stage(policy(planted(0.8, 0)), { open: unasked }));
    const more = { settings: { n: 10, tries: 10, without: "next", seed: 1 } } as const;
    const result = await runForkStage(stage(policy(planted(0.8, 0)), more));
    expect(result?.stories[0].with).toHaveLength(10);
    expect(result?.draws).toBeGreaterThan(before + 2 * 46);
    await expect(runForkStage(stage(policy({}), { by: "somebody else" }))).rejects.toThrow(/holds another run/);
  });
});

it("a server goes on from the prompt with what was said behind it", async () => {
  await evaluated(policy(planted(0.8, 0)));
  const server = await startFakeServer(({ body: { prompt = "", seed } }) => ({
    say: prompt.endsWith(" hyp") ? right : seed % 2 === 0 ? `\nhyp ${right}` : `\ncomp ${wrong}`,
  }));
  const endpoint = endpointSchema.parse({
    url: server.url,
    model: "m",
    mode: "completion",
    price: { prompt: 1, completion: 1 },
  });
  const client = new EndpointClient(endpoint, {});
  try {
    const over = {
      by: "m",
      open: async () => ({ sampler: endpointSampler(client, sampling), close: () => client.close() }),
    };
    const result = (await runForkStage(stage(policy({}), over)))!;
    expect(result.effects[0].effect.value).toBe(1);
    expect(result.effects[0].rejected).toBeCloseTo(0.5, 0);
    expect(result.cost).toBeGreaterThan(0);
    expect(new Set(server.asked.map(({ body }) => body.prompt))).toEqual(new Set(["asksetup hyp", "asksetup"]));
  } finally {
    await server.close();
  }
});

it("a trace knows its forks, and tables say what the move causes", async () => {
  const result = await forked(planted(0.8, 0));
  const [{ problem, attempt, ...story }] = result.stories;
  const [fork] = await forksOfTrace(run, "scripted", problem, attempt);
  expect(fork).toMatchObject({ first: 1, move: ["hypothesize"], by: "scripted", without: "next" });
  expect(fork.right.with).toEqual({ ends: 8, right: story.with.filter((end) => end.right).length });
  expect(fork.right.without).toEqual({ ends: 8, right: 0 });
  expect(await forksOfTrace(run, "another", problem, attempt)).toEqual([]);
  const { body } = forksTable([result]);
  const row = body.kind === "table" ? body.rows[0].map(shown) : [];
  expect(row.slice(0, 3)).toEqual(["success", "hypothesize", "scripted"]);
  expect(row.slice(4, 6)).toEqual(["synthetic", "24"]);
  const traces = forkedTraces([result], paperAlphabet).body;
  expect(traces.kind === "traces" && traces.traces.map(({ boxed }) => boxed.length)).toEqual([
    1, 0, 0, 0, 0, 0, 0, 0, 0,
  ]);
});

it("spans by hand, and a move that nobody makes", async () => {
  const spans = [{ problem: "p#3", attempt: 2, first: 1, count: 1 }];
  const { stories } = await forked(planted(0.8, 0), { spans, choice: { moves: [], perProblem: 1, problems: 1 } });
  expect(stories).toHaveLength(1);
  expect(stories[0]).toMatchObject({ id: "p#3#2:1", first: 1 });
  const backtrack = { name: "none", choice: { moves: [["backtrack"]], perProblem: 1, problems: 1 } };
  await expect(runForkStage(stage(policy({}), backtrack))).rejects.toThrow(
    /makes the move backtrack; labels: .*hypothesize/,
  );
  const beyond = { name: "beyond", spans: [{ ...spans[0], first: 40 }] };
  await expect(runForkStage(stage(policy({}), beyond))).rejects.toThrow(/there is no span 40/);
});

it("a cut is a beginning of the response and leaves out no word, wherever spans lie", () => {
  const texts = fc.array(fc.constantFrom("Wait", "so x = 3.", "\n\n", "\n", " ", "\t", "Let me check:", "hyp a"), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(texts, fc.nat(), fc.nat(), (pieces, a, b) => {
      const text = pieces.join(" ");
      const spans = segment(text, terseSegmentation);
      if (spans.length === 0) return;
      const first = a % spans.length;
      const count = 1 + (b % (spans.length - first));
      const { prefix, made } = cutOut(text, spans, first, count);
      expect(text.startsWith(prefix + made)).toBe(true);
      expect(prefix).not.toMatch(/[ \t]$/);
      expect(prefix.trim()).toBe(text.slice(0, spans[first].start).trim());
      expect((prefix + made).trim()).toBe(text.slice(0, spans[first + count - 1].end).trim());
    }),
  );
  expect(grammarLabeler.read("setup hyp comp").spans).toHaveLength(3);
  expect(movePlace(["a", "b", "a", "b"], ["a", "b"], 1)).toBe(2);
});
