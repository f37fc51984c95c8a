// Majority voting: the answer that most attempts gave. Right answers are one candidate, every wrong one is its own, and
// attempts without a readable answer do not vote.

type Votes = {
  /** Attempts whose answer is right, however it was spelled. */
  readonly correct: number;
  /** How many attempts gave each wrong answer. */
  readonly wrong: readonly number[];
};

/** 1 when the right answer wins, its fair share of a tie, 0 when nobody voted. */
export function majorityVote({ correct, wrong }: Votes): number {
  const most = Math.max(correct, ...wrong, 0);
  if (most === 0 || correct < most) return 0;
  return 1 / (1 + wrong.filter((votes) => votes === most).length);
}
