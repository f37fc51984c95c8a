// What a strict user of the package writes; type-checked where only the tarball is installed. Not part of this project's own check.
import { Random, UserError } from "repertoire/base";
import { DashboardServer } from "repertoire/dashboard";
import { EndpointClient, endpointSchema } from "repertoire/endpoints";
import { conformanceChecks, createEmbeddedEngine, type Engine, type TinkerEngine } from "repertoire/engine";
import { compareCheckpoints, endpointSampler, passAtK, sampleMissing } from "repertoire/evaluation";
import { paperReward, type Verdict } from "repertoire/grading";
import { gradeMath } from "repertoire/grading/math";
import { loadBenchmark, type Problem, puzzleProblems } from "repertoire/problems";
import { type BridgesInstance, catalog, gradeResponse, gradingKey } from "repertoire/puzzles";
import { embeddedHost, miniPreset, recipeSchema, runRecipe } from "repertoire/recipes";
import { writeReport } from "repertoire/report";
import { puzzleGrader } from "repertoire/rollouts";
import { openRunFolder } from "repertoire/runs";
import { exportFolder, RewardServer, rewardServerOptionsSchema } from "repertoire/serving";
import { narrate } from "repertoire/teaching";
import { analyzeTraces, readerOf } from "repertoire/traces";
import { gspoUpdate, rlLoop, sftLoop } from "repertoire/training";

// A puzzle of the catalog has its own types: were they `any`, the wrong uses below would be no errors.
const instance: BridgesInstance = catalog.bridges.readId("7x7m2:a2d3g2e4h2d3h1a1b2");
// @ts-expect-error a Bridges instance is no Pattern instance
catalog.pattern.solve(instance);
// @ts-expect-error there is no such puzzle
catalog.sudoku;
const made = catalog.pattern.generate(catalog.pattern.readParams("5x5"), Random.from("consumer"));
const grade = gradeResponse(gradingKey(catalog.pattern, made.instance, made.solution), "no answer");
const verdict: Verdict["verdict"] = grade.verdict.verdict;
const reward: number = grade.parts.reward + paperReward.exact;

const mathematics: "equal" | "different" | "undecided" = gradeMath("1/2", "0.5").verdict;
// @ts-expect-error an option that there is not
gradeMath("1/2", "0.5", { nonsense: true });

const problems: readonly Problem[] = puzzleProblems({
  puzzle: "pattern",
  params: "5x5",
  count: 1,
  random: Random.from(1),
});
const client = new EndpointClient(endpointSchema.parse({ url: "http://localhost/v1", model: "m" }));
export const sampling = sampleMissing({
  problems,
  rolloutsPerProblem: 1,
  sampler: endpointSampler(client, { temperature: 1, maxTokens: 10 }),
  seed: 1,
  onRollout: ({ response }) => console.log(response),
});

export const clipped: boolean = gspoUpdate([-1], [-1], 1, { below: 0.2, above: 0.2 }).clipped;
export const share: number = passAtK({ attempts: 4, correct: 1 }, 2);
export const engines = (tinker: TinkerEngine): readonly Engine[] => [tinker];
export const servers = { RewardServer, DashboardServer, options: rewardServerOptionsSchema.parse({}) };
export const others = {
  UserError,
  analyzeTraces,
  compareCheckpoints,
  conformanceChecks,
  createEmbeddedEngine,
  embeddedHost,
  exportFolder,
  loadBenchmark,
  miniPreset,
  narrate,
  openRunFolder,
  puzzleGrader,
  readerOf,
  rlLoop,
  recipeSchema,
  runRecipe,
  sftLoop,
  writeReport,
};
export const printed = [verdict, reward, mathematics];
