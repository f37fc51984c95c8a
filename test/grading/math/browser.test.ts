// `repertoire/grading/math` as a page would load it: one bundle for browsers, run where nothing of Node is.
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, it } from "vitest";

it("runs in a browser: nothing of Node and no dependency is bundled or asked for", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [new URL("../../../src/grading/math/index.ts", import.meta.url).pathname],
    bundle: true,
    platform: "browser",
    format: "iife",
    globalName: "grading",
    write: false,
    metafile: true,
  });
  expect(Object.keys(metafile.inputs).filter((path) => /node_modules|^node:/.test(path))).toEqual([]);
  const page = createContext({});
  runInContext(outputFiles[0].text, page);
  const graded = runInContext(`JSON.stringify(grading.gradeMath("\\\\frac12", "The answer is 0.5"))`, page);
  expect(JSON.parse(graded)).toMatchObject({ verdict: "equal", source: "answer", at: [14, 17] });
});
