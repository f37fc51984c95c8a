// `repertoire traces`: spans, labels, judges, the classifier, and what training did to the way a model reasons.
import { Command } from "commander";
import { analyzeCommand, queryCommand, taxonomyCommand } from "./traces-analysis.ts";
import { trainClassifierCommand } from "./traces-classifier.ts";
import { compareTracesCommand } from "./traces-comparison.ts";
import { forkCommand } from "./traces-fork.ts";
import { judgeCommand } from "./traces-judge.ts";
import { labelCommand } from "./traces-labels.ts";
import { signalCommand } from "./traces-signal.ts";

export function tracesCommand(): Command {
  return new Command("traces")
    .addCommand(labelCommand())
    .addCommand(judgeCommand())
    .addCommand(trainClassifierCommand())
    .addCommand(analyzeCommand())
    .addCommand(queryCommand())
    .addCommand(compareTracesCommand())
    .addCommand(forkCommand())
    .addCommand(taxonomyCommand())
    .addCommand(signalCommand());
}
