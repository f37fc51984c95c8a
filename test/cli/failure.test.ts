// How commands end that cannot do their work, tried as their users would: one line, no stack, an exit code.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ConfigurationError } from "../../src/base/errors.ts";
import { makeFolder, writeFileAtomically } from "../../src/base/files.ts";
import { commandNamed, programFor } from "../../src/cli/commands.ts";
import { failureOf } from "../../src/cli/failure.ts";
import { StoppedByHand } from "../../src/cli/interruption.ts";
import { everyCommand, repertoire } from "./in-process.ts";

const main = resolve(import.meta.dirname, "../../src/cli/main.ts");
const folder = mkdtempSync(join(tmpdir(), "repertoire-failure-"));
const file = join(folder, "file");
writeFileSync(file, "text\n");
const notCorpus = join(folder, "questions.jsonl");
writeFileSync(notCorpus, '{"prompt":"q","response":"r"}\n');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** In a process of its own, with modules that are run before it. */
function repertoireAfter(modules: readonly string[], args: readonly string[]) {
  const imports = ["tsx", ...modules].flatMap((module) => ["--import", module]);
  const { stdout, stderr, status } = spawnSync(process.execPath, [...imports, main, ...args], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", NODE_NO_WARNINGS: "1" },
  });
  return { stdout, stderr, status };
}

const systemError = (code: string, fields: object = {}) =>
  Object.assign(new Error(`${code}: it failed`), { code, ...fields });

describe("an error", () => {
  it("of the file system or the network is one line with its place and what to do", () => {
    const lineOf = (error: Error) => {
      const failure = failureOf(error);
      return failure.kind === "explained" ? failure.line : failure.kind;
    };
    expect(lineOf(systemError("EACCES", { syscall: "listen", address: "127.0.0.1", port: 80 }))).toBe(
      "EACCES: 127.0.0.1:80 is a port that only an administrator may open; give a --port of 1024 or more",
    );
    expect(lineOf(systemError("ENOSPC", { path: "runs/mini/log" }))).toBe(
      "ENOSPC: runs/mini/log is on a full disk; make room, then run the same command again",
    );
    expect(lineOf(systemError("ENOSPC", { path: "from", dest: "to", syscall: "copyfile" }))).toContain(
      ": to is on a full disk",
    );
    expect(lineOf(systemError("EADDRINUSE", { address: "127.0.0.1", port: 8123 }))).toContain(
      "127.0.0.1:8123 is in use",
    );
    const refused = systemError("ECONNREFUSED", { address: "::1", port: 9 });
    expect(lineOf(new TypeError("fetch failed", { cause: new AggregateError([refused]) }))).toContain(
      "::1:9 refused the connection",
    );
    expect(lineOf(systemError("EEXIST", { path: "a-file", syscall: "mkdir" }))).toContain("a file where a folder is");
    expect(lineOf(systemError("ENOENT", { path: "/proc/.x", syscall: "mkdtemp" }))).toContain("cannot be created");
    expect(lineOf(systemError("EROFS"))).toMatch(/it failed.*read-only/);
    expect(lineOf(new Error("outer", { cause: new ConfigurationError("--k 0") }))).toBe("ConfigurationError: --k 0");
  });

  it("of our own keeps its stack, and a stop by hand is none, also inside another error", () => {
    expect(failureOf(new TypeError("x is undefined")).kind).toBe("bug");
    expect(failureOf(systemError("ERR_INVALID_ARG_TYPE")).kind).toBe("bug");
    expect(failureOf("text").kind).toBe("bug");
    expect(failureOf(new Error("aborted", { cause: new StoppedByHand("stopped") })).kind).toBe("stopped");
  });
});

describe("a command that cannot do its work", () => {
  it.each([
    ["a folder that is a file", ["run", "mini", "--folder", file], /file where a folder is needed/],
    ["an answer that is not there", ["puzzles", "verify", "5x5:1/1/3/4/3/1.3/3/3/1/1", "--answer", "nosuch"], /nosuch/],
    ["a dashboard of a file", ["dashboard", file], /is a file; give a folder of runs/],
    [
      "no rollouts",
      ["evaluate", "--problems", "synthetic", "--rollouts", "0", "--out", join(folder, "e")],
      /at least 1/,
    ],
    ["an evaluation that is not there", ["evaluate", "show", "nosuch"], /nosuch does not exist/],
    ["an evaluation that is a file", ["evaluate", "show", file], /is a file; give the folder/],
    ["an export to a place that is taken", ["export", "trl", "--out", folder], /exists; choose another --out/],
    [
      "a classifier that would be trained for minutes first",
      ["traces", "train-classifier", "--data", file, "--out", join(file, "c")],
      /file where a folder is needed/,
    ],
    ["traces that are none, to be labeled", ["traces", "label", file], /no trace could be read: not JSON/],
    ["traces that are none, to be compared", ["traces", "compare", file], /no trace could be read: not JSON/],
    [
      "traces that are none, for judges",
      ["traces", "judge", file, "--judge", "m@http://127.0.0.1:9/v1", "--out", join(folder, "jury")],
      /no trace could be read: not JSON/,
    ],
    [
      "a corpus that is none, in one line",
      ["train", "sft", "--model", folder, "--corpus", notCorpus, "--out", join(folder, "sft")],
      /^DataError: .*line 1: not a teacher trace: problem: .*\n$/,
    ],
    ["a share of nothing", ["teach", "narrate", "--guessing", "nan", "--out", join(folder, "n.jsonl")], /from 0 to 1/],
    ["a file of puzzles that is a folder", ["puzzles", "generate", "pattern", "--out", folder], /give a file/],
    ["a port that no machine has", ["dashboard", folder, "--port", "99999"], /a port from 0 to 65535/],
    ["a plan for a model that cannot be one", ["run", "mini", "--base", "nowhere", "--dry-run"], /nowhere: expected/],
    [
      "an address of another machine",
      ["serve", "rewards", "--host", "192.0.2.1", "--token", "a".repeat(32)],
      /another --host/,
    ],
  ])("%s", async (_, args, says) => {
    const { stderr, status } = await repertoire(...args);
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(status).toBe(1);
  });

  it("shows where it came up with --verbose", () => {
    const { stderr, status } = repertoireAfter([], ["run", "mini", "--folder", file, "--verbose"]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/file where a folder is needed[\s\S]*\n\s+at /);
  });

  it("does not end as if it had, when what it waits for can no longer come", () => {
    const fileNeverOpens = `data:text/javascript,
      import files from "node:fs/promises";
      import { syncBuiltinESMExports } from "node:module";
      files.open = files.readFile = files.stat = () => new Promise(() => {});
      syncBuiltinESMExports();`;
    const given = ["traces", "analyze", notCorpus, "--out", join(folder, "lost")];
    const { stderr, status } = repertoireAfter([fileNeverOpens], given);
    expect(stderr).toContain("the command ended before its work was done");
    expect(status).toBe(1);
  });

  it("says that a port is in use", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((listening) => server.once("listening", listening));
    const { port } = server.address() as { port: number };
    for (const command of [
      ["serve", "rewards", "--workers", "1"],
      ["dashboard", folder],
    ]) {
      const { stderr, status } = await repertoire(...command, "--port", String(port));
      expect(stderr).toMatch(`127.0.0.1:${port} is in use by another program; give another --port`);
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(status).toBe(1);
    }
    server.close();
  });
});

describe("a file that is written whole or not at all", () => {
  it("is called by its own name when it cannot be written, and leaves nothing beside it", async () => {
    const taken = mkdtempSync(join(folder, "taken-"));
    writeFileSync(join(taken, "inner"), "");
    const failed = await writeFileAtomically(taken, "text").catch((error: NodeJS.ErrnoException) => error);
    expect(failed).toMatchObject({ path: taken });
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it.skipIf(process.platform === "win32")(
    "does not take the place of a pipe or a device, but writes to it",
    async () => {
      const pipe = join(folder, "pipe");
      expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
      const reader = spawn("cat", [pipe], { stdio: ["ignore", "pipe", "ignore"] });
      const read = new Promise<string>((resolve) => reader.stdout.once("data", (bytes) => resolve(String(bytes))));
      await writeFileAtomically(pipe, "text");
      expect(await read).toBe("text");
      expect(lstatSync(pipe).isFIFO()).toBe(true);
    },
  );
});

describe("what is not there", () => {
  it("a checkpoint to begin RL from is named as missing", async () => {
    const model = resolve(import.meta.dirname, "../../models/mini-base");
    const out = join(folder, "rl");
    const { stderr, status } = await repertoire("train", "rl", "--model", model, "--from", "nosuch", "--out", out);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/there is no checkpoint .*nosuch: expected a folder/)]);
  });

  it("traces that cannot be read do not claim the folder of their analysis", async () => {
    const out = join(folder, "analysis");
    const { stderr, status } = await repertoire("traces", "analyze", join(folder, "nosuch"), "--out", out);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/nosuch does not exist; name a run/)]);
    expect(existsSync(out)).toBe(false);
  });
});

it("a single pair is graded as JSON, too", async () => {
  const { stdout, status } = await repertoire("grade", "math", "7", "The answer might be 7", "--json");
  expect([status, JSON.parse(stdout)]).toEqual([1, expect.objectContaining({ verdict: "undecided", gold: "7" })]);
});

describe("help", () => {
  it("of a noun lists its commands, and of a command its options", async () => {
    expect((await repertoire("help", "run")).stdout).toMatch(/mini .*\n[\s\S]*paper /);
    expect((await repertoire("help", "run", "mini")).stdout).toContain("--teacher");
    expect((await repertoire("help", "nosuch")).stderr).toMatch(
      /unknown command "nosuch"; expected one of: look, tour/,
    );
    const misspelled = await repertoire("help", "traces", "anlyze");
    expect([misspelled.status, misspelled.stderr]).toEqual([1, expect.stringContaining("unknown command 'anlyze'")]);
  });

  it("of every command has an example, and a misspelled flag is told which was meant", async () => {
    const { program } = await programFor([]);
    for (const noun of program.commands) {
      for (const command of everyCommand(await commandNamed(noun.name()))) {
        const words = [noun.name(), ...(command.name() === noun.name() ? [] : [command.name()])];
        const { stdout, status } = await repertoire(...words, "--help");
        expect([words, status, stdout]).toEqual([words, 0, expect.stringMatching(/^Examples?:\n {2}.*repertoire /m)]);
      }
    }
    const wrong = await repertoire("export", "verl", "--out", folder, "--train-row", "12");
    expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining("(Did you mean --train-rows?)")]);
  });
});

describe("making a folder", () => {
  it("is done in one place, never by Node's own recursion", () => {
    const source = resolve(import.meta.dirname, "../../src");
    const users = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
      (path) =>
        path.endsWith(".ts") && /mkdir(Sync)?\([^;]*recursive: true/.test(readFileSync(join(source, path), "utf8")),
    );
    expect(users).toEqual([]);
  });

  it("makes those above it, and is content with one that is there", async () => {
    const deep = join(folder, "a", "b", "c");
    await Promise.all([makeFolder(deep), makeFolder(deep), makeFolder(join(folder, "a", "b", "d"))]);
    await makeFolder(deep);
    expect(existsSync(deep)).toBe(true);
    await expect(makeFolder(file)).rejects.toMatchObject({ code: "EEXIST" });
  });

  it.skipIf(process.platform !== "linux")(
    "is tried before an export makes its puzzles, and named as it was given",
    async () => {
      const { stderr, status } = await repertoire("export", "trl", "--out", "/proc/trl-run");
      expect(stderr).toBe("ENOENT: /proc/trl-run cannot be created there; choose another place\n");
      expect(status).toBe(1);
    },
  );
});

describe("signals", () => {
  const script = `
    import { stopOnInterrupt } from ${JSON.stringify(resolve(import.meta.dirname, "../../dist/cli/interruption.js"))};
    const kept = setInterval(() => {}, 1000);
    const { signal } = stopOnInterrupt(() => console.log("stopping"));
    signal.addEventListener("abort", () => { if (process.argv[1] !== "stuck") setTimeout(() => clearInterval(kept), 300); });
    console.log("ready");`;

  const child = (mode: string) => {
    const started = spawn(process.execPath, ["--input-type=module", "-e", script, mode]);
    const told: string[] = [];
    const waiting: [string, () => void][] = [];
    started.stdout.on("data", (data) => {
      told.push(String(data));
      for (const [word, resume] of waiting) if (told.join("").includes(word)) resume();
    });
    const says = (word: string) => new Promise<void>((resume) => void waiting.push([word, resume]));
    const ended = new Promise<{ code: number | null; by: string | null }>((resolve) =>
      started.on("exit", (code, by) => resolve({ code, by })),
    );
    return { started, says, ended, told };
  };

  it("two at once are one request to stop cleanly", async () => {
    const { started, says, ended, told } = child("clean");
    await says("ready");
    started.kill("SIGINT");
    started.kill("SIGINT");
    started.kill("SIGTERM");
    expect(await ended).toEqual({ code: 0, by: null });
    expect(told.join("").match(/stopping/g)).toHaveLength(1);
  });

  it("a later one ends at once, as the signal would", async () => {
    const { started, says, ended } = child("stuck");
    await says("ready");
    started.kill("SIGINT");
    await says("stopping");
    await new Promise((later) => setTimeout(later, 700));
    started.kill("SIGTERM");
    expect(await ended).toEqual({ code: null, by: "SIGTERM" });
  });
});
