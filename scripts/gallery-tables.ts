// The parts of docs/puzzles.md that are not about one puzzle: sizes, levels, prompts, and what lazy answers earn.
import { Random } from "../src/base/random.ts";
import { balancedReward, paperReward } from "../src/grading/reward.ts";
import { puzzleNamed, puzzles } from "../src/puzzles/catalog.ts";
import { puzzlePrompt } from "../src/puzzles/prompt.ts";
import { type AnyPuzzle, GenerationError, mostCells } from "../src/puzzles/puzzle.ts";
import { rated } from "../src/puzzles/rating.ts";
import { type SplitPuzzle, splitPuzzles } from "../src/puzzles/splits.ts";
import { gradeAnswer, gradingKey } from "../src/puzzles/verification.ts";
import { degenerateAnswers } from "./degenerate-answers.ts";

export const sizes = [
  "## Sizes and levels",
  `A kind of puzzle has a size and a level: \`--size 7x7 --difficulty easy\`, or Simon Tatham's notation (\`--params 7x7d0\`), which ids use. \`easy\`, \`medium\` and \`hard\` mean each puzzle's nearest level; \`any\` accepts all.`,
  `No board has more than ${mostCells} cells, and no side of a Pattern is longer than 1000. These limits are for parsing; generation takes time. Boards of a few hundred cells take less than a second at most levels; Patterns from about 40x40, unreasonable ones from 20x20, and Galaxies that need search from about 50x50 take longer. \`--time-limit\` (60 s per board by default; also of \`solve\` and \`show --solution\`) abandons and reports boards that take longer. A draw that finds nothing is skipped and counted.`,
  "Undead is generated up to 100 cells (an n by n maze has 4n sightings for about 0.6 n² monsters), Slitherlink up to 10000. A Galaxies board with a dot on every cell has nothing to solve and is never generated; on 3x3, the nearest dot, or one dot for all open cells, is right on a fifth of all boards (below), so measure on 7x7.",
].join("\n\n");

/** What `puzzles verify --json` reads and writes. */
export const verifying = `## Verifying answers in bulk

\`repertoire puzzles verify --json < examples/answers.jsonl\` verifies one answer per JSON line and writes one line for each.

| input | |
|---|---|
| \`id\` | the game id, params:desc; also \`puzzle\`, if the id is ambiguous |
| one of \`answer\`, \`response\`, \`turns\` | a board as text; a whole response with its \`<answer>\` tags; a list of boards with \`?\` for open cells, one per turn |

| output | |
|---|---|
| \`verdict\`, \`because\` | correct, wrong or unreadable, and why |
| \`exact\`, \`completion\`, \`format\`, \`reward\` | the reward by component |
| \`violations\` | every broken rule, in words and with its cells |

\`repertoire puzzles solve --json\` reads lines with \`id\`, and \`puzzle\` if the id is ambiguous.`;

export const ratings = [
  "## Difficulty as a number",
  "Every row of a dataset has a `rating` and its components: `deduction_steps` (cells or edges that deduction settles), `chain` (passes of deduction over the whole board), `guesses` (what deduction leaves to assumptions) and `search_steps`. They are counts, not times, of the board's canonical form, so a board and its mirror image have the same rating. The integer part of a rating is the level, and within a level more work means a higher rating. The `difficulty` of a row is the level of its canonical form: an Undead maze generated as normal may be rated easy if its mirror image is.",
  `| puzzle | id | difficulty | rating | steps | chain | guesses | search |\n|---|---|---|---|---|---|---|---|\n${puzzles.flatMap(ratingRow).join("\n")}`,
].join("\n\n");

function ratingRow(puzzle: (typeof puzzles)[number]): string[] {
  const rating = rated(puzzle, puzzle.readId(puzzle.example));
  if (rating === undefined) return [];
  const { difficulty, steps, chain, guesses, searchSteps } = rating;
  return [
    `| ${puzzle.title} | \`${puzzle.example}\` | ${difficulty} | ${rating.rating} | ${steps} | ${chain} | ${guesses} | ${searchSteps} |`,
  ];
}

export function prompts(): string {
  const puzzle = puzzleNamed("bridges");
  const instance = puzzle.readId(puzzle.example);
  const plain = puzzlePrompt(puzzle, instance).split("\n\n");
  const varied = puzzlePrompt(puzzle, instance, "full", ["example", "unique", "json"]).split("\n\n");
  return [
    "## Prompt variants",
    '`--prompt-with` changes the full prompt, in any combination: `example` (adds another puzzle of the kind with its answer), `unique` (says that there is exactly one solution) and `json` (asks for the answer as `{"board": [rows]}`). `drawn`, `intformat` and `intformat-json` write boards as TopoBench does (all but Hitori and Nurikabe), as drawings of characters or with a code for each of them. Answers in any of these forms are accepted whatever the prompt was. `puzzles show --png` draws the board for vision models, and `puzzles generate --picture --out` adds it to every row as a data URL. What the first three change in the prompt of Bridges:',
    `\`\`\`text\n${varied.filter((paragraph) => !plain.includes(paragraph)).join("\n\n")}\n\`\`\``,
  ].join("\n\n");
}

const measured: readonly (readonly [string, string])[] = [
  ["bridges", "7x7d0"],
  ["bridges", "10x10i5d0"],
  ["flowfree", "5x5de"],
  ["flowfree", "8x8de"],
  ["galaxies", "3x3dn"],
  ["galaxies", "4x4dn"],
  ["galaxies", "5x5dn"],
  ["galaxies", "7x7dn"],
  ["galaxies", "10x10dn"],
  ["slitherlink", "5x5t0de"],
  ["slitherlink", "10x10t0dn"],
  ["hitori", "5x5de"],
  ["hitori", "8x8de"],
  ["nurikabe", "5x5de"],
  ["nurikabe", "8x8de"],
  ["pattern", "4x4"],
  ["pattern", "10x10"],
  ["pattern", "10x10f5"],
  ["pattern", "10x10f80"],
  ["undead", "4x4de"],
  ["undead", "7x7dn"],
];
const boards = 40;

/** As a dataset has them: no two alike, and fewer where there are no more. */
function* differentBoards(puzzle: AnyPuzzle, params: string): Generator<SplitPuzzle> {
  const random = Random.from("giveaways").child(puzzle.name, params);
  const made = splitPuzzles({ puzzle, params: puzzle.readParams(params), random });
  try {
    for (let board = 0; board < boards; board++) yield made.next().value;
  } catch (error) {
    if (!(error instanceof GenerationError)) throw error;
  }
}

/** The mean reward of each lazy answer, by cells as in the paper and by classes. */
export function giveaways(): string {
  const rows = measured.map(([name, params]) => {
    const puzzle = puzzleNamed(name);
    const sums = new Map<string, { count: number; right: number; paper: number; balanced: number }>();
    for (const { instance, solution } of differentBoards(puzzle, params)) {
      const key = gradingKey(puzzle, instance, solution);
      for (const [what, answer] of Object.entries(degenerateAnswers(puzzle, instance, solution))) {
        const called =
          what.endsWith("everywhere") && !["hitori", "nurikabe", "pattern", "slitherlink"].includes(name)
            ? "one symbol everywhere"
            : what;
        const sum = sums.get(called) ?? { count: 0, right: 0, paper: 0, balanced: 0 };
        const { parts } = gradeAnswer(key, answer, paperReward);
        sum.count++;
        sum.right += parts.exact;
        sum.paper += parts.reward;
        sum.balanced += gradeAnswer(key, answer, balancedReward).parts.reward;
        sums.set(called, sum);
      }
    }
    const earned = [...sums].map(([what, { count, right, paper, balanced }]) => ({
      what,
      right: right / count,
      paper: paper / count,
      balanced: balanced / count,
    }));
    const best = earned.reduce((first, other) => (other.paper > first.paper ? other : first));
    const balanced = Math.max(...earned.map((answer) => answer.balanced));
    return `| ${name} ${params} | ${best.what} | ${Math.round(100 * best.right)}% | ${best.paper.toFixed(2)} | ${balanced.toFixed(2)} |`;
  });
  return [
    "## What lazy answers earn",
    `Completion by cells, as in the paper and by default, rewards the most frequent symbol for being frequent. \`--reward balanced\` (of \`puzzles verify\`, \`train rl\`, \`serve rewards\` and \`/puzzles/verify\`) is the mean Jaccard index over the symbols of the solution, rescaled so that a single symbol everywhere and the best wrong lazy answer of the puzzle (the nearest dot, every edge one or two) earn nothing, and cubed. Tried were the board as given, one symbol everywhere, all symbols in turn, and each puzzle's own lazy answers, well formatted, over ${boards} different boards of each kind (Galaxies 3x3 has 36). The table shows which earns most by cells, and the most that any of them earns balanced; a right answer earns 2.1, which is included. Where balanced pays more than 0.3, no definition of completion could pay less than that: on 3x3 Galaxies, the nearest dot is right on 19% of the boards and one symbol on 18%, which earns 0.40 and 0.38 for being right, plus 0.08 for the format of the rest. 5x5 has no such boards.`,
    `| puzzle | lazy answer that earns most by cells | right | it earns by cells | any earns balanced |\n|---|---|---|---|---|\n${rows.join("\n")}`,
  ].join("\n\n");
}
