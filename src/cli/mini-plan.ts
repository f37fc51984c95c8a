// What `run mini --dry-run` prints: the stages with what they ask and train on, and every setting.
import pc from "picocolors";
import { type MiniConfig, miniSchema, variantsOf } from "../recipes/mini/config.ts";
import { miniaturePuzzles, worlds } from "../recipes/mini/world.ts";
import { titleOf } from "../recipes/variants.ts";
import { schemaPaths, settingAt } from "./settings.ts";
import { textTable } from "./text-table.ts";

export function printMiniPlan(config: MiniConfig): void {
  const { corpus, sft, rl, evaluation, size } = config;
  const puzzles = miniaturePuzzles.length;
  const variants = variantsOf(config);
  const judged = [
    `${puzzles * evaluation.heldOutPerPuzzle} held-out puzzles x ${evaluation.heldOutRollouts}`,
    `up to ${puzzles * evaluation.searchPerPuzzle} that need search x ${evaluation.searchRollouts}`,
    `${puzzles * evaluation.largerPerPuzzle} larger x ${evaluation.otherRollouts}`,
    `${evaluation.mathematics} of mathematics x ${evaluation.otherRollouts}`,
  ];
  const stages = [
    ["teach", `${corpus.traces} verified traces of the narrating solver on ${worldText(worlds[size].training)}`],
    ["sft", `${sft.epochs * Math.ceil(corpus.traces / sft.tracesPerStep)} steps of ${sft.tracesPerStep} traces`],
    ...variants.map((variant) => [
      variant.name,
      `${titleOf(variant)}: ${rl.steps} steps of ${rl.problemsPerStep} x ${rl.rolloutsPerProblem} rollouts, each batch used ${rl.epochs} times`,
    ]),
    ["evaluate", `base, sft, ${variants.map(({ name }) => name).join(", ")}: ${judged.join(", ")}`],
    ["analyze", "labels by the grammar of the miniature's language; then the report"],
  ];
  const width = Math.max(...stages.map(([name]) => name.length));
  console.log(`${pc.bold("Stages")}\n`);
  for (const [name, what] of stages) console.log(`  ${name.padEnd(width)}  ${what}`);
  console.log(`\n${pc.bold("Settings")} ${pc.dim("(* changed)")}\n`);
  const usual = miniSchema.parse({});
  const rows = schemaPaths(miniSchema).map((path) => {
    const [value, before] = [config, usual].map((one) => JSON.stringify(settingAt(one, path)));
    return [`${value === before ? " " : "*"} ${path}`, value ?? "as the paper: GSPO without and with the bonus"];
  });
  console.log(
    textTable(
      ["  setting", "value"].map((title) => ({ title, align: "left" as const })),
      rows,
    ),
  );
  console.log("\nAbout eleven minutes on two cores with the usual settings; nothing was started.");
}

const worldText = (sizes: Readonly<Record<string, string>>): string =>
  Object.entries(sizes)
    .map(([name, params]) => `${name} ${params}`)
    .join(", ");
