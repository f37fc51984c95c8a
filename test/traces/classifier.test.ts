import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type Graph, modelBytes } from "../../src/engine/embedded/onnx/model.ts";
import { planSlices } from "../../src/imports/plan.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import { type Primitive, primitives } from "../../src/rollouts/primitives.ts";
import { BuiltinClassifier } from "../../src/traces/classifier/builtin-classifier.ts";
import { cues, eachCue, readings } from "../../src/traces/classifier/cue-matcher.ts";
import { FeatureExtractor, featureBuckets } from "../../src/traces/classifier/features.ts";
import { type LabeledSpan, readLabeledSpans, type UnreadSpan } from "../../src/traces/classifier/labeled-spans.ts";
import type { LinearModel } from "../../src/traces/classifier/linear-model.ts";
import { makeClassifier } from "../../src/traces/classifier/make-classifier.ts";
import { loadClassifier, saveClassifier } from "../../src/traces/classifier/model-file.ts";
import { narratedSpans } from "../../src/traces/classifier/narrated-spans.ts";
import { doesNoReasoning } from "../../src/traces/classifier/no-reasoning.ts";
import { filledTemplate, OnnxClassifier } from "../../src/traces/classifier/onnx-classifier.ts";
import { classifierQuality, f1Scores, macroF1 } from "../../src/traces/classifier/quality.ts";
import { hashOf, TokenBuffer } from "../../src/traces/classifier/tokens.ts";
import {
  crossValidate,
  dealtFolds,
  defaultTraining,
  featured,
  judged,
  questionOf,
  scoredBy,
  sourceOf,
  trainLinearModel,
} from "../../src/traces/classifier/training.ts";
import { readTraces } from "../../src/traces/read-traces.ts";
import { paperSegmentation } from "../../src/traces/segmentation.ts";
import { publicFile } from "../fixtures/public-data.ts";

describe("tokens", () => {
  const read = (text: string) => {
    const buffer = new TokenBuffer();
    buffer.read(text);
    return {
      ...buffer,
      hashes: [...buffer.hashes.subarray(0, buffer.tokens)],
      sentences: [...buffer.sentences.subarray(0, buffer.sentenceCount + 1)],
    };
  };
  test("words without case, one kind of number, marks alone, LaTeX commands whole", () => {
    expect(read("Don't add 3.14, \\frac").hashes).toEqual(["don't", "add", "0", ",", "\\frac"].map(hashOf));
    expect(read("don’t").hashes).toEqual([hashOf("don't")]);
    expect(read("1,234.5 x2").hashes).toEqual(["0", "x", "0"].map(hashOf));
  });
  test("sentences start after . ! ? : and at new lines; list items are counted", () => {
    // a . | b ! | - c | d
    expect(read("A. B!\n- c\n\nd").sentences).toEqual([0, 2, 4, 6, 7]);
    expect(read("1. one\n2) two\n- three\nfour").listItems).toBe(3);
    expect(read("3.5 is no list").listItems).toBe(0);
  });
  test("very long texts are read at their ends", () => {
    const long = read(`start ${"x ".repeat(50_000)}end`);
    expect(long.hashes.length).toBeLessThan(2100);
    expect([long.hashes[0], long.hashes.at(-1)]).toEqual(["start", "end"].map(hashOf));
  });
});

describe("cues", () => {
  const found = (text: string) => {
    const buffer = new TokenBuffer();
    buffer.read(text);
    const names: string[] = [];
    eachCue(buffer, (cue, sentence) => names.push(`${cues[cue]}@${sentence}`));
    return names;
  };
  test("brackets multiply out, an empty choice is optional", () => {
    expect(readings("[let's|let me] [just|] check")).toEqual([
      "let's just check",
      "let's check",
      "let me just check",
      "let me check",
    ]);
  });
  test("phrases are found where they stand, sentence starts only at them", () => {
    expect(found("Let me just check. That doesn't work.")).toEqual(
      expect.arrayContaining(["worthChecking@0", "doesNotWork@1"]),
    );
    expect(found("But no.")).toContain("but@0");
    expect(found("all but one")).not.toContain("but@0");
  });
});

describe("features", () => {
  test("the same span gives the same features, whether the span before was just read or not", () => {
    fc.assert(
      fc.property(
        fc.lorem({ mode: "sentences", maxCount: 4 }),
        fc.lorem({ mode: "sentences", maxCount: 4 }),
        (first, second) => {
          const copy = ({ indices, values, length }: ReturnType<FeatureExtractor["read"]>) => [
            [...indices.slice(0, length)],
            [...values.slice(0, length)],
          ];
          const running = new FeatureExtractor();
          running.read({ text: first, previous: "", place: 0.5 });
          const span = { text: second, previous: first, place: 1 };
          expect(copy(running.read(span))).toEqual(copy(new FeatureExtractor().read(span)));
        },
      ),
    );
  });
  test("every index is a bucket, every family has length at most its weight", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), fc.string({ maxLength: 100 }), (text, previous) => {
        const { indices, values, length } = new FeatureExtractor().read({ text, previous, place: 0.3 });
        let squares = 0;
        for (let i = 0; i < length; i++) {
          expect(indices[i]).toBeGreaterThanOrEqual(0);
          expect(indices[i]).toBeLessThan(featureBuckets);
          squares += values[i] ** 2;
        }
        expect(new Set(indices.slice(0, length)).size).toBe(length);
        expect(squares).toBeLessThan(4);
      }),
    );
  });
});

describe("quality", () => {
  test("F1 and its mean, worked by hand", () => {
    // Label 0: 3 right of 4, given 4 → 2·3/8 = 0.75. Label 1: 1 of 2, given 2 → 0.5. Label 2: none of 0, given 0 → 0.
    const confusion = [
      [3, 1, 0],
      [1, 1, 0],
      [0, 0, 0],
    ];
    expect(f1Scores(confusion)).toEqual([0.75, 0.5, 0]);
    expect(macroF1(confusion, 1)).toBeCloseTo(0.625, 12);
    expect(macroF1(confusion, 3)).toBeCloseTo(0.75, 12);
  });
  test("calibration and coverage, worked by hand", () => {
    const span = (right: boolean, confidence: number) => ({
      actual: "plan" as const,
      given: right ? ("plan" as const) : ("setup" as const),
      confidence,
      domain: "d",
    });
    const quality = classifierQuality([span(true, 0.95), span(true, 0.95), span(false, 0.55), span(true, 0.55)], "");
    // Bin 0.9: |1.9 − 2|; bin 0.5: |1.1 − 1| → (0.1 + 0.1)/4.
    expect(quality.calibrationError).toBeCloseTo(0.05, 12);
    expect(quality.coverage.find(({ share }) => share === 0.5)).toEqual({
      share: 0.5,
      accuracy: 1,
      confidenceAbove: 0.95,
    });
    expect(quality.accuracy).toBe(0.75);
    // `setup` was given once and never there; nothing else was given or there.
    expect(quality.precision).toEqual({ plan: 1, setup: 0 });
    expect(quality.recall).toEqual({ plan: 0.75 });
  });
  test("an answer as data and an answer said again do no reasoning; a first conclusion and work on data do", () => {
    const again = "So the answer is that both doors are safe. The answer is that both doors are safe.";
    const nothing: [text: string, previous: string][] = [
      [". . .\n---", "We look at row two."],
      ['{"Food": ["lime", "corn"], "Job": ["nurse", "pilot"]}', "All clues hold."],
      ['```json\n{\n  "a": 1,\n  "b": [2, 3]\n}\n```', ""],
      [again, "Therefore, the answer is that both doors are safe."],
      [`Thus, ${again} ${again}`, ""],
    ];
    for (const [text, previous] of nothing) expect([text, doesNoReasoning(text, previous)]).toEqual([text, true]);
    const reasoning: [text: string, previous: string][] = [
      [
        "So the answer is that both doors are safe, because neither guard can lie about his own.",
        "Take the left door.",
      ],
      ["Clue 3 says the nurse eats corn, so the list starts with lime. {a: 1}", "Read the clues."],
      ["\\[\nq(5) = 3: \\frac{25}{288}\n\\]\nSo it is\n\\[\n\\boxed{-\\dfrac{5}{12}}\n\\]", "We evaluate it."],
      ["Start: L: [A, B], R: []\nStep 1: L: [A], R: [B]", "Let's list each move."],
      ["The set {1, 2, 3} sums to 6, and [4, 5] to 9.", ""],
      [
        "Left is 3, right is 4, so the sum is 7. Left is 3, right is 4, so the sum is 7.",
        "Left is 3, right is 4, so the sum is 7.",
      ],
      ["**Final Answer**\n\\boxed{42}", "Adding the two halves gives 42."],
    ];
    for (const [text, previous] of reasoning) expect([text, doesNoReasoning(text, previous)]).toEqual([text, false]);
  });
  test("rows of dots are measured as they are labeled: by rule, whatever the logits say", () => {
    const dots: LabeledSpan = { ...toy[0], text: ". . .", label: "other" };
    const logits = Float64Array.from({ length: 9 }, (_, code) => (code === 6 ? 5 : 0));
    const [ruled, plain] = judged(
      [
        { span: dots, logits },
        { span: toy[0], logits },
      ],
      1,
    );
    expect(ruled).toMatchObject({ actual: "other", given: "other", confidence: 1 });
    expect(plain.given).toBe("backtrack");
  });
});

const toy: LabeledSpan[] = Array.from({ length: 120 }, (_, i) => {
  const label = (["plan", "compute", "check"] as const)[i % 3];
  const words = { plan: "my plan is to try", compute: "so 3 + 4 = 7 and then", check: "let me verify that" }[label];
  return {
    text: `${words} number ${i % 7} here`,
    previous: "",
    label,
    trace: `t${i % 12}`,
    domain: "toy",
    confidence: "high",
  };
});

/** Millions of weights: compared as bytes. */
const sameModel = (a: LinearModel, b: LinearModel) =>
  Buffer.from(a.weights).equals(Buffer.from(b.weights)) &&
  a.scale === b.scale &&
  a.bias.every((x, c) => x === b.bias[c]);

describe("training", () => {
  test("learns what can be learned, the same way every time", () => {
    const request = { spans: toy, name: "toy", folds: 2, narrated: 0, seed: "7" };
    const first = makeClassifier(request);
    const second = makeClassifier(request);
    expect(first.description.quality?.accuracy).toBeGreaterThan(0.95);
    expect(sameModel(second.model, first.model)).toBe(true);
    expect(sameModel(makeClassifier({ ...request, seed: "8" }).model, first.model)).toBe(false);
  });

  // The label is written in every text, but each group has its own code for it: only a leak could know the code.
  const coded: LabeledSpan[] = Array.from({ length: 80 }, (_, i) => {
    const question = Math.floor(i / 4);
    return {
      text: `w${"abcdefghijklmnopqrst"[question]}${i % 2 === 0 ? "u" : "v"} is here`,
      previous: "",
      label: i % 2 === 0 ? "plan" : "check",
      trace: `t${Math.floor(i / 2)}`,
      question: `q${question}`,
      source: `s${question % 4}`,
      domain: "toy",
      confidence: "high",
    };
  });
  const rightShare = (spans: readonly LabeledSpan[], by: (span: UnreadSpan) => string) => {
    const training = { ...defaultTraining, members: 1, leastQuestions: 1 };
    const scored = crossValidate(featured(spans), { by, folds: 4, training, random: Random.from(1) });
    expect(scored).toHaveLength(spans.length);
    return (
      scored.filter(({ span, logits }) => logits[primitives.indexOf(span.label as Primitive)] === Math.max(...logits))
        .length / scored.length
    );
  };

  test("held-out spans are scored by models that saw nothing of their question or source", () => {
    expect(rightShare(coded, ({ trace }) => trace)).toBeGreaterThan(0.8);
    expect(rightShare(coded, questionOf)).toBeLessThan(0.8);
    expect(rightShare(coded, sourceOf)).toBeLessThan(0.8);
  });

  test("what a model is sure of in unread spans teaches it their words, but not those of held-out questions", () => {
    const word = (question: number) => `w${"abcdefghijklmnopqrst"[question]}`;
    const cue = (question: number) => (question % 2 === 0 ? "plan ahead" : "check it");
    const of = (question: number, text: string, trace: string) => ({
      ...{ text, previous: "", trace, question: `q${question}`, domain: "toy" },
      label: question % 2 === 0 ? "plan" : "check",
    });
    const questions = Array.from({ length: 20 }, (_, question) => question);
    const told = questions.flatMap((q) => [0, 1, 2, 3].map((i) => of(q, cue(q), `t${q}.${i}`)));
    const coded = questions.map((q) => of(q, word(q), `w${q}`));
    // Only words of read spans are learned from unread ones. These are read beside words of the other label, and mislead.
    const known = questions.map((q) => of(q, `${word(q)} ${word((q + 1) % 20)}`, `k${q}`));
    const unread = questions.flatMap((q) =>
      Array.from({ length: 20 }, (_, i) => of(q, `${cue(q)} ${word(q)}`, `u${q}.${i}`)),
    );
    const right = (by: (span: UnreadSpan) => string) => {
      const training = { ...defaultTraining, members: 1, leastQuestions: 1 };
      const spans = featured([...told, ...coded, ...known]);
      const scored = crossValidate(spans, { by, folds: 4, training, random: Random.from(1), unread: featured(unread) });
      const codes = judged(
        scored.filter(({ span }) => span.trace.startsWith("w")),
        1,
      );
      return codes.filter(({ actual, given }) => actual === given).length / codes.length;
    };
    expect(right(({ trace }) => trace)).toBeGreaterThan(0.7);
    expect(right(questionOf)).toBeLessThan(0.8);
  });

  test("a feature of few questions is not learned where there are many questions", () => {
    const model = (leastQuestions: number) =>
      trainLinearModel(featured(coded), { ...defaultTraining, members: 1, leastQuestions }, Random.from(1));
    const right = (leastQuestions: number) =>
      scoredBy(model(leastQuestions), featured(coded)).filter(
        ({ span, logits }) => logits[primitives.indexOf(span.label as Primitive)] === Math.max(...logits),
      ).length;
    expect(right(1)).toBe(coded.length);
    expect(right(2)).toBeLessThan(coded.length);
  });

  test("folds are dealt by size: no group is split, none is left out, folds are about equally large", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 2 }), { minLength: 1, maxLength: 200 }), fc.nat(), (groups, seed) => {
        const folds = dealtFolds(groups, 4, Random.from(seed));
        const sizes = [0, 0, 0, 0];
        for (const group of groups) sizes[folds.get(group)!] += 1;
        const largest = Math.max(...groups.map((group) => groups.filter((other) => other === group).length));
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(largest);
      }),
    );
  });

  test("a classifier goes to disk and comes back the same; a foreign one is refused", async () => {
    const folder = await mkdtemp(join(tmpdir(), "classifier-"));
    try {
      const trained = makeClassifier({
        spans: toy,
        name: "toy",
        folds: 2,
        narrated: 0,
        seed: "1",
      });
      await saveClassifier(folder, trained);
      const loaded = await loadClassifier(folder);
      expect(sameModel(loaded.model, trained.model)).toBe(true);
      const classifier = await BuiltinClassifier.load(folder);
      expect((await classifier.label([{ text: "let me verify that number", previous: "" }]))[0].label).toBe("check");
      const description = JSON.parse(await readFile(join(folder, "classifier.json"), "utf8"));
      await writeFile(join(folder, "classifier.json"), JSON.stringify({ ...description, features: 0 }));
      await expect(loadClassifier(folder)).rejects.toThrow("trained for other features or labels");
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("labeled spans are read, bad lines named, and a file without any refused", async () => {
    const folder = await mkdtemp(join(tmpdir(), "spans-"));
    try {
      const path = join(folder, "a.jsonl");
      const bad = ["nope", '{"text":"y","label":"planning"}', '{"text":"z","label":null}'];
      await writeFile(path, ['{"text":"x","label":"PLAN","trace_id":"t"}', ...bad, ""].join("\n"));
      const { spans, undecided, skipped } = await readLabeledSpans(path, paperTaxonomy);
      expect(spans).toEqual([
        { text: "x", previous: "", label: "plan", trace: "t", domain: "unknown", drawn: "random" },
      ]);
      expect([undecided, skipped.map(({ line }) => line)]).toEqual([1, [2, 3]]);
      await writeFile(path, '{"text":"y"}\n');
      await expect(readLabeledSpans(path, paperTaxonomy)).rejects.toThrow("holds no span to learn from");
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("the classifier that ships", () => {
  test("labels plain examples of every primitive", async () => {
    const classifier = await BuiltinClassifier.load();
    const examples = {
      plan: "How should I approach this? My plan is to work modulo 7 first, and then lift the solution to modulo 49.",
      setup:
        "Let O be the centre of the circle and put A at the origin. We are given that AB = 4 and AC = 6. Denote the radius by r.",
      enumerate:
        "So the possible cases are:\n1. Both are knights.\n2. Both are knaves.\n3. A is a knight and B is a knave.\n4. A is a knave and B is a knight.",
      hypothesize:
        "Maybe the question is a trick question. Perhaps the problem intends that the barber is a woman? What if that is the case?",
      compute: "So 3x = 12, which gives x = 4. Then 2x + 5 = 13 and the sum is 4 + 13 = 17.",
      check: "Let me double-check: 4 + 8 = 12, and both are even. Yes, that works. Let me verify the other one too.",
      backtrack:
        "That leads to a contradiction, so this approach doesn't work. Let me go back and try a different approach instead.",
      summarize: "Therefore, the final answer is 12.\n\n**Final Answer**\n\\boxed{12}",
    } as const;
    for (const [label, text] of Object.entries(examples)) {
      const [given] = await classifier.label([{ text, previous: "So we have that." }]);
      expect(given.label, text).toBe(label);
    }
  });

  test("on fresh traces of the narrating teacher its macro-F1 is at least 0.95 in every style", async () => {
    const classifier = await BuiltinClassifier.load();
    for (const style of ["terse", "plain", "prose"] as const) {
      const spans = narratedSpans({ traces: 15, style, random: Random.from("unseen").child(style) });
      const verdicts = spans.map((span) => {
        const { label, confidence } = classifier.labelSpan(span);
        return { actual: span.label, given: label, confidence, domain: style };
      });
      expect(classifierQuality(verdicts, style).macroF1, style).toBeGreaterThan(0.95);
    }
  });

  test("a whole trace and its spans one by one get the same labels", async () => {
    const classifier = await BuiltinClassifier.load();
    const spans = narratedSpans({ traces: 1, style: "prose", random: Random.from(5) }).map(({ text }) => ({ text }));
    const { sequence, confidences } = classifier.labelTrace(spans);
    const single = spans.map(({ text }, i) =>
      classifier.labelSpan({
        ...{ text, previous: i === 0 ? "" : spans[i - 1].text, place: (i + 1) / spans.length },
      }),
    );
    expect([...sequence].map((code) => primitives[code])).toEqual(single.map(({ label }) => label));
    single.forEach(({ confidence }, i) => {
      expect(confidences[i]).toBeCloseTo(confidence, 5);
    });
  });

  test("says what it is and how good it is", async () => {
    const { description } = await BuiltinClassifier.load();
    expect(description.quality?.spans).toBeGreaterThan(3000);
    expect(description.quality?.confusion).toHaveLength(9);
    expect(description.about).toContain("read spans");
  });
});

test("a span without a word or a number is no reasoning, whatever its weights say", async () => {
  const classifier = await BuiltinClassifier.load();
  expect(classifier.labelSpan({ text: ".\n\n.\n\n.", previous: "So x = 4." })).toEqual({
    label: "other",
    confidence: 1,
  });
  expect(classifier.labelSpan({ text: "— …", previous: "" }).label).toBe("other");
  expect(classifier.labelSpan({ text: "4 = 4.", previous: "" }).confidence).toBeLessThan(1);
});

const labeled = publicFile("spans/more_spans.jsonl");
test.skipIf(labeled.missing)(
  `on a fifth of the questions, held out, it is right on more than six spans in ten${labeled.reason}`,
  async () => {
    const { spans } = await readLabeledSpans(labeled.path, paperTaxonomy);
    // One fold of five is enough for a test; the model's papers have all five.
    const questions = [...new Set(spans.map(questionOf))].sort();
    const held = new Set(questions.filter((_, i) => i % 5 === 2));
    const taught = featured(spans.filter((span) => !held.has(questionOf(span))));
    const model = trainLinearModel(taught, { ...defaultTraining, members: 1 }, Random.from(2));
    const scored = scoredBy(model, featured(spans.filter((span) => held.has(questionOf(span)))));
    expect(classifierQuality(judged(scored, 1), "").accuracy).toBeGreaterThan(0.61);
  },
);

test("what a template shows: parts cut where they matter least, and nothing in a text is taken for a part", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 4000 }),
      fc.string({ maxLength: 900 }),
      fc.string({ maxLength: 900 }),
      (text, previous, question) => {
        const shown = filledTemplate("<{question}|{place}|{previous}|{text}>", {
          text: `{place}${text}$&`,
          previous,
          question,
        });
        expect(shown.startsWith(`<${question.slice(0, 400)}|unknown|${previous.slice(-500)}|{place}`)).toBe(true);
        expect(shown.endsWith(`${text.slice(-100)}$&>`)).toBe(true);
        expect(shown.length).toBeLessThan(400 + 500 + 2400 + 40);
      },
    ),
  );
});

test("a Hugging Face sequence classifier as ONNX is read from its folder", async () => {
  const folder = await mkdtemp(join(tmpdir(), "onnx-"));
  try {
    // Logits are the sum of one row a token: "check" speaks for label 0, "plan" for label 1, anything else for neither.
    const vocabulary = { "[UNK]": 0, check: 1, plan: 2 };
    const graph: Graph = {
      name: "bag",
      inputs: [{ name: "input_ids", type: "int64", shape: ["batch", "length"] }],
      outputs: [{ name: "logits", type: "float32", shape: ["batch", 2] }],
      constants: [
        { name: "table", type: "float32", shape: [3, 2], data: Float32Array.from([0, 0, 3, 0, 0, 3]) },
        { name: "axes", type: "int64", shape: [1], data: BigInt64Array.from([1n]) },
      ],
      nodes: [
        {
          operator: "Gather",
          domain: "",
          inputs: ["table", "input_ids"],
          outputs: ["rows"],
          attributes: { axis: { int: 0 } },
        },
        {
          operator: "ReduceSum",
          domain: "",
          inputs: ["rows", "axes"],
          outputs: ["logits"],
          attributes: { keepdims: { int: 0 } },
        },
      ],
    };
    await writeFile(join(folder, "model.onnx"), modelBytes(graph));
    await writeFile(
      join(folder, "config.json"),
      JSON.stringify({ id2label: { 0: "CHECK", 1: "PLAN" }, pad_token_id: 0 }),
    );
    const tokenizer = {
      version: "1.0",
      added_tokens: [],
      normalizer: { type: "Lowercase" },
      pre_tokenizer: { type: "Whitespace" },
      post_processor: null,
      decoder: null,
      model: {
        type: "WordPiece",
        vocab: vocabulary,
        unk_token: "[UNK]",
        continuing_subword_prefix: "##",
        max_input_chars_per_word: 100,
      },
    };
    await writeFile(join(folder, "tokenizer.json"), JSON.stringify(tokenizer));
    const classifier = await OnnxClassifier.load(folder);
    const labels = await classifier.label([
      { text: "Check this", previous: "" },
      { text: "a longer plan than that plan", previous: "check" },
    ]);
    // Softmax of (3, 0) is 0.9526 for check; of (3, 6), with the check of the span before, the same for plan.
    expect(labels.map(({ label }) => label)).toEqual(["check", "plan"]);
    for (const { confidence } of labels) expect(confidence).toBeCloseTo(Math.exp(3) / (Math.exp(3) + 1), 5);
    expect(await classifier.label([{ text: ". . .", previous: "check" }])).toEqual([{ label: "other", confidence: 1 }]);
    // A template with all the context, and a temperature of 3: (9, 3)/3 is (3, 1).
    const extras = { template: "{question} {previous} {text} {place}", temperature: 3, name: "bag" };
    await writeFile(join(folder, "repertoire.json"), JSON.stringify(extras));
    const asked = await OnnxClassifier.load(folder);
    const [known] = await asked.label([
      { text: "check {previous}", previous: "plan", question: "check check", place: 1 },
    ]);
    expect(known).toEqual({ label: "check", confidence: expect.closeTo(1 / (1 + Math.exp(-2)), 5) });
    expect(asked.description.name).toBe("bag");
    // Shown in another way, or with other weights beside the graph, it is another labeler.
    const versions = [classifier.description.version, asked.description.version];
    await writeFile(join(folder, "model.onnx.data"), "weights");
    versions.push((await OnnxClassifier.load(folder)).description.version);
    expect(new Set(versions).size).toBe(3);
    // In worker threads, too, where each has the model for itself.
    const inputs = [0, 1, 2].map((i) => ({ path: join(folder, `traces-${i}.jsonl`) }));
    for (const [i, { path }] of inputs.entries()) {
      const response = `${"check it ".repeat(60 * i)}\n\n${"plan more ".repeat(50)}`;
      await writeFile(path, `${JSON.stringify({ problem: `p${i}`, prompt: "plan", response })}\n`);
    }
    const planned = await planSlices(inputs, { format: "auto" });
    const labeler = { classifier: { folder }, segmentation: paperSegmentation, abstainBelow: 0 };
    const [threads, alone] = [
      await readTraces(planned, { labeler, workers: 3 }),
      await readTraces(planned, { labeler: { ...labeler, classifier: asked }, workers: 1 }),
    ];
    expect(threads.records.map(({ sequence }) => sequence)).toEqual(alone.records.map(({ sequence }) => sequence));
    expect(threads.labelers.map(({ name }) => name)).toEqual(["bag"]);
    await writeFile(join(folder, "config.json"), JSON.stringify({ id2label: { 0: "POSITIVE" } }));
    await expect(OnnxClassifier.load(folder)).rejects.toThrow('label 0 is "POSITIVE"');
    await expect(OnnxClassifier.load(join(folder, "none"))).rejects.toThrow("holds no model.onnx");
  } finally {
    await rm(folder, { recursive: true });
  }
});
