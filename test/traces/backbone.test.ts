// A language model as span classifier, through the engine's verbs: what it is shown, that it learns, that what it learned is
// found again, and that votes teach by their shares.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { checkBackbone } from "../../src/cli/traces-backbone.ts";
import { checkClassifier } from "../../src/cli/traces-options.ts";
import { createEmbeddedEngine } from "../../src/engine/embedded/embedded-engine.ts";
import { decoderConfig } from "../../src/engine/embedded/model/decoder-config.ts";
import { ScriptedEngine } from "../../src/engine/scripted.ts";
import { tokenizerFrom } from "../../src/engine/tokenizer.ts";
import { wordTokenizer } from "../../src/engine/word-tokenizer.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import { BackboneClassifier, readBackbone, writeBackbone } from "../../src/traces/classifier/backbone-classifier.ts";
import {
  type LessonState,
  labelLogprobs,
  lessonStateSchema,
  measuredBackbone,
  splitByTrace,
  teachBackbone,
} from "../../src/traces/classifier/backbone-training.ts";
import type { LabeledSpan } from "../../src/traces/classifier/labeled-spans.ts";
import { SpanPrompts } from "../../src/traces/classifier/span-prompt.ts";
import { paperAlphabet } from "../../src/traces/sequence.ts";
import type { SpanInContext } from "../../src/traces/span-classifier.ts";
import { trainBpeTokenizer } from "../engine/byte-pair-tokenizer.ts";

const cues: Readonly<Record<string, string>> = { check: "verify it", compute: "so we get", backtrack: "that is wrong" };
const lengths = { question: 4, previous: 6, text: 24, window: 120 };

/** The cue says the label; the words around it say nothing. */
function spansOf(traces: number, seed: string): LabeledSpan[] {
  const random = Random.from(seed);
  const words = ["row", "column", "seven", "sum", "left", "right"];
  const filler = () => Array.from({ length: 3 }, () => words[random.below(words.length)]).join(" ");
  return Array.from({ length: traces }, (_, trace) =>
    Object.keys(cues).map(
      (label): LabeledSpan => ({
        text: `${filler()} ${cues[label]} ${filler()}`,
        previous: filler(),
        place: 0.5,
        label,
        trace: `${seed} ${trace}`,
        domain: "puzzle",
        confidence: "high",
      }),
    ),
  ).flat();
}

const tokenizer = trainBpeTokenizer(
  [...spansOf(40, "words").map(({ text }) => text), "Question Before Span Label Place in the solution unknown of 10"],
  { vocabularySize: 330 },
);
const prompts = new SpanPrompts(tokenizer, paperAlphabet, lengths);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "backbone-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("what a backbone is shown", () => {
  test("every label has a token of its own, and a tokenizer without them is refused", () => {
    expect(new Set(prompts.answers).size).toBe(9);
    expect(() => new SpanPrompts(wordTokenizer(["row", "column"]), paperAlphabet)).toThrow(/no token of its own/);
  });

  test("prompts fit whatever they are made of, keep both ends of a span and the end of what came before", () => {
    const word = fc.constantFrom("row", "seven", "verify it", "left\n", "∑", "😀");
    const text = fc.array(word, { maxLength: 120 }).map((words) => words.join(" "));
    const shownOf = (span: SpanInContext) => prompts.windows([span])[0].tokens;
    const frame = shownOf({ text: "", previous: "row", question: "", place: 1 }).length;
    fc.assert(
      fc.property(text, text, text, (text, previous, question) => {
        const tokens = shownOf({ text, previous, question, place: 1 });
        expect(tokens.length).toBeLessThanOrEqual(frame + lengths.question + lengths.previous + lengths.text);
        const shown = tokenizer.decode(tokens);
        const encoded = tokenizer.encode(text);
        if (encoded.length <= lengths.text) expect(shown).toContain(text);
        else {
          expect(shown).toContain(tokenizer.decode(encoded.slice(0, 12)).replaceAll("�", ""));
          const last = tokens.slice(tokens.length - tokenizer.encode("\n\nLabel:\n").length - 12);
          expect(last.slice(0, 12)).toEqual(encoded.slice(-12));
        }
      }),
    );
  });

  test("a text begins as the model's own tokenizer begins one, once", () => {
    const files = tokenizer.files as { tokenizer: { added_tokens: { id: number; content: string }[] }; config: object };
    const [{ content, id }] = files.tokenizer.added_tokens;
    const special = { id: content, ids: [id], tokens: [content] };
    const single = [{ SpecialToken: { id: content, type_id: 0 } }, { Sequence: { id: "A", type_id: 0 } }];
    const processor = { type: "TemplateProcessing", single, pair: single, special_tokens: { [content]: special } };
    const begins = tokenizerFrom({ ...files, tokenizer: { ...files.tokenizer, post_processor: processor } });
    const span = { text: "row one", previous: "sum", question: "left" };
    const [plain] = prompts.windows([span]);
    expect(new SpanPrompts(begins, paperAlphabet, lengths).windows([span])[0].tokens).toEqual([id, ...plain.tokens]);
    // As those were taught that know no beginning.
    expect(new SpanPrompts(begins, paperAlphabet, lengths, false).windows([span])).toEqual([plain]);
  });

  test("neighbors share a text, in order, and each is asked for where it ends; strangers and long windows do not", () => {
    const texts = ["row one", "verify it", "so we get seven", "that is wrong", "left right sum"];
    const spans = texts.map((text, i) => ({ text, previous: i === 0 ? "" : texts[i - 1], question: "sum" }));
    const [window, ...rest] = new SpanPrompts(tokenizer, paperAlphabet, { ...lengths, window: 500 }).windows(spans);
    expect(rest).toEqual([]);
    expect(window.spans).toEqual([0, 1, 2, 3, 4]);
    for (const [i, place] of window.places.entries())
      expect(tokenizer.decode(window.tokens.slice(0, place))).toMatch(new RegExp(`Span:\n${texts[i]}\n\nLabel:\n$`));
    const apart = prompts.windows([spans[0], { ...spans[2], previous: "something else" }]);
    expect(apart.map(({ spans }) => spans)).toEqual([[0], [1]]);
    const short = new SpanPrompts(tokenizer, paperAlphabet, { ...lengths, window: 70 }).windows(spans);
    expect(short.length).toBeGreaterThan(1);
    expect(short.flatMap(({ spans }) => spans)).toEqual([0, 1, 2, 3, 4]);
    expect(tokenizer.decode(short[1].tokens)).toContain(texts[short[1].spans[0] - 1].slice(-3));
  });

  test("all labels of a span are scored as the engine scores them one by one", async () => {
    const engine = new ScriptedEngine({ tokenizer, contextLength: 256, seed: 5 });
    const span = { text: "verify it", previous: "" };
    const [scores] = await labelLogprobs(engine, prompts, [span]);
    const prompt = prompts.windows([span])[0].tokens;
    const [third] = await engine.logprobs([{ tokens: [...prompt, prompts.answers[3]], promptLength: prompt.length }]);
    expect(scores[3]).toBeCloseTo(third.logprobs[0], 10);
  });
});

test("a model that cannot answer, and a name that names no classifier, are refused with what can be done", async () => {
  const backbone = join(folder, "model");
  await mkdir(backbone);
  await writeFile(join(backbone, "tokenizer.json"), "{}");
  const as = (model_type: string, head: string) =>
    writeFile(join(backbone, "config.json"), JSON.stringify({ model_type, architectures: [head] }));
  const engine = "http://localhost:1";
  await expect(checkBackbone({ backbone, engine })).rejects.toThrow(/has no config\.json/);
  await as("modernbert", "ModernBertForMaskedLM");
  await expect(checkBackbone({ backbone, engine })).rejects.toThrow(/ModernBertForMaskedLM, which cannot .* --onnx/);
  await checkBackbone({ backbone, onnx: true });
  await as("gemma3_text", "Gemma3ForCausalLM");
  await checkBackbone({ backbone, engine });
  await expect(checkBackbone({ backbone })).rejects.toThrow(/gemma3_text; .* --engine .* --onnx/);
  await as("gpt2", "GPT2LMHeadModel");
  await checkBackbone({ backbone, engine });
  await as("llama", "LlamaForCausalLM");
  await checkBackbone({ backbone });
  expect(() => checkClassifier(backbone)).toThrow(/is not a classifier/);
  checkClassifier("judge@http://localhost:1/v1");
});

test("traces are on one side of the split only, and made spans only teach", () => {
  const made = spansOf(2, "made").map((span) => ({ ...span, domain: "written" }));
  const { taught, validation, test: measured } = splitByTrace([...spansOf(20, "read"), ...made], "1");
  const traces = (spans: readonly LabeledSpan[]) => new Set(spans.map(({ trace }) => trace));
  expect(measured.length).toBe(12);
  expect(validation.length).toBe(6);
  expect([...traces(taught)].filter((trace) => traces(measured).has(trace) || traces(validation).has(trace))).toEqual(
    [],
  );
  expect([...measured, ...validation].every(({ domain }) => domain === "puzzle")).toBe(true);
  expect(taught.filter(({ domain }) => domain === "written").length).toBe(made.length);
});

test("votes teach each label by its share", async () => {
  // The scripted engine knows the last token only, so what it learns is how common each label is.
  const engine = new ScriptedEngine({ tokenizer, contextLength: 256 });
  const shares = paperAlphabet.labels.map((label) => (label === "check" ? 0.75 : label === "compute" ? 0.25 : 0));
  const voted = spansOf(8, "voted").map((span) => ({ ...span, label: "check", shares }));
  const training = { epochs: 60, spansPerStep: 24, learningRate: 0.3, patience: 1 };
  for await (const _ of teachBackbone({
    ...{ engine, alphabet: paperAlphabet, prompts, spans: voted, validation: [], training, checkpoint: "c", seed: "1" },
  })) {
    // Only the weights matter.
  }
  const [scores] = await labelLogprobs(engine, prompts, [voted[0]]);
  const [check, compute] = ["check", "compute"].map((label) => Math.exp(scores[paperAlphabet.codeOf(label)]));
  expect(check).toBeCloseTo(0.75, 1);
  expect(compute).toBeCloseTo(0.25, 1);
});

test("a lesson that was stopped between epochs goes on as if it had not been", async () => {
  const [taught, validation] = [spansOf(12, "taught"), spansOf(4, "held out")];
  const training = { epochs: 4, spansPerStep: 6, learningRate: 0.1, patience: 4 };
  const lessonOf = (engine: ScriptedEngine, checkpoint: string) => ({
    ...{ engine, alphabet: paperAlphabet, prompts, spans: taught, validation, training, checkpoint, seed: "1" },
  });
  const learnedBy = async (lesson: Parameters<typeof teachBackbone>[0]) => {
    const teaching = teachBackbone(lesson);
    for (;;) {
      const { done, value } = await teaching.next();
      if (done) return value;
    }
  };
  const whole = new ScriptedEngine({ tokenizer, contextLength: 256, seed: 7 });
  const undisturbed = await learnedBy(lessonOf(whole, "whole"));
  const stopped = new ScriptedEngine({ tokenizer, contextLength: 256, seed: 7 });
  let kept: LessonState | undefined;
  const stops = learnedBy({
    ...lessonOf(stopped, "stopped"),
    onEpoch: async (state) => {
      // As it comes back from a file.
      kept = lessonStateSchema.parse(JSON.parse(JSON.stringify(state)));
      if (state.epoch === 2) throw new Error("the power went");
    },
  });
  await expect(stops).rejects.toThrow("the power went");
  // Whatever became of the live weights is of no account.
  await stopped.accumulate([{ tokens: [1, 2], promptLength: 1, weights: [5] }]);
  await stopped.step({ learningRate: 1 });
  expect(await learnedBy({ ...lessonOf(stopped, "stopped"), from: kept })).toEqual(undisturbed);
  expect(await labelLogprobs(stopped, prompts, validation)).toEqual(await labelLogprobs(whole, prompts, validation));
});

test("a small decoder learns cues, stops by held-out traces, and is found again from its folder", async () => {
  const config = decoderConfig({
    family: "llama",
    vocabularySize: 330,
    width: 32,
    layers: 1,
    heads: 2,
    contextLength: 128,
  });
  const checkpoints = join(folder, "checkpoints");
  const options = { model: { config, tokenizer }, checkpoints, seed: 1, threads: 1 };
  const engine = await createEmbeddedEngine(options);
  const { taught, validation, test: measured } = splitByTrace(spansOf(40, "read"), "1");
  const training = { epochs: 8, spansPerStep: 16, learningRate: 0.02, patience: 2 };
  const lesson = {
    engine,
    alphabet: paperAlphabet,
    prompts,
    spans: taught,
    validation,
    training,
    checkpoint: "best",
    seed: "1",
  };
  const teaching = teachBackbone(lesson);
  let result = await teaching.next();
  while (!result.done) result = await teaching.next();
  const { temperature, bestEpoch, curve } = result.value;
  const quality = await measuredBackbone(lesson, measured, temperature);
  expect(quality.accuracy).toBeGreaterThan(0.9);
  expect(bestEpoch).toBe(curve.reduce((best, at) => (at.validationLoss < best.validationLoss ? at : best)).epoch);
  await writeBackbone(folder, {
    ...{ name: "tiny", version: "1", about: "a test", taxonomy: paperTaxonomy, checkpoint: "checkpoints/best" },
    ...{ lengths, begun: true, temperature, quality, record: {} },
  });
  const first = await new BackboneClassifier(engine, await readBackbone(folder)).label(measured);
  await engine.dispose();
  const again = await createEmbeddedEngine({ ...options, model: { folder: join(checkpoints, "best") } });
  const classifier = new BackboneClassifier(again, await readBackbone(folder));
  const second = await classifier.label(measured);
  await classifier.close();
  expect(second.map(({ label }) => label)).toEqual(first.map(({ label }) => label));
  expect(second.filter(({ label }, i) => label === measured[i].label).length / measured.length).toBe(quality.accuracy);
});
