// The golds that the search starts from: our own tables, some made by rule, and the benchmarks' where they lie beside the project.
import { readFileSync } from "node:fs";
import { Random } from "../../../src/base/random.ts";
import { publicFile } from "../../fixtures/public-data.ts";
import { families } from "./families.ts";
import { pairs } from "./pairs.ts";

const benchmarkGolds = ["OlymMATH-EN-EASY", "OlymMATH-EN-HARD", "aime25", "hmmt_feb_2025"].flatMap((name) => {
  const file = publicFile(`benchmarks/${name}.jsonl`);
  if (file.missing) return [];
  return readFileSync(file.path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { answer?: unknown; expected_answer?: unknown })
    .map(({ answer, expected_answer }) => String(answer ?? expected_answer).replace(/^\$|\$$/g, ""));
});

/** Integers, fractions, roots, tuples, intervals, polynomials and quantities of every size. */
function madeGolds(count: number): string[] {
  const random = Random.from("golds of the search");
  const n = (below = 100) => 1 + random.below(below);
  const kinds: readonly (() => string)[] = [
    () => `${n(10_000)}`,
    () => `-${n(1_000)}`,
    () => `${n()}.${n(1_000)}`,
    () => `${n(9)}.${n()} \\times 10^{-${n(12)}}`,
    () => `\\frac{${n()}}{${1 + n()}}`,
    () => `${n(20)}\\sqrt{${n()}}`,
    () => `\\frac{${n(20)}+\\sqrt{${n(50)}}}{${1 + n(9)}}`,
    () => `${n(20)}\\pi`,
    () => `(${n()}, ${n()})`,
    () => `[${n()}, ${100 + n()})`,
    () => `(-\\infty, ${n()}] \\cup (${100 + n()}, \\infty)`,
    () => `\\{${n()}, ${100 + n()}, ${200 + n()}\\}`,
    () => `${n(20)}x^2+${n(20)}x-${n(20)}`,
    () => `y = ${n(9)}x+${n(20)}`,
    () => `${n()} \\le x < ${100 + n()}`,
    () => `${n()}+${n()}i`,
    () => `x_1 = ${n()}, x_2 = ${100 + n()}`,
    () => `f(${n(9)}) = ${n()}`,
    () => `${n()} \\text{ cm}^2`,
    () => `${n()} \\text{ hours}`,
    () => `${n()}^\\circ`,
    () => `${n(12)}\\sin x + ${n(9)}\\cos x`,
    () => `2^{${n(40)}}-${n()}`,
    () => `\\begin{pmatrix} ${n(9)} & ${n(9)} \\\\ ${n(9)} & ${n(9)} \\end{pmatrix}`,
    () => `${n(9)}:${n(9)}`,
    () => `\\ln ${n()} + C`,
    () => `${n()}, ${100 + n()}, ${200 + n()}`,
  ];
  return Array.from({ length: count }, (_, i) => kinds[i % kinds.length]());
}

/** Text that is an answer and nothing around it. */
const isPlain = (gold: string): boolean => gold.length < 120 && !/boxed|\$|answer|[.!?] |[\u4e00-\u9fff]/i.test(gold);

export const searchGolds: readonly string[] = [
  ...new Set(
    [
      ...Object.values(pairs).flatMap(({ equal }) => equal.map(([gold]) => gold)),
      ...Object.values(families).flatMap(({ equal }) => equal.map(([gold]) => gold)),
      ...benchmarkGolds,
      ...madeGolds(800),
    ].filter(isPlain),
  ),
];
