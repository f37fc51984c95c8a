// A classification head by PyTorch, exported to ONNX: what Python measured is what labeling here gives, and adapters are
// merged into what is exported. Needs Python with torch, transformers and onnx, and is skipped without.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { createEmbeddedEngine } from "../../src/engine/embedded/embedded-engine.ts";
import { decoderConfig } from "../../src/engine/embedded/model/decoder-config.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import { splitByTrace } from "../../src/traces/classifier/backbone-training.ts";
import { readLabeledSpans } from "../../src/traces/classifier/labeled-spans.ts";
import { OnnxClassifier } from "../../src/traces/classifier/onnx-classifier.ts";
import { trainBpeTokenizer } from "../engine/byte-pair-tokenizer.ts";

const python = process.env.REPERTOIRE_PYTHON ?? "python3";
const missing =
  spawnSync(python, ["-c", "import torch, transformers, safetensors, onnx"], { stdio: "ignore" }).status === 0
    ? undefined
    : `${python} has no torch, transformers, safetensors and onnx; set REPERTOIRE_PYTHON to one that has`;
if (missing !== undefined) console.log(`skipping the export to ONNX: ${missing}`);

const main = resolve(import.meta.dirname, "../../dist/cli/main.js");
const folder = mkdtempSync(join(tmpdir(), "onnx-training-"));
afterAll(() => rmSync(folder, { recursive: true }));

const cues = { check: "let us verify", compute: "so we get", backtrack: "that is wrong" };

function writeSpans(path: string): string[] {
  const random = Random.from("cues");
  const words = ["row", "column", "seven", "sum", "left", "right"];
  const filler = () => Array.from({ length: 3 }, () => words[random.below(words.length)]).join(" ");
  const spans = Array.from({ length: 60 }, (_, trace) =>
    Object.entries(cues).map(([label, cue], index) => ({
      ...{ text: `${filler()} ${cue} ${filler()}`, previous: filler(), label },
      ...{ trace_id: `t${trace}`, domain: "puzzle", index, of: 3 },
    })),
  ).flat();
  writeFileSync(path, spans.map((span) => `${JSON.stringify(span)}\n`).join(""));
  return spans.map(({ text, previous }) => `Question: Place: 1 of 10 Before: ${previous} Span: ${text}`);
}

describe.skipIf(missing !== undefined)("train-classifier --backbone --onnx", () => {
  test("trains, exports, and labels here as Python measured", async () => {
    const data = join(folder, "spans.jsonl");
    const tokenizer = trainBpeTokenizer(writeSpans(data), { vocabularySize: 300 });
    const config = decoderConfig({
      family: "llama",
      vocabularySize: 300,
      width: 32,
      layers: 1,
      heads: 2,
      contextLength: 256,
    });
    const engine = await createEmbeddedEngine({
      model: { config, tokenizer },
      checkpoints: folder,
      seed: 1,
      threads: 1,
    });
    const backbone = join(folder, "backbone");
    await engine.exportModel(backbone);
    await engine.dispose();
    const out = join(folder, "labels");
    const flags = [
      "--lora-rank",
      "8",
      "--epochs",
      "6",
      "--patience",
      "5",
      "--spans-per-step",
      "16",
      "--learning-rate",
      "0.01",
    ];
    const run = spawnSync(
      process.execPath,
      [
        main,
        "traces",
        "train-classifier",
        "--data",
        data,
        "--backbone",
        backbone,
        "--onnx",
        "--device",
        "cpu",
        ...flags,
        "--out",
        out,
        "--json",
      ],
      { encoding: "utf8", env: { ...process.env, REPERTOIRE_PYTHON: python, OMP_NUM_THREADS: "1" } },
    );
    expect(run.stderr, run.stdout).not.toMatch(/Error/);
    const extras = JSON.parse(readFileSync(join(out, "repertoire.json"), "utf8"));
    expect(extras.record.split).toMatchObject({
      test: { traces: 12 },
      validation: { traces: 6 },
      taught: { traces: 42 },
    });
    expect(extras.record.versions.torch).toMatch(/^\d/);
    expect(extras.quality.accuracy).toBeGreaterThan(0.6);
    expect(existsSync(join(out, "lessons"))).toBe(false);
    const { spans } = await readLabeledSpans(data, paperTaxonomy);
    const { test: measured } = splitByTrace(spans, "1");
    const labels = await (await OnnxClassifier.load(out)).label(measured);
    const right = labels.filter(({ label }, i) => label === measured[i].label).length;
    expect(right / measured.length).toBeCloseTo(extras.quality.accuracy, 10);
  });
});
