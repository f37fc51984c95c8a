// `repertoire traces`: spans, labels, judges, the classifier, and what training did to the way a model reasons.
import { Command } from "commander";
import { analyzeCommand, queryCommand, taxonomyCommand } from "./traces-analysis.ts";
import { trainClassifierCommand } from "./traces-classifier.ts";
import { compareTracesCommand } from "./traces-comparison.ts";
import { distillCommand } from "./traces-distill.ts";
import { forkCommand } from "./traces-fork.ts";
import { judgeCommand } from "./traces-jury.ts";
import { labelCommand, segmentCommand } from "./traces-labels.ts";
import { signalCommand } from "./traces-signal.ts";

export function tracesCommand(): Command {
  return new Command("traces")
    .addCommand(segmentCommand())
    .addCommand(labelCommand())
    .addCommand(judgeCommand())
    .addCommand(trainClassifierCommand())
    .addCommand(distillCommand())
    .addCommand(analyzeCommand())
    .addCommand(queryCommand())
    .addCommand(compareTracesCommand())
    .addCommand(forkCommand())
    .addCommand(taxonomyCommand())
    .addCommand(signalCommand());
}
