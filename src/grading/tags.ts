// The tags that a response carries: <reasoning> … </reasoning>, then <answer> … </answer>.
// One pass over the text, no backtracking, so that a megabyte of broken tags costs a megabyte of reading.

const tagPattern = /<(\/?)(reasoning|answer)>/gi;

/** Where one kind of tag stands: how many there are, and the places that matter. Absent places are -1. */
type Sightings = {
  opens: number;
  closes: number;
  firstOpen: number;
  firstOpenEnd: number;
  firstClose: number;
  lastCloseEnd: number;
};

const none = (): Sightings => ({
  opens: 0,
  closes: 0,
  firstOpen: -1,
  firstOpenEnd: -1,
  firstClose: -1,
  lastCloseEnd: -1,
});

function see(seen: Sightings, closing: boolean, start: number, end: number): void {
  if (closing) {
    if (seen.closes++ === 0) seen.firstClose = start;
    seen.lastCloseEnd = end;
  } else if (seen.opens++ === 0) {
    seen.firstOpen = start;
    seen.firstOpenEnd = end;
  }
}

/** Counts instead of lists: a hostile response has a hundred thousand tags. */
function scan(response: string) {
  const reasoning = none();
  const answer = none();
  /** Answer tags since the last reasoning block was closed. */
  let after = none();
  tagPattern.lastIndex = 0;
  for (let match = tagPattern.exec(response); match !== null; match = tagPattern.exec(response)) {
    const closing = match[1] === "/";
    const end = match.index + match[0].length;
    if (match[2].length === "reasoning".length) {
      see(reasoning, closing, match.index, end);
      if (closing) after = none();
    } else {
      see(answer, closing, match.index, end);
      see(after, closing, match.index, end);
    }
  }
  return { reasoning, answer, after };
}

export type AnswerText = { readonly text: string } | { readonly missing: string };

/**
 * The one answer of a response. Several answers are none: whoever may hedge can be right by accident.
 * Tags inside the reasoning block do not count, because a model may talk about its answer while it thinks.
 */
export function answerText(response: string): AnswerText {
  const { opens, closes, firstOpenEnd, firstClose } = scan(response).after;
  if (opens === 0) return { missing: "no <answer> tag" };
  if (opens > 1) return { missing: `${opens} <answer> tags; exactly one is read` };
  if (closes === 0) return { missing: "<answer> is not closed" };
  if (closes > 1) return { missing: `${closes} </answer> tags; exactly one is read` };
  if (firstClose < firstOpenEnd) return { missing: "</answer> comes before <answer>" };
  return { text: response.slice(firstOpenEnd, firstClose) };
}

/**
 * The paper's format reward: a quarter each for exactly one closed <reasoning>, exactly one closed <answer>,
 * reasoning before answer, and no duplicate opening tags.
 */
export function formatReward(response: string): number {
  const { reasoning, answer } = scan(response);
  const closedOnce = ({ opens, closes, firstOpenEnd, firstClose }: Sightings) =>
    opens === 1 && closes === 1 && firstOpenEnd <= firstClose;
  const inOrder = reasoning.closes > 0 && answer.opens > 0 && reasoning.firstClose < answer.firstOpen;
  // "No duplicates" is earned by tags that are there once, not by writing none at all.
  const noDuplicates = reasoning.opens + answer.opens > 0 && reasoning.opens <= 1 && answer.opens <= 1;
  return [closedOnce(reasoning), closedOnce(answer), inOrder, noDuplicates].filter(Boolean).length / 4;
}

/** Where the response thinks aloud: the reasoning block where there is one, else everything before the answer. */
export function reasoningRange(response: string): { readonly start: number; readonly end: number } {
  const { reasoning, answer } = scan(response);
  const start = Math.max(reasoning.firstOpenEnd, 0);
  const ends = [reasoning.firstClose, answer.firstOpen].filter((end) => end >= start);
  return { start, end: ends.length === 0 ? response.length : Math.min(...ends) };
}

export function reasoningText(response: string): string {
  const { start, end } = reasoningRange(response);
  return response.slice(start, end);
}
