// A labeling that was stopped resumes: what was labeled is not labeled again, what changed is; and what it will take is
// said before it begins.
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { planSlices } from "../../src/imports/plan.ts";
import { paperTaxonomy } from "../../src/rollouts/paper-taxonomy.ts";
import { type AnalyzeEvent, analyzeTraces } from "../../src/traces/analyze-traces.ts";
import { type LabelerDescription, labelerId } from "../../src/traces/labeler.ts";
import { readerOf, rolloutLabelerFor } from "../../src/traces/labeler-spec.ts";
import { expectedLabeling, expectedWords } from "../../src/traces/labeling-rate.ts";
import { readTraces } from "../../src/traces/read-traces.ts";
import { paperSegmentation } from "../../src/traces/segmentation.ts";
import { SliceCache } from "../../src/traces/slice-cache.ts";
import type { SpanClassifier, SpanInContext } from "../../src/traces/span-classifier.ts";

const folder = mkdtempSync(join(tmpdir(), "resume-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Counts what it is asked, and gives up after some. */
class Tired implements SpanClassifier {
  readonly taxonomy = paperTaxonomy;
  readonly description: LabelerDescription;
  asked = 0;
  places: number[] = [];
  questions = new Set<string | undefined>();
  readonly #patience: number;
  constructor(patience = Number.POSITIVE_INFINITY, version = "1") {
    this.#patience = patience;
    this.description = { kind: "classifier", name: "tired", version, about: "a test", taxonomy: paperTaxonomy.name };
  }
  async label(spans: readonly SpanInContext[]) {
    this.asked += spans.length;
    this.places.push(...spans.map(({ place }) => place ?? Number.NaN));
    for (const { question } of spans) this.questions.add(question);
    if (this.asked > this.#patience) throw new Error("enough");
    return spans.map(() => ({ label: "compute", confidence: 0.5 }));
  }
}

const sentence = "We add the two numbers in this row and find that they make seven. ";
const files = Array.from({ length: 4 }, (_, i) => {
  const path = join(folder, `part-${i}.jsonl`);
  const response = `<think>${Array.from({ length: 5 }, () => sentence.repeat(6)).join("\n\n")}</think>`;
  const row = { problem: `p${i}`, prompt: "Which numbers?", model: "m", response };
  writeFileSync(path, `${JSON.stringify(row)}\n`);
  return path;
});
const inputs = files.map((path) => ({ path }));
const spec = (classifier: SpanClassifier) => ({ classifier, segmentation: paperSegmentation, abstainBelow: 0 });

test("what was labeled is kept and believed, until the file or the labeler is another", async () => {
  const planned = await planSlices(inputs, { format: "auto" });
  const read = async (classifier: Tired) => {
    const cache = new SliceCache(join(folder, "cache"), classifier.description, spec(classifier));
    return readTraces(planned, { labeler: spec(classifier), cache });
  };
  const whole = await readTraces(planned, { labeler: spec(new Tired()) });
  const spans = whole.spans / 4;
  const first = new Tired(2 * spans);
  await expect(read(first)).rejects.toThrow("enough");
  const second = new Tired();
  expect(await read(second)).toEqual(whole);
  expect(second.asked).toBe(2 * spans);
  expect(second.questions).toEqual(new Set(["Which numbers?"]));
  expect(second.places.slice(0, spans)).toEqual(Array.from({ length: spans }, (_, i) => (i + 1) / spans));
  // Another labeler, a changed file, a damaged entry: labeled again. A file that was only touched is what it was.
  const other = new Tired(Number.POSITIVE_INFINITY, "2");
  await read(other);
  expect(other.asked).toBe(4 * spans);
  utimesSync(files[0], new Date(1), new Date(1));
  const touched = new Tired();
  await read(touched);
  expect(touched.asked).toBe(0);
  writeFileSync(files[0], `${readFileSync(files[0], "utf8").trimEnd()} \n`);
  const changed = new Tired();
  await read(changed);
  expect(changed.asked).toBe(spans);
  for (const name of readdirSync(join(folder, "cache"))) {
    const path = join(folder, "cache", name);
    writeFileSync(path, readFileSync(path, "utf8").replace('"C', '"K'));
  }
  const damaged = new Tired();
  expect(await read(damaged)).toEqual(whole);
  expect(damaged.asked).toBe(4 * spans);
});

test("an analysis says what labeling will take, and leaves no cache behind", async () => {
  const events: AnalyzeEvent[] = [];
  const out = join(folder, "analysis");
  const tired = new Tired(18);
  const analysis = { replicates: 20, motifsPerLength: 1 };
  const watch = (event: AnalyzeEvent) => void events.push(event);
  await expect(analyzeTraces(out, { inputs, labeler: spec(tired), analysis }, watch)).rejects.toThrow("enough");
  const kept = readdirSync(join(out, "labeled-slices")).length;
  expect(kept).toBeGreaterThan(0);
  await analyzeTraces(out, { inputs, labeler: spec(new Tired()), analysis }, watch);
  const expected = events.flatMap((event) => (event.type === "expected" ? [event.expected.spans] : []));
  const labeling = events.flatMap((event) => (event.type === "labeling" ? [event.kept / event.bytes] : []));
  // Of four files alike: all of them at first, then those that are left.
  expect(expected[0]).toBeGreaterThan(18);
  expect(expected[0]).toBeLessThan(30);
  expect(expected[1] / expected[0]).toBeCloseTo(1 - kept / 4, 1);
  expect(labeling).toEqual([0, expect.closeTo(kept / 4, 2)]);
  expect(events.filter((event) => event.type === "slice" && event.kept).length).toBe(kept);
  expect(readdirSync(out)).not.toContain("labeled-slices");
});

test("the rate said before is that of traces labeled together, as they will be, by a labeler that is warm", async () => {
  const path = join(folder, "many.jsonl");
  const response = `<think>${Array.from({ length: 5 }, () => sentence.repeat(6)).join("\n\n")}</think>`;
  writeFileSync(
    path,
    Array.from({ length: 400 }, (_, i) => `${JSON.stringify({ problem: `p${i}`, model: "m", response })}\n`).join(""),
  );
  // A call takes a tenth of a second, whatever is asked in it: those that ask in one turn are asked together. The first one loads.
  let clock = 0;
  let together: Promise<void> | undefined;
  const labeled: SpanClassifier = {
    taxonomy: paperTaxonomy,
    description: new Tired().description,
    label: async (spans) => {
      together ??= new Promise((resolve) =>
        setImmediate(() => {
          clock += clock === 0 ? 2000 : 100;
          together = undefined;
          resolve();
        }),
      );
      await together;
      return spans.map(() => ({ label: "compute", confidence: 0.5 }));
    },
  };
  const reader = await readerOf(spec(labeled));
  const [slice] = await planSlices([{ path }], { format: "auto" });
  const expected = await expectedLabeling([slice], reader, { threads: 1, now: () => clock });
  expect(expected?.spans).toBeGreaterThan(1800);
  // Five spans a call would be fifty a second.
  expect(expected?.spansPerSecond).toBeGreaterThan(5000);
});

test("what it will take, in words", () => {
  expect(expectedWords({ spans: 2_312_345, spansPerSecond: 987, seconds: 2343, cost: 12.34 })).toBe(
    "about 2,300,000 spans to label at about 990 a second: about 39 min, cost about 12; stop whenever you like, the same command resumes",
  );
});

test("labels that were asked for by name are not replaced by a command that names nobody", async () => {
  const path = join(folder, "named.jsonl");
  writeFileSync(path, readFileSync(files[0]));
  const analysis = { replicates: 20, motifsPerLength: 5 };
  const named = new Tired();
  const made = (request: object) => analyzeTraces(join(folder, "named"), { inputs: [{ path }], analysis, ...request });
  const by = [labelerId(named.description)];
  const labelers = async (request: object) => (await made(request)).labelers.map(labelerId);
  expect(await labelers({ labeler: spec(named), classifierName: "tired" })).toEqual(by);
  expect(await labelers({})).toEqual(by);
  // The same labeler by another path is the same.
  const asked = named.asked;
  expect(await labelers({ labeler: spec(named), classifierName: "./tired" })).toEqual(by);
  expect(named.asked).toBe(asked);
  writeFileSync(path, `${readFileSync(files[0], "utf8")}${readFileSync(files[1], "utf8")}`);
  await expect(made({})).rejects.toThrow(/was labeled by tired and .*has grown.* --classifier tired/);
  expect(await labelers({ labeler: spec(named), classifierName: "tired" })).toEqual(by);
});

test("rollouts are labeled in training with what was asked, as in an analysis", async () => {
  const classifier = new Tired();
  const labeler = await rolloutLabelerFor("english", spec(classifier));
  expect(await labeler.labels(sentence.repeat(6), "Which numbers?")).toEqual(["compute"]);
  expect([...classifier.questions]).toEqual(["Which numbers?"]);
});
