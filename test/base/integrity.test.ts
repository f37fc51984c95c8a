import { createHash } from "node:crypto";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkFiles, type Damage, expectChanges, isRecorded, recordFiles } from "../../src/base/integrity.ts";
import { withoutSecrets } from "../../src/base/secrets.ts";

let folder: string;
const path = (name: string) => join(folder, name);
const lines = (count: number) => Array.from({ length: count }, (_, i) => `{"line":${i}}\n`).join("");
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "integrity-"));
  writeFileSync(path("log.jsonl"), lines(35));
  writeFileSync(path("summary.json"), "{}\n");
  await recordFiles(folder, ["log.jsonl", "summary.json", "absent.json"]);
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("finished files", () => {
  it("are recorded with their bytes, lines and digest", async () => {
    const { files } = JSON.parse(readFileSync(path("files.json"), "utf8"));
    const content = Buffer.from(lines(35));
    const sha256 = createHash("sha256").update(content).digest("hex");
    expect(files["log.jsonl"]).toEqual({ bytes: content.length, lines: 35, sha256 });
    expect(Object.keys(files)).toEqual(["log.jsonl", "summary.json"]);
    expect(await checkFiles(folder)).toEqual([]);
    expect(await isRecorded(folder, ["summary.json"])).toBe(true);
    expect(await isRecorded(folder, ["absent.json"])).toBe(false);
  });

  it.each<[string, () => void, RegExp]>([
    ["lost lines", () => writeFileSync(path("log.jsonl"), lines(20)), /log\.jsonl is damaged: it has 20 of 35 lines/],
    ["a cut line", () => truncateSync(path("summary.json"), 2), /summary\.json is damaged: it has 0 of 1 line/],
    [
      "one changed letter",
      () => writeFileSync(path("log.jsonl"), lines(35).replace("9", "8")),
      /not what it was when it was finished/,
    ],
    ["more lines", () => appendFileSync(path("log.jsonl"), "{}\n"), /36 of 35 lines/],
    ["a missing file", () => rmSync(path("log.jsonl")), /log\.jsonl is damaged: it is missing, and had 35 lines/],
    ["a broken record", () => writeFileSync(path("files.json"), "{"), /files\.json cannot be read/],
  ])("%s are an error that names the file", async (_, damage, message) => {
    damage();
    await expect(checkFiles(folder)).rejects.toThrow(message);
  });

  it("that are damaged can be accepted, and are told", async () => {
    truncateSync(path("log.jsonl"), 0);
    rmSync(path("summary.json"));
    const told: Damage[] = [];
    const damage = await checkFiles(folder, { accept: (each) => void told.push(each) });
    expect(told).toEqual(damage);
    expect(damage.map(({ file }) => file)).toEqual([path("log.jsonl"), path("summary.json")]);
    expect(await checkFiles(folder, { accept: () => {}, only: ["summary.json"] })).toHaveLength(1);
  });

  it("may grow or be replaced once that is said, and keep their beginning", async () => {
    await expectChanges(folder, { growing: ["log.jsonl"], replaced: ["summary.json"] });
    appendFileSync(path("log.jsonl"), "{}\n");
    writeFileSync(path("summary.json"), "[]\n");
    expect(await checkFiles(folder)).toEqual([]);
    writeFileSync(path("log.jsonl"), lines(36).replace("3", "4"));
    await expect(checkFiles(folder)).rejects.toThrow(/log\.jsonl/);
  });

  it("of which nothing is recorded promise nothing", async () => {
    rmSync(path("files.json"));
    rmSync(path("log.jsonl"));
    expect(await checkFiles(folder)).toEqual([]);
  });
});

describe("addresses that are written down", () => {
  it.each([
    ["--url http://user:pw@host:80/v1?api_key=K --k 1", "--url http://[secret]@host:80/v1?[secret] --k 1"],
    ["https://K@h/v1#frag", "https://[secret]@h/v1"],
    ["--url=http://a:b%40c@d@h/v1", "--url=http://[secret]@h/v1"],
    ["m@https://u:p@h/v1?x=1&y=2", "m@https://[secret]@h/v1?[secret]"],
    ["http://localhost:8000/v1 a@b.c ?x=1", "http://localhost:8000/v1 a@b.c ?x=1"],
  ])("%s", (given, kept) => expect(withoutSecrets(given)).toBe(kept));
});
