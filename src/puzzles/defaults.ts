// What follows from a puzzle's rules without another line of its own: solving, counting, how difficult a board is, what is
// wrong with an answer, new boards, small worlds. All of it is worked out on the constraint model. A puzzle overrides what it does
// faster, and a test compares the two.
import type { Random } from "../base/random.ts";
import { type BrokenRule, type Constraint, type ConstraintModel, decidedValue } from "./constraint-model.ts";
import { ModelSearch } from "./model-solver.ts";
import { checkRequest } from "./notation.ts";
import {
  type Cell,
  defaultBudget,
  type Effort,
  type Generated,
  GenerationError,
  inRounds,
  type Judgment,
  type Puzzle,
  type PuzzleParams,
  type SolveBudget,
  type Solved,
  type SomeSolutions,
} from "./puzzle.ts";

/** Each constraint by itself · one supposition at a time · suppositions within suppositions. */
export const modelLevels = ["easy", "tricky", "unreasonable"] as const;

type Sized = { readonly width: number; readonly height: number };

type Defaulted =
  | "difficulties"
  | "size"
  | "solve"
  | "solutions"
  | "difficulty"
  | "effort"
  | "generate"
  | "enumerate"
  | "lazyAnswers"
  | "promptExamples";

/** What a puzzle says of itself; the rest has defaults, and each but the verdict may be overridden. */
export type PuzzleRules<Instance, Board, Params extends PuzzleParams = PuzzleParams> = Omit<
  Puzzle<Instance, Board, Params>,
  Defaulted | "judge" | "violations"
> &
  Partial<Pick<Puzzle<Instance, Board, Params>, Defaulted>> & {
    /** A board at random, with one solution or not, for the default generator; nothing where this draw came to none. */
    candidate?(params: Params, random: Random): Instance | undefined;
    /** The instance of every solved board of a size, as often as it has one; undefined where they are too many to list. */
    solvedBoards?(params: Params): Iterable<Instance> | undefined;
  };

export function puzzleOf<Instance extends Sized, Board, Params extends PuzzleParams>(
  rules: PuzzleRules<Instance, Board, Params>,
): Puzzle<Instance, Board, Params> {
  const puzzle: Puzzle<Instance, Board, Params> = {
    difficulties: modelLevels,
    promptExamples: [rules.example],
    size: ({ width, height }) => ({ width, height }),
    solve: (instance, budget) => solvedBy(puzzle.solutions(instance, 2, budget), budget),
    solutions: (instance, most, budget) => modelSolutions(rules, instance, most, budget),
    difficulty: (instance) => puzzle.effort(instance)?.difficulty,
    effort: (instance) => gauged(new ModelSearch(rules.constraints(instance)))?.effort,
    generate: (params, random) => filtered(puzzle, rules, params, random),
    enumerate: (params) => {
      const boards = rules.solvedBoards?.(params);
      return boards && listed(puzzle, boards, params.difficulty);
    },
    lazyAnswers: () => ({}),
    ...rules,
    judge: (instance, board) => judged(instance, brokenBy(rules, instance, board, "verdict")),
    violations: (instance, board) =>
      brokenBy(rules, instance, board, "violations").map(({ rule, because, cells }) => ({
        rule,
        because,
        cells: places(instance, cells),
      })),
  };
  return puzzle;
}

/** Two solutions say all that anybody asks. */
function solvedBy<Board>({ boards, all }: SomeSolutions<Board>, budget: SolveBudget = defaultBudget): Solved<Board> {
  const [first, second] = boards;
  if (second !== undefined) return { status: "multiple", solutions: [first, second] };
  if (!all) return { status: "gave-up", budget };
  return first === undefined ? { status: "none" } : { status: "unique", solution: first };
}

type Modeled<Instance, Board> = Pick<PuzzleRules<Instance, Board>, "constraints" | "readAnswer">;

export function modelSolutions<Instance, Board>(
  rules: Modeled<Instance, Board>,
  instance: Instance,
  most: number,
  { searchSteps }: SolveBudget = defaultBudget,
): SomeSolutions<Board> {
  const search = new ModelSearch(rules.constraints(instance));
  const boards: Board[] = [];
  if (most > 0)
    for (const values of search.solutions(searchSteps)) {
      boards.push(boardOf(rules, instance, search.model.answer(values)));
      if (boards.length === most) return { boards, all: false };
    }
  return { boards, all: most > 0 && search.nodes < searchSteps };
}

function boardOf<Instance, Board>(rules: Modeled<Instance, Board>, instance: Instance, answer: string): Board {
  const read = rules.readAnswer(instance, answer);
  if ("unreadable" in read) throw new Error(`the model's own answer cannot be read: ${read.unreadable}`);
  return read.board;
}

type Gauged = { readonly effort: Effort; readonly values: readonly number[] };

/** The weakest of three kinds of reasoning that finds the single solution, and how much of it that takes; nothing where it is harder than `atMost`. */
function gauged(search: ModelSearch, atMost = "unreasonable", limit = defaultBudget.searchSteps): Gauged | undefined {
  const unknowns = search.open;
  if (!search.propagate()) return undefined;
  const deduced = { steps: unknowns - search.open, chain: inRounds(search.looks, search.model.constraints.length) };
  const known = (difficulty: (typeof modelLevels)[number], guesses: number): Gauged | undefined => {
    const values = Array.from(search.possible, decidedValue);
    if (!search.model.wholeBoard.every(({ holds }) => holds(values))) return undefined;
    return { effort: { difficulty, ...deduced, guesses, searchSteps: 0 }, values };
  };
  if (search.open === 0) return known("easy", 0);
  if (atMost === "easy") return undefined;
  const guesses = search.settleBySupposing();
  if (guesses === undefined) return undefined;
  if (search.open === 0) return known("tricky", guesses);
  if (atMost === "tricky") return undefined;
  const found: number[][] = [];
  for (const values of search.solutions(limit)) if (found.push(values) > 1) return undefined;
  if (found.length === 0 || search.nodes >= limit) return undefined;
  const difficulty = "unreasonable";
  return { effort: { difficulty, ...deduced, guesses, searchSteps: search.nodes }, values: found[0] };
}

/** Thousands of answers to an instance may be judged: its model, the rules that say something of an answer, and the board last found right. */
type Judging = {
  readonly model: ConstraintModel;
  readonly said: readonly Constraint[];
  right?: readonly string[];
};
const judging = new WeakMap<object, Judging>();

function judgingOf<Instance extends object>(
  rules: Pick<Modeled<Instance, unknown>, "constraints">,
  instance: Instance,
) {
  let known = judging.get(instance);
  if (known === undefined) {
    const model = rules.constraints(instance);
    known = { model, said: model.constraints.filter(({ redundant }) => !redundant) };
    judging.set(instance, known);
  }
  return known;
}

/** For a verdict only the first broken rule needs its words, and others of its kind only their places. */
type Wanted = "violations" | "verdict";

function brokenRules({ model, said }: Judging, shown: readonly string[], wanted: Wanted): readonly BrokenRule[] {
  const { values, broken: found = [] } = model.valuesOf(shown);
  if (values === undefined) return found;
  const { cellsOf } = model;
  const broken = [...found];
  const speaks = () => wanted === "violations" || broken.length === 0;
  for (const { name, rule = name, scope, compatible, kept = compatible, cells, prose } of said) {
    const held: number[] = [];
    for (const unknown of scope) held.push(values[unknown]);
    if (kept(held)) continue;
    if (!speaks() && rule !== broken[0].rule) continue;
    const instead = speaks() && prose.found !== undefined ? `, but ${prose.found(held)}` : "";
    const because = speaks() ? `${prose.title}: ${prose.demand}${instead}` : "";
    broken.push({ rule, because, cells: cells ?? (cellsOf === undefined ? scope : scope.flatMap(cellsOf)) });
  }
  for (const { name, rule = name, question, broken: because = `no: ${question}`, holds, cells } of model.wholeBoard)
    if ((speaks() || rule === broken[0].rule) && !holds(values))
      broken.push({ rule, because, cells: cells?.(values) ?? [] });
  return broken;
}

function brokenBy<Instance extends Sized, Board, Params extends PuzzleParams>(
  rules: PuzzleRules<Instance, Board, Params>,
  instance: Instance,
  board: Board,
  wanted: Wanted,
): readonly BrokenRule[] {
  const { width, height } = instance;
  const shown = rules.answerCells(instance, board);
  if (shown.length !== width * height)
    return [{ rule: "shape", because: `not a board of ${width}x${height} cells`, cells: [] }];
  const known = judgingOf(rules, instance);
  // Attempts at a problem that are right are mostly the same.
  if (known.right !== undefined && shown.every((symbol, cell) => symbol === known.right![cell])) return [];
  const broken = brokenRules(known, shown, wanted);
  if (broken.length === 0) known.right = [...shown];
  return broken;
}

const places = ({ width }: Sized, cells: readonly number[]): Cell[] =>
  [...new Set(cells)]
    .sort((one, other) => one - other)
    .map((cell) => ({ row: Math.floor(cell / width), column: cell % width }));

/** The first broken rule, with all its places. */
function judged(instance: Sized, [first, ...others]: readonly BrokenRule[]): Judgment {
  if (first === undefined) return { correct: true };
  const same = others.filter(({ rule }) => rule === first.rule);
  const because = same.length === 0 ? first.because : `${first.because} (and ${same.length} more)`;
  const cells = same.length === 0 ? first.cells : [first, ...same].flatMap(({ cells }) => cells);
  return { correct: false, because, cells: places(instance, cells) };
}

/** Candidates are drawn until one has a single solution and the level asked for. Looks at constraints end it, not time. */
const mostLooks = 2_000_000;
/** A board that needs more search than this counts as ambiguous. */
const searchSteps = 500;

function filtered<Instance extends Sized, Board, Params extends PuzzleParams>(
  puzzle: Puzzle<Instance, Board, Params>,
  rules: PuzzleRules<Instance, Board, Params>,
  params: Params,
  random: Random,
): Generated<Instance, Board> {
  const wanted = params.difficulty;
  const kind = `${puzzle.name} ${puzzle.writeParams(params)}`;
  if (rules.candidate === undefined) throw new Error(`${puzzle.name} has no generator`);
  checkRequest({ name: puzzle.name, smallestSide: 1, levels: puzzle.difficulties }, params);
  for (let looks = 0; looks < mostLooks; looks++) {
    const instance = rules.candidate(params, random);
    if (instance === undefined) continue;
    const search = new ModelSearch(rules.constraints(instance));
    const found = gauged(search, wanted, searchSteps);
    looks += search.looks;
    if (found === undefined) continue;
    const { effort, values } = found;
    const { difficulty } = effort;
    if (wanted !== undefined && difficulty !== wanted) continue;
    return { instance, solution: boardOf(rules, instance, search.model.answer(values)), difficulty };
  }
  throw new GenerationError(
    `${kind}: none found in ${mostLooks} looks at its rules; try another seed, difficulty or size`,
  );
}

/** Of the instances that solved boards show, those that no other board shows; of the given difficulty if there is one. */
function* listed<Instance, Board, Params extends PuzzleParams>(
  puzzle: Puzzle<Instance, Board, Params>,
  boards: Iterable<Instance>,
  difficulty: string | undefined,
): Generator<Instance> {
  for (const instance of boards)
    if (puzzle.solve(instance).status === "unique")
      if (difficulty === undefined || puzzle.difficulty(instance) === difficulty) yield instance;
}
