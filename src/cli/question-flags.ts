// Flags for problems of anybody's: which columns of a file hold what, how it is asked, and who grades it.
import pc from "picocolors";
import { readColumns } from "../problems/benchmarks/columns.ts";
import { defaultHeldOutShare, type QuestionSet } from "../problems/question-sets.ts";
import type { QuestionsFrom } from "../recipes/recipe-problems.ts";
import { recordedGrader } from "../rollouts/own-grader.ts";
import { collected, shareOf } from "./arguments.ts";
import { type FlagValues, flag } from "./flags.ts";
import { hubCache } from "./hub-cache.ts";
import { warn } from "./progress.ts";

export const questionFlags = [
  flag("--columns <mapping>", "columns of a file or dataset: problem=question,answer=gold", readColumns),
  flag("--prompt <template>", "prompt template for a file's problems; {problem} stands for the text"),
  flag(
    "--grader <module or url>",
    "your own grader instead of the mathematics grader: ./grade.mjs or http://…; file.jsonl=./grade.mjs applies to one file only",
    collected,
  ),
  flag("--data <folder>", "take benchmarks from files in this folder instead of the hub"),
];

export const heldOutShareFlag = flag(
  "--held-out-share <share>",
  "fraction of the questions to hold out, by a hash of their text; `evaluate --split test` uses them",
  shareOf,
  defaultHeldOutShare,
);

type QuestionFlags = FlagValues<typeof questionFlags>;

export function questionReading({ columns, prompt, grader = [], data }: QuestionFlags): QuestionsFrom {
  return {
    ...{ hub: hubCache(), folder: data, columns, prompt },
    graderOf: (source) => {
      const own = grader.find((one) => one.startsWith(`${source}=`))?.slice(source.length + 1);
      // Without a file's name it is for all of them; an address may hold an equals sign.
      const all = grader.find((one) => /^(?:https?:|[^=]*$)/.test(one));
      const found = own ?? all;
      return found === undefined ? undefined : recordedGrader(found);
    },
  };
}

/** What makes two runs on the same files different. */
export function questionIdentity({ columns, prompt, grader }: QuestionFlags) {
  return {
    ...(columns && { columns }),
    ...(prompt !== undefined && { prompt }),
    ...(grader !== undefined && { grader }),
  };
}

/** What was read, what is held out, and what had to be dropped. */
export function printQuestions({ source, training, heldOut, dropped, from }: QuestionSet): void {
  console.error(
    pc.dim(`${source}: ${training.length} questions to train on, ${heldOut.length} held out by their text (${from})`),
  );
  warnDropped(source, dropped);
}

export function warnDropped(source: string, dropped: QuestionSet["dropped"]): void {
  if (dropped.length === 0) return;
  const named = dropped.slice(0, 10).map(({ id, because }) => `${id} (${because})`);
  const more = dropped.length > 10 ? ` and ${dropped.length - 10} more` : "";
  warn(`${source}: ${dropped.length} rows dropped: ${named.join(", ")}${more}`);
}
