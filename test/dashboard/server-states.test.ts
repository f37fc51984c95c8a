// Runs as they are found in life: empty, going on, cut off in the middle of a line, broken, gone on with, and named and
// filled by somebody who means harm.
import { appendFile, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeFileAtomically } from "../../src/base/files.ts";
import type {
  ItemsReply,
  LiveEvent,
  ProblemsReply,
  RolloutsReply,
  RunReply,
  RunsReply,
  TraceReply,
} from "../../src/dashboard/api.ts";
import { discoverRuns } from "../../src/dashboard/run-discovery.ts";
import { plannedSteps } from "../../src/dashboard/run-state.ts";
import { writeWanted } from "../../src/evaluation/evaluation-folder.ts";
import { lockOf } from "../../src/runs/run-folder.ts";
import { ownIdentity, takeLock } from "../../src/runs/writer-lock.ts";
import { terseResponse, writeInventedRun } from "../report/invented-run.ts";
import { jsonLines, ServedFolder, writeRun } from "./served-folder.ts";

const step = (n: number, moves = 1) => ({
  ...{ type: "rl-step", step: n, problems: 2, rollouts: 4, solveRate: 0.5, entropy: 0.2 },
  reward: { exact: 0.5, completion: 0.2, format: 1, bonus: 0, total: 0.8 },
  ...{ solveRateByFamily: { bridges: 0.5 }, responseTokens: { mean: 100, longest: 200 }, truncatedShare: 0.1 },
  updates: [
    { kl: 0.1, clipFraction: 0.2, gradientNorm: 1 },
    { kl: 0.3, clipFraction: 0.4, gradientNorm: 3 },
  ],
  ...{ primitives: { hypothesize: moves / 2, backtrack: moves / 2 }, labeledBy: "grammar:terse@1" },
  ...{ warnings: [], learningRate: 0.001 },
});
const rollout = (n: number, more: object = {}) => ({
  ...{ problem: `problem ${n}`, attempt: 0, policy: "step-0", step: n, state: "complete" },
  ...{ response: terseResponse(["plan", "compute", "check"], "x"), ...more },
});

const hostile = {
  script: "<script>alert(1)</script>",
  image: '"><img src=x onerror=alert(1)>',
  mirrored: "\u202Egnp.exe\u2066",
  control: "bell\u0007 escape\u001b[31m null\u0000 line\u2028",
  path: "../../../etc/passwd",
  prototype: "__proto__",
};

const pace = (step: number, seconds: number) => ({
  ...{ type: "rl-pace", step, sampledTokensPerSecond: 10 },
  seconds: { sampling: seconds / 2, scoring: seconds / 4, updating: seconds / 4 },
});

let served: ServedFolder;
beforeAll(async () => {
  served = await ServedFolder.start(async (folder) => {
    const evaluation = join(folder, "evaluation");
    await writeRun(evaluation, "evaluate", { policy: "p" }, { "rollouts.jsonl": [{}] });
    await writeFile(join(evaluation, "rollouts.index.jsonl"), "{}\n{}\n{}\n");
    const training = join(folder, "training");
    const events = Array.from({ length: 10 }, (_, step) => ({ type: "rl-step", step }));
    // The first steps were slow; only the last eight count, at 4 s each.
    const paces = Array.from({ length: 10 }, (_, step) => pace(step, step < 2 ? 100 : 4));
    await writeRun(training, "rl", { steps: 25 }, { "events.jsonl": events, "pace.jsonl": paces });
    for (const path of [evaluation, training]) await takeLock(lockOf(path), path);
    await writeInventedRun(join(folder, "invented"));
    await writeRun(join(folder, "empty"), "rl", { steps: 10 });
    await writeRun(join(folder, "empty-recipe"), "recipe", { recipe: "mini" });
    await writeRun(
      join(folder, "running"),
      "rl",
      { steps: 10 },
      { "events.jsonl": [step(0), step(1)], "rollouts.jsonl": [rollout(0), rollout(1)] },
    );
    await takeLock(lockOf(join(folder, "running")), "running");
    await writeRun(
      join(folder, "recording"),
      "evaluate",
      { recordedBy: "serve rewards" },
      { "rollouts.jsonl": [rollout(0)], "grades.jsonl": [{ problem: "problem 0", attempt: 0, verdict: "wrong" }] },
    );
    await takeLock(lockOf(join(folder, "recording")), "recording");
    await writeRun(
      join(folder, "stopped"),
      "rl",
      { steps: 10 },
      { "events.jsonl": [step(0)], "rollouts.jsonl": [rollout(0)] },
    );
    const gone = { ...ownIdentity(), pid: 999_999_999, token: "0a" };
    await writeFile(lockOf(join(folder, "stopped")), JSON.stringify(gone));
    await mkdir(join(folder, "not-json"));
    await writeFile(join(folder, "not-json", "run.json"), "{");
    await mkdir(join(folder, "another-version"));
    await writeFile(join(folder, "another-version", "run.json"), JSON.stringify({ version: 99 }));
    await writeRun(
      join(folder, "damaged"),
      "evaluate",
      { policy: "p" },
      { "problems.jsonl": [{ kind: "mathematics", id: "a", prompt: "?", answer: "1" }] },
    );
    await writeFile(
      join(folder, "damaged", "rollouts.jsonl"),
      `${jsonLines([{ problem: "a", attempt: 0, policy: "p", state: "complete", response: "one" }])}not json\n{"problem":1}\n\n${jsonLines(
        [
          { problem: "a", attempt: 1, policy: "p", state: "failed", response: "", failure: "timeout" },
          { problem: "a", attempt: 1, policy: "p", state: "complete", response: "two" },
        ],
      )}{"problem":"a","attempt":2,"policy":"p","state":"complete","resp`,
    );
    await writeFile(join(folder, "damaged", "summary.json"), "{ not a summary");
    const problems = Object.values(hostile).map((id) => ({
      kind: "mathematics",
      id,
      prompt: id,
      answer: id,
      set: id,
      subject: id,
    }));
    const rollouts = Object.values(hostile).map((id) => ({
      problem: id,
      attempt: 0,
      policy: id,
      state: "complete",
      response: `${id} wait ${id}`,
    }));
    const grades = Object.values(hostile).map((id) => ({
      problem: id,
      attempt: 0,
      verdict: "wrong",
      because: id,
      reward: { exact: 0, total: 0 },
    }));
    const files = { "problems.jsonl": problems, "rollouts.jsonl": rollouts, "grades.jsonl": grades };
    for (const name of [
      "<script>alert(1)</script>".replace("/", "∕"),
      "\u202Egnp.exe",
      "__proto__",
      "..%2f..",
      "a b&c=d?#e",
      "bell\u0007",
    ])
      await writeRun(join(folder, name), "evaluate", { policy: name }, files);
  });
});
afterAll(() => served.close());

const stateOf = async (id: string) => (await served.get<RunsReply>("runs")).runs.find((run) => run.id === id)!;

describe("the list of runs", () => {
  it("says of each how it stands", async () => {
    const { runs } = await served.get<RunsReply>("runs");
    const states = Object.fromEntries(runs.map(({ id, state }) => [id, state]));
    expect(states).toMatchObject({
      ...{ empty: "empty", "empty-recipe": "empty", running: "running", recording: "running", stopped: "stopped" },
      ...{ "not-json": "broken", "another-version": "broken", damaged: "finished" },
    });
    expect((await stateOf("running")).stages[0].progress).toEqual({ done: 2, total: 10, unit: "steps" });
    const broken = await stateOf("not-json");
    expect(broken.problem).toContain("cannot be read");
    expect(broken.problem).not.toContain(served.folder);
  });
});

describe("an empty run", () => {
  it("answers every question with nothing", async () => {
    for (const run of ["empty", "empty-recipe", "not-json"]) {
      const { sources } = await served.get<RunReply>("run", { run });
      const { sections } = await served.get<ItemsReply>("items", { run });
      const bodies = sections.flatMap(({ items }) => items.map(({ body }) => body));
      // Settings are there before anything happened.
      for (const body of bodies) if (body.kind !== "missing") expect(body.kind).toBe("table");
      expect(sources.every(({ rollouts }) => rollouts === 0)).toBe(true);
      expect((await served.get<RolloutsReply>("rollouts", { run })).matching).toBe(0);
      expect((await served.get<ProblemsReply>("problems", { run })).problems).toEqual([]);
      await expect(served.get("query", { run, sql: "SELECT 1" })).rejects.toThrow(/404: .*traces analyze/);
    }
    const { gaps } = await served.get<RunReply>("run", { run: "empty-recipe" });
    expect(gaps.map(({ missing }) => missing)).toContain("the stage evaluations/novelty");
  });
});

describe("a damaged run", () => {
  it("shows what can be read and names what cannot", async () => {
    await served.indexed("damaged");
    const { gaps, sources } = await served.get<RunReply>("run", { run: "damaged" });
    expect(gaps.map(({ missing }) => missing).join("; ")).toContain("2 lines of rollouts.jsonl that are not records");
    const items = await served.get<ItemsReply>("items", { run: "damaged" });
    expect(items.gaps.map(({ missing }) => missing).join("; ")).toContain("a readable summary.json");
    expect(JSON.stringify(items)).not.toContain(served.folder);
    expect(sources[0].rollouts).toBe(3);
    const { rows, total } = await served.get<RolloutsReply>("rollouts", { run: "damaged" });
    // The failed attempt gave way to the answered one; the torn line is not there yet.
    expect(rows.map(({ attempt, state }) => [attempt, state])).toEqual([
      [0, "complete"],
      [1, "complete"],
    ]);
    expect(total).toBe(2);
  });
});

/** As an item has it. */
async function curveOf(run: string, title: string) {
  const { body } = await served.item("training-curves", { run });
  const panel = body.kind === "panels" ? body.panels.find((one) => one.title.startsWith(title)) : undefined;
  return (panel?.marks ?? []).flatMap((mark) => (mark.mark === "line" ? mark.points : []));
}

describe("a resumed run", () => {
  it("is read on from where it was, torn lines when they are whole, and told about", async () => {
    const folder = join(served.folder, "running");
    const events = listenTo(served);
    await events.connected;
    expect((await curveOf("running", "KL")).map(({ x }) => x)).toEqual([0, 1]);
    await served.indexed("running");
    const line = JSON.stringify(step(2));
    await appendFile(join(folder, "events.jsonl"), line.slice(0, 50));
    await appendFile(join(folder, "rollouts.jsonl"), jsonLines([rollout(2)]));
    await appendFile(join(folder, "events.jsonl"), `${line.slice(50)}\n`);
    await expect
      .poll(async () => (await curveOf("running", "KL")).at(-1), { timeout: 60_000 })
      .toEqual({ x: 2, value: 0.2 });
    expect((await curveOf("running", "Clip fraction")).at(-1)?.value).toBeCloseTo(0.3, 12);
    await events.until((event) => event.type === "changed" && event.run === "running");
    await events.until((event) => event.type === "indexed" && event.run === "running" && event.indexed === 3);
    expect((await served.get<RolloutsReply>("rollouts", { run: "running" })).total).toBe(3);
    events.close();
  });

  it("that went back to its last checkpoint is read again from its start", async () => {
    const folder = join(served.folder, "stopped");
    await served.indexed("stopped");
    expect((await served.get<RolloutsReply>("rollouts", { run: "stopped" })).total).toBe(1);
    for (const [name, records] of [
      ["rollouts.jsonl", [rollout(0, { seed: 5 }), rollout(7)]],
      ["events.jsonl", [step(0, 9), step(1)]],
    ] as const) {
      await truncate(join(folder, name), 0);
      await appendFile(join(folder, name), jsonLines(records));
    }
    await served.get("rollouts", { run: "stopped" });
    await served.indexed("stopped");
    const { rows } = await served.get<RolloutsReply>("rollouts", { run: "stopped" });
    expect(rows.map((row) => row.step)).toEqual([0, 7]);
    expect((await curveOf("stopped", "KL")).map(({ x }) => x)).toEqual([0, 1]);
  });

  it("that begins while the page is open appears", async () => {
    const events = listenTo(served);
    await events.connected;
    await writeRun(join(served.folder, "late"), "rl", { steps: 3 });
    await events.until((event) => event.type === "runs");
    expect((await stateOf("late")).state).toBe("empty");
    events.close();
    await rm(join(served.folder, "late"), { recursive: true });
  });

  it("has grades when they come, and others when it is graded again", async () => {
    const folder = join(served.folder, "damaged");
    const grade = (attempt: number, verdict: string) => ({
      problem: "a",
      attempt,
      verdict,
      reward: { exact: 0, total: 0 },
    });
    const verdicts = async () => {
      await served.get("rollouts", { run: "damaged" });
      await served.indexed("damaged");
      return (await served.get<RolloutsReply>("rollouts", { run: "damaged" })).rows.map(({ verdict }) => verdict);
    };
    expect(await verdicts()).toEqual(["ungraded", "ungraded"]);
    await writeFile(join(folder, "grades.jsonl"), jsonLines([grade(0, "correct")]));
    expect(await verdicts()).toEqual(["correct", "ungraded"]);
    await appendFile(join(folder, "grades.jsonl"), jsonLines([grade(1, "wrong")]));
    expect(await verdicts()).toEqual(["correct", "wrong"]);
    await rm(join(folder, "grades.jsonl"));
    await writeFile(join(folder, "grades.jsonl"), jsonLines([grade(1, "correct"), grade(0, "undecided")]));
    expect(await verdicts()).toEqual(["undecided", "correct"]);
  });
});

describe("problems", () => {
  it("have solves counted by checkpoint as the grades are", async () => {
    await served.indexed("invented");
    const { problems, checkpoints } = await served.get<ProblemsReply>("problems", { run: "invented" });
    for (const [c, { stage }] of checkpoints.entries()) {
      const text = await readFile(join(served.folder, "invented", stage, "grades.jsonl"), "utf8");
      const grades = text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
      for (const { problem, counts } of problems) {
        const own = grades.filter((grade) => grade.problem === problem);
        const correct = own.filter(({ verdict }) => verdict === "correct").length;
        expect(counts[c]).toEqual({ correct, attempts: own.length });
      }
    }
  });
});

describe("names and texts that mean harm", () => {
  it("come back exactly as they are, as JSON and nothing else", async () => {
    const { runs } = await served.get<RunsReply>("runs");
    const named = runs.filter(({ kind }) => kind === "evaluate").map(({ id }) => id);
    expect(named).toEqual(
      expect.arrayContaining(["__proto__", "..%2f..", "a b&c=d?#e", "\u202Egnp.exe", "bell\u0007"]),
    );
    for (const run of named.filter((id) => !["damaged", "recording", "evaluation"].includes(id))) {
      await served.indexed(run);
      const { rows } = await served.get<RolloutsReply>("rollouts", { run });
      expect(rows.map(({ problem }) => problem).sort()).toEqual(Object.values(hostile).sort());
      for (const { source, row, problem } of rows) {
        const trace = await served.get<TraceReply>("trace", { run, source, row });
        expect(trace.text).toBe(`${problem} wait ${problem}`);
        expect(trace.grade?.because).toBe(problem);
        expect(trace.problem).toMatchObject({ id: problem, answer: problem });
      }
      const found = await served.get<RolloutsReply>("rollouts", { run, text: hostile.control });
      expect(found.rows.map(({ problem }) => problem)).toEqual([hostile.control]);
      expect((await served.get<RolloutsReply>("rollouts", { run, problem: hostile.prototype })).matching).toBe(1);
    }
    const { headers } = await served.ask("/api/runs");
    expect(headers["content-type"]).toBe("application/json");
  });
});

const progressOf = async (run: string) => {
  const { runs } = await served.get<RunsReply>("runs");
  const [stage] = runs.find(({ id }) => id === run)!.stages;
  return { state: stage.state, progress: stage.progress };
};

describe("how far a run is", () => {
  it("evaluations say it once they have written down how many rollouts they want", async () => {
    expect(await progressOf("evaluation")).toEqual({ state: "running", progress: undefined });
    const folder = join(served.folder, "evaluation");
    await writeWanted(folder, 5);
    expect((await progressOf("evaluation")).progress).toEqual({ done: 3, total: 5, unit: "rollouts" });
    // What failed is asked again: more lines than rollouts, and never more than all.
    await appendFile(join(folder, "rollouts.index.jsonl"), jsonLines([{}, {}, {}]));
    expect((await progressOf("evaluation")).progress).toMatchObject({ done: 5, total: 5 });
    await writeFile(join(folder, "wanted.json"), "not json");
    expect((await progressOf("evaluation")).progress).toBeUndefined();
  });

  it("SFT says how many steps it plans, wherever its configuration has the number of its traces", () => {
    const config = { epochs: 2, sequencesPerStep: 32 };
    expect(plannedSteps("sft", { ...config, traces: 100, corpus: "corpus.jsonl" })).toBe(8);
    expect(plannedSteps("sft", { ...config, corpus: { traces: 64 } })).toBe(4);
    expect(plannedSteps("sft", { ...config, corpus: "corpus.jsonl" })).toBeUndefined();
  });

  it("training says how long the rest takes at the pace of its last steps", async () => {
    const { state, progress } = await progressOf("training");
    expect(state).toBe("running");
    expect(progress).toEqual({ done: 10, total: 25, unit: "steps", secondsLeft: 15 * 4 });
  });
});

it("runs are found while their files are replaced under our eyes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "discovery-"));
  let stop = false;
  const description = { kind: "evaluate", config: {}, version: "0.2.0", created: "2026-01-01T00:00:00Z", command: "" };
  await writeFileAtomically(join(folder, "run", "run.json"), JSON.stringify(description));
  const writers = ["summary.json", "state.json", "sampling.json"].map(async (name) => {
    while (!stop) await writeFileAtomically(join(folder, "run", name), "{}");
  });
  try {
    for (let i = 0; i < 300; i++) {
      const { runs, gaps } = await discoverRuns(folder);
      expect([runs.length, gaps]).toEqual([1, []]);
    }
  } finally {
    stop = true;
    await Promise.all(writers);
    await rm(folder, { recursive: true });
  }
});

function listenTo({ server }: ServedFolder) {
  const seen: LiveEvent[] = [];
  const waiting: { readonly wanted: (event: LiveEvent) => boolean; readonly resolve: () => void }[] = [];
  let connect: () => void;
  const connected = new Promise<void>((resolve) => {
    connect = resolve;
  });
  const asked = request(`${server.url}/api/events`, (response) => {
    response.setEncoding("utf8");
    response.on("data", (text: string) => {
      connect();
      for (const line of text.split("\n")) {
        if (!line.startsWith("data: ")) continue;
        const event = JSON.parse(line.slice(6)) as LiveEvent;
        seen.push(event);
        for (const { wanted, resolve } of waiting) if (wanted(event)) resolve();
      }
    });
    response.on("error", () => {});
  });
  asked.on("error", () => {});
  asked.end();
  return {
    connected,
    until: (wanted: (event: LiveEvent) => boolean) =>
      new Promise<void>((resolve) => {
        if (seen.some(wanted)) resolve();
        else waiting.push({ wanted, resolve });
      }),
    close: () => asked.destroy(),
  };
}
