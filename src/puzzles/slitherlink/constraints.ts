// Slitherlink for the narrating teacher: an unknown is whether the loop runs along a line. A numbered cell counts its four
// lines and looks at what arrives at its corners, a path goes on at every corner, and no path closes before its time.
import {
  allOf,
  type Constraint,
  type ConstraintModel,
  decidedValue,
  isDecided,
  notFilled,
  only,
  type Possible,
} from "../constraint-model.ts";
import { writeGrid } from "../grid-text.ts";
import { cellsInside, type LoopGrid, linesAround, loopGrid } from "./grid.ts";
import { inside, noClue, outside, type SlitherlinkInstance } from "./instance.ts";

const drawn = 1;
const state = (possible: Possible) => (isDecided(possible) ? String(decidedValue(possible)) : "?");
const word = (possible: Possible) =>
  isDecided(possible) ? (decidedValue(possible) === drawn ? "drawn" : "empty") : "open";
const sides = ["top", "right", "bottom", "left"];
const ways = ["up", "right", "down", "left"];
const cornerTitles = ["top left", "top right", "bottom right", "bottom left"];

export function slitherlinkModel(instance: SlitherlinkInstance): ConstraintModel {
  const { width, height, clues } = instance;
  const grid = loopGrid(width, height);
  const { cellCount, cornerCount, lineCount, linesOfCorner } = grid;
  const numbered = Array.from({ length: cellCount }, (_, cell) => cell).filter((cell) => clues[cell] !== noClue);
  const constraints: Constraint[] = [
    ...numbered.map((cell) => numberedCell(grid, cell, Number(clues[cell]))),
    ...Array.from({ length: cornerCount }, (_, corner) => pathAtCorner(grid, corner)),
    earlyLoops(grid, instance),
  ];
  /** A line by the corner that it leaves and its direction; once for each line. */
  const names: string[] = [];
  for (let at = 0; at < linesOfCorner.length; at++) {
    const direction = at & 3;
    if (linesOfCorner[at] < lineCount && (direction === 1 || direction === 2))
      names[linesOfCorner[at]] = `${cornerName(grid, at >> 2)} ${direction === 1 ? "R" : "D"}`;
  }
  return {
    puzzle: "slitherlink",
    prompt: [
      `slitherlink ${width} ${height}`,
      ...Array.from(
        { length: height },
        (_, row) => `R${row + 1} ${[...clues.slice(row * width, (row + 1) * width)].join(" ")}`,
      ),
    ].join("\n"),
    start: Array.from({ length: lineCount }, () => allOf(2)),
    constraints,
    wholeBoard: [
      {
        name: "loop",
        show: (values) => names.filter((_, line) => values[line] === drawn).join(" ; "),
        question: "is there exactly one loop?",
        broken: "there is not exactly one loop",
        holds: (values) => isOneLoop(grid, values),
        cells: (values) => cellsOf(grid, linesBesideLargest(grid, values)),
      },
    ],
    valuesOf(cells) {
      const strange = [...cells.keys()].filter((cell) => cells[cell] !== inside && cells[cell] !== outside);
      if (strange.length > 0) return { broken: notFilled(strange, width) };
      const around = new Set(linesAround(grid, (cell) => cells[cell] === inside));
      return { values: names.map((_, line) => (around.has(line) ? drawn : 0)) };
    },
    cellsOf: (line) => cellsOf(grid, [line]),
    lastLook: [],
    showAll: (possible) => names.map((name, line) => `${name} ${state(possible[line])}`).join(" ; "),
    tellAll: (possible) => lattice(grid, instance, possible),
    introduction: `The loop runs along the ${lineCount} lines around the cells of the ${width} by ${height} grid; each line is drawn, empty or still open, and ${numbered.length} cells have a number. At the end the cells inside the loop are marked with #`,
    answer: (values) =>
      writeGrid(
        cellsInside(grid, (line) => values[line] === drawn),
        width,
      ),
  };
}

const cellName = ({ width }: LoopGrid, cell: number) => `${Math.floor(cell / width) + 1}${(cell % width) + 1}`;
const cornerName = ({ width }: LoopGrid, corner: number) =>
  `${Math.floor(corner / (width + 1))}${corner % (width + 1)}`;

/** The four lines of a cell, and the lines that arrive at its corners from elsewhere. A guess settles only the four. */
function numberedCell(grid: LoopGrid, cell: number, clue: number): Constraint {
  const { width, linesOfCell, cornersOfCell, linesOfCorner, lineCount } = grid;
  const own = [...linesOfCell.subarray(4 * cell, 4 * cell + 4)];
  const scope = [...own];
  const arriving: string[] = [];
  const corners = Array.from({ length: 4 }, (_, k) => {
    const base = 4 * cornersOfCell[4 * cell + k];
    const lines = [0, 1, 2, 3].filter((way) => linesOfCorner[base + way] < lineCount);
    for (const way of lines)
      if (!own.includes(linesOfCorner[base + way])) {
        scope.push(linesOfCorner[base + way]);
        arriving.push(`${ways[way]} from the ${cornerTitles[k]} corner`);
      }
    return lines.map((way) => scope.indexOf(linesOfCorner[base + way]));
  });
  const place = `row ${Math.floor(cell / width) + 1}, column ${(cell % width) + 1}`;
  return {
    name: cellName(grid, cell),
    rule: "clue",
    clue: String(clue),
    scope,
    cells: [cell],
    guessed: 4,
    kept: ([top, right, bottom, left]) => top + right + bottom + left === clue,
    compatible: (values) => {
      let sum = 0;
      for (let at = 0; at < values.length && at < 4; at++) sum += values[at];
      if (sum > clue || sum + Math.max(0, 4 - values.length) < clue) return false;
      return corners.every((lines) => canPass(lines, values));
    },
    show: (possible) =>
      `${own.map((_, at) => `${sides[at][0].toUpperCase()} ${state(possible[at])}`).join(" ")} ; ${possible.slice(4).map(state).join(" ")}`,
    prose: {
      title: `the ${clue} at ${place}`,
      demand: `${clue === 0 ? "none" : clue} of its four sides ${clue === 1 ? "is" : "are"} drawn, and a path that arrives at one of its corners goes on`,
      tell: (possible) => {
        const known = arriving.filter((_, at) => isDecided(possible[4 + at] ?? 0));
        const outer = arriving.flatMap((name, at) =>
          isDecided(possible[4 + at] ?? 0) ? [`${name} ${word(possible[4 + at])}`] : [],
        );
        const around = own.map((_, at) => `${sides[at]} ${word(possible[at])}`).join(", ");
        return known.length === 0 ? around : `${around}; ${outer.join(", ")}`;
      },
      found: ([top, right, bottom, left]) => `${top + right + bottom + left} are drawn`,
    },
  };
}

/** No more than two lines at a corner, and not one alone. */
function canPass(lines: readonly number[], values: readonly number[]): boolean {
  let count = 0;
  let open = 0;
  for (const at of lines) {
    if (at >= values.length) open += 1;
    else count += values[at];
  }
  return count <= 2 && (open > 0 || count !== 1);
}

function pathAtCorner(grid: LoopGrid, corner: number): Constraint {
  const { width, linesOfCorner, lineCount } = grid;
  const around = [0, 1, 2, 3].filter((way) => linesOfCorner[4 * corner + way] < lineCount);
  const all = around.map((_, at) => at);
  const [row, column] = [Math.floor(corner / (width + 1)), corner % (width + 1)];
  const beside = (at: number, what: string) => (at === 0 ? `before ${what} 1` : `after ${what} ${at}`);
  return {
    name: `X${cornerName(grid, corner)}`,
    rule: "touch",
    clue: "",
    scope: around.map((way) => linesOfCorner[4 * corner + way]),
    compatible: (values) => canPass(all, values),
    show: (possible) => around.map((way, at) => `${ways[way][0].toUpperCase()} ${state(possible[at])}`).join(" "),
    prose: {
      title: `the corner ${beside(row, "row")} and ${beside(column, "column")}`,
      demand: "the loop passes through it once, with two lines, or not at all",
      tell: (possible) => around.map((way, at) => `${ways[way]} ${word(possible[at])}`).join(", "),
    },
  };
}

/** A line that would close a path while other lines or numbers are left is not drawn. */
function earlyLoops(grid: LoopGrid, instance: SlitherlinkInstance): Constraint {
  const lines = Array.from({ length: grid.lineCount }, (_, line) => line);
  const text = (possible: readonly Possible[]) => lattice(grid, instance, possible);
  return {
    name: "loop",
    redundant: true,
    clue: "",
    scope: lines,
    compatible: () => true,
    narrow: (possible) => withoutEarlyLoops(grid, instance, possible),
    show: (possible) => possible.map(state).join(" "),
    prose: {
      title: "the whole loop",
      demand: "no path may close while another line is drawn elsewhere or a number is not yet reached",
      tell: (possible) => `\n${text(possible)}\n`,
    },
  };
}

function withoutEarlyLoops(
  grid: LoopGrid,
  { clues }: SlitherlinkInstance,
  possible: readonly Possible[],
): Possible[] | undefined {
  const { cornersOfLine, linesOfCell, cellCount } = grid;
  const isDrawn = (line: number) => possible[line] === only(drawn);
  const paths = pathsOf(grid, isDrawn);
  /** Whether the lines drawn, with one more, give every number what it wants. */
  const complete = (extra: number) => {
    for (let cell = 0; cell < cellCount; cell++) {
      if (clues[cell] === noClue) continue;
      let count = 0;
      for (const line of linesOfCell.subarray(4 * cell, 4 * cell + 4)) if (isDrawn(line) || line === extra) count += 1;
      if (count !== Number(clues[cell])) return false;
    }
    return true;
  };
  if (paths.loops > 0) {
    if (paths.loops > 1 || paths.inLoops < paths.lines || !complete(-1)) return undefined;
    return possible.map((bits) => (isDecided(bits) ? bits : only(0)));
  }
  if (possible.every(isDecided)) return undefined;
  return possible.map((bits, line) => {
    if (isDecided(bits)) return bits;
    const [one, other] = [cornersOfLine[2 * line], cornersOfLine[2 * line + 1]];
    const length = paths.between(one, other);
    if (length === 0 || (length === paths.lines && complete(line))) return bits;
    return only(0);
  });
}

/** The paths that drawn lines form, as long as no corner has more than two; where one has, its path counts as no loop. */
function pathsOf({ lineCount, cornerCount, cornersOfLine }: LoopGrid, isDrawn: (line: number) => boolean) {
  const parent = Int32Array.from({ length: cornerCount }, (_, corner) => corner);
  const length = new Int32Array(cornerCount);
  const degree = new Uint8Array(cornerCount);
  const find = (corner: number): number => (parent[corner] === corner ? corner : find(parent[corner]));
  const closed = new Set<number>();
  let lines = 0;
  for (let line = 0; line < lineCount; line++) {
    if (!isDrawn(line)) continue;
    lines += 1;
    const [one, other] = [cornersOfLine[2 * line], cornersOfLine[2 * line + 1]];
    degree[one] += 1;
    degree[other] += 1;
    const [first, second] = [find(one), find(other)];
    if (first === second) closed.add(first);
    else {
      parent[second] = first;
      length[first] += length[second];
      if (closed.delete(second)) closed.add(first);
    }
    length[first] += 1;
  }
  let inLoops = 0;
  for (const root of closed) inLoops += length[root];
  return {
    lines,
    loops: closed.size,
    inLoops,
    pathOf: (line: number) => find(cornersOfLine[2 * line]),
    /** How many lines the path between two corners has, where they are its ends; else 0. */
    between: (one: number, other: number) =>
      degree[one] === 1 && degree[other] === 1 && find(one) === find(other) ? length[find(one)] : 0,
  };
}

function isOneLoop(grid: LoopGrid, values: readonly number[]): boolean {
  const { loops, lines, inLoops } = pathsOf(grid, (line) => values[line] === drawn);
  return loops === 1 && inLoops === lines;
}

const cellsOf = ({ cellsOfLine, cellCount }: LoopGrid, lines: readonly number[]): number[] =>
  lines.flatMap((line) => [cellsOfLine[2 * line], cellsOfLine[2 * line + 1]].filter((cell) => cell < cellCount));

/** The lines of all loops but the largest. */
function linesBesideLargest(grid: LoopGrid, values: readonly number[]): number[] {
  const isDrawn = (line: number) => values[line] === drawn;
  const { pathOf } = pathsOf(grid, isDrawn);
  const paths = new Map<number, number[]>();
  for (let line = 0; line < values.length; line++)
    if (isDrawn(line)) paths.set(pathOf(line), [...(paths.get(pathOf(line)) ?? []), line]);
  return [...paths.values()]
    .sort((one, other) => other.length - one.length)
    .slice(1)
    .flat();
}

/** Lines between corners as signs, numbers between lines; once all lines are known, the cells inside as well. */
function lattice(grid: LoopGrid, { width, height, clues }: SlitherlinkInstance, possible: readonly Possible[]): string {
  const { linesOfCorner } = grid;
  const sign = (line: number, shown: string) =>
    isDecided(possible[line]) ? (decidedValue(possible[line]) === drawn ? shown : " ") : "?";
  const rows: string[] = [];
  for (let row = 0; row <= height; row++) {
    let above = "";
    let within = "";
    for (let column = 0; column <= width; column++) {
      const corner = 4 * (row * (width + 1) + column);
      above += "+";
      if (column < width) above += sign(linesOfCorner[corner + 1], "-");
      if (row < height) within += sign(linesOfCorner[corner + 2], "|");
      if (row < height && column < width) within += clues[row * width + column];
    }
    rows.push(above);
    if (row < height) rows.push(within);
  }
  if (!possible.every(isDecided)) return rows.join("\n");
  const cells = cellsInside(grid, (line) => possible[line] === only(drawn));
  return `${rows.join("\n")}\nand the cells inside are:\n${writeGrid(cells, width)}`;
}
