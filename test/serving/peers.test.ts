// The integrations on their peers' own code: `integrations/<peer>/check.py`, where the peer's sources are found. REPERTOIRE_PEERS
// names a folder with checkouts under the names below, REPERTOIRE_PYTHON a Python with what they import; docs/serving.md
// says how, and which versions were run. Largest differences from our formulas are printed.
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importSlice } from "../../src/imports/import-slice.ts";
import { slicesOf } from "../../src/imports/slice.ts";
import type { Problem } from "../../src/problems/problem.ts";
import type { SplitName } from "../../src/puzzles/splits.ts";
import { exportedSets, rowOf } from "../../src/serving/export-rows.ts";
import { exportFolder, RewardServer } from "../../src/serving/index.ts";
import { trainerNamed } from "../../src/serving/trainers/index.ts";
import { versionOf, type WatchedName, watched } from "../../src/serving/trainers/watched.ts";
import { noveltyBonuses, noveltyScore } from "../../src/training/novelty.ts";
import { integrations, runPython } from "./python.ts";

const peers = process.env.REPERTOIRE_PEERS;

type Peer = {
  /** Its folder of `integrations/`. */
  readonly peer: string;
  /** The first is the peer itself; all are put on the PYTHONPATH. */
  readonly sources: readonly string[];
  /** Whose export it is run on; its own where nothing is said. */
  readonly trainer?: string;
  readonly model?: string;
  /** Rows alone, where there is no export. */
  readonly rows?: true;
  /** Which function of `repertoire_rewards.functions` it takes. */
  readonly function?: string;
  /** Folders of `integrations/` beside its own. */
  readonly plugins?: readonly string[];
};

const checks: readonly Peer[] = [
  { peer: "verl", sources: ["verl", "TransferQueue"] },
  { peer: "openrlhf", sources: ["OpenRLHF"] },
  { peer: "slime", sources: ["slime"], model: "Qwen/Qwen3-8B" },
  { peer: "skyrl", sources: ["SkyRL", "SkyRL/skyrl-gym"] },
  { peer: "nemo-gym", sources: ["Gym"] },
  { peer: "verifiers", trainer: "prime-rl", sources: ["verifiers"] },
  { peer: "prime-rl", sources: ["prime-rl/src", "prime-rl/packages/prime-rl-configs/src"], plugins: ["verifiers"] },
  // Rows in verl's columns, as `repertoire puzzles generate` writes them.
  {
    peer: "tinker-cookbook",
    sources: ["tinker-cookbook", "tinker/src", "chz"],
    rows: true,
  },
  { peer: "openenv", sources: ["OpenEnv/src"], rows: true },
  // Trainers that take a function: no export of their own, so any with messages and ground truths will do.
  { peer: "rewards", sources: ["AReaL"], trainer: "trl", function: "areal" },
  { peer: "rewards", sources: ["EasyR1"], trainer: "trl", function: "easyr1" },
  { peer: "rewards", sources: ["rllm"], trainer: "trl", function: "rllm" },
];

/** What one peer alone needs on the PYTHONPATH, as an older TRL: `<peer>.pythonpath` beside the checkouts. */
function ownPaths({ sources, function: name }: Peer): string[] {
  const path = join(peers ?? "", `${name ?? sources[0].split("/")[0]}.pythonpath`);
  return existsSync(path) ? readFileSync(path, "utf8").trim().split(":") : [];
}

function missing({ sources }: Peer): string | undefined {
  if (peers === undefined) return "set REPERTOIRE_PEERS to a folder with the peers' sources";
  return existsSync(join(peers, sources[0])) ? undefined : `${peers} has no ${sources[0]}`;
}

let server: RewardServer;
let folder: string;
beforeAll(async () => {
  server = await RewardServer.start({ port: 0, grading: "evaluation" });
  folder = await mkdtemp(join(tmpdir(), "repertoire-peers-"));
});
afterAll(async () => {
  await server.drain();
  await rm(folder, { recursive: true, force: true });
});

const names = Object.keys(watched) as WatchedName[];

type Tried = { readonly tried: string; readonly skipped?: string; readonly [name: string]: unknown };
/** A file that the peer wrote, and which of its rollouts were right, where the check knows. */
type Dump = { readonly rows: readonly object[]; readonly exact?: readonly number[] };
type Batch = {
  readonly uids: readonly (string | number)[];
  readonly surprisals: readonly (readonly number[])[];
  readonly correct: readonly boolean[];
  readonly task: readonly number[];
  readonly rewards?: readonly number[];
  readonly advantages: readonly number[];
  /** What the trainer adds to a group's deviation; TRL has its own. */
  readonly epsilon?: number;
};

async function writeRows(out: string, sets: Readonly<Record<SplitName, readonly Problem[]>>): Promise<void> {
  await mkdir(out);
  for (const split of ["train", "test"] as const) {
    const lines = sets[split].map((problem, i) => `${JSON.stringify(rowOf(problem, split, i))}\n`);
    await writeFile(join(out, `${split}.jsonl`), lines.join(""));
  }
}

describe("peers", () => {
  for (const peer of checks) {
    const reason = missing(peer);
    const { sources, model = "some/model", trainer = peer.peer, plugins = [] } = peer;
    it.skipIf(reason !== undefined)(
      `${peer.function ?? peer.peer} runs our ${peer.function ? "function" : "export"}${reason ? ` (skipped: ${reason})` : ""}`,
      async () => {
        const out = join(folder, peer.function ?? peer.peer);
        const sets = exportedSets({ seed: 3, puzzles: ["undead=4x4de"], trainRows: 4, testRows: 2 });
        if (peer.rows) await writeRows(out, sets);
        else
          await exportFolder({
            ...{ trainer, out, model, bonus: trainerNamed(trainer).bonus ? "novelty" : "none" },
            problems: () => sets,
            ...{ gpus: 8, rewardUrl: "http://127.0.0.1:8123" },
          });
        const places = sources.map((name) => join(peers ?? "", name));
        const paths = [...plugins.map((name) => join(integrations, name)), ...ownPaths(peer), ...places];
        const words = [`${peer.peer}/check.py`, out, server.url, places[0], ...(peer.function ? [peer.function] : [])];
        const tried = (await runPython(words, "", paths)) as Tried[];
        expect(tried.length).toBeGreaterThan(1);
        const known = names.find((name) => name.toLowerCase() === (peer.function ?? peer.peer).toLowerCase());
        console.info(`${peer.peer}: watched ${known ? versionOf(known) : "nothing"}; here ${tried[0].version}`);
        const batches = tried.filter((one) => "advantages" in one) as unknown as Batch[];
        const compared = batches.map((batch) => expectOurBonus(batch));
        const largest = (name: keyof Compared) => Math.max(...compared.map((one) => one[name]));
        if (batches.length > 0) {
          expect(largest("given")).toBeGreaterThan(0);
          const differences = `rewards ${largest("reward").toExponential(1)}, advantages ${largest("advantage").toExponential(1)}`;
          console.info(`${peer.peer}: ${batches.flatMap((batch) => batch.uids).length} rollouts; ${differences}`);
        }
        for (const one of tried) if (one.tried === "a dump") await expectReadAsGraded(one as unknown as Dump);
      },
    );
  }

  async function expectReadAsGraded({ rows, exact }: Dump): Promise<void> {
    const path = join(folder, "1.jsonl");
    await writeFile(path, rows.map((row) => JSON.stringify(row)).join("\n"));
    // Whether the plugin wrote its verdict down or not, the grade must be the same.
    const without = join(folder, "2.jsonl");
    await writeFile(without, rows.map((row) => JSON.stringify({ ...row, acc: undefined })).join("\n"));
    const grades = await Promise.all(
      [path, without].map(async (file) => {
        const found: (boolean | undefined)[] = [];
        for (const slice of await slicesOf(file))
          for await (const item of importSlice(slice, { format: "auto" }))
            if ("trace" in item) found.push(item.trace.correct);
        return found;
      }),
    );
    expect(grades[0]).toHaveLength(rows.length);
    expect(new Set(grades[0])).toEqual(new Set([true, false]));
    expect(grades[1]).toEqual(grades[0]);
    const right = (given: readonly (boolean | undefined)[]) => given.filter((one) => one === true).length;
    if (exact !== undefined) expect(right(grades[0])).toBe(right(exact.map((one) => one >= 1)));
  }
});

type Compared = { readonly given: number; readonly reward: number; readonly advantage: number };

/** The bonus and the advantages of each group, computed again with training's own formulas: how many got one, how far apart. */
function expectOurBonus({ uids, surprisals, correct, task, rewards, advantages, epsilon = 1e-6 }: Batch): Compared {
  let given = 0;
  let reward = 0;
  let advantage = 0;
  for (const uid of new Set(uids)) {
    const members = uids.flatMap((one, i) => (one === uid ? [i] : []));
    const scores = members.map((i) =>
      noveltyScore(
        surprisals[i].map((surprise) => -surprise),
        { tokens: 100 },
      ),
    );
    const options = { weight: 0.1, clip: 2, divisor: "sample" } as const;
    const { bonuses } = noveltyBonuses(
      scores,
      members.map((i) => correct[i]),
      options,
    );
    const totals = members.map((i, k) => task[i] + bonuses[k]);
    const mean = totals.reduce((sum, total) => sum + total, 0) / totals.length;
    const spread = Math.sqrt(totals.reduce((sum, total) => sum + (total - mean) ** 2, 0) / (totals.length - 1));
    members.forEach((i, k) => {
      if (rewards !== undefined) reward = Math.max(reward, Math.abs(rewards[i] - totals[k]));
      advantage = Math.max(advantage, Math.abs(advantages[i] - (totals[k] - mean) / (spread + epsilon)));
    });
    given += bonuses.filter((bonus) => bonus !== 0).length;
  }
  expect(reward).toBeLessThan(1e-5);
  expect(advantage).toBeLessThan(1e-3);
  return { given, reward, advantage };
}
