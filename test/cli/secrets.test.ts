// No secret of an address reaches a file or a line: every command that takes an address is run with one that has a user, a
// password and a query, and everything that it wrote and printed is searched.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { secretsIn, withoutSecrets } from "../../src/base/secrets.ts";
import { commandNamed } from "../../src/cli/commands.ts";
import { type Asked, type FakeServer, startFakeServer } from "../endpoints/fake-server.ts";
import { repertoire } from "./in-process.ts";

const secret = /user-of-mine|pass-of-mine|key-of-mine/;
/** Percent-encoded, and as a server may repeat it. */
const basic = Buffer.from("user-of-mine:pass-of-mine").toString("base64");

const nouns = ["engine", "evaluate", "export", "report", "run", "teach", "traces", "train"];

let folder: string;
let server: FakeServer;
/** Refuses with all that it was sent, as some proxies do; a judge otherwise. */
const behave = ({ path, authorization, body }: Asked) =>
  body.messages?.[0].content.includes("What is")
    ? { status: 400, body: `no ${path} for ${authorization}` }
    : { say: '{"1":"compute"}' };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secrets-"));
  server = await startFakeServer(behave);
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join("\n");
  await writeFile(join(folder, "questions.jsonl"), lines([{ problem: "What is 1+1?", answer: "2" }]));
  await writeFile(
    join(folder, "traces.jsonl"),
    lines([{ problem: "p", attempt: 0, response: "So 1+1 is 2.", correct: true }]),
  );
  await writeFile(join(folder, "spans.jsonl"), lines([{ id: "a", text: "So 1+1 is 2.", previous: "" }]));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const address = (path: string) =>
  `${server.url.replace("://", "://user-of-mine:pass-of-mine@").replace("/v1", path)}?key=key-of-mine`;
const [v1, engine] = [() => address("/v1"), () => address("")];
const here = (name: string) => join(folder, name);
const [questions, traces] = [() => here("questions.jsonl"), () => here("traces.jsonl")];

/** By command and flag, what is run: `ADDRESS` stands for the flag's value. */
const cases: Readonly<Record<string, () => string>> = {
  "teach ask --url": () => `--model m --url ${v1()} --out ${here("ask")} --count 1 --puzzle bridges=5x5d0`,
  ...Object.fromEntries(
    ["--engine", "--reference-engine"].flatMap((flag) => [
      [`train sft ${flag}`, () => `${flag} ${engine()} --model ${folder} --corpus ${traces()} --out ${here("sft")}`],
      [`train rl ${flag}`, () => `${flag} ${engine()} --model ${folder} --out ${here("rl")}`],
    ]),
  ),
  "train sft --grader": () =>
    `--grader ${v1()} --problems ${questions()} --model ${folder} --corpus ${traces()} --out ${here("sft")}`,
  "train rl --grader": () => `--grader ${v1()} --problems ${questions()} --model ${folder} --out ${here("rl")}`,
  "train rl --classifier": () => `--classifier m@${v1()} --model ${folder} --out ${here("rl")}`,
  ...Object.fromEntries(
    ["mini", "paper", "pilots"].flatMap((recipe) => {
      const nowhere = "--engine http://127.0.0.1:1";
      const place = () => `--model ${folder} --folder ${here(recipe)}`;
      return [
        [`run ${recipe} --engine`, () => `--engine ${engine()} ${place()}`],
        [`run ${recipe} --reference-engine`, () => `--reference-engine ${engine()} ${place()}`],
        [`run ${recipe} --teacher`, () => `${nowhere} --teacher ${v1()} --teacher-model m ${place()}`],
        [`run ${recipe} --classifier`, () => `${nowhere} --teacher narrated --classifier m@${v1()} ${place()}`],
        [`run ${recipe} --grader`, () => `${nowhere} --teacher narrated --grader ${v1()} ${place()}`],
      ].map(([name, args]) => [name, args] as const);
    }),
  ),
  "evaluate --url": () =>
    `--problems ${questions()} --url ${v1()} --model m --rollouts 2 --no-probe --out ${here("evaluate")}`,
  "evaluate --engine": () => `--problems ${questions()} --engine ${engine()} --model ${folder} --out ${here("engine")}`,
  "evaluate --grader": () =>
    `--problems ${questions()} --grader ${v1()} --url ${v1()} --model m --out ${here("grader")}`,
  "traces label --classifier": () => `${traces()} --classifier m@${v1()}`,
  "traces judge --classifier": () =>
    `${traces()} --judge a@${v1()} --classifier m@${v1()} --out ${here("judge-classifier")}`,
  "traces judge --judge": () =>
    `--spans ${here("spans.jsonl")} --judge a@${v1()} --judge b@${v1()} --out ${here("judge")}`,
  "traces analyze --classifier": () => `${traces()} --classifier m@${v1()} --out ${here("analysis")}`,
  "traces analyze --notify": () => `${traces()} --notify ${v1()} --out ${here("notified")}`,
  "traces compare --classifier": () => `${traces()} ${traces()} --classifier m@${v1()}`,
  "traces signal --engine": () => `${traces()} --engine ${engine()} --model ${folder}`,
  "traces fork --url": () => `${here("evaluate")} --url ${v1()} --model m --mode chat --label compute`,
  "traces fork --engine": () => `${here("evaluate")} --engine ${engine()} --continue-with m --model ${folder}`,
  "traces fork --classifier": () => `${here("evaluate")} --classifier m@${v1()} --url ${v1()} --model m`,
  "engine probe <url>": engine,
  "report --classifier": () => `${here("analysis")} --classifier m@${v1()} --out ${here("report")}`,
  "export --grader": () => `trl --problems ${questions()} --grader ${v1()} --out ${here("export-graded")}`,
  "export --reward-url": () => `trl --out ${here("export")} --train-rows 8 --test-rows 2 --reward-url ${engine()}`,
};

/** All commands below one, with the words that name them. */
const within = (command: Command, words: readonly string[]): { words: readonly string[]; command: Command }[] => [
  { words, command },
  ...command.commands.flatMap((one) => within(one, [...words, one.name()])),
];

it("every flag and argument that takes an address is tried", async () => {
  const commands = await Promise.all(nouns.map(commandNamed));
  const taken = commands.flatMap((noun) =>
    within(noun, [noun.name()]).flatMap(({ words, command }) => [
      ...command.options
        .filter(({ flags }) => /<[^>]*(url|address|judge)/.test(flags) && !flags.startsWith("--host"))
        .map(({ long }) => `${words.join(" ")} ${long}`),
      ...command.registeredArguments.filter((one) => one.name() === "url").map(() => `${words.join(" ")} <url>`),
    ]),
  );
  expect(Object.keys(cases).sort()).toEqual([...new Set(taken)].sort());
});

describe("nothing secret is written or printed by", () => {
  it.each(Object.entries(cases))("%s", async (name, args) => {
    const words = name.split(" ").filter((word) => !/^[-<]/.test(word));
    const { stdout, stderr } = await repertoire(...words, ...args().split(" "));
    const said = stdout + stderr;
    // What it says is about the address, and not of a flag that is missing.
    expect(said).not.toMatch(/required option|unknown option|missing required/);
    expect(said).not.toMatch(secret);
    expect(said).not.toContain(basic);
  });

  it("and no file has it, whatever was written", async () => {
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
    const names = files.map((one) => join(one.parentPath, one.name));
    for (const name of [
      "evaluate/run.json",
      "ask/run.json",
      "analysis/run.json",
      "analysis/analysis/plan.json",
      "report/index.html",
      "judge/votes.jsonl",
    ])
      expect(names).toContain(here(name));
    for (const file of names) {
      const text = await readFile(file, "latin1");
      expect(secret.test(text) || text.includes(basic), file).toBe(false);
    }
  });
});

it("nor what the environment, an hf:// address, a quoted one or an error of the command line itself has", async () => {
  const said = (args: readonly string[], env = {}) =>
    new Promise<string>((resolve) =>
      execFile(process.execPath, ["dist/cli/main.js", ...args], { env: { ...process.env, ...env } }, (_, out, error) =>
        resolve(out + error),
      ),
    );
  for (const text of await Promise.all([
    said(["look", "hf://datasets/a/b"], { HF_ENDPOINT: v1() }),
    said(["look", "hf://user-of-mine:pass-of-mine@datasets/a/b"]),
    said(["run", "mini", "--dry-run", "--set", `rl.problems=["${v1()}"]`]),
    said(["export", "trl", "--model", v1(), "--out", here("by-address")]),
    said(["evaluate", "--url", v1(), "--rollouts", v1()]),
  ])) {
    expect(text).toContain("[secret]");
    expect(text).not.toMatch(secret);
  }
});

it.each([
  ["http://u:p@h/v1", "http://[secret]@h/v1", ["u:p@"]],
  ["m@http://h/v1?key=K#NAME", "m@http://h/v1?[secret]", ["?key=K"]],
  ["a@http://u:p@h/v1,b@http://v:q@h/v1", "a@http://[secret]@h/v1,b@http://[secret]@h/v1", ["u:p@", "v:q@"]],
  ["see http://h:8/v1, or https://x@y", "see http://h:8/v1, or https://[secret]@y", ["x@"]],
  ['rl.problems=["http://h/v1?key=K"]', 'rl.problems=["http://h/v1?[secret]', ['?key=K"]', "?key=K"]],
  ["http://h/a,b/c", "http://h/a,b/c", []],
])("%j", (text, clean, secrets) => {
  expect(withoutSecrets(text)).toBe(clean);
  expect(secretsIn(text)).toEqual(secrets);
});
