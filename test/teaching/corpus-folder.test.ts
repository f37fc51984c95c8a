import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Damage } from "../../src/base/integrity.ts";
import { corpusSequences } from "../../src/recipes/corpus-sequences.ts";
import { noRejections } from "../../src/teaching/corpus.ts";
import { checkCorpusFile, checkedCorpus, finishCorpus, recordCorpusFile } from "../../src/teaching/corpus-folder.ts";

let folder: string;
let corpus: string;
const traces = (count: number) => "{}\n".repeat(count);
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "corpus-"));
  corpus = join(folder, "corpus.jsonl");
  writeFileSync(corpus, traces(260));
  await finishCorpus(folder, { counts: { ...noRejections(), kept: 260, wrong: 3 }, usage: { promptTokens: 7 } });
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a finished corpus", () => {
  it("gives back its counts", async () => {
    const counts = { ...noRejections(), kept: 260, wrong: 3 };
    expect(await checkedCorpus(folder)).toEqual({ counts, usage: { promptTokens: 7 } });
  });

  it("of which 60 of 260 traces are left is refused, also by whoever has only its path", async () => {
    writeFileSync(corpus, traces(60));
    await expect(checkedCorpus(folder)).rejects.toThrow(/corpus\.jsonl is damaged: it has 60 of 260 lines/);
    await expect(corpusSequences(corpus, () => ({ tokens: [], promptLength: 0 }))).rejects.toThrow(/60 of 260 lines/);
  });

  it("without a record is still compared with its counts", async () => {
    rmSync(join(folder, "files.json"));
    writeFileSync(corpus, traces(60));
    await expect(checkedCorpus(folder)).rejects.toThrow(/it has 60 traces, and .*corpus\.json says that 260 were kept/);
    const told: Damage[] = [];
    await checkedCorpus(folder, { accept: (damage) => void told.push(damage) });
    expect(told).toHaveLength(1);
  });

  it("whose counts are broken says which file", async () => {
    rmSync(join(folder, "files.json"));
    writeFileSync(join(folder, "corpus.json"), '{"kept":');
    await expect(checkedCorpus(folder)).rejects.toThrow(/corpus\.json cannot be read/);
  });

  it("that is a single file has its record beside it", async () => {
    const single = join(folder, "mine.jsonl");
    writeFileSync(single, traces(5));
    await recordCorpusFile(single);
    await checkCorpusFile(single);
    writeFileSync(single, traces(4));
    await expect(checkCorpusFile(single)).rejects.toThrow(/mine\.jsonl is damaged: it has 4 of 5 lines/);
  });
});
