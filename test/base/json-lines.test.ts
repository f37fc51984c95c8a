import { Readable } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ReadLine, readJsonLines, readJsonLinesFile } from "../../src/base/json-lines.ts";

async function readAll(chunks: Uint8Array[]): Promise<ReadLine[]> {
  const read: ReadLine[] = [];
  for await (const line of readJsonLines(Readable.from(chunks))) read.push(line);
  return read;
}

describe("JSON lines", () => {
  it("reads the same records wherever the bytes are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { maxLength: 8 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
        async (values, sizes) => {
          const bytes = new TextEncoder().encode(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
          const chunks: Uint8Array[] = [];
          for (let start = 0; start < bytes.length; ) {
            const size = sizes.next().value!;
            chunks.push(bytes.slice(start, start + size));
            start += size;
          }
          const read = await readAll(chunks);
          expect(read.map((line) => ("value" in line ? line.value : line))).toEqual(JSON.parse(JSON.stringify(values)));
        },
      ),
    );
  });

  it("a bad line is a record with its number, and the rest goes on", async () => {
    const read = await readAll([new TextEncoder().encode('{"a":1}\r\n\n{oops\n[2]')]);
    expect(read).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 3, error: expect.stringContaining("not JSON") },
      { line: 4, value: [2] },
    ]);
  });
});

describe("a file", () => {
  it.each([
    ["that is not there", "/nowhere/at/all.jsonl"],
    ["that is a folder", import.meta.dirname],
  ])("%s is named, without a stack", async (_, path) => {
    await expect(readJsonLinesFile(path).next()).rejects.toMatchObject({
      name: "DataError",
      message: expect.stringMatching(`^${path} cannot be read: E`),
    });
  });
});
