// Every format that is read, written here as its program writes it; and everything that can be wrong with a file.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { zipSync } from "fflate";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Random } from "../../src/base/random.ts";
import { type Imported, type ImportOptions, importSlice } from "../../src/imports/import-slice.ts";
import { solvedOf } from "../../src/imports/row-values.ts";
import { type Slice, slicesOf, traceFiles } from "../../src/imports/slice.ts";
import { sliceRows } from "../../src/imports/slice-rows.ts";
import { puzzleNamed } from "../../src/puzzles/catalog.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "importers-"));
});
afterAll(() => rm(folder, { recursive: true }));

const auto: ImportOptions = { format: "auto" };

async function imported(
  name: string,
  content: string | Uint8Array,
  options: ImportOptions = auto,
): Promise<Imported[]> {
  const path = join(folder, name);
  await writeFile(path, content);
  const found: Imported[] = [];
  for (const slice of await slicesOf(path)) for await (const item of importSlice(slice, options)) found.push(item);
  return found;
}

async function traces(name: string, content: string | Uint8Array, options?: ImportOptions) {
  const found = await imported(name, content, options);
  expect(found.filter((item) => "skipped" in item)).toEqual([]);
  return found.map((item) => ("trace" in item ? item.trace : undefined)!);
}

const lines = (...records: unknown[]) => records.map((record) => JSON.stringify(record)).join("\n");

describe("rows with several responses", () => {
  const row = {
    id: "p1",
    ask: "2+2?",
    texts: ["It is 4.", "It is 5.", "Four."],
    good: [true, false, true],
    points: [1, 0, 0.5],
    written: ["a", "b", "a"],
  };
  const columns = { response: "texts", problem: "id", prompt: "ask", correct: "good" };

  test("give a trace each, with its own grade, score and model", async () => {
    const mapping = { ...columns, score: "points", checkpoint: "written" };
    const found = await traces("several.jsonl", lines(row), { format: "auto", columns: mapping });
    expect(
      found.map(({ response, correct, score, checkpoint, problem }) => [response, correct, score, checkpoint, problem]),
    ).toEqual([
      ["It is 4.", true, 1, "a", "p1"],
      ["It is 5.", false, 0, "b", "p1"],
      ["Four.", true, 0.5, "a", "p1"],
    ]);
    // Attempts are counted when everything is read: the next row may ask the same.
    expect(found.map(({ attempt }) => attempt)).toEqual([undefined, undefined, undefined]);
  });

  test("in Parquet, and under the names they usually have", async () => {
    const data = parquetWriteBuffer({
      columnData: [
        { name: "question", data: ["2+2?", "3+3?"] },
        { name: "generations", data: [["4", "5"], ["6"]], type: "JSON" },
        { name: "correctness", data: [[true, false], [true]], type: "JSON" },
      ],
    });
    const found = await traces("several.parquet", new Uint8Array(data));
    expect(found.map(({ response, correct }) => [response, correct])).toEqual([
      ["4", true],
      ["5", false],
      ["6", true],
    ]);
    expect(new Set(found.map(({ problem }) => problem)).size).toBe(2);
  });

  test("each a conversation, while a list of messages stays one", async () => {
    const said = (content: string) => [
      { role: "user", content: "2+2?" },
      { role: "assistant", content },
    ];
    const options = { format: "auto", columns } as const;
    const two = { ...row, texts: [said("4"), said("5")], good: [1, 0] };
    expect(
      (await traces("talks.jsonl", lines(two), options)).map(({ response, correct }) => [response, correct]),
    ).toEqual([
      ["4", true],
      ["5", false],
    ]);
    const one = { ...row, texts: said("4"), good: 1 };
    expect(await traces("talk.jsonl", lines(one), options)).toMatchObject([{ response: "4", correct: true }]);
  });

  test("lose nothing silently: other lengths are said, a missing text costs itself, one grade for all is nobody's", async () => {
    const options = { format: "auto", columns } as const;
    expect(await imported("short.jsonl", lines({ ...row, good: [true] }), options)).toMatchObject([
      { skipped: "correct has 1 entries for 3 responses" },
    ]);
    const holes = await imported(
      "holes.jsonl",
      lines({ ...row, texts: ["4", null, "Four."], good: [1, 0, 1] }),
      options,
    );
    expect(holes).toMatchObject([
      { trace: { response: "4", correct: true } },
      { skipped: "the response is null, not text" },
      { trace: { response: "Four.", correct: true } },
    ]);
    const shared = await traces("shared.jsonl", lines({ ...row, good: true }), options);
    expect(shared.map(({ correct }) => correct)).toEqual([undefined, undefined, undefined]);
  });
});

describe("formats", () => {
  test("rollouts of this project, with the thinking that came apart, and labels only where it is known whose they are", async () => {
    const rollout = {
      problem: "bridges 7x7d1:1a2",
      attempt: 3,
      policy: "sft",
      state: "complete",
      response: "<answer>x</answer>",
      reasoning: "I think.",
      grade: { verdict: "correct", reward: { exact: 1, total: 1 } },
      primitives: ["plan", "compute"],
      labeledBy: "classifier:somebody@1",
    };
    expect(
      await traces("rollouts.jsonl", lines(rollout, { ...rollout, attempt: 4, grade: undefined, step: 7 })),
    ).toEqual([
      {
        checkpoint: "sft",
        problem: "bridges 7x7d1:1a2",
        attempt: 3,
        stage: "evaluation",
        kind: "puzzle",
        puzzle: "bridges",
        size: "7x7",
        correct: true,
        score: 1,
        response: "<think>I think.</think><answer>x</answer>",
        labels: ["plan", "compute"],
        labeledBy: "classifier:somebody@1",
      },
      expect.objectContaining({ checkpoint: "step 7", step: 7, stage: "training" }),
    ]);
    const [unsigned] = await traces("unsigned.jsonl", lines({ ...rollout, labeledBy: undefined }));
    expect(unsigned.labels).toBeUndefined();
    const [failed] = await imported(
      "failed.jsonl",
      lines({ ...rollout, state: "failed", failure: "deadline", response: "" }),
    );
    expect(failed).toMatchObject({ skipped: "the attempt failed: deadline" });
  });

  test("grades and problems that lie beside an evaluation's rollouts are read with them", async () => {
    await writeFile(
      join(folder, "grades.jsonl"),
      lines({ problem: "p1", attempt: 0, verdict: "correct", reward: { exact: 1, total: 1 } }),
    );
    await writeFile(
      join(folder, "problems.jsonl"),
      lines({ id: "p1", kind: "mathematics", prompt: "?", answer: "1", set: "olymmath-en-hard" }),
    );
    const rollout = { problem: "p1", attempt: 0, policy: "m", state: "complete", response: "r" };
    expect(await traces("own.jsonl", lines(rollout))).toMatchObject([{ correct: true, set: "olymmath-en-hard" }]);
  });

  test("verl's rollout dumps: the gold answer decides, `acc` stands beside it, a score is no grade", async () => {
    const row = { input: "Solve 1+1", output: "It is 2.", gts: "2", score: 0.4, step: 20, acc: true };
    const [first, second] = await traces("20.jsonl", lines(row, { ...row, acc: undefined, score: 1.06 }));
    expect(first).toMatchObject({ checkpoint: "step 20", step: 20, correct: true, response: "It is 2.", score: 0.4 });
    expect(first).toMatchObject({ gradedBy: "gold", recorded: true });
    // The same prompt is the same problem; the second has no grade but ours.
    expect(second.problem).toBe(first.problem);
    expect(second).toMatchObject({ score: 1.06, prompt: "Solve 1+1", correct: true, gradedBy: "gold" });
    expect(second.recorded).toBeUndefined();
    // Without a gold answer that we can read the record's own grade stands.
    const [ungraded, told] = await traces(
      "22.jsonl",
      lines({ ...row, gts: "a poem", acc: undefined }, { ...row, gts: "a poem" }),
    );
    expect([ungraded.correct, told.correct, told.gradedBy]).toEqual([undefined, true, "recorded"]);
    expect((await traces("21.jsonl", lines(row), { format: "auto", name: "gspo" }))[0].checkpoint).toBe("gspo step 20");
  });

  test("dumps without a grade are graded again from the puzzle they were asked, whatever their score", async () => {
    const puzzle = puzzleNamed("bridges");
    const { instance, solution } = puzzle.generate(puzzle.readParams("5x5"), Random.from(4));
    const gts = JSON.stringify({ puzzle: "bridges", id: puzzle.writeId(instance) });
    const answer = puzzle.renderAnswer(instance, solution);
    const row = (output: string, score: number) => ({ input: "p", output, gts, score, step: 1, uid: "u" });
    const found = await traces(
      "v1.jsonl",
      lines(row(`<answer>${answer}</answer>`, 0.31), row("<answer>?</answer>", 1.06), { ...row("x", 2), gts: "{}" }),
    );
    expect(found.map(({ correct }) => correct)).toEqual([true, false, undefined]);
    expect(found[0]).toMatchObject({ puzzle: "bridges", size: "5x5" });
  });

  test("rows with ids of their own and one prompt are attempts at one problem", async () => {
    const row = (id: string) => ({
      id,
      messages: [
        { role: "user", content: "What is 1+1?" },
        { role: "assistant", content: `It is 2, says ${id}.` },
      ],
    });
    const found = await traces("chat.jsonl", lines(row("a"), row("b"), row("c")));
    expect(new Set(found.map(({ problem }) => problem)).size).toBe(1);
  });

  test("only whole names are grades: no name that merely holds one, and no second where the first is a score", async () => {
    const row = { step: 1, prompt: "p", completion: "c", advantage: 0 };
    const found = await traces(
      "c.jsonl",
      lines(
        { ...row, incorrect_answer: 1 },
        { ...row, accuracy_reward: 0.5, correct_format: 1 },
        { ...row, num_incorrect: 1 },
        { ...row, correctness_reward_func: 1, incorrect_format: 1 },
        { ...row, accuracy_reward: 0 },
      ),
    );
    expect(found.map(({ correct }) => correct)).toEqual([undefined, undefined, undefined, true, false]);
  });

  test("TRL's conversational completions", async () => {
    const row = {
      step: 1,
      prompt: [{ role: "user", content: "q" }],
      completion: [{ role: "assistant", content: "a" }],
      exact: 1,
      task_reward: 2.1,
    };
    expect(await traces("trl.jsonl", lines(row))).toMatchObject([{ response: "a", correct: true }]);
    // A reward that is named for nothing is no grade.
    const [unnamed] = await traces("trl2.jsonl", lines({ ...row, exact: undefined, reward: 1 }));
    expect(unnamed.correct).toBeUndefined();
  });

  test("TRL's dumps of one batch that was trained on several times count once", async () => {
    const inner = await mkdtemp(join(folder, "trl-"));
    for (const [step, texts] of [
      [1, ["a", "b"]],
      [2, ["a", "b"]],
      [3, ["a", "b"]],
      [4, ["a", "c"]],
    ] as const) {
      const bytes = parquetWriteBuffer({
        columnData: [
          { name: "step", data: [step, step], type: "INT32" },
          { name: "prompt", data: ["p", "p"], type: "STRING" },
          { name: "completion", data: [...texts], type: "STRING" },
          { name: "exact", data: [1, 0], type: "DOUBLE" },
        ],
      });
      await writeFile(join(inner, `completions_0000${step}.parquet`), new Uint8Array(bytes));
    }
    const found: Imported[] = [];
    for (const file of await traceFiles(inner))
      for (const slice of await slicesOf(file)) for await (const item of importSlice(slice, auto)) found.push(item);
    expect(found.flatMap((item) => ("trace" in item ? [item.trace.step] : []))).toEqual([1, 1, 4, 4]);
    const skipped = found.flatMap((item) => ("skipped" in item ? [item.skipped] : []));
    expect(skipped).toHaveLength(4);
    expect(skipped[0]).toContain("the same completions as in completions_00001.parquet");
  });

  test("lm-evaluation-harness samples, repeats and several filters", async () => {
    const row = {
      doc_id: 5,
      doc: {},
      target: "2",
      arguments: [],
      resps: [["one", "two"]],
      filtered_resps: ["one"],
      filter: "strict-match",
      exact_match: 1,
    };
    const found = await traces(
      "samples_aime25_2025-06-01T00-00-00.jsonl",
      lines(row, { ...row, doc_id: 6, resps: [["only"]] }),
    );
    expect(found).toMatchObject([
      // One score for two attempts says nothing about either.
      { problem: "aime25 5", attempt: 0, response: "one", set: "aime25" },
      { problem: "aime25 5", attempt: 1, response: "two" },
      { problem: "aime25 6", attempt: 0, response: "only", correct: false, recorded: true },
    ]);
    expect(found[0].recorded).toBeUndefined();
    const [likelihood] = await imported("samples_x.jsonl", lines({ ...row, resps: [[[-3.2, true]]] }));
    expect(likelihood).toMatchObject({ skipped: expect.stringContaining("loglikelihood") });
  });

  test.each([
    ["before 0.13", "__doc__", "__model_response__", "__metric__"],
    ["since 0.13", "doc", "model_response", "metric"],
  ])("lighteval details, %s", async (_, doc, response, metric) => {
    const row = {
      [doc]: { query: "q", id: "7", task_name: "math_500|0" },
      [response]: { text: ["a", "b"] },
      [metric]: { extractive_match: [1, 0] },
    };
    const bytes = parquetWriteBuffer({
      columnData: Object.entries(row).map(([name, value]) => ({ name, data: [value], type: "JSON" as const })),
    });
    expect(await traces(`details_${doc}.parquet`, new Uint8Array(bytes))).toMatchObject([
      { problem: "math_500|0 7", attempt: 0, correct: true, response: "a" },
      { problem: "math_500|0 7", attempt: 1, correct: false, response: "b" },
    ]);
  });

  test("Inspect's .eval archives and .json logs", async () => {
    const sample = (id: number, epoch: number, value: string) => ({
      id,
      epoch,
      input: "q",
      target: "2",
      output: {
        model: "openai/o",
        choices: [
          {
            message: {
              role: "assistant",
              content: [
                { type: "reasoning", reasoning: "hm" },
                { type: "text", text: "2" },
              ],
            },
          },
        ],
      },
      scores: { match: { value } },
    });
    const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
    const archive = zipSync({
      "header.json": encode({ eval: { task: "t" } }),
      "samples/1_epoch_1.json": encode(sample(1, 1, "C")),
      "samples/1_epoch_2.json": [encode(sample(1, 2, "I")), { level: 0 }],
      "summaries.json": encode([]),
    });
    const expected = [
      { checkpoint: "openai/o", problem: "t 1", attempt: 0, correct: true, response: "<think>hm</think>2" },
      { checkpoint: "openai/o", problem: "t 1", attempt: 1, correct: true, recorded: false },
    ];
    expect(await traces("log.eval", archive)).toMatchObject(expected);
    expect(
      await traces(
        "log.json",
        JSON.stringify({ eval: { task: "t" }, samples: [sample(1, 1, "C"), sample(1, 2, "I")] }),
      ),
    ).toMatchObject(expected);
    const [failed] = await imported(
      "err.json",
      JSON.stringify({ samples: [{ ...sample(1, 1, "C"), error: { message: "boom" } }] }),
    );
    expect(failed).toMatchObject({ skipped: "the rollout failed: boom" });
    const [cut] = await imported("cut.eval", archive.slice(0, archive.length - 30));
    expect(cut).toMatchObject({ skipped: expect.stringContaining("not a zip archive, or it was cut off") });
  });

  test("OpenAI-style chat completions, batch results and conversations", async () => {
    const choice = (content: string, reasoning_content?: string) => ({
      message: { role: "assistant", content, reasoning_content },
    });
    const found = await traces(
      "openai.jsonl",
      lines(
        { custom_id: "p1", response: { body: { model: "m", choices: [choice("a", "thought"), choice("b")] } } },
        {
          messages: [
            { role: "user", content: "q" },
            { role: "assistant", content: "c" },
          ],
          model: "n",
          correct: true,
        },
      ),
    );
    expect(found).toMatchObject([
      { checkpoint: "m", problem: "p1", response: "<think>thought</think>a" },
      { checkpoint: "m", problem: "p1", response: "b" },
      { checkpoint: "n", response: "c", correct: true },
    ]);
  });

  test("any record with a column mapping, nested ones too", async () => {
    const columns = { response: "gen.text", problem: "meta.id", correct: "ok", checkpoint: "who" };
    const row = { gen: { text: "r" }, meta: { id: 12 }, ok: "yes", who: "x" };
    expect(await traces("any.jsonl", lines(row), { format: "auto", columns })).toMatchObject([
      { checkpoint: "x", problem: "12", correct: true, response: "r" },
    ]);
    const [missing] = await imported("miss.jsonl", lines({ a: 1 }), { format: "auto", columns });
    expect(missing).toMatchObject({ skipped: expect.stringContaining("looked for gen.text; the record has a") });
  });

  test("a record that says its domain is told apart by it, and one of another subject is not", async () => {
    const record = (problem: string, domain?: string) => ({ problem, response: "It is 4.", domain });
    const found = await traces(
      "domains.jsonl",
      lines(
        record("a", "math"),
        record("b", "Puzzle"),
        record("c", "cooking"),
        record("d"),
        record("e", "mathematics"),
      ),
    );
    expect(found.map(({ kind }) => kind)).toEqual(["mathematics", "puzzle", undefined, undefined, "mathematics"]);
  });

  test("an unknown format is named with those there are", async () => {
    await expect(imported("f.jsonl", "{}", { format: "velr" })).rejects.toThrow(
      'unknown format "velr"; expected one of: auto, rollouts',
    );
  });
});

describe("what can be wrong with a file", () => {
  const good = { problem: "p", response: "text", correct: true };

  test("broken lines, lists, blank lines and a torn end are named, and the rest is read", async () => {
    const found = await imported(
      "bad.jsonl",
      `${lines(good)}\n{"problem": \n\n[1,2]\n${lines(good)}\n{"problem":"p","resp`,
    );
    expect(found.filter((item) => "trace" in item)).toHaveLength(2);
    const skipped = found.filter((item) => "skipped" in item);
    expect(skipped.map((item) => item.skipped.slice(0, 8))).toEqual(["not JSON", "JSON, bu", "not JSON"]);
    expect(skipped[0].where).toBe(`${join(folder, "bad.jsonl")} at byte ${lines(good).length + 1}`);
  });

  test("a line of ten megabytes is a line like any other", async () => {
    const [trace] = await traces("long.jsonl", lines({ ...good, response: "word ".repeat(2_000_000) }, good));
    expect(trace.response).toHaveLength(10_000_000);
  });

  test("bytes that are not UTF-8 are marked; UTF-16 and compressed lines are read", async () => {
    const latin = Buffer.concat([
      Buffer.from('{"problem":"p","response":"caf'),
      Buffer.from([0xe9]),
      Buffer.from('"}\n'),
    ]);
    expect(await imported("latin.jsonl", latin)).toMatchObject([{ damaged: true, trace: { response: "caf\uFFFD" } }]);
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`${lines(good)}\n`, "utf16le")]);
    expect(await traces("wide.jsonl", wide)).toMatchObject([good]);
    expect(await traces("packed.jsonl.gz", gzipSync(`${lines(good, good)}\n`))).toHaveLength(2);
  });

  test("a Parquet file that is none says so", async () => {
    const skipped = expect.stringContaining("not a Parquet file that can be read");
    expect(await imported("fake.parquet", "hello")).toMatchObject([{ skipped }]);
  });

  test("a pointer in place of a large file says what it is and how to get the file, under any name", async () => {
    const lfs = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 1234567\n`;
    for (const name of [
      "big.jsonl",
      "big.json",
      "big.parquet",
      "big.eval",
      "big.pt",
      "big.jsonl.gz",
      "big.jsonl.zst",
    ]) {
      const skipped = "a Git LFS pointer to a file of 1,234,567 bytes, not the file; fetch it with: git lfs pull";
      expect(await imported(name, lfs), name).toMatchObject([{ skipped, where: join(folder, name) }]);
    }
    const annex = "/annex/objects/SHA256E-s1234567--abc.jsonl\n";
    expect(await imported("annex.jsonl", annex)).toMatchObject([
      { skipped: "a git-annex pointer, not the file; fetch it with: git annex get" },
    ]);
  });

  test("JSON lines cut anywhere into slices give every row once, in order", async () => {
    const path = join(folder, "cut.jsonl");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "grapheme", maxLength: 30 }), { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(400), { maxLength: 4 }),
        fc.boolean(),
        async (texts, cuts, ends) => {
          const bytes = Buffer.from(
            texts.map((text, i) => JSON.stringify({ i, text })).join("\n") + (ends ? "\n" : ""),
          );
          await writeFile(path, bytes);
          const places = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort(
            (a, b) => a - b,
          );
          const rows: unknown[] = [];
          for (let i = 0; i + 1 < places.length; i++) {
            const slice: Slice = { path, kind: "lines", start: places[i], end: places[i + 1], bytes: 0 };
            for await (const placed of sliceRows(slice)) rows.push("row" in placed ? placed.row : placed);
          }
          expect(rows).toEqual(texts.map((text, i) => ({ i, text })));
        },
      ),
      { numRuns: 60 },
    );
  });

  test("no bytes whatever make a reader crash", async () => {
    const path = join(folder, "noise.jsonl");
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        await writeFile(path, bytes);
        for (const slice of await slicesOf(path)) {
          for await (const item of importSlice(slice, auto)) expect("trace" in item || "skipped" in item).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
});

test("scores and verdicts as solved or not", () => {
  expect([1, 1.5, 0.99, 0, "C", "I", "correct", "wrong", true, false, "maybe", null, [1]].map(solvedOf)).toEqual([
    true,
    true,
    false,
    false,
    true,
    false,
    true,
    false,
    true,
    false,
    undefined,
    undefined,
    undefined,
  ]);
});

test("folders are read in natural order, without the files that are about traces", async () => {
  const inner = await mkdtemp(join(folder, "dump-"));
  for (const name of ["10.jsonl", "2.jsonl", "events.jsonl", "rollouts.index.jsonl", "grades.jsonl", "notes.txt"]) {
    await writeFile(join(inner, name), "");
  }
  expect(await traceFiles(inner)).toEqual([join(inner, "2.jsonl"), join(inner, "10.jsonl")]);
  await expect(traceFiles(join(inner, "nowhere"))).rejects.toThrow("does not exist");
});
