// What `import "repertoire"` gives: the entries by name, for somebody who looks for one. Everything else is in an entry of its own.

export const entries = {
  "repertoire/base": "randomness as a value, and the errors that the other entries throw",
  "repertoire/grading": "verdicts, rewards and the tags of a response",
  "repertoire/grading/math": "whether two answers in mathematics are equal",
  "repertoire/puzzles": "the puzzles: make, solve, show, verify",
  "repertoire/problems": "what a policy is asked: puzzles, synthetic mathematics, benchmarks",
  "repertoire/endpoints": "a client for any OpenAI-compatible server: retries, deadlines, concurrency, cost",
  "repertoire/engine":
    "engines: the contract with its conformance suite, the one in this process, the client for Tinker servers",
  "repertoire/rollouts": "a graded attempt, the taxonomy it is read in, and how attempts are collected",
  "repertoire/runs": "run folders that survive a crash: one writer, append-only logs, the parts of a run",
  "repertoire/teaching": "the narrating teacher, rejection sampling, corpora",
  "repertoire/training": "objectives as pure functions; SFT and RL loops as generators of events",
  "repertoire/evaluation": "sampling, grading, pass@k with its intervals, comparing checkpoints",
  "repertoire/traces": "reading traces: spans, primitives, motifs, depth, judges, what training did to them",
  "repertoire/serving": "rewards and data for other trainers",
  "repertoire/report": "figures and tables from run folders",
  "repertoire/dashboard": "the dashboard's server, and a run as pages that open without one",
  "repertoire/recipes": "the experiment as a function: the paper, its miniature and its pilots",
} as const;
