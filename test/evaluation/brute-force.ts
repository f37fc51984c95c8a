// pass@k by listing every set of k attempts.

export function* subsets(count: number, k: number, from = 0): Generator<number[]> {
  if (k === 0) yield [];
  else for (let i = from; i <= count - k; i++) for (const rest of subsets(count, k - 1, i + 1)) yield [i, ...rest];
}

export function passAtKByListing(attempts: number, correct: number, k: number): number {
  let sets = 0;
  let passed = 0;
  for (const set of subsets(attempts, k)) {
    sets += 1;
    if (set.some((attempt) => attempt < correct)) passed += 1;
  }
  return passed / sets;
}
