// Files that lie about themselves, unpack to gigabytes or are cut off: each costs itself, a bounded amount of time and
// memory, and one line that names it; what was good in them, and the files beside them, is read.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync, gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { afterAll, describe, expect, test } from "vitest";
import { importSlice } from "../../src/imports/import-slice.ts";
import { slicesOf } from "../../src/imports/slice.ts";

const folder = mkdtempSync(join(tmpdir(), "hostile-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Read = { readonly traces: number; readonly skipped: readonly string[]; readonly seconds: number };

async function read(name: string, content: Uint8Array | string): Promise<Read> {
  const path = join(folder, name);
  writeFileSync(path, content);
  const before = process.cpuUsage();
  const skipped: string[] = [];
  let traces = 0;
  for (const slice of await slicesOf(path)) {
    for await (const imported of importSlice(slice, { format: "auto" })) {
      if ("skipped" in imported) {
        skipped.push(imported.skipped);
        expect(imported.where).toContain(path);
      } else traces += 1;
    }
  }
  const { user, system } = process.cpuUsage(before);
  return { traces, skipped, seconds: (user + system) / 1e6 };
}

const row = (attempt: number, more: object = {}) =>
  `${JSON.stringify({ checkpoint: "c", problem: "p", attempt, response: "Let me try 3. No.", ...more })}\n`;
const rows = (count: number) => Array.from({ length: count }, (_, i) => row(i)).join("");

// ---- Zip archives --------------------------------------------------------------------------------------------------

const message = { role: "assistant", content: "Let me see. It is 2." };
const sample = (id: number) =>
  JSON.stringify({ id, epoch: 1, input: "?", output: { model: "m", choices: [{ message }] }, scores: {} });
const archive = () =>
  Buffer.from(
    zipSync(Object.fromEntries([0, 1, 2].map((id) => [`samples/${id}_epoch_1.json`, Buffer.from(sample(id))]))),
  );
const endRecord = (zip: Buffer) => zip.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
const firstEntry = (zip: Buffer) => zip.indexOf(Buffer.from("PK\x01\x02", "latin1"));

function changed(at: (zip: Buffer) => number, value: number, bytes = 4): Buffer {
  const zip = archive();
  zip.writeUIntLE(value, at(zip), bytes);
  return zip;
}

/** One deflated entry with whatever sizes are claimed for it, any number of times. */
function oneEntryArchive(content: Buffer, claimed: number, times = 1): Buffer {
  const name = Buffer.from("samples/1_epoch_1.json");
  const packed = deflateRawSync(content);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt32LE(claimed, 24);
  entry.writeUInt16LE(name.length, 28);
  const directory = Buffer.concat(Array.from({ length: times }, () => [entry, name]).flat());
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(times, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  return Buffer.concat([local, name, packed, directory, end]);
}

describe("an archive", () => {
  test.each<[string, () => Buffer, number, RegExp]>([
    [
      "whose directory claims 4 GB",
      () => changed((zip) => endRecord(zip) + 12, 0xfffffff0),
      0,
      /archive is damaged: the directory/,
    ],
    [
      "whose directory lies elsewhere",
      () => changed((zip) => endRecord(zip) + 16, 0x7fffffff),
      0,
      /archive is damaged: the directory/,
    ],
    [
      "with more entries than there are",
      () => changed((zip) => endRecord(zip) + 10, 65_535, 2),
      0,
      /ends after 3 of 65535/,
    ],
    [
      "that is none of Inspect's",
      () => Buffer.from(zipSync({ "rollouts.jsonl": Buffer.from("{}\n") })),
      0,
      /no log of Inspect; unpack it/,
    ],
    ["whose entry claims 4 GB packed", () => changed((zip) => firstEntry(zip) + 20, 0xfffffff0), 0, /overlap/],
    [
      "whose entry claims 4 GB unpacked",
      () => changed((zip) => firstEntry(zip) + 24, 0xfffffff0),
      2,
      /the limit is 256 MiB/,
    ],
    [
      "whose entry claims less than it has",
      () => changed((zip) => firstEntry(zip) + 24, 10),
      2,
      /more than the 10 bytes/,
    ],
    [
      "whose entry claims more than it has",
      () => changed((zip) => firstEntry(zip) + 24, 9999),
      2,
      /the directory says 9999/,
    ],
    ["whose entry lies elsewhere", () => changed((zip) => firstEntry(zip) + 42, 0x7fffffff), 2, /claims to lie at/],
    ["of an unknown method", () => changed((zip) => firstEntry(zip) + 10, 99, 2), 2, /zip method 99/],
    ["that is cut off", () => archive().subarray(0, 100), 0, /not a zip archive, or it was cut off/],
    ["that is empty", () => Buffer.alloc(0), 0, /not a zip archive/],
    [
      "that unpacks to 300 MB",
      () => oneEntryArchive(Buffer.alloc(300e6, 32), 300e6),
      0,
      /an entry of 300 MB; the limit/,
    ],
    [
      "that unpacks to 300 MB and does not say so",
      () => oneEntryArchive(Buffer.alloc(300e6, 32), 1000),
      0,
      /more than the 1000/,
    ],
    [
      "whose entries share their bytes",
      () => oneEntryArchive(Buffer.from(sample(1)), sample(1).length, 1000),
      0,
      /overlap/,
    ],
  ])("%s", async (_, make, traces, message) => {
    const found = await read("hostile.eval", make());
    expect(found.traces).toBe(traces);
    expect(found.skipped.join("\n")).toMatch(message);
    expect(found.seconds).toBeLessThan(20);
  });

  test("cut or changed anywhere is read or named", async () => {
    const whole = archive();
    for (let at = 0; at < whole.length; at += 7) {
      await read("cut.eval", whole.subarray(0, at));
      const flipped = Buffer.from(whole);
      flipped[at] ^= 0xff;
      await read("flipped.eval", flipped);
    }
  });
});

// ---- Packed lines --------------------------------------------------------------------------------------------------

/** Zstandard frames by hand (RFC 8878): blocks as they are, or one byte many times. */
function zstdFrame(blocks: readonly (Buffer | { byte: number; times: number })[], window = 0x58): Buffer {
  const parts: Buffer[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, window])];
  for (const [i, block] of blocks.entries()) {
    const last = i === blocks.length - 1 ? 1 : 0;
    const header = Buffer.alloc(3);
    if (Buffer.isBuffer(block)) {
      header.writeUIntLE((block.length << 3) | last, 0, 3);
      parts.push(header, block);
    } else {
      header.writeUIntLE((block.times << 3) | 2 | last, 0, 3);
      parts.push(header, Buffer.from([block.byte]));
    }
  }
  return Buffer.concat(parts);
}

/** `zstd -19` 1.5 of eight equal rows. */
const compressedRows =
  "KLUv/QRoFQMAMkUSGIBtDkgp9wqNryBcGBcRkHEXRNIgodkQTodREGwQgOkLJrlYRrFzXfYi1y/0IEMbrwJ9s9tu5ep8vdtngZGv3q7v10B22jLtUgggwHMHoyB6iDKMCqKHKEOjwnwgYgaNNrhz";

describe("packed lines", () => {
  test("a line of 60 MB takes linear time", async () => {
    const long = row(0, { response: "a ".repeat(30e6) });
    const found = await read("long.jsonl.gz", gzipSync(long + rows(10)));
    expect(found).toMatchObject({ traces: 11, skipped: [] });
    expect(found.seconds).toBeLessThan(40);
  });

  test("a line without end is named and not held", async () => {
    const found = await read(
      "endless.jsonl.gz",
      gzipSync(Buffer.concat([Buffer.alloc(300e6, 32), Buffer.from("\n"), Buffer.from(rows(2))])),
    );
    expect(found).toMatchObject({ traces: 2, skipped: ["a line of 300 MB; the limit is 256 MiB"] });
  });

  test("what comes before the cut is read", async () => {
    const packed = gzipSync(Array.from({ length: 3000 }, (_, i) => row(i, { response: `Try ${i * 7919}.` })).join(""));
    const { traces, skipped } = await read("cut.jsonl.gz", packed.subarray(0, packed.length / 2));
    expect(traces).toBeGreaterThan(1000);
    expect(skipped).toEqual(["the rest cannot be unpacked: unexpected end of file"]);
  });

  test.each([
    ["text", Buffer.from("garbage that is no gzip")],
    ["what begins like another member", Buffer.concat([Buffer.from([0x1f, 0x8b, 0x07]), Buffer.alloc(40, 7)])],
    ["one byte", Buffer.from("x")],
  ])("%s behind the end of a gzip costs no line before it", async (_, behind) => {
    for (const count of [3, 3000]) {
      const lines = Array.from({ length: count }, (_, i) => row(i, { response: `Try ${i * 7919}.` })).join("");
      const found = await read(`behind-${count}.jsonl.gz`, Buffer.concat([gzipSync(lines), behind]));
      expect(found.traces).toBe(count);
    }
  });

  test.each<[string, Uint8Array, number, RegExp | undefined]>([
    ["none.jsonl.gz", Buffer.from("hello"), 0, /incorrect header check/],
    ["empty.jsonl.gz", Buffer.alloc(0), 0, /unexpected end of file/],
    ["none.jsonl.zst", Buffer.from("hello world, no zstd"), 0, /not a Zstandard file/],
    ["raw.jsonl.zst", zstdFrame([Buffer.from(rows(3)), Buffer.from(row(4))]), 4, undefined],
    [
      "two.jsonl.zst",
      Buffer.concat([zstdFrame([Buffer.from(rows(3))]), zstdFrame([Buffer.from(row(4))])]),
      4,
      undefined,
    ],
    ["cut.jsonl.zst", zstdFrame([Buffer.from(rows(3)), Buffer.from(row(4))]).subarray(0, -5), 3, /cut off/],
    [
      "behind.jsonl.zst",
      Buffer.concat([zstdFrame([Buffer.from(rows(3))]), Buffer.from("garbage")]),
      3,
      /something else follows/,
    ],
    [
      "skippable.jsonl.zst",
      Buffer.concat([Buffer.from("502a4d1804000000aabbccdd", "hex"), zstdFrame([Buffer.from(rows(3))])]),
      3,
      undefined,
    ],
    ["window.jsonl.zst", zstdFrame([Buffer.from(rows(3))], 0xf8), 0, /window of .* the limit is 128 MiB/],
    [
      "bomb.jsonl.zst",
      zstdFrame([...Array.from({ length: 2400 }, () => ({ byte: 32, times: 131_072 })), Buffer.from(`\n${rows(2)}`)]),
      2,
      /a line of 315 MB/,
    ],
    ["real.jsonl.zst", Buffer.from(compressedRows, "base64"), 8, undefined],
  ])("%s", async (name, content, traces, message) => {
    const found = await read(name, content);
    expect(found.traces).toBe(traces);
    if (message === undefined) expect(found.skipped).toEqual([]);
    else expect(found.skipped.join("\n")).toMatch(message);
  });
});

describe("other files", () => {
  test("numbers that cannot be counts are skipped with their reason", async () => {
    const absurd = [{ step: 1e308 }, { step: -1 }, { step: 0.5 }, { attempt: 1e300 }, { attempt: -7 }];
    const found = await read("absurd.jsonl", absurd.map((more, i) => row(i, more)).join("") + row(9, { step: 70 }));
    expect(found.traces).toBe(1);
    expect(found.skipped).toEqual([
      "the step is not a count: 1e+308",
      "the step is not a count: -1",
      "the step is not a count: 0.5",
      "the attempt is not a count: 1e+300",
      "the attempt is not a count: -7",
    ]);
  });

  test("records nested deeper than a program can follow are named, and the others read", async () => {
    const deep = (open: string, close: string) => `${open.repeat(20_000)}1${close.repeat(20_000)}`;
    const lines = [deep('{"a":', "}"), `{"prompt":"q","response":${deep("[", "]")}}`, deep("[", "]")];
    const text = `${lines.join("\n")}\n{"prompt":"q","response":"I add."}\n`;
    expect(await read("deep.jsonl", text)).toMatchObject({ traces: 1, skipped: { length: 3 } });
    expect(await read("deep.json", lines[0])).toMatchObject({ traces: 0, skipped: { length: 1 } });
  });

  test("replies of blanks and of markers without end take linear time", async () => {
    const long = 200_000;
    const replies = [
      `<answer>4${" ".repeat(long)}</answer>`,
      `${"\n".repeat(long)}<|im_end|>\n`,
      `<|channel|>${"a".repeat(long)}`,
      "<|channel|>final<|message|>".repeat(long / 20),
      "<|im_end|>".repeat(long / 10),
    ].map((response, i) => row(i, { response }));
    const found = await read("blanks.jsonl", replies.join(""));
    expect(found).toMatchObject({ traces: 5, skipped: [] });
    expect(found.seconds).toBeLessThan(10);
  });

  test("a gold answer that is too large to be worked out costs its own grade", async () => {
    const golds = ["9^9^9^9", "9^9^9^9^9^9", "(".repeat(3000)].map((gold) => row(0, { gold }));
    expect(await read("golds.jsonl", golds.join(""))).toMatchObject({ traces: 3, skipped: [] });
  });

  test("a JSON document may begin with a byte-order mark", async () => {
    const document = JSON.stringify([JSON.parse(row(0)), JSON.parse(row(1))]);
    expect(await read("bom.json", `\uFEFF${document}`)).toMatchObject({ traces: 2, skipped: [] });
  });

  test("a Parquet file with a lying footer is named", async () => {
    const found = await read("lie.parquet", Buffer.from("PAR1hello\xff\xff\xff\x7fPAR1", "latin1"));
    expect(found.skipped.join()).toMatch(/not a Parquet file that can be read/);
  });
});
