// `python -m repertoire_torch_engine.merge` with a model by its hub name, as the docs start the engine: what it writes is a whole
// model, tokenizer and all. The hub is a cache made here.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSafetensors, writeSafetensors } from "../../src/engine/embedded/checkpoint/safetensors.ts";
import { createEmbeddedEngine, loadTokenizer } from "../../src/engine/index.ts";
import { TorchHost, withoutTorch } from "./torch-host.ts";

const base = resolve(import.meta.dirname, "../../models/mini-base");
const folder = mkdtempSync(join(tmpdir(), "merge-"));
const at = (name: string) => join(folder, name);
const host = new TorchHost({ HF_HUB_CACHE: at("hub"), HF_HUB_OFFLINE: "1" });
afterAll(() => {
  host.close();
  rmSync(folder, { recursive: true, force: true });
});

function inHub(name: string, without: RegExp = /^$/): string {
  const place = join(at("hub"), `models--${name.replace("/", "--")}`);
  mkdirSync(join(place, "refs"), { recursive: true });
  writeFileSync(join(place, "refs", "main"), "0123");
  const snapshot = join(place, "snapshots", "0123");
  mkdirSync(snapshot, { recursive: true });
  for (const file of readdirSync(base)) if (!without.test(file)) cpSync(join(base, file), join(snapshot, file));
  return name;
}

async function merged(model: string, out: string, adapter = at("trained")) {
  const given = ["--model", model, "--adapter", adapter, "--out", out];
  return (await host.run("repertoire_torch_engine.merge", given)).ended;
}

const sequence = { tokens: Array.from({ length: 12 }, (_, i) => 3 + i), promptLength: 2 };

describe.skipIf(withoutTorch !== undefined)("merge", () => {
  let expected: Float32Array;
  beforeAll(async () => {
    const lora = { rank: 4, alpha: 8 };
    const engine = await createEmbeddedEngine({ model: { folder: base }, checkpoints: folder, lora, threads: 1 });
    await engine.accumulate([{ ...sequence, weights: new Float32Array(10).fill(1) }]);
    await engine.step({ learningRate: 0.05 });
    await engine.save("trained");
    [{ logprobs: expected }] = await engine.logprobs([sequence]);
    await engine.dispose();
  });

  it.each([base, "us/whole"])("writes the model of %s with its tokenizer", async (model) => {
    const out = at(model === base ? "from-folder" : "from-hub");
    const { code, errors } = await merged(model === base ? base : inHub(model), out);
    expect(code, errors).toBe(0);
    expect((await loadTokenizer(out)).files).toEqual((await loadTokenizer(base)).files);
    expect(readFileSync(join(out, "tokenizer.json"))).toEqual(readFileSync(join(base, "tokenizer.json")));
    const engine = await createEmbeddedEngine({ model: { folder: out }, checkpoints: folder, threads: 1 });
    const [{ logprobs }] = await engine.logprobs([sequence]);
    await engine.dispose();
    for (const [i, logprob] of logprobs.entries()) expect(logprob).toBeCloseTo(expected[i], 3);
  });

  it("refuses a model without a tokenizer, and writes nothing", async () => {
    const { code, errors } = await merged(inHub("us/mute", /^tokenizer/), at("mute"));
    expect(code).not.toBe(0);
    expect(errors).toMatch(/us\/mute has no tokenizer .*give a model that has one/);
    expect(readdirSync(folder)).not.toContain("mute");
  });

  const odd = (name: string, setting: object) => {
    cpSync(at("trained"), at(name), { recursive: true });
    const config = JSON.parse(readFileSync(at(`${name}/adapter_config.json`), "utf8"));
    writeFileSync(at(`${name}/adapter_config.json`), JSON.stringify({ ...config, ...setting }));
    return at(name);
  };

  it("refuses an adapter that began on other weights than the base's, and writes nothing", async () => {
    const { code, errors } = await merged(base, at("other"), odd("odd", { init_lora_weights: "pissa" }));
    expect(code).not.toBe(0);
    expect(errors).toMatch(/has init_lora_weights, which only PEFT can merge/);
    expect(readdirSync(folder)).not.toContain("other");
  });

  it("refuses an adapter beside which something else was trained", async () => {
    const more = odd("more", {});
    const file = join(more, "adapter_model.safetensors");
    const bias = "base_model.model.model.layers.0.self_attn.q_proj.lora_B.bias";
    await writeSafetensors(
      file,
      new Map([...(await readSafetensors(file)), [bias, { shape: [1], data: new Float32Array(1) }]]),
    );
    const { code, errors } = await merged(base, at("other"), more);
    expect(code).not.toBe(0);
    expect(errors).toMatch(/trains .*lora_B\.bias as well, which only PEFT can merge/);
    expect(readdirSync(folder)).not.toContain("other");
  });
});
