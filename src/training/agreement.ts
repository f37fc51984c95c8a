// Sharpening without the task: a rollout is paid for giving the answer that most of its group give, right or wrong (majority
// voting as reward, Zuo et al. 2025, arXiv:2504.16084). What such training does as well, the task's reward did not do.

/** 1 for the answer given most often, its share where several are; 0 for others and for what has no answer that can be read. */
export function agreementRewards(answers: readonly (string | undefined)[]): number[] {
  const votes = new Map<string, number>();
  for (const answer of answers) if (answer !== undefined) votes.set(answer, (votes.get(answer) ?? 0) + 1);
  const most = Math.max(0, ...votes.values());
  const winners = [...votes.values()].filter((count) => count === most).length;
  return answers.map((answer) => (answer !== undefined && votes.get(answer) === most ? 1 / winners : 0));
}
