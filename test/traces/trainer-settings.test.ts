// Settings that trainers and harnesses leave beside their rollouts, as each of them writes them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { importSlice } from "../../src/imports/import-slice.ts";
import { slicesOf } from "../../src/imports/slice.ts";
import { trainerSettings } from "../../src/imports/trainer-settings.ts";
import { runGroups, seedsOf, settingsDifference } from "../../src/results/run-groups.ts";

const home = mkdtempSync(join(tmpdir(), "repertoire-settings-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
function put(path: string, content: string | Buffer): string {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
  return full;
}

describe("settings of other programs", () => {
  it("are read from Hydra's YAML above verl's dumps, without places, names and loggers", async () => {
    put(
      "verl/.hydra/config.yaml",
      "actor:\n  optim:\n    lr: 1e-06\n    betas:\n    - 0.9\n    - 0.999\n  path: /x\n  clip: {}\n# no\ntrainer:\n  experiment_name: a\n  note: 'it''s'\n  flag: True\n  long: >\n    two\n    lines\n  last: null\n",
    );
    const dump = put("verl/rollouts/1.jsonl", "{}\n");
    expect(await trainerSettings([dirname(dump)])).toEqual({
      actor: { optim: { lr: 1e-6, betas: [0.9, 0.999] } },
      trainer: { note: "it's", flag: true, long: "two lines\n" },
    });
  });

  it("are read from prime-rl's parts, each under its name, as JSON and as TOML", async () => {
    put("prime/configs/trainer.json", '{"optim":{"lr":1e-6},"output_dir":"/x"}');
    put("prime/configs/orchestrator.json", '{"batch_size":128}');
    const log = put("prime/rollouts/step_0/train/all/traces.jsonl", "{}\n");
    const read = { orchestrator: { batch_size: 128 }, trainer: { optim: { lr: 1e-6 } } };
    expect(await trainerSettings([log])).toEqual(read);
    put(
      "older/configs/trainer.toml",
      'a = "x = 1" # why\n[optim]\nlr = 1e-6\nbetas = [\n  0.9,\n  0.99,\n]\n[model.lora]\nrank = 1_6\n',
    );
    expect(await trainerSettings([join(home, "older")])).toEqual({
      trainer: { a: "x = 1", optim: { lr: 1e-6, betas: [0.9, 0.99] }, model: { lora: { rank: 16 } } },
    });
  });

  it("are read from verifiers' metadata, wandb, lighteval's results and an Inspect log", async () => {
    put("v/metadata.json", '{"env_id":"math","model":"m","sampling_args":{"temperature":0.7}}');
    expect(await trainerSettings([join(home, "v")])).toEqual({ model: "m", sampling_args: { temperature: 0.7 } });
    put(
      "w/wandb/latest-run/files/config.yaml",
      "_wandb:\n    value:\n        a: 1\nlr:\n    desc: null\n    value: 0.5\n",
    );
    expect(await trainerSettings([join(home, "w")])).toEqual({ lr: 0.5 });
    put("l/m/results_1.json", '{"config_general":{"max_samples":10}}');
    put("l/m/t/details.parquet", "");
    expect(await trainerSettings([join(home, "l/m/t")])).toEqual({ max_samples: 10 });
    const log = put("i/a.json", '{"eval":{"task":"aime","model":"m","config":{"epochs":2},"run_id":"r"},"samples":[]}');
    expect(await trainerSettings([log])).toEqual({ task: "aime", model: "m", config: { epochs: 2 } });
  });

  it("are nothing where files are broken or somebody else's", async () => {
    put("b/.hydra/config.yaml", Buffer.from([0, 255, 1]));
    put("b/training_args.bin", "no zip");
    put("b/metadata.json", '{"title":"a paper"}');
    put("b/results_1.json", "[1");
    mkdirSync(join(home, "b/configs/trainer.json"), { recursive: true });
    expect(await trainerSettings([join(home, "b"), join(home, "nosuch")])).toBeUndefined();
  });

  it("weigh TRL's reward functions: the score is what was trained on", async () => {
    const trained = { step: 1, prompt: "p", completion: "c", exact: 1, format: 0.5, absent: null, advantage: 0.3 };
    const scoreIn = async (folder: string, row: object = trained) => {
      const path = put(`${folder}/completions/a.jsonl`, `${JSON.stringify(row)}\n`);
      const [slice] = await slicesOf(path);
      for await (const item of importSlice(slice, { format: "auto" })) return "trace" in item && item.trace.score;
    };
    const config = (text: string) => `num_generations:\n    value: 8\n${text}`;
    put("t1/wandb/latest-run/files/config.yaml", config("reward_weights:\n    value:\n    - 2\n    - 0.1\n    - 5\n"));
    put("t2/wandb/latest-run/files/config.yaml", config("reward_weights:\n    value: null\n"));
    expect(await scoreIn("t1", { ...trained, logged: 9 })).toBeCloseTo(2.05);
    expect(await scoreIn("t2")).toBeCloseTo(1.5);
    expect(await scoreIn("t3")).toBeUndefined();
  });

  it("never leave their records: names of JavaScript's own are names", async () => {
    put("p/.hydra/config.yaml", "a:\n  __proto__:\n    b: 1\n  c: {__proto__: {b: 1}, d: 2}\n");
    put("q/configs/trainer.toml", "[x.__proto__]\nb = 1\n[x.y]\nd = 2\n");
    expect(await trainerSettings([join(home, "p")])).toEqual({ a: { c: { d: 2 } } });
    expect(await trainerSettings([join(home, "q")])).toEqual({ trainer: { x: { y: { d: 2 } } } });
    expect(({} as { b?: number }).b).toBeUndefined();
  });

  it("of a hostile file are nothing, and soon: nested without end, of aliases, of many names", async () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `k${i}: ${i}\n`).join("");
    const nested = (open: string) => `a: ${open.repeat(100_000)}`;
    const aliases = "a: &a [1]\nb: &b [*a, *a]\n";
    for (const [i, text] of [nested("["), nested("[ "), nested("{a: "), nested("- "), aliases, "&a [*a]"].entries()) {
      put(`h${i}/.hydra/config.yaml`, text);
      expect(await trainerSettings([join(home, `h${i}`)])).toBeUndefined();
    }
    put("many/.hydra/config.yaml", names);
    expect(Object.keys((await trainerSettings([join(home, "many")])) ?? {})).toHaveLength(20_000);
    put("dots/configs/trainer.toml", `b = 1\na${".a".repeat(100_000)} = 1\n`);
    expect(await trainerSettings([join(home, "dots")])).toEqual({ trainer: { b: 1 } });
  });

  it("decide which analyses repeat one experiment, and what sets others apart", () => {
    const of = (name: string, lr: number, seed: number) => ({
      ...{ name, kind: "import" },
      config: { inputs: [name], trainer: { optim: { lr }, data_seed: seed } },
    });
    const runs = [of("a", 1, 1), of("b", 1, 2), of("c", 2, 1)];
    expect(runGroups(runs).map((group) => group.map(({ name }) => name))).toEqual([["a", "b"], ["c"]]);
    expect(settingsDifference(runs).rows.map(({ key }) => key)).toContain("trainer.optim.lr");
    expect(runs.map(seedsOf)).toEqual(["1", "2", "1"]);
    expect(seedsOf({ kind: "import", config: { seed: 7, trainer: { lr: 1 } } })).toBe("?");
    expect(seedsOf({ kind: "recipe", config: { seed: 7, evaluation: { seed: 8 } } })).toBe("7");
    expect(seedsOf({ kind: "import", config: { seed: 7 } })).toBe("?");
  });
});
