// The first screen in a terminal: what happened, in three sentences, and where each of them is shown.
import pc from "picocolors";
import { conclusion, labelsClause } from "../results/conclusion.ts";
import type { Analysis } from "../traces/analysis/analysis.ts";
import { alarmLine, analysisAlarms } from "./alarm-teller.ts";
import { commandName } from "./command-name.ts";

export function printSentences(analysis: Analysis): void {
  console.log("");
  for (const { words } of conclusion(analysis)) console.log(wrapped(words));
  console.log(pc.dim(wrapped(labelsClause(analysis))));
  for (const alarm of analysisAlarms(analysis)) console.log(wrapped(alarmLine(alarm)));
}

export function printConclusion(analysis: Analysis, folder: string): void {
  printSentences(analysis);
  console.log(
    `\n  read it, with traces side by side:   ${pc.bold(`${commandName} dashboard ${folder} --open`)}
  what the sentences rest on:          ${commandName} report ${folder} --print --only glance,changes-table,changes-spans
  everything in numbers:               ${commandName} traces query ${folder}`,
  );
}

/** As wide as is read with ease, and no wider than the terminal; a file has a line a sentence. */
function wrapped(text: string, width = Math.min(110, process.stdout.columns - 2 || Number.POSITIVE_INFINITY)): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length > width && lines.at(-1) !== "") lines.push(` ${word}`);
    else lines[lines.length - 1] = line;
  }
  return lines.map((line) => ` ${line}`).join("\n");
}
