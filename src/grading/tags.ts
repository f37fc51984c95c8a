// The tags that a response carries: <reasoning> … </reasoning>, then <answer> … </answer>.
// One pass over the text, no backtracking, so that a megabyte of broken tags costs a megabyte of reading.

type Tag = {
  readonly name: "reasoning" | "answer";
  readonly closing: boolean;
  readonly start: number;
  readonly end: number;
};

const tagPattern = /<(\/?)(reasoning|answer)>/gi;

function tagsOf(response: string): Tag[] {
  const tags: Tag[] = [];
  for (const match of response.matchAll(tagPattern)) {
    const name = match[2].toLowerCase() as Tag["name"];
    tags.push({ name, closing: match[1] === "/", start: match.index, end: match.index + match[0].length });
  }
  return tags;
}

export type AnswerText = { readonly text: string } | { readonly missing: string };

/**
 * The one answer of a response. Several answers are none: whoever may hedge can be right by accident.
 * Tags inside the reasoning block do not count, because a model may talk about its answer while it thinks.
 */
export function answerText(response: string): AnswerText {
  const tags = tagsOf(response);
  const reasoningEnd = tags.findLast((tag) => tag.name === "reasoning" && tag.closing)?.end ?? 0;
  const after = tags.filter((tag) => tag.name === "answer" && tag.start >= reasoningEnd);
  const opening = after.filter((tag) => !tag.closing);
  const closing = after.filter((tag) => tag.closing);
  if (opening.length === 0) return { missing: "no <answer> tag" };
  if (opening.length > 1) return { missing: `${opening.length} <answer> tags; exactly one is read` };
  if (closing.length === 0) return { missing: "<answer> is not closed" };
  if (closing.length > 1) return { missing: `${closing.length} </answer> tags; exactly one is read` };
  if (closing[0].start < opening[0].end) return { missing: "</answer> comes before <answer>" };
  return { text: response.slice(opening[0].end, closing[0].start) };
}

/**
 * The paper's format reward: a quarter each for exactly one closed <reasoning>, exactly one closed <answer>,
 * reasoning before answer, and no duplicate opening tags.
 */
export function formatReward(response: string): number {
  const tags = tagsOf(response);
  const of = (name: Tag["name"], closing: boolean) =>
    tags.filter((tag) => tag.name === name && tag.closing === closing);
  const [reasoningOpens, reasoningCloses] = [of("reasoning", false), of("reasoning", true)];
  const [answerOpens, answerCloses] = [of("answer", false), of("answer", true)];
  const closedOnce = (opens: Tag[], closes: Tag[]) =>
    opens.length === 1 && closes.length === 1 && opens[0].end <= closes[0].start;

  const oneReasoning = closedOnce(reasoningOpens, reasoningCloses);
  const oneAnswer = closedOnce(answerOpens, answerCloses);
  const inOrder =
    reasoningCloses.length > 0 && answerOpens.length > 0 && reasoningCloses[0].end <= answerOpens[0].start;
  // "No duplicates" is earned by tags that are there once, not by writing none at all.
  const noDuplicates =
    reasoningOpens.length + answerOpens.length > 0 && reasoningOpens.length <= 1 && answerOpens.length <= 1;
  return [oneReasoning, oneAnswer, inOrder, noDuplicates].filter(Boolean).length / 4;
}

/** What the response thinks aloud: the reasoning block where there is one, else everything before the answer. */
export function reasoningText(response: string): string {
  const tags = tagsOf(response);
  const opening = tags.find((tag) => tag.name === "reasoning" && !tag.closing);
  const start = opening?.end ?? 0;
  const end = tags.find(
    (tag) => tag.start >= start && (tag.closing ? tag.name === "reasoning" : tag.name === "answer"),
  );
  return response.slice(start, end?.start ?? response.length);
}
