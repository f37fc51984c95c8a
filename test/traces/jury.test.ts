// A jury of scripted judges behind a real HTTP server: batching, going on after a stop, agreement, consensus, the queue.

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpointSchema } from "../../src/endpoints/endpoint.ts";
import { primitives } from "../../src/rollouts/primitives.ts";
import { juryAgreement, juryOutcome } from "../../src/traces/judges/agreement.ts";
import { Judge } from "../../src/traces/judges/judge.ts";
import { JudgeClassifier } from "../../src/traces/judges/judge-classifier.ts";
import { judgePrompt, readVerdict } from "../../src/traces/judges/judge-prompt.ts";
import { collectVotes, type JurySpan, readVotes, type Vote } from "../../src/traces/judges/jury.ts";
import { classifierLabeler } from "../../src/traces/labelers/classified.ts";
import { TraceReader } from "../../src/traces/trace-reader.ts";

/** Answers with the label that each span names; `contrary` sees every check as compute; `mumbler` fails on batches. */
function verdictOf(model: string, prompt: string): string {
  const labels = [...prompt.matchAll(/<span>(\w+)/g)].map(([, word]) =>
    model === "contrary" && word === "check" ? "compute" : word,
  );
  if (model === "squeamish" && labels.includes("wrong")) return "I cannot help with that.";
  if (model === "mumbler" && labels.length > 1) return "I would say they are all quite different.";
  return `Here you are: ${JSON.stringify(labels)}`;
}

let server: Server;
let requests: string[] = [];
let gone = false;
let url: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "jury-"));
  server = createServer((request, response) => {
    if (gone) return response.destroy();
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const { model, messages, ...settings } = JSON.parse(body);
      requests.push(model);
      // As OpenAI's reasoning models refuse, one parameter at a time.
      const refused = ["max_tokens", "temperature"].find((name) => model === "reasoner" && name in settings);
      if (refused !== undefined) {
        const instead = refused === "max_tokens" ? "Use 'max_completion_tokens' instead." : "Only 1 is supported.";
        response.statusCode = 400;
        response.end(JSON.stringify({ error: { message: `Unsupported: '${refused}'. ${instead}`, param: refused } }));
        return;
      }
      const content = verdictOf(model, messages.at(-1).content);
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({
          model,
          choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
          usage: { prompt_tokens: 1000, completion_tokens: 10 },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const endpoint = (model: string) =>
  endpointSchema.parse({ url, model, stream: false, price: { prompt: 1, completion: 100 }, retries: 0 });
const spans: JurySpan[] = ["plan", "check", "compute", "check", "setup"].map((word, i) => ({
  id: `s${i}`,
  text: `${word} something`,
  previous: i === 0 ? "" : "before",
}));

/** Judges answer in any order. */
const labelsInOrder = async (file: string) =>
  (await readVotes(file)).sort((a, b) => (a.span < b.span ? -1 : 1)).map(({ label }) => label);

async function vote(judges: Judge[], file: string, chosen = spans) {
  let asked = 0;
  for await (const event of collectVotes(chosen, judges, file, { spansPerRequest: 2 })) asked += event.spans;
  await Promise.all(judges.map((judge) => judge.close()));
  return asked;
}

describe("a jury", () => {
  test("asks in batches, counts the cost, and asks again only for what is missing", async () => {
    const file = join(folder, "votes.jsonl");
    requests = [];
    expect(await vote([new Judge(endpoint("plain"))], file, spans.slice(0, 3))).toBe(3);
    expect(requests).toHaveLength(2);
    // Going on with two more spans: one more batch. Nothing is asked twice.
    expect(await vote([new Judge(endpoint("plain"))], file)).toBe(2);
    expect(requests).toHaveLength(3);
    expect(await vote([new Judge(endpoint("plain"))], file)).toBe(0);
    const votes = await readVotes(file);
    expect(await labelsInOrder(file)).toEqual(["plan", "check", "compute", "check", "setup"]);
    // Three requests of 1000 · 1 + 10 · 100 per million.
    expect(juryAgreement(votes).cost).toBeCloseTo((3 * 2000) / 1e6, 12);
    // Another wording is another question.
    expect(await vote([new Judge(endpoint("plain"), { guidelines: "label these" })], file)).toBe(5);
  });

  test("a model that takes no temperature and another name for its limit is asked as it wants", async () => {
    const file = join(folder, "reasoner.jsonl");
    requests = [];
    await vote([new Judge(endpoint("reasoner"))], file, spans.slice(0, 2));
    expect(await labelsInOrder(file)).toEqual(["plan", "check"]);
    expect(requests).toHaveLength(3);
  });

  test("a judge that never gave a label does not keep the others from being a jury", () => {
    const by = (judge: string, label: string) => ({ span: "s0", judge, wording: "w", label, cost: 0 });
    const mute = { span: "s0", judge: "mute", wording: "w", failure: "an empty answer", cost: 0 };
    const agreement = juryAgreement([by("a", "plan"), by("b", "plan"), by("c", "check"), mute]);
    expect(agreement).toMatchObject({ judges: ["a", "b", "c", "mute"], spans: 1 });
    // One span with votes 2 and 1 of 3: agreement 1/3 of pairs, by chance (2/3)² + (1/3)² = 5/9.
    expect(agreement.fleissKappa).toBeCloseTo((1 / 3 - 5 / 9) / (1 - 5 / 9), 12);
    expect(agreement.failing).toEqual([{ judge: "mute", failures: 1, example: "an empty answer" }]);
  });

  test("agreement of two judges, worked by hand", async () => {
    const file = join(folder, "two.jsonl");
    await vote([new Judge(endpoint("plain")), new Judge(endpoint("contrary"))], file);
    const votes = await readVotes(file);
    const agreement = juryAgreement(votes);
    // They differ on the two checks: 3 of 5 agree. Expected by chance: plan 1/5·1/5, setup 1/5·1/5, compute 1/5·3/5 = 0.2.
    expect(agreement).toMatchObject({ judges: ["contrary", "plain"], spans: 5, percent: 60, failures: 0 });
    expect(agreement.pairs[0].kappa).toBeCloseTo((0.6 - 0.2) / 0.8, 12);
    // Fleiss: shares plan 2, setup 2, compute 4, check 2 of 10 → expected 0.28.
    expect(agreement.fleissKappa).toBeCloseTo((0.6 - 0.28) / 0.72, 12);
    const code = (label: (typeof primitives)[number]) => primitives.indexOf(label);
    expect(agreement.pairs[0].confusion.counts[code("compute")][code("check")]).toBe(2);
    const { consensus, disagreements } = juryOutcome(spans, votes);
    expect(consensus.map(({ id, label, confidence }) => [id, label, confidence])).toEqual([
      ["s0", "plan", "high"],
      ["s2", "compute", "high"],
      ["s4", "setup", "high"],
    ]);
    expect(disagreements.map(({ id, votes }) => [id, votes])).toEqual([
      ["s1", { plain: "check", contrary: "compute" }],
      ["s3", { plain: "check", contrary: "compute" }],
    ]);
  });

  test("a third judge makes a majority, and the most divided spans queue first", () => {
    const cast = (span: string, ...labels: Vote["label"][]): Vote[] =>
      labels.map((label, i) => ({ span, judge: `j${i}`, wording: "w", label, cost: 0 }));
    const votes = [
      ...cast("s0", "plan", "plan", "setup"),
      ...cast("s1", "plan", "check", "setup"),
      ...cast("s2", "plan", "plan", "plan"),
    ];
    const { consensus, disagreements } = juryOutcome(spans, votes);
    expect(consensus.map(({ id, confidence }) => [id, confidence])).toEqual([
      ["s0", "medium"],
      ["s2", "high"],
    ]);
    expect(disagreements.map(({ id }) => id)).toEqual(["s1", "s0"]);
  });

  test("one usable vote of three is no consensus, and a span without any waits to be settled", () => {
    const cast = (span: string, ...labels: Vote["label"][]): Vote[] =>
      labels.map((label, i) => {
        const said = label === undefined ? { failure: "an empty answer" } : { label };
        return { span, judge: `j${i}`, wording: "w", cost: 0, ...said };
      });
    const votes = [
      ...cast("s0", "plan", undefined, undefined),
      ...cast("s1", "plan", "plan", undefined),
      ...cast("s2", undefined, undefined, undefined),
      ...cast("s3", "plan", "plan", "plan"),
      ...cast("s4", "plan", "check", undefined),
    ];
    const { judged, consensus, undecided, disagreements } = juryOutcome(spans, votes);
    expect(consensus.map(({ id, confidence }) => [id, confidence])).toEqual([
      ["s1", "medium"],
      ["s3", "high"],
    ]);
    // Most of the judges read it and came to no label; the others were hardly read.
    expect(undecided.map(({ id }) => id)).toEqual(["s4"]);
    expect(disagreements.map(({ id }) => id)).toEqual(["s2", "s0", "s4"]);
    // Nobody's votes teach nothing.
    expect(judged.map(({ id }) => id)).toEqual(["s0", "s1", "s3", "s4"]);
    const settled = juryOutcome(spans, votes, new Map([["s2", { label: "setup" }]]));
    expect(settled.consensus.find(({ id }) => id === "s2")).toMatchObject({ label: "setup", confidence: "high" });
    // A jury of one decides alone; its word is not sure.
    expect(juryOutcome(spans, cast("s0", "plan")).consensus).toMatchObject([{ id: "s0", confidence: "medium" }]);
  });

  test("a judge that gives every span one label is named", () => {
    const votes = Array.from({ length: 20 }, (_, i): Vote[] => [
      { span: `s${i}`, judge: "parrot", wording: "w", label: "compute", cost: 0 },
      { span: `s${i}`, judge: "reader", wording: "w", label: i % 2 ? "compute" : "check", cost: 0 },
    ]).flat();
    expect(juryAgreement(votes).monotonous).toEqual([{ judge: "parrot", label: "compute", spans: 20 }]);
    expect(juryAgreement(votes.slice(0, 38)).monotonous).toEqual([]);
  });

  test("judges without a common span have no agreement, and what came back unreadable is shown", () => {
    const votes: Vote[] = [
      { span: "s0", judge: "a", wording: "w", label: "plan", cost: 0 },
      { span: "s1", judge: "b", wording: "w", label: "plan", cost: 0 },
      { span: "s1", judge: "a", wording: "w", failure: 'no list of labels in "I cannot"', cost: 0 },
      { span: "s0", judge: "b", wording: "w", failure: "timeout", cost: 0 },
      { span: "s0", judge: "b", wording: "w", failure: "timeout", cost: 0 },
    ];
    const agreement = juryAgreement(votes);
    expect(agreement.percent).toBeUndefined();
    expect(agreement.pairs[0]).toMatchObject({ spans: 0, judges: ["a", "b"] });
    expect(JSON.stringify(agreement)).not.toContain("null");
    expect(agreement.failing).toEqual([
      { judge: "a", failures: 1, example: 'no list of labels in "I cannot"' },
      { judge: "b", failures: 1, example: "timeout" },
    ]);
    // Asked again and answered: no failure any more.
    const answered = [...votes, { span: "s1", judge: "a", wording: "w", label: "plan", cost: 0 }];
    expect(juryAgreement(answered).failing.map(({ judge }) => judge)).toEqual(["b"]);
  });

  test("what was settled by hand outvotes the judges", () => {
    const votes = ["a", "b"].map((judge): Vote => ({ span: "s1", judge, wording: "w", label: "plan", cost: 0 }));
    const { consensus, disagreements } = juryOutcome(spans, votes, new Map([["s1", { label: "check" }]]));
    expect(consensus).toMatchObject([{ id: "s1", label: "check", confidence: "high" }]);
    expect(disagreements).toEqual([]);
  });

  test("a batch that cannot be read is asked by halves, down to single spans", async () => {
    const file = join(folder, "mumbler.jsonl");
    await vote([new Judge(endpoint("mumbler"))], file);
    expect(await labelsInOrder(file)).toEqual(["plan", "check", "compute", "check", "setup"]);
    // One span alone spoils a batch of eight: the others are asked in three more requests, not in seven.
    requests = [];
    const { verdicts, requests: asked } = await new Judge(endpoint("squeamish")).judge(
      ["plan", "check", "compute", "wrong", "setup", "plan", "plan", "check"].map((text) => ({ text, previous: "" })),
    );
    expect(verdicts.map((verdict) => ("label" in verdict ? verdict.label : verdict.failure.slice(0, 8)))).toEqual([
      "plan",
      "check",
      "compute",
      "no list ",
      "setup",
      "plan",
      "plan",
      "check",
    ]);
    expect([asked, requests.length]).toEqual([8, 8]);
  });

  test("a judge that is not there fails its batch at once", async () => {
    const closed = endpointSchema.parse({ ...endpoint("gone"), url: "http://127.0.0.1:9/v1" });
    const { verdicts, requests: asked } = await new Judge(closed).judge(spans);
    expect(asked).toBe(1);
    expect(verdicts.length).toBe(spans.length);
    expect(verdicts.every((verdict) => "failure" in verdict && /connection failed/.test(verdict.failure))).toBe(true);
  });

  test("a judge is a classifier", async () => {
    const classifier = new JudgeClassifier(endpoint("plain"));
    expect(await classifier.label(spans)).toEqual(
      spans.map(({ text }) => ({ label: text.split(" ")[0], confidence: 1 })),
    );
    expect(classifier.cost).toBeGreaterThan(0);
    await classifier.close();
  });

  test("a judge that stops answering ends the labeling, and an answer without use is a break that is counted", async () => {
    const squeamish = new JudgeClassifier(endpoint("squeamish"));
    const [said, unsaid] = await squeamish.label([
      { text: "plan it", previous: "" },
      { text: "wrong", previous: "" },
    ]);
    expect([said, unsaid]).toEqual([
      { label: "plan", confidence: 1 },
      { label: "other", confidence: 0 },
    ]);
    expect([squeamish.failures, squeamish.example]).toEqual([1, expect.stringMatching(/I cannot help/)]);
    const read = await new TraceReader(classifierLabeler(squeamish)).read({ response: "wrong" });
    expect(read).toMatchObject({ abstained: 1 });
    await squeamish.close();
    const dying = new JudgeClassifier(endpoint("plain"));
    await dying.label(spans);
    gone = true;
    await expect(dying.label(spans)).rejects.toThrow(/judge plain gave no label: .*same command again/);
    gone = false;
    await dying.close();
  });

  test("a judge that nobody can reach labels nothing, instead of everything as a break", async () => {
    const gone = endpointSchema.parse({ url: "http://127.0.0.1:9/v1", model: "gone", stream: false, retries: 0 });
    const classifier = new JudgeClassifier(gone);
    await expect(classifier.label(spans)).rejects.toThrow(/judge gone gave no label: .*check the address/);
    await classifier.close();
  });

  test("a torn vote file is refused rather than guessed at", async () => {
    const file = join(folder, "votes.jsonl");
    const content = await readFile(file, "utf8");
    expect(content.endsWith("\n")).toBe(true);
    await writeFile(join(folder, "torn.jsonl"), `${content}{"span":1}\n`);
    await expect(readVotes(join(folder, "torn.jsonl"))).rejects.toThrow("is not a vote");
  });
});

describe("reading a verdict", () => {
  test("prose and reasoning around the list are forgiven; the last list counts", () => {
    expect(readVerdict('First ["plan"], no: ["CHECK", "compute"].', 2, primitives)).toEqual(["check", "compute"]);
    expect(readVerdict("**Check**.", 1, primitives)).toEqual(["check"]);
    expect(readVerdict('[{"item": 1, "label": "Check"}]', 1, primitives)).toEqual(["check"]);
    expect(readVerdict('```json\n[\n  "check",\n  "plan"\n]\n```', 2, primitives)).toEqual(["check", "plan"]);
    // What stands in brackets beside the labels, or inside a record, is not a label.
    expect(readVerdict('["check", "plan"] as in [1] and [2].', 2, primitives)).toEqual(["check", "plan"]);
    const reasons = '[{"label": "check", "why": "x[1] is tested"}, {"label": "plan", "why": "[next]"}]';
    expect(readVerdict(reasons, 2, primitives)).toEqual(["check", "plan"]);
    expect(readVerdict('{"1": "check", "2": "plan"}', 2, primitives)).toEqual(["check", "plan"]);
    expect(readVerdict('{"label": "check", "confidence": 0.9}', 1, primitives)).toEqual(["check"]);
  });
  test("labels alone are read however they are listed", () => {
    const listed = [
      "check\nplan",
      "check, plan",
      "1. check\n2. **Plan**.",
      "['check', 'plan']",
      '[" check. ", "plan"]',
      '{"item": 1, "label": "check"}\n{"item": 2, "label": "plan"}',
    ];
    for (const answer of listed) expect(readVerdict(answer, 2, primitives), answer).toEqual(["check", "plan"]);
    expect(readVerdict("check or maybe\nplan", 2, primitives)).toMatchObject({ unusable: expect.any(String) });
    expect(readVerdict("check\nplan", 1, primitives)).toMatchObject({ unusable: expect.any(String) });
  });
  test("a wrong count, a stranger and silence are reasons", () => {
    expect(readVerdict('["plan"]', 2, primitives)).toEqual({ unusable: '1 labels for 2 spans in "[\\"plan\\"]"' });
    expect(readVerdict('["planning"]', 1, primitives)).toEqual({
      unusable: 'unknown label "planning" in "[\\"planning\\"]"',
    });
    expect(readVerdict('["plan", "musing"]', 2, primitives)).toMatchObject({
      unusable: expect.stringContaining('unknown label "musing"'),
    });
    expect(readVerdict("", 1, primitives)).toEqual({ unusable: "an empty answer" });
  });
  test("no answer whatever makes it crash", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(5), (answer, count) => {
        const verdict = readVerdict(answer, count, primitives);
        expect(Array.isArray(verdict) ? verdict.length === count : typeof verdict.unusable === "string").toBe(true);
      }),
    );
  });
  test("the question shows the end of what came before and asks for as many labels as there are spans", () => {
    const prompt = judgePrompt(
      [
        { text: "T", previous: `${"x".repeat(1000)}END` },
        { text: "U", previous: "" },
      ],
      primitives,
    );
    expect(prompt).toContain("END</before>");
    expect(prompt).not.toContain("x".repeat(500));
    expect(prompt).toContain("(start of the trace)");
    expect(prompt).toContain("a list with 2 labels");
  });
});
