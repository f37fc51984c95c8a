// Flags for problems of anybody's: which columns of a file hold what, how it is asked, and who grades it.
import { type Command, Option } from "commander";
import pc from "picocolors";
import { type Columns, readColumns } from "../problems/benchmarks/columns.ts";
import type { HubOptions } from "../problems/benchmarks/hub.ts";
import type { QuestionSet } from "../problems/question-sets.ts";
import { recordedGrader } from "../rollouts/own-grader.ts";
import { collected } from "./arguments.ts";
import { hubCache } from "./hub-cache.ts";

export type QuestionFlags = {
  readonly columns?: Columns;
  readonly prompt?: string;
  readonly grader?: readonly string[];
  readonly data?: string;
};

export function withQuestionOptions(command: Command): Command {
  return command
    .option("--columns <mapping>", "columns of a file or data set: problem=question,answer=gold", readColumns)
    .option("--prompt <template>", "how a file's problems are asked; {problem} stands for the text")
    .addOption(
      new Option(
        "--grader <module or url>",
        "who grades a file's answers instead of our mathematics grader: ./grade.mjs or http://…; file.jsonl=./grade.mjs for one of several",
      ).argParser(collected),
    );
}

type QuestionReading = {
  readonly hub: HubOptions;
  readonly folder?: string;
  readonly columns?: Columns;
  readonly prompt?: string;
  readonly graderOf: (source: string) => string | undefined;
};

export function questionReading({ columns, prompt, grader = [], data }: QuestionFlags): QuestionReading {
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
export function sayQuestions({ source, training, heldOut, dropped, from }: QuestionSet): void {
  console.error(
    pc.dim(`${source}: ${training.length} questions to train on, ${heldOut.length} held out by their text (${from})`),
  );
  sayDropped(source, dropped);
}

export function sayDropped(source: string, dropped: QuestionSet["dropped"]): void {
  if (dropped.length === 0) return;
  const named = dropped.slice(0, 10).map(({ id, because }) => `${id} (${because})`);
  const more = dropped.length > 10 ? ` and ${dropped.length - 10} more` : "";
  console.error(pc.yellow(`${source}: ${dropped.length} rows dropped: ${named.join(", ")}${more}`));
}
