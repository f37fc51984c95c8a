// Makes a picture whose clues are as difficult as wanted: takes noise until some of it is, and where that is rare
// changes cells of one picture, keeping every change that does not lead away from the goal.
// Effort is counted in looks at lines, so that it is bounded alike on every machine.
import type { Random } from "../../base/random.ts";
import { settleByContradiction } from "./difficulty.ts";
import type { PatternDifficulty, PatternParams } from "./instance.ts";
import { full, opposite, unknown } from "./mark.ts";
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
  readonly #noise: NoiseMaker;
  /** Cells that the last assessment could not settle without search. */
  #open: number[] = [];
  readonly #smoothing: number;
  #mixedLines = true;

  constructor(params: PatternParams, random: Random) {
    this.#params = params;
    this.#random = random;
    this.#state = new PropagationState(params.width, params.height);
    this.#noise = new NoiseMaker(params.width, params.height);
    this.#smoothing = usualSmoothing(params.width, params.height);
    this.picture = new Uint8Array(this.#state.area);
    this.effort = effortPerLine(params) * this.#state.lineCount;
  }

  /** Leaves a picture of the wanted difficulty and says which it has, or undefined when the effort is spent. */
  make(): PatternDifficulty | undefined {
    const { fullPercent = 50, difficulty } = this.#params;
    const beyondLines = difficulty === "tricky" || difficulty === "unreasonable";
    for (let tries = 0, assessed = 0; this.#state.looks < this.effort; tries++) {
      this.#mixedLines = tries < mixedLineTries;
      this.#noise.fill(this.picture, tries < smoothTries ? this.#smoothing : 0, fullPercent, this.#random);
      // A picture costs something even if no line of it is looked at.
      this.#state.looks++;
      if (!this.#linesAreMixed()) continue;
      if (assessed++ < untouchedTries) {
        const { reached } = this.#assess(difficulty);
        if (reached !== undefined) return reached;
        continue;
      }
      // What lines can solve has one solution: from there difficulty is raised without losing that.
      if (beyondLines && this.#improve(undefined) === undefined) continue;
      const reached = this.#improve(difficulty);
      if (reached !== undefined) return reached;
    }
    return undefined;
  }

  #assess(wanted: PatternDifficulty | undefined): Assessment {
    this.#state.startFrom(this.picture);
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
      if (this.#state.values[cell] === unknown) this.#open.push(cell);
    }
  }

  /** Changes a few cells at a time, among the open ones while there are any that must not be. */
  #improve(wanted: PatternDifficulty | undefined): PatternDifficulty | undefined {
    const start = this.#assess(wanted);
    if (start.reached !== undefined) return start.reached;
    let best = start.score;
    let open = this.#open;
    for (let vain = 0; vain < patience && this.#state.looks < this.effort; vain++) {
      const changed = this.#changeCells(best < 0 ? open : undefined, wanted === "unreasonable" ? 0.5 : 0);
      this.#state.looks++;
      if (this.#linesAreMixed()) {
        const { reached, score } = this.#assess(wanted);
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
