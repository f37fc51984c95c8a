// The example in docs/embedded-engine.md runs and prints what its comments say.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "documentation-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("the example in docs/embedded-engine.md prints what it says", async () => {
  const root = join(import.meta.dirname, "../..");
  const example = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, "docs/embedded-engine.md"), "utf8"))?.[1] ?? "";
  const said = [...example.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map((match) => match[1]);
  expect(said).toHaveLength(2);
  const program = example
    .replace('"repertoire/engine"', JSON.stringify(pathToFileURL(join(root, "src/engine/index.ts")).href))
    .replace('"checkpoints"', JSON.stringify(join(folder, "checkpoints")))
    .replaceAll("console.log(", "printed(");
  const path = join(folder, "example.ts");
  writeFileSync(
    path,
    `export async function run(printed: (...words: unknown[]) => void) {\n${asFunctionBody(program)}\n}\n`,
  );
  const printed: string[] = [];
  const { run } = (await import(/* @vite-ignore */ path)) as {
    run: (print: (...words: unknown[]) => void) => Promise<void>;
  };
  await run((...words) => void printed.push(words.join(" ")));
  expect(printed).toEqual(said);
});

/** Imports stand at the top of a file only, so inside a function they are awaited. */
function asFunctionBody(program: string): string {
  return program.replace(/^import (\{.*\}) from (".*");$/m, "const $1 = await import($2);");
}
