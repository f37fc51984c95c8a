// `repertoire engine` as it is typed. Its Python is a stand-in here, so that every complaint about a real one can be had.
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { toyEngine } from "../training/toy-policy.ts";
import { behaviorOf, SoftmaxServer } from "./softmax-server.ts";

const main = resolve(import.meta.dirname, "../../dist/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "repertoire-engine-"));
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill("SIGTERM");
  rmSync(folder, { recursive: true, force: true });
});

const model = join(folder, "model");
mkdirSync(model);
writeFileSync(join(model, "config.json"), "{}");

const good = { torch: "2.13.0+cpu", transformers: "5.18.0", safetensors: "0.8.0", numpy: "2.4.6" };

/** A Python that has these packages and GPUs, and whose engine says that it is ready and waits to be stopped. */
function python(name: string, found: object, { gpus = 0, version = [3, 11], engine = serving } = {}): string {
  const path = join(folder, name);
  const known = JSON.stringify({ found, gpus, python: version });
  writeFileSync(path, `#!/bin/sh\nif [ "$1" = "-c" ]; then echo '${known}'; exit; fi\n${engine}\n`);
  chmodSync(path, 0o755);
  return path;
}

const serving = `echo "arguments: $*"
echo '{"ready": "http://127.0.0.1:8421"}'
trap 'echo asked to stop; exit 0' TERM
while :; do sleep 0.1; done`;

function run(args: readonly string[], interpreter = "python3") {
  const child: ChildProcess = spawn(process.execPath, [main, "engine", ...args], {
    env: { ...process.env, NO_COLOR: "1", REPERTOIRE_PYTHON: interpreter },
  });
  running.add(child);
  child.once("close", () => running.delete(child));
  let written = "";
  for (const stream of [child.stdout!, child.stderr!])
    stream.on("data", (chunk: Buffer) => {
      written += chunk;
    });
  const ended = new Promise<number | null>((done) => child.once("close", done));
  return { child, ended, written: () => written };
}

async function complaint(args: readonly string[], interpreter?: string): Promise<string> {
  const { ended, written } = run(["serve", ...args], interpreter);
  expect(await ended).toBe(1);
  return written();
}

describe("engine serve", () => {
  const onCpu = ["--model", model, "--device", "cpu"];

  it("names a Python that is not there", async () => {
    expect(await complaint(onCpu, join(folder, "nowhere"))).toMatch(/does not run.*set REPERTOIRE_PYTHON/);
  });

  it("names the packages that are missing or too old, and the command that installs them", async () => {
    const poor = python("poor", { ...good, transformers: null, torch: "2.4.1" });
    const said = await complaint(onCpu, poor);
    expect(said).toMatch(/lacks torch 2\.4\.1 \(older than 2\.8\), transformers/);
    expect(said).toContain(`${poor} -m pip install 'torch>=2.8' 'transformers>=5.0'`);
  });

  it("says that there is no GPU, or not that many", async () => {
    expect(await complaint(["--model", model], python("cpu", good))).toMatch(/sees no GPU; give --device cpu/);
    const two = python("two", good, { gpus: 2 });
    expect(await complaint(["--model", model, "--device", "cuda:0,cuda:2"], two)).toMatch(/no cuda:2, only 2 GPUs/);
  });

  it("says that a Python is too old, and that a folder is no model", async () => {
    expect(await complaint(onCpu, python("old", good, { version: [3, 9] }))).toMatch(/Python 3\.9; 3\.10 or newer/);
    const fine = python("fine", good);
    expect(await complaint(["--model", folder, "--device", "cpu"], fine)).toMatch(/no config\.json/);
    expect(await complaint(["--model", "./absent", "--device", "cpu"], fine)).toMatch(/no such folder/);
  });

  it("hands its flags over, says how to use what it serves, and stops it when it is stopped", async () => {
    const flags = ["--port", "0", "--gradient-checkpointing", "--cache-gigabytes", "1.5"];
    const { child, ended, written } = run(["serve", ...onCpu, ...flags], python("serving", good));
    await expect.poll(written).toMatch(/engine probe http/);
    const [, handed] = /arguments: (.*)/.exec(written())!;
    expect(handed.split(" --")).toEqual(
      expect.arrayContaining([
        "-m repertoire_torch_engine",
        `model ${model}`,
        "device cpu",
        "port 0",
        "cache-gigabytes 1.5",
        "gradient-checkpointing",
      ]),
    );
    expect(written()).toContain(`repertoire train rl  --model ${model} --engine http://127.0.0.1:8421 --novelty`);
    child.kill("SIGINT");
    expect(await ended).toBe(0);
    expect(written()).toMatch(/asked to stop.*stopped/s);
  });

  it("ends with an error when the engine does", async () => {
    const failing = python("failing", good, { engine: "echo out of memory >&2; exit 3" });
    expect(await complaint(onCpu, failing)).toMatch(/out of memory.*the engine exited with 3/s);
  });
});

describe("engine probe", () => {
  it("says check by check what passes, and ends with 1 where one fails", async () => {
    const server = await SoftmaxServer.start(behaviorOf("skyrl-jax"), toyEngine().logits.slice());
    const same = run(["probe", server.url, "--server", "skyrl-jax"]);
    expect(await same.ended).toBe(0);
    expect(same.written()).toMatch(/✓ gradients add up.*training on it is sound/s);
    const other = run(["probe", server.url, "--server", "tuft", "--json"]);
    expect(await other.ended).toBe(1);
    const record = JSON.parse(other.written()) as { results: object[] };
    expect(record).toMatchObject({ passes: false, passesAs: ["skyrl-jax"] });
    expect(record.results).toContainEqual(expect.objectContaining({ outcome: "failed" }));
    await server.stop();
  });

  it("says that nobody answers", async () => {
    const { ended, written } = run(["probe", "http://127.0.0.1:9", "--key-variable", "NO_SUCH_VARIABLE"]);
    expect(await ended).toBe(1);
    expect(written()).toMatch(/NO_SUCH_VARIABLE is not set/);
  });
});
