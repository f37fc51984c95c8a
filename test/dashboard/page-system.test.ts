// Node's modules as a page has them do what Node's own do, for everything that the code bundled into a page asks of them.
import { createHash as nodeHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import nodeZlib from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Buffer as TabBuffer } from "../../src/dashboard/page/system/buffer.ts";
import { createHash } from "../../src/dashboard/page/system/crypto.ts";
import { files } from "../../src/dashboard/page/system/files.ts";
import { createReadStream, existsSync } from "../../src/dashboard/page/system/fs.ts";
import * as fs from "../../src/dashboard/page/system/fs-promises.ts";
import { isDeepStrictEqual } from "../../src/dashboard/page/system/rest.ts";
import { createGunzip, gunzip, gzip, inflateRaw } from "../../src/dashboard/page/system/zlib.ts";

const bytes = fc.uint8Array({ maxLength: 300 });

describe("bytes", () => {
  it("hold texts as Node's do", () => {
    const encodings = fc.constantFrom("utf8" as const, "latin1" as const, "hex" as const, "base64" as const);
    fc.assert(
      fc.property(bytes, encodings, fc.nat(20), (given, encoding, start) => {
        const [ours, theirs] = [TabBuffer.from(given), Buffer.from(given)];
        const end = Math.max(start, given.length - 3);
        expect(ours.toString(encoding, start, end)).toBe(theirs.toString(encoding, start, end));
        expect([...TabBuffer.from(theirs.toString(encoding), encoding)]).toEqual([
          ...Buffer.from(theirs.toString(encoding), encoding),
        ]);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect([...TabBuffer.from(text)]).toEqual([...Buffer.from(text)]);
        expect(TabBuffer.byteLength(text)).toBe(Buffer.byteLength(text));
      }),
    );
  });

  it("are found, copied, compared and read as numbers as Node's are", () => {
    const few = fc.array(fc.constantFrom(97, 98, 10), { maxLength: 30 });
    const wanted = fc.oneof(
      fc.constantFrom(97, 10),
      fc.constantFrom("ab", "ba\n", "b"),
      fc.array(fc.constantFrom(97, 98), { minLength: 1, maxLength: 3 }).map((list) => Uint8Array.from(list)),
    );
    fc.assert(
      fc.property(few, wanted, fc.nat(5), (given, what, from) => {
        const [ours, theirs] = [TabBuffer.from(given), Buffer.from(given)];
        expect(ours.indexOf(what, from)).toBe(theirs.indexOf(what, from));
        const last = typeof what === "object" ? Buffer.from(what) : what;
        expect(ours.lastIndexOf(what)).toBe(theirs.lastIndexOf(last));
        expect(ours.includes(what)).toBe(theirs.includes(last));
        const start = Math.min(2, given.length);
        const [here, there] = [TabBuffer.alloc(12), Buffer.alloc(12)];
        expect(ours.copy(here, from, start, 9)).toBe(theirs.copy(there, from, start, 9));
        expect([...here]).toEqual([...there]);
        expect(TabBuffer.concat([ours, here]).equals(Buffer.concat([theirs, there]))).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 12, maxLength: 12 }), fc.nat(3), (given, at) => {
        const [ours, theirs] = [TabBuffer.from(given).subarray(1) as TabBuffer, Buffer.from(given).subarray(1)];
        expect(ours.readUInt16LE(at)).toBe(theirs.readUInt16LE(at));
        expect(ours.readUInt32LE(at)).toBe(theirs.readUInt32LE(at));
        expect(ours.readInt32LE(at)).toBe(theirs.readInt32LE(at));
        expect(ours.readBigUInt64LE(at)).toBe(theirs.readBigUInt64LE(at));
        expect(ours.readUIntLE(at, 3)).toBe(theirs.readUIntLE(at, 3));
        expect(ours.readUInt8(at)).toBe(theirs.readUInt8(at));
        expect(ours.readUInt16BE(at)).toBe(theirs.readUInt16BE(at));
        expect(ours.readUInt32BE(at)).toBe(theirs.readUInt32BE(at));
        expect(ours.readBigInt64BE(at)).toBe(theirs.readBigInt64BE(at));
        expect(ours.readDoubleBE(at)).toBe(theirs.readDoubleBE(at));
        for (const length of [1, 2, 3, 4, 6]) expect(ours.readIntBE(at, length)).toBe(theirs.readIntBE(at, length));
        expect(() => ours.readUInt32LE(9)).toThrow(RangeError);
      }),
    );
  });

  it("are read in every way in which the code of a page reads them", () => {
    const source = join(import.meta.dirname, "../../src");
    const folders = ["base", "runs", "evaluation", "imports", "traces", "dashboard"];
    const asked = folders.flatMap((folder) =>
      readdirSync(join(source, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .flatMap(
          (name) =>
            readFileSync(join(source, folder, name), "utf8").match(
              /(?<=\.)(?:read|write)(?:U?Int|Big|Double|Float)\w+(?=\()/g,
            ) ?? [],
        ),
    );
    expect(asked).toContain("readUInt32LE");
    expect([...new Set(asked)].filter((name) => !(name in TabBuffer.prototype))).toEqual([]);
  });

  it("are digested as Node digests them, in any pieces", () => {
    fc.assert(
      fc.property(fc.array(bytes, { maxLength: 4 }), (pieces) => {
        const [ours, theirs] = [createHash("sha256"), nodeHash("sha256")];
        for (const piece of pieces) {
          ours.update(piece);
          theirs.update(piece);
        }
        expect(ours.copy().digest("hex")).toBe(theirs.copy().digest("hex"));
        expect(ours.update("é").digest("base64")).toBe(theirs.update("é").digest("base64"));
      }),
    );
  });
});

describe("packed bytes", () => {
  const packing = promisify(
    gzip as (bytes: Uint8Array, options: object, done: (e: Error | null, b?: Uint8Array) => void) => void,
  );

  it("go in and out as Node packs and unpacks them", async () => {
    await fc.assert(
      fc.asyncProperty(bytes, async (given) => {
        const packed = await packing(given, { level: 3 });
        expect([...nodeZlib.gunzipSync(packed!)]).toEqual([...given]);
        expect([...(await promisify(gunzip)(nodeZlib.gzipSync(given)))!]).toEqual([...given]);
      }),
      { numRuns: 40 },
    );
    const large = new Uint8Array(1 << 18).fill(7);
    const unpacked = promisify(inflateRaw as never) as (bytes: Uint8Array, options: object) => Promise<Uint8Array>;
    expect((await unpacked(nodeZlib.deflateRawSync(large), { maxOutputLength: large.length })).length).toBe(
      large.length,
    );
    await expect(unpacked(nodeZlib.deflateRawSync(large), { maxOutputLength: 1000 })).rejects.toMatchObject({
      code: "ERR_BUFFER_TOO_LARGE",
    });
    await expect(promisify(gunzip)(Uint8Array.of(1, 2, 3))).rejects.toThrow();
  });

  it("of several members come out in one stream, and damage is told", () => {
    const whole = Buffer.concat([nodeZlib.gzipSync("one "), nodeZlib.gzipSync("two")]);
    const read = (packed: Uint8Array) => {
      const told: string[] = [];
      const stream = createGunzip();
      stream.on("data", (piece?: TabBuffer) => told.push(String(piece)));
      stream.on("error", (error?: NodeJS.ErrnoException) => told.push(String(error?.code)));
      stream.write(packed, () => {});
      stream.end();
      return told.join("");
    };
    expect(read(whole)).toBe("one two");
    expect(read(whole.subarray(0, whole.length - 12))).toMatch(/Z_DATA_ERROR$/);
  });
});

describe("files", () => {
  it("are written, found, renamed, listed and removed as on a disk", async () => {
    await fs.mkdir("/home");
    await expect(fs.mkdir("/home")).rejects.toMatchObject({ code: "EEXIST" });
    await expect(fs.mkdir("/a/b")).rejects.toMatchObject({ code: "ENOENT" });
    await fs.writeFile("/home/a.txt", "one\n");
    await fs.appendFile("/home/a.txt", "two\n");
    await fs.rename("/home/a.txt", "/home/b.txt");
    expect(existsSync("/home/a.txt")).toBe(false);
    expect(await fs.readFile("/home/b.txt", "utf8")).toBe("one\ntwo\n");
    await fs.link("/home/b.txt", "/home/c.txt");
    await expect(fs.link("/home/b.txt", "/home/c.txt")).rejects.toMatchObject({ code: "EEXIST" });
    const handle = await fs.open("/home/b.txt", "r");
    const piece = TabBuffer.alloc(5);
    expect((await handle.read(piece, 1, 3, 2)).bytesRead).toBe(3);
    expect(piece.toString()).toBe("\0e\nt\0");
    const written = await fs.open("/home/c.txt", "a+");
    await written.write("T", 4);
    await written.truncate(7);
    expect(await fs.readFile("/home/b.txt", "utf8")).toBe("one\nTwo");
    expect(await fs.readdir("/home")).toEqual(["b.txt", "c.txt"]);
    await expect(fs.rmdir("/home")).rejects.toMatchObject({ code: "ENOTEMPTY" });
    await expect(fs.open("/home/d.txt")).rejects.toMatchObject({ code: "ENOENT", syscall: "open" });
    await fs.rm("/home", { recursive: true });
    expect(files.find("/home")).toBeUndefined();
  });

  it("are read in pieces between two places, and copied into another worker", async () => {
    files.put("/given/x/long.txt", new Blob(["0123456789"]), 17);
    const pieces: string[] = [];
    for await (const piece of createReadStream("/given/x/long.txt", { start: 2, end: 8, highWaterMark: 3 }))
      pieces.push(piece.toString());
    expect(pieces).toEqual(["234", "567", "8"]);
    const found = files.snapshot().filter(([path]) => path.startsWith("/given"));
    expect(found.map(([path, content]) => [path, content?.size])).toEqual([
      ["/given", undefined],
      ["/given/x", undefined],
      ["/given/x/long.txt", 10],
    ]);
    await fs.rm("/given", { recursive: true });
    files.restore(found);
    expect((await fs.stat("/given/x/long.txt")).mtimeMs).toBe(17);
  });
});

it("values are equal where Node says so", async () => {
  const { isDeepStrictEqual: theirs } = await import("node:util");
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      expect(isDeepStrictEqual(one, other)).toBe(theirs(one, other));
      expect(isDeepStrictEqual(one, structuredClone(one))).toBe(theirs(one, structuredClone(one)));
    }),
  );
});
