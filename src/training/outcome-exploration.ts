// Outcome-based exploration within a batch (Song et al. 2025, arXiv:2509.06941): what shares its final answer with others of its
// group gets less, added to the advantage after normalization.
//
//   −(1/G) · #{j ≠ i: a_j = a_i}
//
// Unreadable answers share no label: they are no one's duplicate. The source's other bonuses count how often an answer was seen
// in earlier batches; a loop that asks no problem twice has no such counts.

export const outcomeBonuses = (answers: readonly (string | undefined)[]): number[] =>
  answers.map((answer, i) =>
    answer === undefined ? 0 : -answers.filter((other, j) => j !== i && other === answer).length / answers.length,
  );
