import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/base/errors.ts";
import { gradeMath } from "../../src/grading/math/grade.ts";
import { benchmarkNamed, benchmarks } from "../../src/problems/benchmarks/catalog.ts";
import { decimalsAskedFor, readColumns } from "../../src/problems/benchmarks/columns.ts";
import { loadBenchmark, loadDataFile, loadHubDataset } from "../../src/problems/benchmarks/load.ts";
import { problemSchema } from "../../src/problems/problem.ts";
import { loadProblems } from "../../src/problems/sources.ts";
import { subset } from "../../src/problems/subset.ts";
import { publicFile } from "../fixtures/public-data.ts";
import { type FakeHub, fakeRevision, startFakeHub } from "./fake-hub.ts";

let folder: string;
let hub: FakeHub | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "benchmarks-"));
});
afterEach(async () => {
  await hub?.close();
  hub = undefined;
  await rm(folder, { recursive: true, force: true });
});

const bytes = (text: string) => new TextEncoder().encode(text);
const lines = (...rows: object[]) => rows.map((row) => JSON.stringify(row)).join("\n");
const parquet = (columns: Record<string, unknown[]>) =>
  new Uint8Array(parquetWriteBuffer({ columnData: Object.entries(columns).map(([name, data]) => ({ name, data })) }));

describe("from the hub", () => {
  const olymMath = {
    "README.md": bytes("# OlymMATH"),
    "data/OlymMATH-EN-HARD.jsonl": bytes(
      lines(
        { problem: "Find $x$.", answer: "2625", subject: "Algebra", unique_id: "OlymMATH-HARD-0-EN" },
        { problem: "Find $y$.", answer: "\\frac12", subject: "Geometry", unique_id: "OlymMATH-HARD-1-EN" },
      ),
    ),
    "data/OlymMATH-ZH-HARD.jsonl": bytes(
      lines({ problem: "求 $x$。", answer: "2625", subject: "代数", unique_id: "OlymMATH-HARD-0-ZH" }),
    ),
  };

  it("OlymMATH in both languages, each asked in its own", async () => {
    hub = await startFakeHub({ "RUC-AIBOX/OlymMATH": olymMath });
    const options = { hub: { cache: folder, hubUrl: hub.url } };
    const english = await loadBenchmark("olymmath-en-hard", options);
    expect(english.from).toBe(`RUC-AIBOX/OlymMATH at ${fakeRevision}`);
    expect(english.problems[0]).toEqual({
      kind: "mathematics",
      id: "olymmath-en-hard/OlymMATH-HARD-0-EN",
      set: "olymmath-en-hard",
      prompt: "Find $x$.\n\nPlease reason step by step, and put your final answer within \\boxed{}.",
      answer: "2625",
      subject: "Algebra",
    });
    const chinese = await loadBenchmark("olymmath-zh-hard", options);
    expect(chinese.problems).toHaveLength(1);
    expect(chinese.problems[0].prompt).toContain("最终答案");
  });

  it("a second time from the cache, even without a network", async () => {
    hub = await startFakeHub({ "RUC-AIBOX/OlymMATH": olymMath });
    const options = { hub: { cache: folder, hubUrl: hub.url } };
    const first = await loadBenchmark("olymmath-en-hard", options);
    const downloads = () => hub!.requests.filter((path) => path.includes("/resolve/")).length;
    const before = downloads();
    expect(before).toBeGreaterThan(0);
    expect((await loadBenchmark("olymmath-en-hard", options)).problems).toEqual(first.problems);
    expect(downloads()).toBe(before);
    await hub.close();
    const offline = await loadBenchmark("olymmath-en-hard", options);
    expect(offline.problems).toEqual(first.problems);
    expect(offline.from).toContain("(from the cache)");
  });

  it("MathArena's Parquet, with numbers as answers and lists as types", async () => {
    const file = parquet({
      problem_idx: [1, 2],
      problem: ["A?", "B?"],
      answer: [70, 588],
      problem_type: ['["Algebra"]', "x"],
    });
    hub = await startFakeHub({
      "MathArena/aime_2025": { "data/train-00000-of-00001.parquet": file, "README.md": bytes("") },
    });
    const { problems } = await loadBenchmark("aime-2025", { hub: { cache: folder, hubUrl: hub.url } });
    expect(problems.map(({ id, answer }) => [id, answer])).toEqual([
      ["aime-2025/1", "70"],
      ["aime-2025/2", "588"],
    ]);
  });

  it("OMEGA: a folder per setting, chat messages, golds that were rounded, golds that are missing", async () => {
    const row = (content: string, ground_truth: string | null, setting_key: string) => ({
      id: "0",
      setting_key,
      messages: [{ role: "user", content }],
      ground_truth,
    });
    hub = await startFakeHub({
      "allenai/omega-explorative": {
        "algebra_area/test_in-00000-of-00001.jsonl": bytes(lines(row("in?", "1", "algebra_area"))),
        "algebra_area/test_out-00000-of-00001.jsonl": bytes(
          lines(row("Area? Round your answer to 2 decimal places.", "0.17", "algebra_area")),
        ),
        "number_digits/test_out-00000-of-00001.jsonl": bytes(
          lines(row("Digits? Answer in \\boxed{}.", "5", "number_digits"), {
            ...row("Lost?", null, "number_digits"),
            id: "1",
          }),
        ),
      },
    });
    const { problems, dropped } = await loadBenchmark("omega-explorative", { hub: { cache: folder, hubUrl: hub.url } });
    expect(problems).toMatchObject([
      { id: expect.stringMatching(/^omega-explorative\/algebra_area\/[0-9a-f]{16}$/), answer: "0.17", decimals: 2 },
      { id: expect.stringMatching(/^omega-explorative\/number_digits\/[0-9a-f]{16}$/), answer: "5" },
    ]);
    expect(problems.map(({ subject }) => subject)).toEqual(["algebra_area", "number_digits"]);
    // Brings its own instruction, so none is added.
    expect(problems[1].prompt).toBe("Digits? Answer in \\boxed{}.");
    expect(dropped).toEqual([{ id: "omega-explorative/number_digits/row 1", because: "no gold answer" }]);
    expect(problems.every((problem) => problemSchema.safeParse(problem).success)).toBe(true);
  });

  it("any data set, with its own columns", async () => {
    hub = await startFakeHub({
      "somebody/sums": { "test.jsonl": bytes(lines({ q: "1+1", a: 2 })), "train.jsonl": bytes("") },
    });
    const { problems } = await loadHubDataset(
      "somebody/sums",
      /test/,
      { cache: folder, hubUrl: hub.url },
      {
        columns: readColumns("problem=q,answer=a"),
        prompt: "Q: {problem}",
      },
    );
    expect(problems).toMatchObject([
      { id: expect.stringMatching(/^somebody\/sums\/[0-9a-f]{16}$/), prompt: "Q: 1+1", answer: "2" },
    ]);
  });

  it("says what is wrong: no such data set, no such file", async () => {
    hub = await startFakeHub({ "MathArena/aime_2025": { "README.md": bytes("") } });
    const options = { hub: { cache: folder, hubUrl: hub.url } };
    await expect(loadBenchmark("aime-2025", options)).rejects.toThrow("has no file like");
    await expect(loadBenchmark("aime-2024", options)).rejects.toThrow("HuggingFaceH4/aime_2024 cannot be listed");
    await expect(loadBenchmark("aime-1066", options)).rejects.toThrow(
      'unknown benchmark "aime-1066"; expected one of: olymmath-en-hard',
    );
  });
});

describe("from files", () => {
  const write = async (name: string, content: string | Uint8Array) => {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  };

  it("JSON lines, JSON and Parquet give the same problems", async () => {
    const rows = [
      { question: "1+1?", answer: "2" },
      { question: "2+2?", answer: "4" },
    ];
    const paths = [
      await write("set.jsonl", lines(...rows)),
      await write("set.json", JSON.stringify(rows)),
      await write("set.parquet", parquet({ question: rows.map((r) => r.question), answer: rows.map((r) => r.answer) })),
    ];
    const sets = await Promise.all(paths.map((path) => loadDataFile(path)));
    expect(sets[0].problems.map(({ answer }) => answer)).toEqual(["2", "4"]);
    expect(new Set(sets[0].problems.map(({ id }) => id)).size).toBe(2);
    for (const set of sets) expect(set.problems).toEqual(sets[0].problems);
  });

  it("GSM8K, MATH, DAPO-Math and verl's datasets as they are published", async () => {
    const asked = "Solve it. The last line should be of the form Answer: $Answer.\n\nWhat is 6 times 4?";
    const rows = {
      gsm8k: { question: "How many?", answer: "She has 48/2 = <<48/2=24>>24.\n#### 24" },
      math: { problem: "Find $x$.", level: "Level 2", type: "Algebra", solution: "So $x=\\boxed{24}$." },
      dapo: {
        data_source: "math_dapo",
        prompt: [{ role: "user", content: asked }],
        reward_model: { ground_truth: "24" },
      },
    };
    for (const [name, row] of Object.entries(rows)) {
      const path = join(folder, `${name}.jsonl`);
      await writeFile(path, lines(row));
      const [problem] = (await loadDataFile(path)).problems;
      if (name === "dapo") expect(problem.prompt).toBe(asked);
      for (const mode of ["evaluation", "reward"] as const) {
        const verdict = (answer: number) => gradeMath(problem.answer!, `It is \\boxed{${answer}}.`, { mode }).verdict;
        expect([name, verdict(24), verdict(25)]).toEqual([name, "equal", "different"]);
      }
    }
  });

  it("rows without a gold answer are dropped, counted and named", async () => {
    const golds = ["7", null, "", "  ", undefined, Number.NaN, [], ["1", "2"], 0];
    const path = await write(
      "gold.jsonl",
      lines(...golds.map((answer, id) => ({ id: `r${id}`, problem: "p", answer }))),
    );
    const { problems, dropped } = await loadDataFile(path);
    expect(problems.map(({ id, answer }) => [id, answer])).toEqual([
      ["gold/r0", "7"],
      ["gold/r7", "1, 2"],
      ["gold/r8", "0"],
    ]);
    expect(dropped.map(({ id }) => id)).toEqual(["gold/r1", "gold/r2", "gold/r3", "gold/r4", "gold/r5", "gold/r6"]);
  });

  it.each([
    [
      "no column for the answer (tried answer, expected_answer, ground_truth, gold, solution, reward_model.ground_truth); the columns are problem, key",
      { problem: "p", key: "1" },
    ],
    ["no column for the problem", { text: "p", answer: "1" }],
  ])("%s", async (message, row) => {
    await expect(loadDataFile(await write("x.jsonl", lines(row)))).rejects.toThrow(message);
  });

  it("two rows with one id are an error, not a silent overwrite", async () => {
    const path = await write(
      "twice.jsonl",
      lines({ id: 1, problem: "a", answer: "1" }, { id: 1, problem: "b", answer: "2" }),
    );
    await expect(loadDataFile(path)).rejects.toThrow("rows 0 and 1 have the same id 1");
  });

  it("broken files say where", async () => {
    await expect(loadDataFile(await write("b.jsonl", '{"problem":"p","answer":"1"}\n{nope'))).rejects.toThrow(
      "b.jsonl line 2: not JSON",
    );
    await expect(loadDataFile(await write("b.parquet", "PAR?"))).rejects.toThrow("cannot be read as Parquet");
    await expect(loadDataFile(await write("b.csv", "a,b"))).rejects.toThrow("expected a name that ends in .jsonl");
  });

  it("a benchmark from a folder of its files", async () => {
    await write("OlymMATH-EN-EASY.jsonl", lines({ problem: "p", answer: "1", unique_id: "u" }));
    await write("aime25.jsonl", lines({ id: "aime25-0", problem: "q", expected_answer: "070" }));
    const options = { folder, hub: { cache: folder } };
    expect((await loadBenchmark("olymmath-en-easy", options)).problems).toHaveLength(1);
    expect((await loadBenchmark("aime-2025", options)).problems[0]).toMatchObject({
      id: "aime-2025/aime25-0",
      answer: "070",
    });
    await expect(loadBenchmark("hmmt-feb-2025", options)).rejects.toThrow("has no file for hmmt-feb-2025");
  });
});

describe("sources by one line of text", () => {
  const options = { hub: { cache: "nowhere" }, count: 3, seed: 1 };
  it("puzzles and synthetic mathematics, the same for the same seed", async () => {
    const puzzles = await loadProblems("puzzles:galaxies=3x3", options);
    expect(puzzles.problems).toHaveLength(3);
    expect(puzzles.problems[0]).toMatchObject({ kind: "puzzle", puzzle: "galaxies", set: "galaxies 3x3 test" });
    expect(await loadProblems("puzzles:galaxies:3x3", options)).toEqual(puzzles);
    const synthetic = await loadProblems("synthetic", options);
    expect(synthetic.problems).toHaveLength(3);
    expect([...puzzles.problems, ...synthetic.problems].every((one) => problemSchema.safeParse(one).success)).toBe(
      true,
    );
  });
  it.each([
    ["puzzles:bridges", "expected puzzles:<name=params>"],
    ["puzzles:brigdes=7x7", 'unknown puzzle "brigdes"'],
    ["hub:a/b:[", "is not a regular expression"],
    ["olymmath", 'unknown problems "olymmath"; expected a file'],
  ])("%s: %s", async (source, message) => {
    await expect(loadProblems(source, options)).rejects.toThrow(message);
  });
});

describe("catalog", () => {
  it("names are unique", () => expect(new Set(benchmarks.map(({ name }) => name)).size).toBe(benchmarks.length));
  it.each([
    ["olymmath-en-hard", "data/OlymMATH-EN-HARD.jsonl", "data/OlymMATH-EN-EASY.jsonl"],
    ["olymmath-zh-easy", "zh-easy/test-00000-of-00001.parquet", "zh-hard/test-00000-of-00001.parquet"],
    ["omega-explorative", "x/test_out-00000-of-00001.parquet", "x/test_in-00000-of-00001.parquet"],
    ["omega-compositional", "x/test-00000-of-00001.parquet", "x/train-00000-of-00001.parquet"],
    ["hmmt-feb-2025", "data/train-00000-of-00001.parquet", "README.md"],
  ])("%s takes %s and not %s", (name, own, other) => {
    const { file } = benchmarkNamed(name);
    expect([file.test(own), file.test(other)]).toEqual([true, false]);
  });
});

describe("rounding in a problem's words", () => {
  it.each([
    ["Round your answer to 2 decimal places.", 2],
    ["Give the area, rounded to three decimal places.", 3],
    ["Round the final result to the nearest 1 decimal place", 1],
    ["Express the decimal expansion of 1/7.", undefined],
    ["He did a round trip. How many decimal digits to 5 decimal?", undefined],
  ])("%s → %s", (text, decimals) => expect(decimalsAskedFor(text)).toBe(decimals));
});

describe("column mappings", () => {
  it("reads what it should", () => {
    expect(readColumns("problem=q, answer=a.0.b")).toMatchObject({
      problem: "q",
      answer: "a.0.b",
      id: expect.any(Array),
    });
  });
  it("refuses everything else with words, never with a crash", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("=", ",", "a", "problem", " ") })),
        (text) => {
          try {
            readColumns(text);
          } catch (error) {
            expect(error).toBeInstanceOf(ConfigurationError);
          }
        },
      ),
    );
  });
});

describe("subset", () => {
  const items = Array.from({ length: 500 }, (_, i) => i);
  it("is fixed by its seed, keeps the order, has no duplicates", () => {
    const chosen = subset(items, 100, 7);
    expect(chosen).toEqual(subset(items, 100, 7));
    expect(chosen).not.toEqual(subset(items, 100, 8));
    expect(new Set(chosen).size).toBe(100);
    expect([...chosen].sort((a, b) => a - b)).toEqual(chosen);
  });
  it("a larger subset of the same seed holds the smaller one", () => {
    const small = subset(items, 50, 3);
    const large = new Set(subset(items, 120, 3));
    expect(small.every((item) => large.has(item))).toBe(true);
  });
  it("refuses more than there is", () => expect(() => subset([1], 2, 1)).toThrow("there are only 1"));
});

// Public files, where they lie beside the project.
const published = publicFile("benchmarks");
describe.skipIf(published.missing)(`published files${published.reason}`, () => {
  it.each([
    ["olymmath-en-hard", 100, "2625"],
    ["olymmath-en-easy", 100, "948"],
    ["aime-2025", 30, "70"],
    ["hmmt-feb-2025", 30, "103"],
  ])("%s has %i problems", async (name, count, firstAnswer) => {
    const { problems, dropped } = await loadBenchmark(name, { folder: published.path, hub: { cache: folder } });
    expect(problems).toHaveLength(count);
    expect(problems[0].answer).toBe(firstAnswer);
    expect(dropped).toEqual([]);
    expect(problems.every((problem) => problemSchema.safeParse(problem).success)).toBe(true);
  });
});
