// The first stage for other trainers: a corpus in their rows, the paper's values in their keys.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { commandNamed } from "../../src/cli/commands.ts";
import { exportCommand } from "../../src/cli/export.ts";
import { paperValue } from "../../src/problems/paper.ts";
import { exportSft } from "../../src/serving/sft-export.ts";
import { missingModules, runPython } from "./python.ts";

const root = mkdtempSync(join(tmpdir(), "repertoire-sft-export-"));
afterAll(() => rmSync(root, { recursive: true }));
const corpus = join(root, "corpus.jsonl");
const traces = () =>
  readFileSync(corpus, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

async function quietly(work: () => Promise<unknown>): Promise<void> {
  const spies = (["log", "error"] as const).map((name) => vi.spyOn(console, name).mockImplementation(() => {}));
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

beforeAll(async () => {
  const narrate = ["narrate", "--puzzle", "pattern=3x3", "--count", "3", "--style", "plain", "--out", corpus];
  await quietly(async () => (await commandNamed("teach")).parseAsync(narrate, { from: "user" }));
});

describe("export --stage sft", () => {
  it("for TRL has conversations, keys of SFTConfig and a script", async () => {
    const out = join(root, "trl");
    const flags = ["trl", "--stage", "sft", "--corpus", corpus, "--gpus", "4", "--out", out];
    await quietly(() => exportCommand().parseAsync(flags, { from: "user" }));
    const rows = readFileSync(join(out, "train.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows).toEqual(
      traces().map(({ prompt, response }) => ({
        prompt: [{ role: "user", content: prompt }],
        completion: [{ role: "assistant", content: response }],
      })),
    );
    const settings = JSON.parse(readFileSync(join(out, "settings.json"), "utf8"));
    const batch = 4 * settings.per_device_train_batch_size * settings.gradient_accumulation_steps;
    expect(batch).toBe(paperValue("sft.tracesPerStep"));
    expect(settings).toMatchObject({ num_train_epochs: 8, learning_rate: 2e-4, adapter: { rank: 64, alpha: 64 } });
    expect(existsSync(join(out, "train_sft.py"))).toBe(true);
    execFileSync("bash", ["-n", join(out, "launch.sh")]);
  });

  const missing = missingModules("trl", "peft", "datasets");
  it.skipIf(missing !== undefined)(`TRL itself knows every key${missing ? ` (skipped: ${missing})` : ""}`, async () => {
    const settings = JSON.parse(readFileSync(join(root, "trl", "settings.json"), "utf8"));
    const { adapter: _, ...own } = settings;
    // Half precision asks for a GPU, which is not what is tried here.
    const given = JSON.stringify({ ...own, bf16: false, output_dir: join(root, "checkpoints") });
    const script =
      'import json, sys; from trl import SFTConfig; c = SFTConfig(**json.load(sys.stdin)); print(json.dumps({"length": c.max_length}))';
    expect(await runPython(["-c", script], given)).toEqual([{ length: paperValue("contextLength") }]);
  });

  it("is refused where it cannot be right", async () => {
    const request = { out: join(root, "none"), corpus, model: "m", gpus: 8 };
    const slime = ["slime", "--stage", "sft", "--corpus", corpus, "--out", request.out];
    await expect(exportCommand().parseAsync(slime, { from: "user" })).rejects.toThrow(/slime has no export for SFT/);
    await expect(exportSft({ ...request, gpus: 5 })).rejects.toThrow(/32 traces a step cannot be shared by 5 GPUs/);
    await expect(exportSft({ ...request, out: root })).rejects.toThrow(/exists; choose another/);
    const mathematics = join(root, "mathematics.jsonl");
    writeFileSync(
      mathematics,
      `${JSON.stringify({ problem: "a", prompt: "p", response: "r", kind: "mathematics" })}\n`,
    );
    await expect(exportSft({ ...request, corpus: mathematics })).rejects.toThrow(/mathematics/);
    expect(existsSync(request.out)).toBe(false);
  });
});
