// How logs are read: where tokens end, what a search finds, how the other thread fails, and what keeps memory bounded.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RolloutsReply } from "../../src/dashboard/api.ts";
import { IndexingThread } from "../../src/dashboard/indexing-thread.ts";
import { readRollouts, searchStretch } from "../../src/dashboard/log-reading.ts";
import { tokenHeat } from "../../src/dashboard/token-heat.ts";
import { wordTokenizer } from "../../src/engine/word-tokenizer.ts";
import { terseResponse } from "../report/invented-run.ts";
import { ServedFolder, writeRun } from "./served-folder.ts";

describe("token surprisal", () => {
  it("stands at the words of a terse text, as its tokenizer cuts them", () => {
    const tokenizer = wordTokenizer(["plan", "comp", "1", ">"]);
    const words = fc.array(fc.constantFrom("plan", "comp", "1", ">", "\n"), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(words, (given) => {
        const text = tokenizer.decode(tokenizer.encode(given.join(" ")));
        const tokens = tokenizer.encode(text);
        const nll = tokens.map((_, i) => i);
        const { ends, approximate } = tokenHeat(text, nll);
        expect(approximate).toBeUndefined();
        const cut = ends.map((end, i) => text.slice(i === 0 ? 0 : ends[i - 1], end).replaceAll(" ", ""));
        expect(cut).toEqual(Array.from(tokens, (token) => tokenizer.decode([token])));
        // With the token that ended it.
        expect(tokenHeat(text, [...nll, 9]).ends).toEqual([...ends, text.length]);
      }),
    );
  });

  it("is spread over a text whose tokens are not known, and says so", () => {
    expect(tokenHeat("abcdef", [1, 2, 3])).toEqual({ ends: [2, 4, 6], nll: [1, 2, 3], approximate: true });
  });
});

const texts = fc.string({
  unit: fc.constantFrom("a", "B", "n", "u", "0", '"', "\\", "\n", "\u001b", "é", "É", "😀", " ", "response", ":"),
  maxLength: 40,
});

describe("a search", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "repertoire-search-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Only a–z match in either case; other letters as they are. */
  const folded = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

  it("finds what is in responses and reasoning, and nothing that is only in the JSON around them", async () => {
    const record = fc.record({ problem: texts, response: texts, reasoning: fc.option(texts, { nil: undefined }) });
    let file = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 8 }), texts, async (records, needle) => {
        fc.pre(needle.length > 0);
        const path = join(folder, `${file++}.jsonl`);
        const lines = records.map((one) => JSON.stringify({ ...one, attempt: 0, policy: "p", state: "complete" }));
        await writeFile(path, `${lines.join("\n")}\n`);
        const { records: places } = await readRollouts(path, "rollout", 0);
        expect(places).toHaveLength(records.length);
        const holds = (text = "") => folded(text).includes(folded(needle));
        expect(await searchStretch({ path, places }, needle)).toEqual(
          records.flatMap(({ response, reasoning }, i) => (holds(response) || holds(reasoning) ? [i] : [])),
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe("what is kept", () => {
  it("does not grow with the number of runs that are looked at", async () => {
    const rollouts = Array.from({ length: 50 }, (_, i) => ({
      ...{ problem: `p${i}`, attempt: 0, policy: "p", state: "complete" },
      response: terseResponse(["plan", "compute", "check"], "x"),
    }));
    const served = await ServedFolder.start(async (folder) => {
      for (let i = 0; i < 12; i++)
        await writeRun(
          join(folder, `run-${i}`),
          "evaluate",
          { policy: "p" },
          { "problems.jsonl": [], "rollouts.jsonl": rollouts },
        );
    });
    try {
      const first = await served.server.library.run("run-0");
      for (let i = 0; i < 12; i++) {
        await served.indexed(`run-${i}`);
        const { total } = await served.get<RolloutsReply>("rollouts", { run: `run-${i}`, limit: 1 });
        expect(total).toBe(50);
      }
      // The first was closed meanwhile, and is opened again when it is asked for.
      expect(await served.server.library.run("run-0")).not.toBe(first);
      expect(await served.server.library.run("run-11")).toBe(await served.server.library.run("run-11"));
      await served.indexed("run-0");
      expect((await served.get<RolloutsReply>("rollouts", { run: "run-0" })).total).toBe(50);
    } finally {
      await served.close();
    }
  });
});

describe("the indexing thread", () => {
  it("answers failures to who asked, goes on, and ends when it is closed", async () => {
    const thread = new IndexingThread();
    try {
      await expect(thread.rollouts("/nowhere/rollouts.jsonl", "rollout", 0)).rejects.toThrow(/ENOENT/);
      await expect(thread.grades("/nowhere/grades.jsonl", 0)).rejects.toThrow(/ENOENT/);
    } finally {
      await thread.close();
    }
    await expect(thread.grades("/nowhere/grades.jsonl", 0)).rejects.toThrow(/ended/);
  });
});
