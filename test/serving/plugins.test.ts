// The Python plugins against our own formulas and our own server: the same vectors, and a real training in TRL.
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/base/random.ts";
import { importSlice } from "../../src/imports/import-slice.ts";
import { slicesOf, traceFiles } from "../../src/imports/slice.ts";
import type { Trace } from "../../src/imports/trace.ts";
import { RewardServer } from "../../src/serving/index.ts";
import { noveltyBonuses, noveltyScore } from "../../src/training/novelty.ts";
import { missingModules, runPython } from "./python.ts";

const options = { weight: 0.1, clip: 2, divisor: "sample" } as const;

/** Groups of every kind: short and long responses, no, one, some and all correct, equal scores, scores that clip. */
const vectors = Array.from({ length: 40 }, (_, i) => {
  const random = Random.from("novelty vectors").child(i);
  const rollouts = 2 + random.below(9);
  const tokens = 1 + random.below(12);
  const surprisals = Array.from({ length: rollouts }, () =>
    Array.from({ length: random.below(30) }, () => Math.round(-1e4 * Math.log(1 - random.uniform())) / 1e4),
  );
  if (i % 10 === 0) surprisals.fill(surprisals[0]);
  if (i % 7 === 0) surprisals[0] = [1e3];
  const correct = surprisals.map(() => random.uniform() < [0, 0.2, 0.6, 1][i % 4]);
  const scores = surprisals.map((list) =>
    noveltyScore(
      list.map((surprise) => -surprise),
      { tokens },
    ),
  );
  return { surprisals, correct, tokens, scores, bonuses: noveltyBonuses(scores, correct, options).bonuses };
});

describe("novelty vectors", () => {
  it("are the committed ones, which the plugins are tested on", async () => {
    const text = vectors.map((vector) => `${JSON.stringify(vector)}\n`).join("");
    await expect(text).toMatchFileSnapshot("../../integrations/rewards/novelty-vectors.jsonl");
  });

  const noPython = missingModules();
  it.skipIf(noPython !== undefined)(`plain Python agrees${noPython ? ` (skipped: ${noPython})` : ""}`, async () => {
    expect(await runPython(["rewards/check_vectors.py", "plain"])).toEqual([{ checked: "plain", groups: 40 }]);
  });

  it.skipIf(noPython !== undefined)(
    `rollouts wait together for a server that is gone${noPython ? ` (skipped: ${noPython})` : ""}`,
    async () => {
      const script = `import json, time
from repertoire_rewards import RewardClient, RewardServerError
client, start, refused = RewardClient("http://127.0.0.1:9", deadline_s=2.0), time.monotonic(), 0
for _ in range(20):
    try:
        client.score("a", "b")
    except RewardServerError:
        refused += 1
print(json.dumps({"refused": refused, "waits": (time.monotonic() - start) // 2.0}))`;
      const [said] = (await runPython(["-c", script])) as { refused: number; waits: number }[];
      expect(said.refused).toBe(20);
      // Twenty waits of two seconds, were each rollout to wait alone.
      expect(said.waits).toBeLessThan(10);
    },
  );

  const noTorch = missingModules("torch");
  it.skipIf(noTorch !== undefined)(`the verl plugin agrees${noTorch ? ` (skipped: ${noTorch})` : ""}`, async () => {
    expect(await runPython(["rewards/check_vectors.py", "verl"])).toEqual([{ checked: "verl", groups: 40 }]);
  });
});

describe("the Python client", () => {
  const noPython = missingModules();
  const skipped = noPython ? ` (skipped: ${noPython})` : "";
  const ask = (url: string, token: string, body: string) =>
    runPython([
      "-c",
      `import json; from repertoire_rewards import RewardClient, RewardServerError
client = RewardClient(${JSON.stringify(url)}, ${JSON.stringify(token)}, deadline_s=20)
try:
    ${body}
except RewardServerError as error:
    print(json.dumps({"error": str(error)}))`,
    ]) as Promise<{ readonly error: string; readonly scores: readonly (number | null)[] }[]>;

  it.skipIf(noPython !== undefined)(`hears why a large request was refused${skipped}`, async () => {
    const token = "a-token-for-this-test";
    const server = await RewardServer.start({ port: 0, token, maxBodyBytes: 6_000_000 });
    try {
      const large = `client.ask("/score", {"solution_str": "x" * 20_000_000, "ground_truth": "1"})`;
      const [[wrong], [tooLarge]] = await Promise.all([
        ask(server.url, "another-token-than-that", large),
        ask(server.url, token, large),
      ]);
      expect(wrong.error).toContain("401");
      expect(wrong.error).toContain("no valid token");
      expect(tooLarge.error).toContain("413");
    } finally {
      await server.drain();
    }
  });

  it.skipIf(noPython !== undefined)(`splits what is too much for one request${skipped}`, async () => {
    const server = await RewardServer.start({ port: 0, maxBodyBytes: 9_000_000 });
    try {
      const asked = `rollouts = [{"response": "é" * 900_000 + "\\n\\\\boxed{%d}" % (i % 2), "ground_truth": "1"} for i in range(12)]
    print(json.dumps({"scores": [score["score"] for score in client.scores(rollouts)]}))`;
      const [reply] = await ask(server.url, "", asked);
      expect(reply.scores).toEqual(Array.from({ length: 12 }, (_, i) => i % 2));
    } finally {
      await server.drain();
    }
  });

  it.skipIf(noPython !== undefined)(`makes puzzles and serves itself${skipped}`, async () => {
    const script = `import json, os; from repertoire_rewards import LocalServer, puzzle_dataset
rows = puzzle_dataset("undead", "4x4de", 3)
with LocalServer("--workers", "1") as client:
    truth = rows[0]["reward_model"]["ground_truth"]
    right = client.score("<reasoning>so</reasoning><answer>" + rows[0]["solution"] + "</answer>", truth)
    wrong = client.score("I give up", truth)
print(json.dumps({"rows": len(rows), "right": right["score"], "wrong": wrong["score"]}))`;
    expect(await runPython(["-c", script])).toEqual([{ rows: 3, right: 2.1, wrong: 0 }]);
  });
});

type Batch = {
  readonly surprisals: readonly (readonly number[])[];
  readonly correct: readonly boolean[];
  readonly bonus: readonly number[];
  /** Null where the response could not be graded: it is left out of its group. */
  readonly task: readonly (number | null)[];
  readonly tokens: number;
  readonly group: number;
  readonly advantages: readonly number[];
  readonly logged_advantages: readonly number[];
  readonly advantages_of_trl: readonly number[];
  readonly advantages_of_task: readonly number[];
};

/** TRL as it is installed, and older ones whose sources lie in REPERTOIRE_PEERS as `trl-v0.24.0` and so on. */
const peers = process.env.REPERTOIRE_PEERS;
const olderTrls = peers === undefined ? [] : readdirSync(peers).filter((name) => /^trl-v[\d.]+$/.test(name));

describe("the TRL plugin", () => {
  const missing = missingModules("torch", "trl", "datasets");
  it.skipIf(missing !== undefined)(
    `trains two GSPO steps with our rewards and our bonus${missing ? ` (skipped: ${missing})` : ""}`,
    () => trainsTwoSteps(),
    600_000,
  );
  for (const older of olderTrls)
    it.skipIf(missing !== undefined)(
      `so does ${older}`,
      async () => expect(await trainsTwoSteps(join(peers ?? "", older))).toBe(older.replace("trl-v", "")),
      600_000,
    );
});

/** Two real steps with the TRL of these sources, or the installed one; everything it says is computed again. Its version. */
async function trainsTwoSteps(...sources: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "repertoire-trl-"));
  // A policy of random weights ends in no plain statement, which is all that reward mode pays.
  const server = await RewardServer.start({ port: 0, grading: "evaluation" });
  try {
    const records = await runPython(["trl/two_steps.py", server.url, folder], "", sources);
    expect(records[0]).toEqual({ trl: expect.stringMatching(/^\d+\.\d+/) });
    expect(records[1]).toEqual({ checked: "trl", groups: 40 });
    const batches = records.slice(2, -1) as Batch[];
    const summary = records.at(-1) as { steps: number; moved: number; logged: readonly object[] };
    expect(summary).toMatchObject({ steps: 2 });
    expect(summary.moved).toBeGreaterThan(0);
    expect(summary.logged).toHaveLength(2);
    expect(batches).toHaveLength(2);
    for (const batch of batches) {
      // Where no bonus is given, our normalization must be TRL's own.
      expectClose(batch.advantages_of_task, batch.advantages_of_trl, 1e-5);
      batch.task.forEach((task, i) => {
        expect(task ?? 0).toBe(Number(batch.correct[i]));
      });
      // What is written down is what trains.
      expect(batch.logged_advantages).toEqual(batch.advantages);
      for (let first = 0; first < batch.bonus.length; first += batch.group) {
        const members = <T>(list: readonly T[]) => list.slice(first, first + batch.group);
        const scores = members(batch.surprisals).map((list) =>
          noveltyScore(
            list.map((surprise) => -surprise),
            { tokens: batch.tokens },
          ),
        );
        const { bonuses } = noveltyBonuses(scores, members(batch.correct), options);
        expectClose(members(batch.bonus), bonuses, 1e-6);
        const rewards = bonuses.map((bonus, i) => bonus + (members(batch.task)[i] ?? Number.NaN));
        expectClose(members(batch.advantages), normalized(rewards), 1e-4);
      }
    }
    expect(batches.flatMap(({ bonus }) => bonus).filter((bonus) => bonus !== 0).length).toBeGreaterThan(3);
    // What TRL wrote down comes back as traces, with our verdicts.
    const imported = await importedFrom(join(folder, "completions"));
    expect(imported.map(({ step }) => step)).toEqual([...new Array(16).fill(1), ...new Array(16).fill(2)]);
    const verdicts = batches.flatMap(({ correct, task }) =>
      correct.map((right, i) => (task[i] === null ? undefined : right)),
    );
    expect(imported.map(({ correct }) => correct)).toEqual(verdicts);
    return (records[0] as { readonly trl: string }).trl;
  } finally {
    await server.drain();
    await rm(folder, { recursive: true, force: true });
  }
}

async function importedFrom(folder: string): Promise<Trace[]> {
  const traces: Trace[] = [];
  for (const file of await traceFiles(folder)) {
    for (const slice of await slicesOf(file)) {
      for await (const read of importSlice(slice, { format: "auto" })) if ("trace" in read) traces.push(read.trace);
    }
  }
  return traces;
}

/** TRL's: the group's mean, its sample deviation plus 1e-4, over what was graded; the rest has no advantage. */
function normalized(rewards: readonly number[]): number[] {
  const graded = rewards.filter((reward) => !Number.isNaN(reward));
  const mean = graded.reduce((sum, reward) => sum + reward, 0) / graded.length;
  const squares = graded.reduce((sum, reward) => sum + (reward - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / Math.max(1, graded.length - 1)) + 1e-4;
  return rewards.map((reward) => (Number.isNaN(reward) ? 0 : (reward - mean) / deviation));
}

function expectClose(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(actual).toHaveLength(expected.length);
  for (const [i, value] of actual.entries()) expect(Math.abs(value - expected[i])).toBeLessThanOrEqual(tolerance);
}
