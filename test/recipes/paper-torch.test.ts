// The paper's recipe over torch-engine on this machine's processor: an OLMo-3-shaped model with random weights, a byte-pair
// tokenizer and a chat template; the client is killed, then the server, and the run goes on.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startPaper } from "./paper-child.ts";
import { writeTinyBenchmark, writeTinyModel } from "./tiny-model.ts";

const python = process.env.REPERTOIRE_PYTHON ?? "python3";
const missing =
  process.env.REPERTOIRE_SLOW === undefined
    ? "it takes minutes; set REPERTOIRE_SLOW=1 to run it"
    : spawnSync(python, ["-c", "import torch, transformers, safetensors, numpy"], { stdio: "ignore" }).status === 0
      ? undefined
      : `${python} has no torch, transformers and safetensors; set REPERTOIRE_PYTHON to one that has`;
if (missing !== undefined) console.log(`skipping the paper's recipe over torch-engine: ${missing}`);

const root = mkdtempSync(join(tmpdir(), "repertoire-paper-torch-"));
const model = join(root, "tiny-olmo");
const data = join(root, "data");
let server: ChildProcess | undefined;

function startServer(): Promise<string> {
  const flags = ["--model", model, "--device", "cpu", "--port", "0", "--threads", "1"];
  const checkpoints = ["--checkpoints", join(root, "checkpoints")];
  const started = spawn(python, ["-m", "repertoire_torch_engine", ...flags, ...checkpoints], {
    cwd: resolve(import.meta.dirname, "../../integrations/torch-engine"),
    stdio: ["ignore", "pipe", "ignore"],
  });
  server = started;
  return new Promise((done, fail) => {
    createInterface(started.stdout!).once("line", (line) => done(JSON.parse(line).ready));
    started.once("exit", (code) => fail(new Error(`the server ended with ${code}`)));
  });
}

async function stopServer(): Promise<void> {
  server?.removeAllListeners("exit");
  server?.kill("SIGKILL");
  await pause(100);
}

afterAll(async () => {
  await stopServer();
  rmSync(root, { recursive: true, force: true });
});

/** Equal but for rounding: a server batches what happens to be waiting, and the order of sums goes with that. */
function expectClose(a: unknown, b: unknown, where: string): void {
  if (typeof a === "number" && typeof b === "number") expect(Math.abs(a - b), where).toBeLessThan(1e-3);
  else if (typeof a === "object" && a !== null && typeof b === "object" && b !== null) {
    expect(Object.keys(a), where).toEqual(Object.keys(b));
    for (const [key, value] of Object.entries(a)) expectClose(value, b[key as keyof typeof b], `${where}.${key}`);
  } else expect(a, where).toBe(b);
}

describe.skipIf(missing !== undefined)("the paper's recipe over torch-engine", () => {
  beforeAll(async () => {
    mkdirSync(data);
    await writeTinyBenchmark(data);
    await writeTinyModel(model, "olmo3");
  });

  it("goes on after the client and the server were killed, and leaves what an uninterrupted run leaves, up to rounding", async () => {
    const run = (name: string, engine: string) => ({ folder: join(root, name), model, data, engine });
    const read = (...path: string[]) => readFileSync(join(root, ...path), "utf8");
    const url = await startServer();
    const whole = startPaper(run("whole", url));
    expect(await whole.ended, whole.output()).toBe(0);
    expect(whole.output()).toContain("report/index.html");
    expect(JSON.parse(read("whole", "vanilla", "checkpoints", "step-4", "server-checkpoint.json")).path).toMatch(
      /^tinker:/,
    );
    // SFT's adapter was merged, and RL's lies on the result with the alpha of its own.
    const adapter = (name: string) =>
      JSON.parse(readFileSync(join(root, "checkpoints", name, "adapter_config.json"), "utf8"));
    const named = (part: string) => readdirSync(join(root, "checkpoints")).find((name) => name.endsWith(part))!;
    expect(adapter(named("-vanilla-step-4"))).toMatchObject({
      lora_alpha: 8,
      base_model_name_or_path: expect.stringMatching(/-sft-epoch-\d-merged$/),
    });

    const killed = startPaper(run("killed", url));
    while (!existsSync(join(root, "killed", "vanilla", "state.json")) && killed.child.exitCode === null)
      await pause(20);
    killed.child.kill("SIGKILL");
    await killed.ended;
    await stopServer();
    expect(read("killed", "vanilla", "events.jsonl")).not.toContain("rl-end");
    const again = startPaper(run("killed", await startServer()));
    expect(await again.ended, again.output()).toBe(0);
    const events = (name: string, stage: string) =>
      read(name, stage, "events.jsonl")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    for (const stage of ["sft", "vanilla", "novelty"])
      expectClose(events("killed", stage), events("whole", stage), stage);
    for (const policy of ["base", "sft", "vanilla", "novelty"])
      expect(read("killed", "evaluations", policy, "problems.jsonl")).toBe(
        read("whole", "evaluations", policy, "problems.jsonl"),
      );
  });
});
