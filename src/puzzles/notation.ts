// What the notations of all puzzles share: a text is read from its beginning, and what is wrong with it is said with the
// character where. Parameters are a size, numbers behind letters and a level; ids add cells, with letters for runs of open ones.
import { ImpossibleRequestError, mostCells, PuzzleFormatError, type PuzzleParams, shortened } from "./puzzle.ts";

export class Reader {
  readonly what: string;
  readonly text: string;
  at: number;

  constructor(what: string, text: string, at = 0) {
    this.what = what;
    this.text = text;
    this.at = at;
  }

  get ended(): boolean {
    return this.at >= this.text.length;
  }

  refuse(problem: string, at = this.at): never {
    throw new PuzzleFormatError(`${this.what} ${shortened(this.text)}: ${problem} at character ${at + 1}`);
  }

  /** Refuses what comes next. */
  expected(what: string): never {
    const found = this.ended ? "the end" : JSON.stringify(this.text[this.at]);
    return this.refuse(`expected ${what}, found ${found}`);
  }

  takes(symbol: string): boolean {
    const found = this.text[this.at] === symbol;
    if (found) this.at++;
    return found;
  }

  take(symbol: string, after: string): void {
    if (!this.takes(symbol)) this.expected(`"${symbol}" after ${after}`);
  }

  /** Digits; none at all count as nothing, where that is allowed. */
  number(meaning: string, nothing?: number): number {
    const start = this.at;
    while (/[0-9]/.test(this.text[this.at] ?? "")) this.at++;
    if (this.at === start) return nothing ?? this.expected(meaning);
    if (this.at - start > 9) this.refuse(`${meaning} is too large`, start);
    return Number(this.text.slice(start, this.at));
  }

  /** Cells row by row, a symbol each, up to the end or a mark; `runs` are letters from a (1) to z (26) for open cells. */
  symbols(area: number, known: string, meaning: string, until?: string, runs = false): string[] {
    const cells: string[] = [];
    for (; !this.ended && this.text[this.at] !== until; this.at++) {
      const symbol = this.text[this.at];
      if (known.includes(symbol)) cells.push(symbol);
      else if (runs && /[a-z]/.test(symbol))
        for (let run = symbol.charCodeAt(0) - 96; run > 0; run--) cells.push(openCell);
      else this.expected(meaning);
      if (cells.length > area) this.refuse(`more than ${area} cells`);
    }
    if (cells.length < area) this.refuse(`${cells.length} of ${area} cells`);
    return cells;
  }

  /** The same with runs. */
  cells(area: number, known: string, meaning: string, until?: string): string[] {
    return this.symbols(area, known, `${meaning} or a letter for cells without one`, until, true);
  }
}

const openCell = ".";

/** Runs of open cells, written as dots, as ids have them: a letter for up to 26. */
export const runsAsLetters = (cells: string): string =>
  cells.replaceAll(/\.{1,26}/g, (run) => String.fromCharCode(96 + run.length));

/** What the parameters of a puzzle may say. */
export type Form<Level extends string> = {
  readonly name: string;
  readonly smallestSide: number;
  readonly longestSide?: number;
  readonly levels: readonly Level[];
  /** What stands for a level; its first letter unless said. */
  readonly sign?: (level: Level) => string;
  /** His level where none is written; any where there is none. */
  readonly usual?: Level;
  /** Stands for any level. */
  readonly any?: string;
  /** Between the size and the level, in this order: a letter, what its number means, and how small and large it may be. */
  readonly numbers?: readonly (readonly [letter: string, meaning: string, least: number, most: number])[];
  /** Letters that are there or not, behind the numbers. */
  readonly flag?: string;
};

type ReadParams<Level extends string> = {
  readonly size: { readonly width: number; readonly height: number; readonly difficulty?: Level };
  readonly numbers: Readonly<Record<string, number | undefined>>;
  readonly flagged: boolean;
};

/** An id's numbers and level say how it was made, and are not held to their ranges, but for those that `inIds` names. */
export function readParameters<Level extends string>(
  form: Form<Level>,
  given: string,
  inIds?: string,
): ReadParams<Level> {
  const { name, levels, sign = firstLetter, flag, any } = form;
  // As people type them: blanks around them and a capital X are forgiven.
  const reader = new Reader(`${name} parameters`, given.trim().replace(/^(\d+)X/, "$1x"));
  const width = reader.number("a size such as 7x7");
  const height = reader.takes("x") ? reader.number("a size such as 7x7") : width;
  const problem = sizeProblem(form, width, height);
  if (problem !== undefined) throw new PuzzleFormatError(`${reader.what} ${shortened(reader.text)}: ${problem}`);
  const numbers: Record<string, number> = {};
  for (const [letter, meaning, least, most] of form.numbers ?? []) {
    if (!reader.takes(letter)) continue;
    const start = reader.at;
    const value = reader.number(meaning);
    const held = inIds === undefined || inIds.includes(letter);
    if (held && (value < least || value > most))
      reader.refuse(`${meaning} must be ${least}${most > least ? ` to ${most}` : ""}, not ${value}`, start);
    numbers[letter] = value;
  }
  const flagged = flag !== undefined && reader.takes(flag);
  const read = (difficulty: Level | undefined) => {
    if (!reader.ended) reader.refuse(`unexpected ${JSON.stringify(reader.text[reader.at])}`);
    return { size: { width, height, ...(difficulty !== undefined && { difficulty }) }, numbers, flagged };
  };
  if (reader.ended) return read(form.usual);
  const start = reader.at;
  if (reader.takes("d") && !reader.ended) {
    const written = reader.text[reader.at++].toLowerCase();
    const level = levels.find((level) => sign(level) === written);
    if (level !== undefined || written === any || inIds !== undefined) return read(level);
  }
  reader.at = start;
  const known = levels.map((level) => `d${sign(level)} (${level})`).concat(any === undefined ? [] : `d${any} (any)`);
  return reader.refuse(
    `expected ${known.slice(0, -1).join(", ")} or ${known.at(-1)}, found ${JSON.stringify(reader.text.slice(start, start + 2))}`,
  );
}

const firstLetter = (level: string) => level[0];

/** Why a board of this size cannot be, if it cannot. */
function sizeProblem(
  { smallestSide, longestSide = mostCells }: Pick<Form<string>, "smallestSide" | "longestSide">,
  width: number,
  height: number,
): string | undefined {
  const size = `${width}x${height}`;
  if (!(Math.min(width, height) >= smallestSide && Number.isInteger(width) && Number.isInteger(height)))
    return `${size} is too small; both sides must be whole numbers of at least ${smallestSide}`;
  if (width * height > mostCells) return `${size} is more than ${mostCells} cells`;
  if (Math.max(width, height) > longestSide) return `${size} is too large; no side may be over ${longestSide}`;
  return undefined;
}

/** Refuses what no draw can meet: a size that cannot be, more cells than are made, an unknown level. */
export function checkRequest(form: Form<string>, params: PuzzleParams, mostMade = mostCells): void {
  const { width, height, difficulty } = params;
  const problem =
    sizeProblem(form, width, height) ??
    (width * height > mostMade ? `boards of more than ${mostMade} cells are not made` : undefined) ??
    (difficulty !== undefined && !form.levels.includes(difficulty)
      ? `unknown difficulty ${JSON.stringify(difficulty)}; expected one of: ${form.levels.join(", ")}`
      : undefined);
  if (problem !== undefined)
    throw new ImpossibleRequestError(`no ${form.name} puzzle of ${width}x${height}: ${problem}`);
}

/** `between` is what stands between the size and the level. */
export function writeParameters<Level extends string>(
  { sign = firstLetter, any }: Form<Level>,
  { width, height, difficulty }: PuzzleParams & { readonly difficulty?: Level },
  between = "",
): string {
  const level = difficulty === undefined ? any : sign(difficulty);
  return `${width}x${height}${between}${level === undefined ? "" : `d${level}`}`;
}

/** An id in two: its parameters, and a reader of what comes behind the colon. */
export function idInParts(name: string, given: string): { readonly params: string; readonly reader: Reader } {
  const id = given.trim();
  const colon = id.indexOf(":");
  if (colon < 0)
    throw new PuzzleFormatError(
      id.includes("#")
        ? `${name} id ${shortened(id)} with a random seed: only the program that made it can do so again; give params:description`
        : `${name} id ${shortened(id)} has no ":" between its parameters and its description`,
    );
  return { params: id.slice(0, colon), reader: new Reader(`${name} id`, id, colon + 1) };
}

type Step = { readonly match: RegExpExecArray; readonly refuse: (problem: string) => never };

/** The steps of a move, `S;…;…`. */
export function* stepsOf(name: string, move: string, form: RegExp, meaning: string): Generator<Step> {
  const reader = new Reader(`${name} move`, move);
  const [start, ...steps] = move.split(";");
  if (start !== "S") reader.refuse('a solve move starts with "S"');
  reader.at = 2;
  for (const step of steps) {
    const at = reader.at;
    const match = form.exec(step) ?? reader.refuse(`expected ${meaning}, found ${shortened(step)}`);
    yield { match, refuse: (problem) => reader.refuse(problem, at) };
    reader.at += step.length + 1;
  }
}
