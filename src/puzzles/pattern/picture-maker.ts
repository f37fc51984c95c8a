// Makes a picture whose clues are as difficult as wanted: takes noise until some of it is, and where that is rare
// changes cells of one picture, keeping every change that does not lead away from the goal.
// Effort is counted in looks at lines, so that it is bounded alike on every machine.
import type { Random } from "../../base/random.ts";
import { settleByContradiction } from "./difficulty.ts";
import type { PatternDifficulty, PatternParams } from "./instance.ts";
import { KnownPicture } from "./known-picture.ts";
import { empty, full, type Mark, opposite, unknown } from "./mark.ts";
import { NoiseMaker, usualSmoothing } from "./noise.ts";
import { PropagationState } from "./propagation-state.ts";
import { searchSheet } from "./search.ts";

/** Unreasonable pictures are rare, and below 7x7 none is known: there, looking long would only be waiting long. */
function effortPerLine({ width, height, difficulty }: PatternParams): number {
  if (difficulty !== "unreasonable") return 100_000;
  return width * height < 49 ? 400_000 : 2_000_000;
}

/** Noise is taken as it comes this often before cells are changed: that is what Tatham's puzzles look like. */
const untouchedTries = 60;
/** After so many pictures smoothness is given up, then the wish for lines that are neither blank nor full. */
const smoothTries = 3000;
const mixedLineTries = 6000;
/** Changes in a row that made nothing better, after which a picture is put away. */
const patience = 500;
/** Guesses after which a picture is taken not to be unique. */
const searchSteps = 500;
/** On a board with such sides, or too long for machine words, only a core is unreasonable, and the rest is what lines can solve. */
const smallestWithCore = 24;
const coreSide = 10;
/** Easy boards with so many cells are mended in place. */
const smallestMended = 1_600;
const patchReach = 2;
/** What changing single cells until sliding solves it comes to, whatever share it begins with. */
const easyPercent = 77;
/** Of these so few come out easy as they are that a few tries are enough. */
const untouchedTriesOfMended = 5;

type Assessment = {
  /** The difficulty, once it is a wanted one. */
  readonly reached?: PatternDifficulty;
  /** How near the picture is to that: the more the better, below zero while cells stay open that must not. */
  readonly score: number;
};

export class PictureMaker {
  /** A mark for each cell. */
  readonly picture: Uint8Array;
  /** The most looks at lines that may be spent. */
  readonly effort: number;
  readonly #params: PatternParams;
  readonly #random: Random;
  readonly #state: PropagationState;
  /** For pictures beyond line logic, where lines are short enough. */
  readonly #known: KnownPicture | undefined;
  readonly #noise: NoiseMaker;
  /** Cells that the last assessment could not settle without search. */
  #open: number[] = [];
  readonly #smoothing: number;
  /** Cells that are not to be changed. */
  #kept: ReadonlySet<number> = new Set();
  #mixedLines = true;

  constructor(params: PatternParams, random: Random) {
    this.#params = params;
    this.#random = random;
    this.#state = new PropagationState(params.width, params.height);
    this.#known = KnownPicture.fits(params.width, params.height)
      ? new KnownPicture(params.width, params.height)
      : undefined;
    this.#noise = new NoiseMaker(params.width, params.height);
    this.#smoothing = usualSmoothing(params.width, params.height);
    this.picture = new Uint8Array(this.#state.area);
    this.effort = effortPerLine(params) * this.#state.lineCount;
  }

  /** Leaves a picture of the wanted difficulty and says which it has, or undefined when the effort is spent. */
  make(): PatternDifficulty | undefined {
    const { fullPercent = 50, difficulty, width, height } = this.#params;
    const shorter = Math.min(width, height);
    const cored = shorter >= smallestWithCore || (shorter > coreSide && this.#known === undefined);
    if (difficulty === "unreasonable" && cored) return this.#makeAroundCore();
    const mended = this.#state.area >= smallestMended && difficulty === "easy";
    const beyondLines = difficulty === "tricky" || difficulty === "unreasonable";
    for (let tries = 0, assessed = 0; this.#state.looks < this.effort; tries++) {
      this.#mixedLines = tries < mixedLineTries;
      this.#noise.fill(this.picture, tries < smoothTries ? this.#smoothing : 0, fullPercent, this.#random);
      // A picture costs something even if no line of it is looked at.
      this.#state.looks++;
      if (!this.#linesAreMixed()) continue;
      if (assessed++ < (mended ? untouchedTriesOfMended : untouchedTries)) {
        const { reached } = this.#assess(difficulty);
        if (reached !== undefined) return reached;
        continue;
      }
      // What lines can solve has one solution: from there difficulty is raised without losing that.
      if (beyondLines && this.#improve(undefined) === undefined) continue;
      const reached = mended ? this.#mend() : this.#improve(difficulty);
      if (reached !== undefined) return reached;
    }
    return undefined;
  }

  /**
   * Sliding over a large board is slow to do again after every change. So the cells that it left open are changed while what
   * it settled is taken for settled, until nothing is open; only then everything is gone over again, which mostly leaves less.
   */
  #mend(): PatternDifficulty | undefined {
    let { score: best, reached } = this.#assess("easy");
    let kept = this.picture.slice();
    for (let vain = 0; reached === undefined && vain < patience && this.#state.looks < this.effort; vain++) {
      this.#changeOpenCells();
      const next = this.#linesAreMixed() ? this.#assess("easy") : undefined;
      if (next !== undefined && (next.reached !== undefined || next.score >= best)) {
        if (next.score > best) vain = 0;
        ({ score: best, reached } = next);
        kept = this.picture.slice();
        continue;
      }
      this.picture.set(kept);
      this.#assess("easy");
    }
    return reached;
  }

  /** Changes open cells a patch at a time and slides on, without taking back what was settled. */
  #changeOpenCells(): void {
    const state = this.#state;
    const wanted = (state.area * (this.#params.fullPercent ?? easyPercent)) / 100;
    let fullCells = this.picture.reduce((count, mark) => count + (mark === full ? 1 : 0), 0);
    let open = this.#open;
    for (let vain = 0; open.length > 0 && vain < open.length; vain++) {
      const value = fullCells < wanted ? full : empty;
      const changed = this.#changePatch(this.#random.pick(open), value);
      fullCells += value === full ? changed.length : -changed.length;
      state.goOnWith(this.picture, changed);
      const before = state.marked;
      state.deduce("sliding");
      if (state.marked === before) continue;
      open = open.filter((cell) => state.values[cell] === unknown);
      vain = 0;
    }
  }

  /**
   * Suppositions about every cell of a large board are slow, and a hard spot is a small thing: a small picture that is
   * unreasonable is put anywhere, with empty cells around it, and the rest is changed until lines solve all but the core.
   * What is left then is the small puzzle itself.
   */
  #makeAroundCore(): PatternDifficulty | undefined {
    const { width, height, fullPercent = 50 } = this.#params;
    const coreParams = {
      width: coreSide,
      height: coreSide,
      difficulty: "unreasonable",
      fullPercent: this.#params.fullPercent,
    } as const;
    const core = new PictureMaker(coreParams, this.#random);
    if (core.make() === undefined) return undefined;
    while (this.#state.looks < this.effort) {
      this.#state.looks++;
      this.#noise.fill(this.picture, this.#smoothing, fullPercent, this.#random);
      this.#kept = this.#place(
        core.picture,
        this.#random.below(width - coreSide + 1),
        this.#random.below(height - coreSide + 1),
      );
      if (this.#linesAreMixed() && this.#improve("around-core") !== undefined) return "unreasonable";
    }
    return undefined;
  }

  /** Puts a core into the picture, and says which cells must stay as they are: its own and the empty ones around it. */
  #place(core: Uint8Array, left: number, top: number): ReadonlySet<number> {
    const { width, height } = this.#params;
    const kept = new Set<number>();
    for (let y = -1; y <= coreSide; y++) {
      for (let x = -1; x <= coreSide; x++) {
        const [row, column] = [top + y, left + x];
        if (row < 0 || column < 0 || row >= height || column >= width) continue;
        const inside = x >= 0 && y >= 0 && x < coreSide && y < coreSide;
        this.picture[row * width + column] = inside ? core[y * coreSide + x] : empty;
        kept.add(row * width + column);
      }
    }
    return kept;
  }

  /** Lines must solve everything but the core; and then it is as hard as the core is. */
  #assessAroundCore(): Assessment {
    this.#state.deduce("placements");
    this.#noteOpenCells();
    if (this.#open.length > 0) return { score: -this.#open.length };
    return this.#state.solved ? { score: -1 } : { score: 0, reached: "unreasonable" };
  }

  /** A picture that is worse than `best` may be told so without saying by how much. */
  #assess(wanted: PatternDifficulty | "around-core" | undefined, best = Number.NEGATIVE_INFINITY): Assessment {
    if (this.#known !== undefined && (wanted === "tricky" || wanted === "unreasonable"))
      return this.#assessKnown(this.#known, wanted, best);
    this.#state.startFrom(this.picture);
    if (wanted === "around-core") return this.#assessAroundCore();
    return wanted === "tricky" || wanted === "unreasonable"
      ? this.#assessBeyondLines(wanted)
      : this.#assessByLines(wanted);
  }

  #assessByLines(wanted: "easy" | "normal" | undefined): Assessment {
    const state = this.#state;
    state.deduce("sliding");
    if (state.solved) return wanted === "normal" ? { score: 0 } : { score: 0, reached: "easy" };
    if (wanted !== "easy") {
      state.lookAtAllLines();
      state.deduce("placements");
      if (state.solved) return { score: 0, reached: "normal" };
    }
    this.#noteOpenCells();
    return { score: -this.#open.length };
  }

  #assessKnown(known: KnownPicture, wanted: "tricky" | "unreasonable", best: number): Assessment {
    const looksBefore = known.looks;
    const assessment = this.#howKnown(known, wanted, best);
    this.#state.looks += known.looks - looksBefore;
    return assessment;
  }

  #howKnown(known: KnownPicture, wanted: "tricky" | "unreasonable", best: number): Assessment {
    known.take(this.picture);
    if (best >= 0 && known.hasKnownTwin()) return { score: -1 };
    known.lookAtAllLines();
    if (known.solved) return { score: 0 };
    this.#open = known.openCells();
    const ambiguous: Assessment = { score: -this.#open.length };
    const vain = known.settle();
    if (vain === undefined) return ambiguous;
    // The more is open, and the longer it takes to find a supposition that breaks something, the nearer it is to having none.
    if (known.solved)
      return wanted === "tricky" ? { score: 0, reached: "tricky" } : { score: this.#open.length + vain };
    return wanted === "unreasonable" && known.unique(searchSteps) ? { score: 0, reached: "unreasonable" } : ambiguous;
  }

  #assessBeyondLines(wanted: "tricky" | "unreasonable"): Assessment {
    const state = this.#state;
    state.deduce("placements");
    if (state.solved) return { score: 0 };
    this.#noteOpenCells();
    const settling = settleByContradiction(state);
    if (state.solved) {
      const score = 1 + settling.vain;
      return wanted === "tricky" ? { score, reached: "tricky" } : { score };
    }
    this.#noteOpenCells();
    const outcome = searchSheet(state, searchSteps);
    if ("gaveUp" in outcome || outcome.found.length > 1) return { score: -this.#open.length };
    return wanted === "unreasonable" ? { score: 0, reached: "unreasonable" } : { score: -this.#open.length };
  }

  #noteOpenCells(): void {
    this.#open = [];
    for (let cell = 0; cell < this.#state.area; cell++) {
      if (this.#state.values[cell] === unknown && !this.#kept.has(cell)) this.#open.push(cell);
    }
  }

  /** Changes a few cells at a time, among the open ones while there are any that must not be. */
  #improve(wanted: PatternDifficulty | "around-core" | undefined): PatternDifficulty | undefined {
    const start = this.#assess(wanted);
    if (start.reached !== undefined) return start.reached;
    let best = start.score;
    let open = this.#open;
    for (let vain = 0; vain < patience && this.#state.looks < this.effort; vain++) {
      const changed = this.#changeCells(best < 0 ? open : undefined, wanted === "unreasonable" ? 0.5 : 0);
      this.#state.looks++;
      if (this.#linesAreMixed()) {
        const { reached, score } = this.#assess(wanted, best);
        if (reached !== undefined) return reached;
        if (score >= best) {
          if (score > best) vain = 0;
          best = score;
          open = this.#open;
          continue;
        }
      }
      for (const cell of changed) this.picture[cell] = opposite(this.picture[cell]);
    }
    return undefined;
  }

  /** The open cells around one, all made what the picture has too little of: clumps are what sliding can hold on to. */
  #changePatch(middle: number, value: Mark): number[] {
    const { width, height } = this.#params;
    const [row, column] = [Math.floor(middle / width), middle % width];
    const changed: number[] = [];
    for (let y = Math.max(0, row - patchReach); y <= Math.min(height - 1, row + patchReach); y++)
      for (let x = Math.max(0, column - patchReach); x <= Math.min(width - 1, column + patchReach); x++) {
        const cell = y * width + x;
        if (this.#state.values[cell] !== unknown || this.picture[cell] === value) continue;
        this.picture[cell] = value;
        changed.push(cell);
      }
    return changed;
  }

  /** A share of the changes moves the end of a run: two neighbors that differ change places. */
  #changeCells(among: readonly number[] | undefined, moved: number): number[] {
    const changed: number[] = [];
    const change = (cell: number) => {
      this.picture[cell] = opposite(this.picture[cell]);
      changed.push(cell);
    };
    for (let left = 1 + this.#random.below(3); left > 0; left--) {
      const cell = among === undefined ? this.#random.below(this.picture.length) : this.#random.pick(among);
      const beside = moved > 0 && this.#random.chance(moved) ? this.#neighbor(cell) : undefined;
      if (beside !== undefined && this.picture[beside] !== this.picture[cell]) change(beside);
      change(cell);
    }
    return changed;
  }

  #neighbor(cell: number): number | undefined {
    const { width, height } = this.#params;
    const [down, right] = [
      [0, 1],
      [0, -1],
      [1, 0],
      [-1, 0],
    ][this.#random.below(4)];
    const [row, column] = [Math.floor(cell / width) + down, (cell % width) + right];
    return row < 0 || column < 0 || row >= height || column >= width ? undefined : row * width + column;
  }

  /** Whether no line of three cells or more is blank or full, as Tatham wants it; or that is no longer asked for. */
  #linesAreMixed(): boolean {
    if (!this.#mixedLines) return true;
    const { width, height } = this.#params;
    const { picture } = this;
    for (let row = 0; row < height && width > 2; row++) {
      let fullCells = 0;
      for (let cell = row * width; cell < (row + 1) * width; cell++) if (picture[cell] === full) fullCells++;
      if (fullCells === 0 || fullCells === width) return false;
    }
    for (let column = 0; column < width && height > 2; column++) {
      let fullCells = 0;
      for (let cell = column; cell < picture.length; cell += width) if (picture[cell] === full) fullCells++;
      if (fullCells === 0 || fullCells === height) return false;
    }
    return true;
  }
}
