// The examples in the documents are run as they stand, against the built package under its own name.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** Every `ts` block of a document with the values that its comments promise, in order. */
function examples(document: string): { readonly code: string; readonly promised: string[] }[] {
  const text = readFileSync(resolve(root, document), "utf8");
  return [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => ({
    code,
    promised: [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, value]) => value),
  }));
}

describe.each(["README.md", "docs/grading.md"])("%s", (document) => {
  it.each(examples(document).map((example, i) => [i + 1, example] as const))(
    "example %d does what it says",
    (_, { code, promised }) => {
      const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
        cwd: root,
        encoding: "utf8",
      });
      expect(status, stderr).toBe(0);
      expect(promised.length).toBeGreaterThan(0);
      expect(stdout.trim().split("\n")).toEqual(promised);
    },
  );
});
