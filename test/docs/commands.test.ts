// What the pages name exists: every command, flag, setting, script and file, typed in a block or named in a sentence;
// and the diffs of docs/extending.md have their surroundings in the code.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { commandNamed } from "../../src/cli/commands.ts";
import { schemaPaths } from "../../src/cli/settings.ts";
import { rowFormats } from "../../src/imports/formats.ts";
import { miniBaseSchema } from "../../src/recipes/mini/base-model.ts";
import { recipeSchema } from "../../src/recipes/settings.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (document: string) => readFileSync(resolve(root, document), "utf8");
const blocks = (document: string, ...languages: string[]) =>
  [...read(document).matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].flatMap(([, language, text]) =>
    languages.includes(language) ? [text] : [],
  );

type Typed = { readonly words: readonly string[]; readonly flags: readonly string[] };

/** `npx repertoire traces analyze x --out y` is the command `traces analyze` with the flag `--out`; so it is without `npx`. */
function commands(document: string): Typed[] {
  const lines = (language: string) =>
    blocks(document, language).flatMap((block) => block.replaceAll("\\\n", " ").split("\n"));
  // In a block without a language, which may be output, a command begins its line.
  return [...lines("sh"), ...lines("").filter((line) => /^(?:npx )?repertoire /.test(line))].flatMap((line) => {
    const [, typed] = /(?:^|[\s|&;])repertoire ([^#|&;]*)/.exec(line) ?? [];
    if (typed === undefined) return [];
    const given = typed.trim().split(/\s+/);
    const end = given.findIndex((word) => !/^[a-z]+(-[a-z]+)*$/.test(word));
    const words = given.slice(0, Math.min(2, end === -1 ? given.length : end));
    return [{ words, flags: given.filter((word) => word.startsWith("--")) }];
  });
}

/** The command that these words call: a noun of `src/cli`, or one within it. What follows may be an argument. */
async function commandOf([noun, word]: readonly string[]): Promise<Command> {
  const command: Command = await commandNamed(noun);
  const within = command.commands.find((one) => one.name() === word);
  if (within === undefined && word !== undefined && command.registeredArguments.length === 0)
    throw new Error(`repertoire ${noun} has no ${word}`);
  return within ?? command;
}

const documents = readdirSync(resolve(root, "docs")).flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : []));
const asking = ["README.md", ...documents].filter((document) => commands(document).length > 0);

it("finds the commands of the pages", () => {
  expect(asking).toEqual(
    expect.arrayContaining(["README.md", "docs/tutorial.md", "docs/traces.md", "docs/evaluation.md"]),
  );
  expect(commands("README.md").length).toBeGreaterThan(10);
});

describe.each(asking)("%s", (document) => {
  it("has only commands and flags that there are", async () => {
    const typed = commands(document);
    for (const { words, flags } of typed) {
      const known = (await commandOf(words)).options.flatMap(({ long, short }) => [long, short]);
      for (const flag of flags) expect([...known, "--help"], words.join(" ")).toContain(flag.replace(/=.*/, ""));
    }
  });

  it("changes only settings that there are", () => {
    const unknown = blocks(document, "sh", "")
      .flatMap((block) => block.replaceAll("\\\n", " ").split("\n"))
      .flatMap((line) => {
        const [, recipe] = /\brepertoire run ([\w-]+)/.exec(line) ?? [];
        const known = schemaPaths(recipe === "mini-base" ? miniBaseSchema : recipeSchema);
        // Which of its presets is meant.
        if (recipe === "mini") known.push("size");
        const keys = recipe === undefined ? [] : [...line.matchAll(/--set '?([\w.]+)=/g)].map(([, key]) => key);
        return keys.filter((key) => !known.some((one) => key === one || key.startsWith(`${one}.`)));
      });
    expect(unknown).toEqual([]);
  });

  it("names only sample files that there are", () => {
    const named =
      blocks(document, "sh")
        .join("\n")
        .match(/examples\/[\w.-]+/g) ?? [];
    expect(named.filter((path) => !existsSync(resolve(root, path)))).toEqual([]);
  });
});

/** What stands between backticks in sentences and tables. */
const named = (document: string) =>
  [
    ...read(document)
      .replace(/^```[\s\S]*?^```/gm, "")
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, code]) => code);

/** Flags of trainers and harnesses, which the pages name by themselves beside ours. */
const flagsOfOthers = [
  ...["--dump-details", "--save-debug-rollout-data", "--log_samples", "--rm-type", "--rm-url", "--reward-key"],
  "--custom-advantage-function-path",
];

async function everyCommand(): Promise<Command[]> {
  const main = readFileSync(resolve(root, "src/cli/commands.ts"), "utf8");
  const nouns = [...main.matchAll(/^ {2}(\w+): \{$/gm)].map(([, noun]) => commandNamed(noun));
  return (await Promise.all(nouns)).flatMap((noun) => [noun, ...noun.commands]);
}

describe("sentences and tables", async () => {
  const commands = await everyCommand();
  const flags = new Set([
    ...commands.flatMap(({ options }) => options.flatMap(({ long, short }) => [long, short])),
    ...["--help", "--verbose", "--version", ...flagsOfOthers],
  ]);
  const groups = new Map(commands.map((command) => [command.name(), command.commands.map((within) => within.name())]));
  const settings = schemaPaths(recipeSchema);
  const roots = new Set(settings.map((path) => path.split(".")[0]));
  const { scripts } = JSON.parse(read("package.json"));

  // The notebook says what was typed then.
  const present = documents.filter((document) => document !== "docs/notebook.md");

  it.each(["README.md", "CONTRIBUTING.md", "AGENTS.md", ...present])("%s names only what there is", (document) => {
    const strange = named(document).filter((code) => {
      const [first, second = ""] = code.replace(/^(?:npx )?repertoire /, "").split(" ");
      const within = groups.get(first) ?? [];
      if (within.length > 0 && /^[a-z]+(-[a-z]+)*$/.test(second) && !within.includes(second)) return true;
      const typed = groups.has(first) || first.startsWith("--") ? code.matchAll(/(?<=^|\s)--[\w-]+/g) : [];
      if ([...typed].some(([flag]) => !flags.has(flag))) return true;
      const [path] = code.split("=");
      if (/^[a-z]\w*(\.\w+)+$/i.test(path) && roots.has(path.split(".")[0]) && !/\.(jsonl?|mjs|ts)$/.test(path))
        return !settings.some((setting) => `${setting}.`.startsWith(`${path}.`) || path.startsWith(`${setting}.`));
      const file = /^(?:src|docs|test|scripts|bench|integrations|models|data|examples)\/[\w./-]+$/.test(code);
      return file && !existsSync(resolve(root, code));
    });
    expect(strange).toEqual([]);
    const run = [...read(document).matchAll(/npm run ([\w:-]*\w)(?!\w|:\*)/g)].map(([, script]) => script);
    expect(run.filter((script) => !(script in scripts))).toEqual([]);
  });
});

it("docs/traces.md has every format that is read", () => {
  const table = read("docs/traces.md").split("| `--format` | written by")[1].split("\n\n")[0];
  const told = [...table.matchAll(/^\| ((?:`[\w-]+`(?:, )?)+) \|/gm)].flatMap(
    ([, names]) => names.match(/[\w-]+/g) ?? [],
  );
  // Recognized so that they are passed over.
  const withoutResponses = ["batch-requests", "tinker-summaries"];
  const formats = rowFormats.map(({ name }) => name).filter((name) => !withoutResponses.includes(name));
  expect(told.toSorted()).toEqual(formats.toSorted());
});

it("the diffs of docs/extending.md start from the code as it is", () => {
  const strange: string[] = [];
  let compared = 0;
  for (const block of blocks("docs/extending.md", "diff")) {
    // A block without a file's name is a diff of the reader's own file.
    let file: string | undefined;
    for (const line of block.split("\n")) {
      const [, path] = /^--- (?:a\/)?(\S+)$/.exec(line) ?? [];
      if (path !== undefined) file = path === "/dev/null" ? undefined : read(path);
      else if (file !== undefined && /^[ -]\s*\S/.test(line)) {
        compared += 1;
        if (!file.includes(`${line.slice(1)}\n`)) strange.push(line);
      }
    }
  }
  expect(strange).toEqual([]);
  expect(compared).toBeGreaterThan(10);
});
