// Parts of the paper's recipe that need no engine: the teacher, the corpus on disk, a model's files.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { EndpointClient } from "../../src/endpoints/client.ts";
import { endpointSchema } from "../../src/endpoints/endpoint.ts";
import { loadChatForm } from "../../src/engine/chat-template/chat-form.ts";
import { loadTokenizer } from "../../src/engine/tokenizer.ts";
import { paperPuzzles } from "../../src/problems/paper-sets.ts";
import { corpusSequences } from "../../src/recipes/corpus-sequences.ts";
import { modelFiles } from "../../src/recipes/model-files.ts";
import { recipeSchema } from "../../src/recipes/settings.ts";
import { runTeachingStage, type Teacher, type TeachingEvent } from "../../src/recipes/teaching-stage.ts";
import { readTeacherTrace, type TeacherTrace } from "../../src/teaching/corpus.ts";
import { trainBpeTokenizer } from "../engine/byte-pair-tokenizer.ts";
import { moods, startTeacher } from "../teaching/teacher-server.ts";
import { tinyWorlds } from "./tiny-model.ts";

const root = mkdtempSync(join(tmpdir(), "repertoire-paper-parts-"));
afterAll(() => rmSync(root, { recursive: true }));

const settings = recipeSchema.parse({
  puzzles: tinyWorlds,
  corpus: { puzzles: 10, attempts: 2, maxTokens: 900, narration: { style: "plain", guessing: 0.3, errorRate: 0.3 } },
  rl: { steps: 1, problemsPerStep: 2 },
  evaluation: { heldOutPerPuzzle: 1, largerPerPuzzle: 1 },
});
const problems = paperPuzzles(settings).teaching;
const countTokens = (text: string) => Math.ceil(text.length / 4);
const traces = (path: string) =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line, i) => readTeacherTrace(JSON.parse(line), `line ${i + 1}`));

function teach(folder: string, teacher: Teacher, signal?: AbortSignal) {
  const told: TeachingEvent[] = [];
  const emit = (event: TeachingEvent) => void told.push(event);
  const corpus = runTeachingStage({ folder, settings, teacher, problems, countTokens, emit, now: new Date(0), signal });
  return { corpus, told };
}

describe("the paper's teacher", () => {
  it("narrated: every trace verifies, fits and is labeled; a second start is done at once", async () => {
    const folder = mkdtempSync(join(root, "narrated"));
    const first = teach(folder, { kind: "narrated" });
    const kept = traces(await first.corpus);
    const counts = JSON.parse(readFileSync(join(folder, "corpus.json"), "utf8"));
    expect(Object.values(counts).reduce((sum: number, count) => sum + Number(count), 0)).toBe(20);
    expect(counts.kept).toBe(kept.length);
    expect(kept.length).toBeGreaterThan(5);
    for (const { tokens, labels, source, response } of kept) {
      expect(tokens).toBeLessThanOrEqual(900);
      expect(labels!.length).toBeGreaterThan(3);
      expect(source).toMatchObject({ teacher: "narrator", style: "plain" });
      expect(response).toMatch(/^<reasoning>\n[\s\S]+\n<\/reasoning>\n<answer>\n[\s\S]+\n<\/answer>$/);
    }
    const again = teach(folder, { kind: "narrated" });
    await again.corpus;
    expect(again.told.at(-1)).toEqual({ type: "finished", stage: "teach", already: true });
  });

  it("a server: stopped in the middle it goes on, and asks nothing twice", async () => {
    const folder = mkdtempSync(join(root, "asked"));
    const server = await startTeacher(problems, [moods.right, moods.withoutTags], 20);
    const endpoint = endpointSchema.parse({ url: server.url, model: "r1", concurrency: { start: 2, largest: 2 } });
    const client = new EndpointClient(endpoint);
    try {
      const stop = new AbortController();
      const stopped = teach(folder, { kind: "endpoint", client }, stop.signal);
      const watch = setInterval(() => {
        if (server.asked.length >= 6) stop.abort(new Error("stopped by hand"));
      }, 5);
      await expect(stopped.corpus).rejects.toThrow("stopped by hand");
      clearInterval(watch);
      // What there is by then is a corpus of its own, but not yet the recipe's.
      expect(existsSync(join(folder, "corpus.json"))).toBe(false);
      expect(existsSync(join(folder, "teach", "corpus.jsonl"))).toBe(true);
      const answered = readFileSync(join(folder, "teach", "rollouts.jsonl"), "utf8")
        .trim()
        .split("\n").length;
      server.asked.length = 0;
      const corpus = await teach(folder, { kind: "endpoint", client }).corpus;
      expect(server.asked).toHaveLength(20 - answered);
      expect(traces(corpus)).toHaveLength(10);
      expect(JSON.parse(readFileSync(join(folder, "corpus.json"), "utf8"))).toMatchObject({ kept: 10, unreadable: 10 });
    } finally {
      await client.close();
      await server.close();
    }
  });
});

describe("a corpus on disk", () => {
  const trace = (i: number): TeacherTrace => ({
    problem: `p${i}`,
    puzzle: "pattern",
    instance: "2x2:1/1.1/1",
    prompt: `prompt ${i} ü`,
    response: `<reasoning>\n${"x".repeat(i)} → 🙂\n</reasoning>`,
    tokens: i,
    source: { teacher: "imported", from: "a test" },
  });
  const encode = ({ prompt, response }: TeacherTrace) => ({
    tokens: [...Buffer.from(prompt + response)],
    promptLength: Buffer.byteLength(prompt),
  });
  const path = join(root, "corpus.jsonl");

  it("is read when a step asks for it, each sequence as if all had been read at once", async () => {
    const all = Array.from({ length: 600 }, (_, i) => trace(i));
    writeFileSync(path, `${all.map((one) => JSON.stringify(one)).join("\n")}\n`);
    let encoded = 0;
    const counted = (one: TeacherTrace) => {
      encoded += 1;
      return encode(one);
    };
    const { sequences, responseTokens, leftOut } = await corpusSequences(path, counted, ({ tokens }) => tokens < 500);
    expect([sequences.length, leftOut, responseTokens]).toEqual([500, 100, (499 * 500) / 2]);
    expect(encoded).toBe(0);
    for (const i of [0, 499, 250, 0, 7]) expect({ ...sequences[i] }).toEqual(encode(all[i]));
    expect(encoded).toBe(4);
    for (const { tokens } of sequences) expect(tokens.length).toBeGreaterThan(0);
  });

  it("may begin with a mark of byte order and end its lines as Windows does", async () => {
    const all = Array.from({ length: 40 }, (_, i) => trace(i));
    writeFileSync(path, `\uFEFF${all.map((one) => JSON.stringify(one)).join("\r\n")}\r\n\r\n`);
    const { sequences } = await corpusSequences(path, encode);
    expect(sequences.map((one) => ({ ...one }))).toEqual(all.map(encode));
  });

  it("names the line that is broken, or about mathematics, or that there is none", async () => {
    writeFileSync(path, `${JSON.stringify(trace(1))}\n{"problem"\n`);
    await expect(corpusSequences(path, encode)).rejects.toThrow(/corpus.jsonl line 2: /);
    writeFileSync(path, `${JSON.stringify(trace(1))}\n\n${JSON.stringify({ problem: "2 + 2?", answer: "4" })}\n`);
    await expect(corpusSequences(path, encode)).rejects.toThrow(/line 3: a mathematics problem in a training corpus/);
    writeFileSync(path, "\n");
    await expect(corpusSequences(path, encode)).rejects.toThrow(/holds no trace to learn from/);
  });
});

describe("a model's files", () => {
  it("come from the hub by name, without weights, once; then without a network", async () => {
    const tokenizer = trainBpeTokenizer(["What is it? user assistant The answer is 4."], { vocabularySize: 270 });
    const files: Record<string, string> = {
      "tokenizer.json": JSON.stringify(tokenizer.files.tokenizer),
      "tokenizer_config.json": JSON.stringify(tokenizer.files.config),
      "chat_template.jinja": "{% for m in messages %}{{ m.role }}: {{ m.content }}{{ eos_token }}{% endfor %}",
      "config.json": "{}",
      "model.safetensors": "never asked for",
    };
    const asked: string[] = [];
    const server = createServer((request, response) => {
      const path = decodeURIComponent(request.url ?? "").split("?")[0];
      asked.push(path);
      const file = /\/resolve\/[^/]+\/(.+)$/.exec(path)?.[1];
      if (path.startsWith("/api/models/")) {
        response.setHeader("content-type", "application/json");
        response.end(
          JSON.stringify({
            _id: "1",
            id: "owner/tiny",
            sha: "abc123",
            private: false,
            gated: false,
            downloads: 0,
            likes: 0,
            lastModified: "2026-01-01T00:00:00Z",
          }),
        );
      } else if (file !== undefined && file in files) {
        const content = Buffer.from(files[file]);
        const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? "") ?? [];
        response.setHeader("etag", '"x"');
        if (from !== undefined) {
          response.statusCode = 206;
          response.setHeader("content-range", `bytes ${from}-${to}/${content.length}`);
        }
        response.end(from === undefined ? content : content.subarray(Number(from), Number(to) + 1));
      } else {
        response.statusCode = 404;
        response.setHeader("x-error-code", "EntryNotFound");
        response.end();
      }
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const hubUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const hub = { cache: join(root, "hub"), hubUrl };
    const first = await modelFiles("owner/tiny", hub);
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    expect(first.name).toBe("owner/tiny");
    expect(asked.some((path) => path.endsWith("model.safetensors"))).toBe(false);
    expect(await modelFiles("owner/tiny", hub)).toEqual(first);
    const chat = await loadChatForm(first.folder, await loadTokenizer(first.folder));
    expect(chat.from).toBe("template");
    expect(await modelFiles(first.folder, hub)).toEqual({ folder: first.folder, name: first.folder });
  });

  it("say what is wrong with a name", async () => {
    const hub = { cache: join(root, "none"), hubUrl: "http://127.0.0.1:9" };
    await expect(modelFiles("nowhere", hub)).rejects.toThrow(/expected a Hugging Face folder, or a name on the hub/);
    await expect(modelFiles(root, hub)).rejects.toThrow(/has no tokenizer.json/);
    await expect(modelFiles("owner/absent", hub)).rejects.toThrow(
      /cannot be fetched from the hub: .*give --model a folder/,
    );
  });
});
