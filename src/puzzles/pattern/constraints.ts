// Pattern for the narrating teacher: a cell is full or empty, a line holds its runs.

import {
  allOf,
  type Constraint,
  type ConstraintModel,
  changedGivens,
  decidedValue,
  isDecided,
  notFilled,
  only,
  type Possible,
} from "../constraint-model.ts";
import { writeGrid } from "../grid-text.ts";
import { type PatternInstance, runsOf } from "./instance.ts";
import { clueText } from "./language.ts";

const [empty, full] = [0, 1];
const symbol = (possible: Possible) => (isDecided(possible) ? (decidedValue(possible) === full ? "#" : ".") : "?");

/** Whether the cells so far can begin a line with these runs: compares the runs as they close. */
function beginsWithRuns(cells: readonly number[], runs: readonly number[], length: number): boolean {
  let run = 0;
  let open = 0;
  for (const cell of cells) {
    if (cell === full) {
      open += 1;
      if (run >= runs.length || open > runs[run]) return false;
    } else if (open > 0) {
      if (open !== runs[run]) return false;
      run += 1;
      open = 0;
    }
  }
  let needed = run < runs.length ? runs[run] - open : 0;
  for (let later = run + 1; later < runs.length; later++) needed += runs[later] + 1;
  return needed <= length - cells.length;
}

export function patternModel(instance: PatternInstance): ConstraintModel {
  const { width, height, rows, columns, prefilled } = instance;
  const line = (name: string, runs: readonly number[], scope: number[]): Constraint => ({
    name,
    rule: name.startsWith("R") ? "row" : "column",
    clue: clueText(runs),
    scope,
    compatible: (cells) => beginsWithRuns(cells, runs, scope.length),
    show: (possible) => possible.map(symbol).join(" "),
    prose: {
      title: `${name.startsWith("R") ? "row" : "column"} ${name.slice(1)}`,
      demand:
        runs.length === 0
          ? "it must stay empty"
          : runs.length === 1
            ? `its only run is ${runs[0]}`
            : `its runs are ${runs.join(", ")}`,
      tell: (possible) => `[${possible.map(symbol).join(" ")}]`,
      found: (cells) =>
        `the answer has ${clueText(runsOf(cells.map((cell) => (cell === full ? "#" : ".")).join(""), 0, 1, cells.length))}`,
    },
  });
  const across = Array.from({ length: width }, (_, column) => column);
  const down = Array.from({ length: height }, (_, row) => row);
  const constraints = [
    ...rows.map((runs, row) =>
      line(
        `R${row + 1}`,
        runs,
        across.map((column) => row * width + column),
      ),
    ),
    ...columns.map((runs, column) =>
      line(
        `C${column + 1}`,
        runs,
        down.map((row) => row * width + column),
      ),
    ),
  ];
  const given = (cell: number) => prefilled?.[cell] ?? "?";
  return {
    puzzle: "pattern",
    prompt: [`pattern ${width} ${height}`, ...constraints.map(({ name, clue }) => `${name} ${clue}`)].join("\n"),
    start: Array.from({ length: width * height }, (_, cell) =>
      given(cell) === "?" ? allOf(2) : only(given(cell) === "#" ? full : empty),
    ),
    constraints,
    wholeBoard: [],
    valuesOf(cells) {
      const strange = [...cells.keys()].filter((cell) => !/^[#.]$/.test(cells[cell]));
      if (strange.length > 0) return { broken: notFilled(strange, width) };
      const values = cells.map((cell) => (cell === "#" ? full : empty));
      return { values, broken: changedGivens([...(prefilled ?? "")], cells, width) };
    },
    lastLook: columns.map((_, column) => height + column),
    showAll: (possible) =>
      down
        .map((row) => `R${row + 1} ${across.map((column) => symbol(possible[row * width + column])).join(" ")}`)
        .join(" "),
    tellAll: (possible) => writeGrid(possible.map(symbol), width),
    introduction: `Each cell of the ${width} by ${height} grid is full (#) or empty (.); I write ? for what I do not know yet`,
    answer: (values) =>
      writeGrid(
        values.map((value) => (value === full ? "#" : ".")),
        width,
      ),
  };
}
