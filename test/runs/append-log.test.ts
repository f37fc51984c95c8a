import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppendLog } from "../../src/runs/append-log.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "repertoire-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("append-only log", () => {
  it("keeps records in order, also when many are appended at once", async () => {
    const log = await AppendLog.open(join(folder, "a/log.jsonl"));
    await Promise.all(Array.from({ length: 50 }, (_, i) => log.append({ i })));
    await log.close();
    const lines = readFileSync(log.path, "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).i)).toEqual(Array.from({ length: 50 }, (_, i) => i));
  });

  it("cuts off a line that a crash tore, and goes on after the last whole one", async () => {
    const path = join(folder, "log.jsonl");
    const first = await AppendLog.open(path);
    await first.append({ a: 1 }, { a: 2 });
    await first.close();
    appendFileSync(path, `{"a":3,"text":"${"x".repeat(200_000)}`);
    const second = await AppendLog.open(path);
    await second.append({ a: 4 });
    await second.close();
    expect(readFileSync(path, "utf8")).toBe('{"a":1}\n{"a":2}\n{"a":4}\n');
  });

  it("goes back to a place it has been", async () => {
    const log = await AppendLog.open(join(folder, "log.jsonl"));
    await log.append({ step: 1 });
    const place = log.bytes;
    await log.append({ step: 2 });
    await log.cutTo(place);
    await log.append({ step: "two" });
    await log.close();
    expect(readFileSync(log.path, "utf8")).toBe('{"step":1}\n{"step":"two"}\n');
  });
});
