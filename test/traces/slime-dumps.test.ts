// slime's dumps of rollouts: torch files whose pickle is read for its values and never run. The pickles are Python's own,
// of `pickle.dumps(value, protocol=2)` (as torch.save writes) and `protocol=4`, with the value that the first test names.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DataError } from "../../src/base/errors.ts";
import { importRun } from "../../src/imports/import-run.ts";
import { type Imported, importSlice } from "../../src/imports/import-slice.ts";
import { pickleValue } from "../../src/imports/pickle-values.ts";
import { slicesOf, traceFiles } from "../../src/imports/slice.ts";

const protocol2 =
  "gAJ9cQAoWAoAAAByb2xsb3V0X2lkcQFLA1gHAAAAc2FtcGxlc3ECXXEDKH1xBChYBgAAAHByb21wdHEFWA8AAABXaGF0IGlzIDIrMj8gw5dxBl" +
  "gIAAAAcmVzcG9uc2VxB1gRAAAAPHRoaW5rPjQ8L3RoaW5rPjRxCFgGAAAAcmV3YXJkcQl9cQooWAUAAABzY29yZXELRz/gAAAAAAAAWAMAAABh" +
  "Y2NxDEc/8AAAAAAAAHVYBgAAAHN0YXR1c3ENWAkAAABjb21wbGV0ZWRxDlgLAAAAZ3JvdXBfaW5kZXhxD0sAWAUAAABsYWJlbHEQWAEAAAA0cR" +
  "FYDwAAAHJlc3BvbnNlX2xlbmd0aHESSwdYBgAAAHRva2Vuc3ETXXEUKEsBTSwBSnARAQBK+////4oGAAAAAAABZVgEAAAAbm9uZXEVTlgDAAAA" +
  "eWVzcRaIWAQAAABwYWlycRdLAVgBAAAAYXEYhnEZdX1xGihoBWgGaAdYAwAAAGN1dHEbaAlHv/gAAAAAAABoDVgJAAAAdHJ1bmNhdGVkcRxoD0" +
  "sAaBBoEWgSSwF1fXEdKGgFWAEAAABwcR5oB1gAAAAAcR9oCUcAAAAAAAAAAGgNWAcAAABhYm9ydGVkcSBoD0sBaBBoH3VldS4=";
const protocol4 =
  "gASVdwEAAAAAAAB9lCiMCnJvbGxvdXRfaWSUSwOMB3NhbXBsZXOUXZQofZQojAZwcm9tcHSUjA9XaGF0IGlzIDIrMj8gw5eUjAhyZXNwb25zZZ" +
  "SMETx0aGluaz40PC90aGluaz40lIwGcmV3YXJklH2UKIwFc2NvcmWURz/gAAAAAAAAjANhY2OURz/wAAAAAAAAdYwGc3RhdHVzlIwJY29tcGxl" +
  "dGVklIwLZ3JvdXBfaW5kZXiUSwCMBWxhYmVslIwBNJSMD3Jlc3BvbnNlX2xlbmd0aJRLB4wGdG9rZW5zlF2UKEsBTSwBSnARAQBK+////4oGAA" +
  "AAAAABZYwEbm9uZZROjAN5ZXOUiIwEcGFpcpRLAYwBYZSGlHV9lChoBWgGaAeMA2N1dJRoCUe/+AAAAAAAAGgNjAl0cnVuY2F0ZWSUaA9LAGgQ" +
  "aBFoEksBdX2UKGgFjAFwlGgHjACUaAlHAAAAAAAAAABoDYwHYWJvcnRlZJRoD0sBaBBoH3VldS4=";
/** Of an object whose `__reduce__` asks for `os.system("touch …")`. */
const hostile =
  "gAJ9cQBYBwAAAHNhbXBsZXNxAV1xAn1xAyhYAQAAAHhxBGNwb3NpeApzeXN0ZW0KcQVYFAAAAHRvdWNoIC90bXAvZGFzaC9ldmlscQaFcQdScQ" +
  "hYAQAAAHlxCUsBdWFzLg==";
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "base64"));

const value = {
  rollout_id: 3,
  samples: [
    {
      ...{
        prompt: "What is 2+2? ×",
        response: "<think>4</think>4",
        reward: { score: 0.5, acc: 1 },
        status: "completed",
      },
      ...{ group_index: 0, label: "4", response_length: 7, tokens: [1, 300, 70000, -5, 2 ** 40] },
      ...{ none: undefined, yes: true, pair: [1, "a"] },
    },
    {
      ...{ prompt: "What is 2+2? ×", response: "cut", reward: -1.5, status: "truncated" },
      ...{ group_index: 0, label: "4", response_length: 1 },
    },
    { prompt: "p", response: "", reward: 0, status: "aborted", group_index: 1, label: "" },
  ],
};

describe("a pickle", () => {
  it("is read as the values that Python wrote", () => {
    for (const text of [protocol2, protocol4]) expect(pickleValue(bytesOf(text))).toEqual(value);
  });

  it("that would call something calls nothing: what it would make is not there", () => {
    expect(pickleValue(bytesOf(hostile))).toEqual({ samples: [{ x: undefined, y: 1 }] });
  });

  it("that is nested without end is refused", () => {
    const deep = new Uint8Array(200_001).fill(0x5d, 0, 100_000).fill(0x61, 100_000);
    deep[200_000] = 0x2e;
    // Of 100,000 lists each is put into the one before it; one more would be missing, so one less is put.
    const nested = new Uint8Array([...deep.subarray(0, 100_000), ...deep.subarray(100_001)]);
    expect(() => pickleValue(nested)).toThrow(/nested more than/);
  });

  it("that is cut off or damaged anywhere is an error with a reason, never anything else", () => {
    const whole = bytesOf(protocol2);
    for (let end = 0; end < whole.length; end++) expect(() => pickleValue(whole.subarray(0, end))).toThrow(DataError);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const damaged = whole.slice();
        damaged[at] = byte;
        try {
          pickleValue(damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(DataError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("slime's rollouts", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "slime-dumps-"));
    const torchFile = (pickle: string) => zipSync({ "rollout_3/data.pkl": [bytesOf(pickle), { level: 0 }] });
    await writeFile(join(folder, "rollout_3.pt"), torchFile(protocol2));
    await writeFile(join(folder, "eval_4.pt"), torchFile(hostile));
    await writeFile(join(folder, "data_5.pt"), "not a torch file");
    await writeFile(join(folder, "model.pt"), torchFile(protocol2));
    await writeFile(join(folder, "table.csv"), "a,b");
    // As `--dump-details` names them, beside what it keeps of training.
    await mkdir(join(folder, "rollout_data"));
    await writeFile(join(folder, "rollout_data", "3.pt"), torchFile(protocol2));
    await writeFile(join(folder, "rollout_data", "3_0.pt"), torchFile(protocol2));
    const lines = value.samples.map((sample) => `${JSON.stringify(sample)}\n`).join("");
    await writeFile(join(folder, "samples_12.jsonl"), lines);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const read = async (name: string): Promise<Imported[]> => {
    const found: Imported[] = [];
    for (const slice of await slicesOf(join(folder, name)))
      for await (const item of importSlice(slice, { format: "auto" })) found.push(item);
    return found;
  };

  it("have prompt, score, step and grade, from a torch file or from JSON lines", async () => {
    const [first, second, third] = await read("rollout_3.pt");
    expect(first).toMatchObject({
      trace: { checkpoint: "step 3", step: 3, prompt: "What is 2+2? ×", correct: true, score: 0.5, responseTokens: 7 },
    });
    // A reward alone is no grade; the label is.
    expect(second).toMatchObject({ trace: { step: 3, score: -1.5, correct: false, gradedBy: "gold" } });
    expect("trace" in second && second.trace.recorded).toBeUndefined();
    expect("trace" in first && "trace" in second && first.trace.problem === second.trace.problem).toBe(true);
    expect(third).toMatchObject({ skipped: "the rollout was aborted" });
    expect((await read("samples_12.jsonl"))[0]).toMatchObject({ trace: { step: 12, correct: true, score: 0.5 } });
  });

  it("become a run, with a file among them that cannot be read named", async () => {
    const out = await mkdtemp(join(tmpdir(), "repertoire-slime-run-"));
    const { traces, skipped } = await importRun(out, { inputs: [{ path: folder }], workers: 1 });
    expect(traces).toBeGreaterThan(0);
    expect(skipped.some(({ places }) => places.some((place) => place.endsWith("data_5.pt")))).toBe(true);
    await rm(out, { recursive: true });
  });

  it("that cannot be read say why, and weights in a folder are not taken for rollouts", async () => {
    expect(await read("data_5.pt")).toEqual([{ skipped: expect.stringContaining("zip"), where: expect.anything() }]);
    expect(await read("eval_4.pt")).toMatchObject([{ skipped: expect.stringContaining("no known format") }]);
    const files = (await traceFiles(folder)).map((path) => path.slice(folder.length + 1));
    expect(files).toEqual([
      "data_5.pt",
      "eval_4.pt",
      "rollout_3.pt",
      "rollout_data/3.pt",
      "samples_12.jsonl",
      "table.csv",
    ]);
  });
});
