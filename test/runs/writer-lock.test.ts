import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isLocked, ownIdentity, takeLock } from "../../src/runs/writer-lock.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "repertoire-"));
  file = join(folder, "writer.lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

const lockOf = (changes: object) => JSON.stringify({ ...ownIdentity(), token: "0a1b", ...changes });

describe("a writer's lock", () => {
  it("is held by one, says by whom and where, and is gone when released", async () => {
    const held = await takeLock(file, "runs/a");
    expect(await isLocked(file)).toBe(true);
    await expect(takeLock(file, "runs/a")).rejects.toThrow(
      `runs/a is being written by process ${process.pid}; wait for it or end it (its lock is ${file})`,
    );
    await held.release();
    expect(await isLocked(file)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ["whose process is gone", { pid: 999_999_999 }],
    ["of an earlier process with this very pid, as pid 1 after a restart", { started: "1" }],
    ["of another boot", { boot: "another" }],
    ["of the first process of the machine, with another start time", { pid: 1, started: "1" }],
  ])("%s is taken over", async (_, changes) => {
    writeFileSync(file, lockOf(changes));
    expect(await isLocked(file)).toBe(false);
    const held = await takeLock(file, "it");
    expect(JSON.parse(readFileSync(file, "utf8")).pid).toBe(process.pid);
    await held.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(["", "4711", "{", JSON.stringify({ pid: 1 })])("that cannot be read (%j) is taken over", async (text) => {
    writeFileSync(file, text);
    await (await takeLock(file, "it")).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ["machine", { host: "another-machine" }],
    ["container", { namespace: "pid:[1]" }],
  ])("of another %s is respected while it shows signs of life, and the message names the file", async (_, changes) => {
    writeFileSync(file, lockOf(changes));
    expect(await isLocked(file)).toBe(true);
    await expect(takeLock(file, "it")).rejects.toThrow(`delete ${file}`);
    const minutesAgo = Date.now() / 1000 - 130;
    utimesSync(file, minutesAgo, minutesAgo);
    await (await takeLock(file, "it")).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is taken over even where a taker died while taking over", async () => {
    writeFileSync(file, lockOf({ started: "1" }));
    writeFileSync(`${file}.0a1b`, lockOf({ started: "2", token: "2c" }));
    await (await takeLock(file, "it")).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("that another has taken over meanwhile is not removed by its first holder", async () => {
    const held = await takeLock(file, "it");
    writeFileSync(file, lockOf({ token: "ff" }));
    await held.release();
    expect(existsSync(file)).toBe(true);
  });
});

const contenders = 50;

describe(`${contenders} processes at once`, () => {
  let processes: Contender[];
  beforeAll(async () => {
    processes = Array.from({ length: contenders }, () => new Contender());
    await Promise.all(processes.map((contender) => contender.said()));
  });
  afterAll(() => {
    for (const contender of processes) contender.end();
  });

  async function takers(): Promise<number> {
    const at = Date.now() + 100;
    const answers = await Promise.all(processes.map((contender) => contender.ask(`take ${at} ${file}`)));
    for (const answer of answers) if (answer !== "took") expect(answer).toMatch(/^refused RunFolderError: it is being/);
    await Promise.all(processes.map((contender) => contender.ask("release")));
    return answers.filter((answer) => answer === "took").length;
  }

  const rounds = Array.from({ length: 10 }, (_, i) => i);

  it("one of them takes a fresh lock", async () => {
    for (const _ of rounds) expect(await takers()).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("one of them takes over the lock of a killed process", async () => {
    const victim = new Contender();
    await victim.said();
    expect(await victim.ask(`take 0 ${file}`)).toBe("took");
    await victim.kill();
    const left = readFileSync(file);
    for (const _ of rounds) {
      writeFileSync(file, left);
      expect(await takers()).toBe(1);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it("one of them takes over an empty lock", async () => {
    for (const _ of rounds) {
      writeFileSync(file, "");
      expect(await takers()).toBe(1);
    }
  });
});

/** A process that says one line for each line that it is told. */
class Contender {
  readonly #child: ChildProcess = spawn(
    process.execPath,
    [fileURLToPath(new URL("lock-contender.mjs", import.meta.url))],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  readonly #lines = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();

  async said(): Promise<string> {
    return (await this.#lines.next()).value;
  }

  ask(line: string): Promise<string> {
    this.#child.stdin!.write(`${line}\n`);
    return this.said();
  }

  end(): void {
    this.#child.stdin!.end();
  }

  kill(): Promise<unknown> {
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    return gone;
  }
}
