// Records that no single program owns: OpenAI-style requests and replies, and any record with a column mapping.
import { domainNamed } from "../labeler.ts";
import type { Trace } from "../trace.ts";
import { type ColumnMapping, type Row, type RowFormat, type Unusable, unusable } from "./row-format.ts";
import {
  completionText,
  conversationOf,
  gradeOf,
  listOf,
  messageText,
  numberOf,
  objectOf,
  promptName,
  promptText,
  scoreOf,
  solvedOf,
  textOf,
  valueAt,
} from "./row-values.ts";

/** The body of a chat completion: bare, in a batch result (`response.body`), or beside its request. */
function completionBody(row: Row): Row | undefined {
  const candidates = [row, objectOf(row.response), objectOf(objectOf(row.response)?.body), objectOf(row.completion)];
  return candidates.find((candidate) => listOf(candidate?.choices) !== undefined);
}

/** Chat completions and batch results, conversations (`messages`), and plain prompt/response pairs. */
export const openAiRecords: RowFormat = {
  name: "openai",
  recognizes: (row) => (completionBody(row) !== undefined ? 0.8 : listOf(row.messages) !== undefined ? 0.7 : 0),
  traces(row, { source, named }) {
    const body = completionBody(row);
    const messages =
      listOf(row.messages) ?? listOf(objectOf(row.request)?.messages) ?? listOf(objectOf(row.body)?.messages);
    const conversation = conversationOf(messages ?? []);
    const prompt = conversation.prompt ?? promptText(row.prompt ?? row.question);
    const problem =
      textOf(row.problem) ??
      textOf(row.problem_id) ??
      textOf(row.custom_id) ??
      textOf(row.id) ??
      (prompt && promptName(prompt));
    if (problem === undefined) return unusable("neither an id nor a prompt to tell the problem by");
    const responses =
      body === undefined
        ? [conversation.response]
        : (listOf(body.choices) ?? []).map(
            (choice) => messageText(objectOf(choice)?.message) ?? textOf(objectOf(choice)?.text),
          );
    if (responses.length === 0 || responses.every((response) => response === undefined))
      return unusable("no assistant message");
    const model = textOf(body?.model) ?? textOf(row.model);
    return responses.flatMap((response): Trace[] =>
      response === undefined
        ? []
        : [
            {
              checkpoint: named ? source : (model ?? source),
              step: numberOf(row.step),
              problem,
              correct: responses.length === 1 ? gradeOf(row.correct ?? row.is_correct) : undefined,
              score: responses.length === 1 ? scoreOf(row.score ?? row.reward) : undefined,
              prompt,
              response,
            },
          ],
    );
  },
};

/** Names that columns often have, tried in this order where no mapping says otherwise. */
const usualColumns = {
  response: [
    "response",
    "output",
    "completion",
    "generation",
    "answer_text",
    "generated_solution",
    "text",
    "trace",
    "rollout",
    "generations",
    "responses",
    "completions",
  ],
  problem: ["problem", "problem_id", "problem_idx", "unique_id", "question_id", "task_id", "task"],
  prompt: ["prompt", "question", "input", "instruction"],
  correct: ["correct", "is_correct", "solved", "verdict", "acc", "correctness", "correctness_math_verify"],
  score: ["score", "reward"],
  checkpoint: ["checkpoint", "model", "generation_model", "policy"],
  step: ["step", "global_step"],
  attempt: ["attempt", "sample_idx", "sample", "epoch", "rollout"],
  set: ["set", "benchmark", "dataset", "data_source"],
  kind: ["kind", "domain"],
  puzzle: ["puzzle"],
  size: ["size"],
  reasoning: ["reasoning", "reasoning_content", "thinking"],
} as const;

export const mappedRecords: RowFormat = {
  name: "records",
  recognizes: (row) => (usualColumns.response.some((column) => column in row) ? 0.3 : 0),
  traces(row, { source, named, columns = {} }) {
    const value = (what: Column): unknown => {
      const mapped = columns[what];
      if (mapped !== undefined) return valueAt(row, mapped);
      const usual = usualColumns[what].find((column) => column in row);
      return usual === undefined ? undefined : row[usual];
    };
    const said = value("response");
    const several = severalResponses(said);
    if (several === undefined) return oneTrace(value, { row, source, named, columns });
    const lists = new Map<Column, readonly unknown[] | undefined>(
      ofEachResponse.map((what) => [what, listOf(value(what))]),
    );
    for (const [what, list] of lists)
      if (list !== undefined && list.length !== several.length)
        return unusable(`${what} has ${list.length} entries for ${several.length} responses`);
    const found: Trace[] = [];
    let first: Unusable | undefined;
    several.forEach((response, i) => {
      const ofThis = (what: Column): unknown => {
        if (what === "response") return response;
        const list = lists.get(what);
        if (list !== undefined) return list[i];
        if (what === "attempt") return i;
        // One grade or score for several responses is nobody's in particular.
        const shared = several.length === 1 || (what !== "correct" && what !== "score" && what !== "reasoning");
        return shared ? value(what) : undefined;
      };
      const traces = oneTrace(ofThis, { row, source, named, columns });
      if ("unusable" in traces) first ??= traces;
      else found.push(...traces);
    });
    return found.length === 0 ? (first ?? unusable("the list of responses is empty")) : found;
  },
};

type Column = keyof typeof usualColumns;

/** What a row may hold a list of, an entry for each of its responses. */
const ofEachResponse = ["correct", "score", "checkpoint", "attempt", "reasoning"] as const satisfies readonly Column[];

/** A list of texts, or of conversations, is a response each; a list of messages is one conversation. */
function severalResponses(said: unknown): readonly unknown[] | undefined {
  const list = listOf(said);
  if (list === undefined) return undefined;
  const apart = list.every((item) => item === null || typeof item === "string" || listOf(item) !== undefined);
  return apart ? list : undefined;
}

function oneTrace(
  value: (what: Column) => unknown,
  {
    row,
    source,
    named,
    columns,
  }: { readonly row: Row; readonly source: string; readonly named: boolean; readonly columns: ColumnMapping },
): readonly Trace[] | Unusable {
  const said = value("response");
  const response = completionText(said);
  if (response === undefined) {
    if (said !== undefined) return unusable(`the response is ${said === null ? "null" : typeof said}, not text`);
    const looked = columns.response ?? usualColumns.response.join(", ");
    return unusable(`no response (looked for ${looked}; the record has ${Object.keys(row).slice(0, 12).join(", ")})`);
  }
  // Alpaca's input is what its instruction is about.
  const told = columns.prompt === undefined && "input" in row ? textOf(row.instruction) : undefined;
  const prompt = told === undefined ? promptText(value("prompt")) : `${told}\n${textOf(row.input) ?? ""}`.trim();
  const problem = value("problem");
  const name = textOf(problem) ?? numberOf(problem)?.toString() ?? (prompt && promptName(prompt));
  if (!name) return unusable("neither a problem nor a prompt to tell attempts at one problem by");
  const thinking = textOf(value("reasoning"));
  const step = numberOf(value("step"));
  const checkpoint = textOf(value("checkpoint"));
  return [
    {
      checkpoint: named ? source : (checkpoint ?? (step === undefined ? source : `step ${step}`)),
      step,
      problem: name,
      attempt: numberOf(value("attempt")),
      set: textOf(value("set")),
      kind: domainNamed(textOf(value("kind")) ?? ""),
      puzzle: textOf(value("puzzle")),
      size: textOf(value("size")),
      // A column that the user names may hold scores, of which 1 and more are right.
      correct: columns.correct === undefined ? gradeOf(value("correct")) : solvedOf(value("correct")),
      score: scoreOf(value("score")),
      prompt,
      response: thinking && thinking !== response ? `<think>${thinking}</think>${response}` : response,
    },
  ];
}
