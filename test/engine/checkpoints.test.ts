// Checkpoints: files that are whole or absent, and training that goes on as if it had never stopped.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { copyFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { recoverFolder, writeFolderAtomically } from "../../src/base/atomic-folder.ts";
import { readSafetensors, writeSafetensors } from "../../src/engine/embedded/checkpoint/safetensors.ts";
import { adapterTargets } from "../../src/engine/embedded/model/adapters.ts";
import {
  createEmbeddedEngine,
  decoderConfig,
  type EmbeddedEngineOptions,
  type WeightedSequence,
  wordTokenizer,
} from "../../src/engine/index.ts";

const root = mkdtempSync(join(tmpdir(), "checkpoints-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folder: string;
let count = 0;
beforeEach(async () => {
  folder = join(root, String(count++));
  await mkdir(folder);
});

describe("safetensors", () => {
  it("what is written comes back, whatever the names and shapes", async () => {
    const path = join(folder, "x.safetensors");
    const tensor = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }).chain((shape) =>
      fc
        .array(fc.float({ noNaN: true }), {
          minLength: shape.reduce((a, b) => a * b, 1),
          maxLength: shape.reduce((a, b) => a * b, 1),
        })
        .map((data) => ({ shape, data: Float32Array.from(data) })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.string().filter((name) => name !== "__metadata__"),
          tensor,
        ),
        async (tensors) => {
          const given = new Map(Object.entries(tensors));
          await writeSafetensors(path, given);
          expect(await readSafetensors(path)).toEqual(given);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("a tensor may be called __proto__", async () => {
    const path = join(folder, "proto.safetensors");
    const given = new Map([["__proto__", { shape: [2], data: Float32Array.of(1, 2) }]]);
    await writeSafetensors(path, given);
    expect(await readSafetensors(path)).toEqual(given);
  });

  it("bfloat16 and float16 are widened", async () => {
    const path = join(folder, "half.safetensors");
    const header = Buffer.from(
      JSON.stringify({
        b: { dtype: "BF16", shape: [3], data_offsets: [0, 6] },
        h: { dtype: "F16", shape: [4], data_offsets: [6, 14] },
      }),
    );
    const prefix = Buffer.alloc(8);
    prefix.writeBigUInt64LE(BigInt(header.length));
    // 1, -2.5, 0 as bfloat16; 1, -2, 65504 and the smallest subnormal as float16.
    const data = Buffer.from(Uint16Array.of(0x3f80, 0xc020, 0, 0x3c00, 0xc000, 0x7bff, 1).buffer);
    await writeFile(path, Buffer.concat([prefix, header, data]));
    const tensors = await readSafetensors(path);
    expect([...(tensors.get("b")?.data ?? [])]).toEqual([1, -2.5, 0]);
    expect([...(tensors.get("h")?.data ?? [])]).toEqual([1, -2, 65504, 2 ** -24]);
  });

  it("tensors that share bytes, leave some out or are followed by more are refused", async () => {
    const path = join(folder, "gaps.safetensors");
    const write = (offsets: readonly (readonly [number, number])[], bytes: number) => {
      const entry = ([start, end]: readonly [number, number]) => ({
        dtype: "F32",
        shape: [(end - start) / 4],
        data_offsets: [start, end],
      });
      const header = Buffer.from(JSON.stringify(Object.fromEntries(offsets.map((own, i) => [`t${i}`, entry(own)]))));
      const length = Buffer.alloc(8);
      length.writeBigUInt64LE(BigInt(header.length));
      writeFileSync(path, Buffer.concat([length, header, Buffer.alloc(bytes)]));
    };
    write(
      [
        [8, 16],
        [0, 8],
      ],
      16,
    );
    expect((await readSafetensors(path)).size).toBe(2);
    for (const [offsets, bytes] of [
      [
        [
          [0, 8],
          [4, 12],
        ],
        12,
      ],
      [
        [
          [0, 8],
          [12, 16],
        ],
        16,
      ],
      [[[0, 8]], 12],
    ] as const) {
      write(offsets as never, bytes);
      await expect(readSafetensors(path)).rejects.toThrow(/gaps\.safetensors: (tensor t1 begins|its tensors hold)/);
    }
  });

  it("a file that is cut off or is something else is refused by name", async () => {
    const path = join(folder, "cut.safetensors");
    await writeSafetensors(path, new Map([["a", { shape: [4], data: new Float32Array(4) }]]));
    const bytes = await readFile(path);
    for (let length = 0; length < bytes.length; length += 7) {
      await writeFile(path, bytes.subarray(0, length));
      await expect(readSafetensors(path)).rejects.toThrow(/cut\.safetensors/);
    }
  });
});

describe("a folder written atomically", () => {
  it("is replaced whole, and a failed writer leaves the old one", async () => {
    const at = join(folder, "model");
    const write = (text: string) => writeFolderAtomically(at, (fresh) => writeFile(join(fresh, "f"), text));
    await write("one");
    await write("two");
    expect(await readFile(join(at, "f"), "utf8")).toBe("two");
    await expect(
      writeFolderAtomically(at, async (fresh) => {
        await writeFile(join(fresh, "f"), "half");
        throw new Error("disk full");
      }),
    ).rejects.toThrow("disk full");
    expect(await readFile(join(at, "f"), "utf8")).toBe("two");
    expect(readdirSync(folder)).toEqual(["model"]);
  });

  it("comes back when the writer died between its two renames", async () => {
    const at = join(folder, "model");
    await writeFolderAtomically(at, (fresh) => writeFile(join(fresh, "f"), "one"));
    await rename(at, join(folder, ".model.old-abc"));
    await recoverFolder(at);
    expect(await readFile(join(at, "f"), "utf8")).toBe("one");
  });
});

const tokenizer = wordTokenizer(["a", "b", "c", "d"]);
const batchAt = (step: number): WeightedSequence[] =>
  [5, 9, 7].map((length, i) => ({
    tokens: Array.from({ length }, (_, t) => (t * (step + 2) + i) % tokenizer.vocabularySize),
    promptLength: 2,
    weights: Array.from({ length: length - 2 }, (_, t) => 0.1 * (t + 1 + i)),
  }));

async function engineIn(checkpoints: string, lora?: EmbeddedEngineOptions["lora"], base?: string) {
  return createEmbeddedEngine({
    model:
      base === undefined
        ? {
            config: decoderConfig({
              family: "qwen3",
              vocabularySize: tokenizer.vocabularySize,
              width: 32,
              layers: 2,
              heads: 2,
              contextLength: 16,
            }),
            tokenizer,
          }
        : { folder: base },
    checkpoints,
    seed: 9,
    threads: 2,
    lora,
  });
}

type TestEngine = Awaited<ReturnType<typeof engineIn>>;

async function train(engine: TestEngine, from: number, to: number): Promise<number[]> {
  const losses: number[] = [];
  for (let step = from; step < to; step++) {
    const scores = await engine.accumulate(batchAt(step));
    losses.push(...scores.flatMap(({ logprobs }) => [...logprobs]));
    const { gradientNorm } = await engine.step({ learningRate: 0.01, maxGradientNorm: 1, weightDecay: 0.1 });
    losses.push(gradientNorm);
  }
  return losses;
}

describe("a resumed run", () => {
  it.each([
    { name: "all weights", lora: undefined },
    { name: "adapters", lora: { rank: 2, alpha: 4 } },
  ])("$name: goes on as the uninterrupted one", async ({ lora }) => {
    const base = join(folder, "base");
    const maker = await engineIn(folder);
    await maker.exportModel(base);
    await maker.dispose();

    const whole = await engineIn(folder, lora, base);
    const losses = await train(whole, 0, 6);
    await whole.dispose();

    const first = await engineIn(folder, lora, base);
    await train(first, 0, 3);
    await first.save("half-way");
    await first.dispose();
    const second = await engineIn(folder, lora, base);
    await second.load("half-way");
    const resumed = await train(second, 3, 6);
    await second.dispose();
    const expected = losses.slice(-resumed.length);
    resumed.forEach((loss, i) => {
      expect(Math.abs(loss - expected[i])).toBeLessThan(1e-6);
    });
    expect(losses[0]).not.toBeCloseTo(expected[0], 2);
  });

  it("adapters are loaded with the scale and the layers that they were trained with, or not at all", async () => {
    const base = join(folder, "base");
    const maker = await engineIn(folder);
    await maker.exportModel(base);
    await maker.dispose();
    const lora = { rank: 2, alpha: 32 };
    const writer = await engineIn(folder, lora, base);
    await train(writer, 0, 3);
    await writer.save("trained");
    const [expected] = await writer.logprobs(batchAt(0));
    await writer.dispose();

    const fewer = { ...lora, targets: ["q_proj", "v_proj"] as const };
    for (const other of [{ ...lora, alpha: 8 }, fewer, { ...lora, rank: 3 }]) {
      const reader = await engineIn(folder, other, base);
      const [before] = await reader.logprobs(batchAt(0));
      await expect(reader.load("trained")).rejects.toThrow(
        /trained holds adapters .*"alpha":32.* and this engine trains/,
      );
      // As a frozen reference it is what it is, whatever is trained beside it.
      const [frozen] = await reader.logprobs(batchAt(0), { checkpoint: "trained" });
      expect([...frozen.logprobs]).toEqual([...expected.logprobs].map((value) => expect.closeTo(value, 4)));
      expect(await reader.logprobs(batchAt(0).slice(0, 1))).toEqual([before]);
      await reader.dispose();
    }
    const again = await engineIn(folder, { ...lora, targets: [...adapterTargets].reverse() }, base);
    await again.load("trained");
    expect([...(await again.logprobs(batchAt(0)))[0].logprobs]).toEqual([...expected.logprobs]);
    // What PEFT trained beside the adapters is no detail to leave out.
    const tensors = await readSafetensors(join(folder, "trained", "adapter_model.safetensors"));
    await mkdir(join(folder, "more"));
    for (const file of ["adapter_config.json", "tokenizer.json", "tokenizer_config.json"])
      await copyFile(join(folder, "trained", file), join(folder, "more", file));
    const head = { shape: [1], data: new Float32Array(1) };
    await writeSafetensors(
      join(folder, "more", "adapter_model.safetensors"),
      new Map([...tensors, ["base_model.model.lm_head.weight", head]]),
    );
    await expect(again.load("more")).rejects.toThrow(/more trains base_model.model.lm_head.weight as well/);
    // The same tensors may mean another model, in ways that PEFT has and in those that it will have.
    const plain = JSON.parse(await readFile(join(folder, "trained", "adapter_config.json"), "utf8"));
    for (const setting of [
      { init_lora_weights: "pissa" },
      { use_rslora: true },
      { alora_invocation_tokens: [3, 4] },
      { bias: "all" },
      { use_variant_of_tomorrow: true },
    ]) {
      await writeFile(join(folder, "trained", "adapter_config.json"), JSON.stringify({ ...plain, ...setting }));
      await expect(again.load("trained")).rejects.toThrow(`has ${Object.keys(setting)[0]}: `);
    }
    await again.dispose();
  });

  it("a checkpoint holds what other programs look for", async () => {
    const engine = await engineIn(folder);
    await engine.save("whole");
    await engine.dispose();
    for (const file of [
      "config.json",
      "generation_config.json",
      "model.safetensors",
      "tokenizer.json",
      "tokenizer_config.json",
      "optimizer.safetensors",
      "training_state.json",
    ]) {
      expect(existsSync(join(folder, "whole", file)), file).toBe(true);
    }
    const config = JSON.parse(await readFile(join(folder, "whole", "config.json"), "utf8"));
    expect(config).toMatchObject({ model_type: "qwen3", architectures: ["Qwen3ForCausalLM"], eos_token_id: 1 });
  });
});

describe("a checkpoint in which one weight changed on the disk", () => {
  /** The thousandth weight becomes 1e30, which is finite and trains on. */
  async function damage(file: string): Promise<void> {
    const bytes = await readFile(file);
    bytes.writeFloatLE(1e30, 8 + Number(bytes.readBigUInt64LE()) + 4 * 100);
    await writeFile(file, bytes);
  }

  it("that cannot be saved says what the file system said, also from the engine's thread", async () => {
    const file = join(folder, "no-folder");
    await writeFile(file, "");
    const engine = await engineIn(file);
    await expect(engine.save("x")).rejects.toMatchObject({ code: "EEXIST", syscall: "mkdir" });
    await engine.dispose();
  });

  it("is refused by name, as a start, to go on with and as a reference; or accepted and told", async () => {
    const engine = await engineIn(folder);
    await engine.save("damaged");
    await damage(join(folder, "damaged", "model.safetensors"));
    const message = /damaged[/\\]model\.safetensors is damaged: its content is not what it was/;
    await expect(engine.load("damaged")).rejects.toThrow(message);
    await expect(engine.logprobs(batchAt(0), { checkpoint: "damaged" })).rejects.toThrow(message);
    await expect(engineIn(folder, undefined, join(folder, "damaged"))).rejects.toThrow(message);
    await engine.save("damaged");
    await engine.load("damaged");
    await damage(join(folder, "damaged", "optimizer.safetensors"));
    await expect(engine.load("damaged")).rejects.toThrow(/optimizer\.safetensors is damaged/);
    await engine.dispose();
    const told: string[] = [];
    const accepting = await createEmbeddedEngine({
      model: { folder: join(folder, "damaged") },
      checkpoints: folder,
      threads: 1,
      acceptDamage: ({ file }) => void told.push(file),
    });
    await accepting.dispose();
    expect(told).toEqual([join(folder, "damaged", "optimizer.safetensors")]);
  });
});

describe("the runtime beneath", () => {
  it("leaves nothing in the temporary folder and nothing at home", async () => {
    const [temporary, home] = [join(folder, "tmp"), join(folder, "home")];
    await mkdir(temporary);
    await mkdir(home);
    const engine = await engineIn(folder);
    await engine.exportModel(join(folder, "model"));
    await engine.dispose();
    const script = `
      import { createEmbeddedEngine } from ${JSON.stringify(join(import.meta.dirname, "../../dist/engine/index.js"))};
      const engine = await createEmbeddedEngine({ model: { folder: process.argv[2] }, checkpoints: process.argv[2], threads: 2, replicas: 2 });
      await engine.sample([{ prompt: [3], seed: 1, maxTokens: 2, temperature: 1 }]);
      await engine.dispose();`;
    const { TMPDIR: _, HOME: __, XDG_CACHE_HOME: ___, ORT_DISABLE_TELEMETRY: ____, ...rest } = process.env;
    const env = { ...rest, TMPDIR: temporary, HOME: home };
    await writeFile(join(folder, "sample.mjs"), script);
    const ran = spawnSync(process.execPath, [join(folder, "sample.mjs"), join(folder, "model")], { env });
    expect(ran.stderr.toString()).toBe("");
    expect(readdirSync(temporary)).toEqual([]);
    expect(readdirSync(home)).toEqual([]);
  });
});

describe("numbers that break", () => {
  it("are an error that names step and sequence, and the last checkpoint stays good", async () => {
    const engine = await engineIn(folder);
    await train(engine, 0, 1);
    await engine.save("good");
    const [first, ...rest] = batchAt(1);
    const broken = { ...first, weights: Array.from(first.weights, () => Number.POSITIVE_INFINITY) };
    await expect(engine.accumulate([...rest, broken])).rejects.toThrow(/sequence 2 in step 2 is not finite/);
    // What was accumulated is gone, so a step finds nothing to do.
    await expect(engine.step({ learningRate: 0 })).rejects.toThrow(/nothing was accumulated/);
    await engine.accumulate(batchAt(1));
    await engine.step({ learningRate: Number.NaN });
    await expect(engine.accumulate(batchAt(2))).rejects.toThrow(/sequence \d in step 3 is not finite/);
    await expect(engine.sample([{ prompt: [3], seed: 1, maxTokens: 2, temperature: 1 }])).rejects.toThrow(/not finite/);
    await engine.load("good");
    const [{ logprobs }] = await engine.logprobs(batchAt(1));
    expect(logprobs.every(Number.isFinite)).toBe(true);
    await engine.dispose();
  });
});

describe("what a user gets wrong", () => {
  it("is answered by a sentence that says what to do", async () => {
    const empty = join(folder, "empty");
    await mkdir(empty);
    const open = (at: string) => createEmbeddedEngine({ model: { folder: at }, checkpoints: folder, threads: 1 });
    await expect(open(empty)).rejects.toThrow(/no tokenizer\.json/);
    writeFileSync(join(empty, "tokenizer.json"), JSON.stringify(tokenizer.files.tokenizer));
    await expect(open(empty)).rejects.toThrow(/no config\.json/);
    const config = {
      model_type: "mamba",
      vocab_size: 9,
      hidden_size: 4,
      intermediate_size: 4,
      num_hidden_layers: 1,
      num_attention_heads: 1,
    };
    writeFileSync(join(empty, "config.json"), JSON.stringify(config));
    await expect(open(empty)).rejects.toThrow(/expected one of: llama, qwen3, olmo3/);
    writeFileSync(join(empty, "config.json"), JSON.stringify({ ...config, model_type: "llama", attention_bias: true }));
    await expect(open(empty)).rejects.toThrow(/attention_bias/);
    writeFileSync(join(empty, "config.json"), JSON.stringify({ ...config, model_type: "llama" }));
    await expect(open(empty)).rejects.toThrow(/no model\.safetensors/);
  });
});
