// A run over a server that drops connections, asks to wait, loses answers, forgets results and restarts writes the same
// events and rollouts as a run that nothing happened to, and says what happened.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { WeightsLostError } from "../../src/engine/engine.ts";
import type { ServerKind } from "../../src/engine/tinker/capabilities.ts";
import type { SavedCheckpoint } from "../../src/engine/tinker/checkpoint-paths.ts";
import { TinkerEngine } from "../../src/engine/tinker/tinker-engine.ts";
import { runRlStage, runSftStage, type StageEvent } from "../../src/recipes/training-stage.ts";
import { incidentsFile } from "../../src/runs/incidents.ts";
import { trainingFiles } from "../../src/runs/training-log.ts";
import { rlLoop } from "../../src/training/rl-loop.ts";
import { rlOptionsSchema } from "../../src/training/rl-options.ts";
import { sftLoop } from "../../src/training/sft-loop.ts";
import { sftOptionsSchema } from "../../src/training/sft-options.ts";
import { tokenizer, toyEngine, toyProblems, toySequence } from "../training/toy-policy.ts";
import { behaviorOf, type Mishap, SoftmaxServer } from "./softmax-server.ts";

const folder = mkdtempSync(join(tmpdir(), "repertoire-survival-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Recovered = Extract<StageEvent, { type: "recovered" }>;
type Trouble = (path: string, count: number) => Mishap | undefined;

const options = rlOptionsSchema.parse({
  objective: {
    algorithm: "gspo",
    advantage: { estimator: "group", bonus: { kind: "novelty", top: { tokens: 2 } } },
  },
  steps: 6,
  problemsPerStep: 3,
  rolloutsPerProblem: 4,
  rolloutsPerUpdate: 6,
  epochs: 2,
  learningRate: 0.05,
  sampling: { temperature: 0.8, maxTokens: 6 },
  scoringTemperature: 1,
  stepsPerCheckpoint: 2,
});

async function serverOf(kind: ServerKind) {
  const server = await SoftmaxServer.start(behaviorOf(kind), toyEngine().logits.slice());
  const paths = new Map<string, SavedCheckpoint>();
  const told: string[] = [];
  const open = () =>
    TinkerEngine.connect({
      url: server.url,
      kind,
      baseModel: "softmax",
      loraRank: 8,
      seed: 1,
      tokenizer,
      contextLength: 16,
      paths,
      patienceSeconds: 20,
      emit: (message) => told.push(message),
    });
  return { server, open, told };
}

async function rlRun(name: string, kind: ServerKind, trouble: Trouble) {
  const { server, open, told } = await serverOf(kind);
  server.mishap = trouble;
  const heard: StageEvent[] = [];
  const path = join(folder, name);
  try {
    const checkpoint = await runRlStage({
      name: "rl",
      title: "RL",
      folder: path,
      config: {},
      total: options.steps,
      open,
      loop: async function* (engine, from) {
        if (from === undefined) await engine.save("start");
        yield* rlLoop({ engine, problems: toyProblems(20), reference: "start", options, from, clock: () => 0 });
      },
      emit: (event) => heard.push(event),
      now: new Date(0),
    });
    const text = (file: string) => readFileSync(join(path, file), "utf8");
    return {
      checkpoint,
      events: text(trainingFiles.events),
      rollouts: text(trainingFiles.rollouts),
      recovered: heard.filter((event): event is Recovered => event.type === "recovered"),
      told,
      incidents: () => text(incidentsFile).trim().split("\n"),
      requests: server.asked,
    };
  } finally {
    await server.stop();
  }
}

const nothing: Trouble = () => undefined;

/** The nth request to a path, counted from 1. */
function nth(path: string, ...which: readonly number[]): (asked: string) => boolean {
  let seen = 0;
  return (asked) => asked === path && which.includes(++seen);
}

describe.each(["tinker", "skyrl-jax"] as const)("a run over a %s server", (kind) => {
  const undisturbed = rlRun(`${kind}-quiet`, kind, nothing);

  it("survives dropped connections, lost answers and 429s without a trace", async () => {
    const run = await rlRun(`${kind}-noise`, kind, (path, count) => {
      if (path === "create_model" || path === "session_heartbeat") return undefined;
      if (count % 97 === 0) return "drop";
      if (count % 83 === 0) return "lose-answer";
      if (count % 89 === 0 && path !== "asample") return "busy";
      return undefined;
    });
    const { events, rollouts } = await undisturbed;
    expect(run.requests.length).toBeGreaterThan(200);
    expect(run.events).toBe(events);
    expect(run.rollouts).toBe(rollouts);
    expect(run.recovered).toEqual([]);
  });

  it("goes back to its last checkpoint when the server restarts in an update, and says so", async () => {
    // Where a new model may find an old gradient, one step clears its place before each connection.
    const restarting = kind === "skyrl-jax" ? nth("optim_step", 4, 21) : nth("optim_step", 3, 15);
    const run = await rlRun(`${kind}-restart`, kind, (path) => (restarting(path) ? "restart" : undefined));
    const { events, rollouts, checkpoint } = await undisturbed;
    expect(run.events).toBe(events);
    expect(run.rollouts).toBe(rollouts);
    expect(run.checkpoint).toBe(checkpoint);
    expect(run.recovered.map((event) => event.resumesFrom)).toEqual(["the start", "step-2"]);
    expect(run.incidents().map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ type: "weights-lost", resumesFrom: "the start" }),
      expect.objectContaining({
        type: "weights-lost",
        resumesFrom: "step-2",
        because: expect.stringMatching(/no longer has/),
      }),
    ]);
  });

  it("only connects again when the weights that were lost are saved ones, and says so", async () => {
    // The first samples after a checkpoint: nothing was trained since.
    let saved = 0;
    let done = false;
    const run = await rlRun(`${kind}-clean`, kind, (path) => {
      if (path === "save_weights") saved += 1;
      if (path !== "asample" || saved < 2 || done) return undefined;
      done = true;
      return "restart";
    });
    const { events, rollouts } = await undisturbed;
    expect(run.events).toBe(events);
    expect(run.rollouts).toBe(rollouts);
    expect(run.recovered).toEqual([]);
    expect(run.told).toEqual([expect.stringMatching(/had lost the weights: connected again and loaded step-2/)]);
  });

  it("survives a server that dies with a save accepted and not yet done", async () => {
    const [sampler, weights] = [nth("save_weights_for_sampler", 4), nth("save_weights", 3)];
    const run = await rlRun(`${kind}-at-work`, kind, (path) =>
      sampler(path) || weights(path) ? "die-at-work" : undefined,
    );
    const { events, rollouts } = await undisturbed;
    expect(run.events).toBe(events);
    expect(run.rollouts).toBe(rollouts);
  });

  it("does again what a result was forgotten of", async () => {
    const forgetting = nth("retrieve_future", 60, 130);
    const run = await rlRun(`${kind}-forgotten`, kind, (path) => (forgetting(path) ? "forget-future" : undefined));
    const { events, rollouts } = await undisturbed;
    expect(run.events).toBe(events);
    expect(run.rollouts).toBe(rollouts);
  });
});

it("a server that loses the weights again and again ends the run with what happened", async () => {
  // The connection breaks with the restart; asked again, the server knows nothing.
  let asked = 0;
  const trouble: Trouble = (path) => (path === "optim_step" && ++asked % 2 === 1 ? "restart" : undefined);
  await expect(rlRun("hopeless", "tinker", trouble)).rejects.toThrow(WeightsLostError);
  const incidents = readFileSync(join(folder, "hopeless", incidentsFile), "utf8")
    .trim()
    .split("\n");
  expect(incidents).toHaveLength(5);
});

it("SFT survives a restart, too", async () => {
  const corpus = Array.from({ length: 12 }, (_, i) => toySequence("ABC"[i % 3], "abc"[i % 3]));
  const sft = sftOptionsSchema.parse({
    epochs: 2,
    sequencesPerStep: 4,
    learningRate: 0.05,
    stepsPerCheckpoint: 2,
    validation: { rolloutsPerProblem: 2, sampling: { temperature: 0.8, maxTokens: 4 } },
  });
  const run = async (name: string, trouble: Trouble) => {
    const { server, open } = await serverOf("tinker");
    server.mishap = trouble;
    const path = join(folder, name);
    await runSftStage({
      name: "sft",
      title: "SFT",
      folder: path,
      config: {},
      total: 6,
      open,
      loop: (engine, state) => sftLoop(engine, corpus, toyProblems(6), sft, state),
      emit: () => {},
      now: new Date(0),
    });
    await server.stop();
    return readFileSync(join(path, trainingFiles.events), "utf8");
  };
  const restarting = nth("optim_step", 2, 5);
  expect(await run("sft-restart", (path) => (restarting(path) ? "restart" : undefined))).toBe(
    await run("sft-quiet", nothing),
  );
});
