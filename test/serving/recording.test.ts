// `serve rewards --record`: what was graded is a run, whichever trainer asked and whatever became of the connection.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readProblems } from "../../src/evaluation/evaluation-folder.ts";
import { readGrades } from "../../src/evaluation/grades.ts";
import { RolloutStore } from "../../src/evaluation/rollout-store.ts";
import { importSlice } from "../../src/imports/import-slice.ts";
import { slicesOf } from "../../src/imports/slice.ts";
import type { Rollout } from "../../src/rollouts/rollout.ts";
import { Recording, type RecordingOptions, RewardServer } from "../../src/serving/index.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "repertoire-recording-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const place = (name: string) => join(folder, name);
async function serving(
  name: string,
  work: (server: RewardServer) => Promise<void>,
  options: Partial<RecordingOptions> = {},
) {
  const recording = await Recording.open({ folder: place(name), reward: "paper", ...options });
  const server = await RewardServer.start({ port: 0 }, recording);
  try {
    await work(server);
  } finally {
    await server.drain();
  }
}
async function post(server: RewardServer, path: string, body: unknown): Promise<unknown> {
  const reply = await fetch(`${server.url}${path}`, { method: "POST", body: JSON.stringify(body) });
  expect(reply.status, await reply.clone().text()).toBe(200);
  return reply.json();
}
async function recorded(name: string): Promise<Rollout[]> {
  const store = await RolloutStore.read(place(name));
  const found: Rollout[] = [];
  for await (const rollout of store.rollouts()) found.push(rollout);
  await store.close();
  return found;
}

const item = (answer: number, said: number, more: object = {}) => ({
  ...{ ground_truth: `${answer}`, solution_str: `so \\boxed{${said}}`, prompt: `What is ${answer}?` },
  ...more,
});

describe("a record of what was graded", () => {
  it("has prompt, response and grade of every trainer's requests", async () => {
    const board = { puzzle: "undead", id: "4x4:4,4,3,cLaLaRaLdLa,3,5,1,0,0,1,1,4,1,0,2,3,2,0,3,4" };
    await serving("shapes", async (server) => {
      await post(server, "/score", { items: [item(1, 1), item(2, 3)] });
      await post(server, "/score", item(3, 3));
      await post(server, "/trl", {
        prompts: [[{ role: "user", content: "trl?" }]],
        completions: [[{ role: "assistant", content: "<answer>no board</answer>" }]],
        ground_truth: [JSON.stringify(board)],
      });
      await post(server, "/openrlhf", { query: ["ask: \\boxed{4}"], prompts: ["ask: "], labels: ["4"] });
      await post(server, "/slime", { prompt: "slime?", response: "\\boxed{5}", label: "5" });
      await post(server, "/score", {
        prompt: [{ role: "user", content: [{ type: "input_text", text: "gym?" }] }],
        ...{ solution_str: "\\boxed{6}", ground_truth: "7" },
      });
    });
    const problems = await readProblems(place("shapes"));
    const prompts = ["What is 1?", "What is 2?", "What is 3?", "trl?", "ask: ", "slime?", "gym?"];
    expect(problems.map(({ prompt }) => prompt).sort()).toEqual([...prompts].sort());
    const rollouts = await recorded("shapes");
    const verdictOf = (prompt: string) => {
      const { id } = problems.find((problem) => problem.prompt === prompt)!;
      return rollouts.find(({ problem }) => problem === id)!;
    };
    const verdicts = prompts.map((prompt) => verdictOf(prompt).grade?.verdict);
    expect(verdicts).toEqual(["correct", "wrong", "correct", "unreadable", "correct", "correct", "wrong"]);
    expect(verdictOf("trl?")).toMatchObject({
      problem: `undead/${board.id}`,
      response: "<answer>no board</answer>",
      policy: "shapes",
      grade: { reward: { exact: 0, completion: 0 } },
    });
    const grades = [];
    for await (const { verdict } of readGrades(place("shapes"))) grades.push(verdict);
    expect(grades.sort()).toEqual([...verdicts].sort());
    const { config } = JSON.parse(await readFile(join(place("shapes"), "run.json"), "utf8"));
    expect(config.gradedBy).toContain("Repertoire");
  });

  it("counts steps, keeps validation out of them, and goes on after a restart", async () => {
    const options = { rolloutsPerStep: 4 };
    const ask = async (server: RewardServer, answers: readonly number[]) => {
      for (const answer of answers) await post(server, "/score", { items: [item(answer, answer), item(answer, 0)] });
    };
    const validation = { items: [item(90, 90, { ground_truth: '{"answer":"90","split":"test"}' })] };
    await serving(
      "steps",
      async (server) => {
        await post(server, "/score", validation);
        await ask(server, [1, 2, 3]);
      },
      options,
    );
    await serving(
      "steps",
      async (server) => {
        await ask(server, [4]);
        await post(server, "/score", validation);
        await ask(server, [1, 2]);
        await post(server, "/score", { items: [item(7, 7, { step: 40 })] });
      },
      options,
    );
    const rollouts = await recorded("steps");
    const steps = rollouts.filter(({ step }) => step !== undefined).map(({ step }) => step!);
    expect(steps.sort((a, b) => a - b)).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 40]);
    const tested = rollouts.filter(({ step }) => step === undefined);
    expect(tested.map(({ policy }) => policy)).toEqual(["steps validation, step 0", "steps validation, step 2"]);
    expect(tested.map(({ attempt }) => attempt)).toEqual([0, 1]);
    const keys = rollouts.map(({ problem, attempt }) => `${problem} ${attempt}`);
    expect(new Set(keys).size).toBe(keys.length);
    await expect(serving("steps", async () => {}, { rolloutsPerStep: 8 })).rejects.toThrow("another run");
  });

  it("is read as graded traces of training and validation", async () => {
    const found = [];
    for (const slice of await slicesOf(join(place("steps"), "rollouts.jsonl")))
      for await (const read of importSlice(slice, { format: "auto" })) if ("trace" in read) found.push(read.trace);
    expect(found).toHaveLength(15);
    expect(found.filter(({ stage }) => stage === "training")).toHaveLength(13);
    expect(found.filter(({ correct }) => correct === true)).toHaveLength(9);
    expect(found.filter(({ correct }) => correct === false)).toHaveLength(6);
  });

  it("counts a request once whose reply nobody read, and attempts that are alike each by itself", async () => {
    await serving("hung-up", async (server) => {
      const body = JSON.stringify({ items: Array.from({ length: 200 }, (_, i) => item(i, i)) });
      const abandoned = (afterMs: number) =>
        new Promise<void>((resolve) => {
          const { port } = new URL(server.url);
          const sent = request({ port, host: "127.0.0.1", path: "/score", method: "POST" });
          sent.on("error", () => {});
          sent.on("close", () => resolve());
          sent.on("response", (response) => response.destroy());
          sent.end(body, () => setTimeout(() => sent.destroy(), afterMs));
        });
      for (const afterMs of [0, 5, 20, 60]) await abandoned(afterMs);
      const open = async () => (await fetch(`${server.url}/metrics`)).text();
      while (!/open_requests 1\b/.test(await open()));
      await post(server, "/score", JSON.parse(body));
      await post(server, "/score", { items: [item(1, 1), item(1, 1)] });
    });
    const rollouts = await recorded("hung-up");
    expect(rollouts).toHaveLength(202);
    expect(rollouts.filter(({ problem }) => problem === rollouts[0].problem).length).toBeLessThanOrEqual(3);
  });

  it("that cannot be written ends with a word, and grading goes on", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    const recording = await Recording.open({ folder: place("broken"), reward: "paper" });
    const server = await RewardServer.start({ port: 0 }, recording);
    await post(server, "/score", { items: [item(1, 1)] });
    await recording.close();
    for (let i = 0; i < 2; i++)
      expect(await post(server, "/score", { items: [item(1, 1)] })).toMatchObject({ scores: [{ exact: 1 }] });
    expect(said.mock.calls.map(([message]) => message)).toEqual([expect.stringContaining("grading goes on")]);
    said.mockRestore();
    await server.drain();
    expect(await recorded("broken")).toHaveLength(1);
  });
});
