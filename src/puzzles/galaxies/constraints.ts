// Galaxies for the narrating teacher: an unknown is which dot a cell belongs to. A cell and the cell opposite it through
// the dot go together; a finished region must hang together.

import { neighborsOf, reachFrom } from "../cell-regions.ts";
import {
  allOf,
  type Constraint,
  type ConstraintModel,
  decidedValue,
  isDecided,
  only,
  type Possible,
} from "../constraint-model.ts";
import { writeGrid } from "../grid-text.ts";
import { cellsUnderDot, dotLabels, type GalaxiesInstance, oppositeCell } from "./instance.ts";

export function galaxiesModel(instance: GalaxiesInstance): ConstraintModel {
  const { width, height, dots } = instance;
  const labels = dotLabels(instance);
  const cells = Array.from({ length: width * height }, (_, cell) => cell);
  const cellName = (cell: number) => `${Math.floor(cell / width) + 1}${(cell % width) + 1}`;
  const owner = new Map(dots.flatMap((dot, d) => cellsUnderDot(width, dot).map((cell) => [cell, d] as const)));
  const anyDot = allOf(dots.length);
  const start = cells.map((cell): Possible => (owner.has(cell) ? only(owner.get(cell)!) : anyDot));
  const state = (possible: Possible) => (isDecided(possible) ? labels[decidedValue(possible)] : "?");

  const where = (cell: number) => `row ${Math.floor(cell / width) + 1}, column ${(cell % width) + 1}`;
  const heldBy = (possible: Possible) =>
    isDecided(possible) ? `which is ${labels[decidedValue(possible)]}` : "still open";

  /** A cell whose owner is open, with the cell opposite it through each dot that may own it. */
  const ownerOf = (cell: number): Constraint => {
    const candidates = dots.map((dot, d) => ({ d, across: oppositeCell(instance, dot, cell) }));
    const scope = [...new Set([cell, ...candidates.flatMap(({ across }) => across ?? [])])];
    const across = (possible: readonly Possible[], place: number | undefined) =>
      place === undefined ? undefined : possible[scope.indexOf(place)];
    return {
      name: cellName(cell),
      rule: "symmetric",
      clue: "",
      scope,
      cells: [cell],
      guessed: 1,
      compatible: (values) => {
        const place = candidates[values[0]].across;
        if (place === undefined) return false;
        const partner = values[scope.indexOf(place)];
        return partner === undefined || partner === values[0];
      },
      show: (possible) => {
        if (isDecided(possible[0])) return state(possible[0]);
        return candidates
          .filter(({ d }) => possible[0] & only(d))
          .map(({ d, across: place }) =>
            place === undefined
              ? `${labels[d]} no`
              : `${labels[d]} ${cellName(place)} ${state(across(possible, place)!)}`,
          )
          .join(" ; ");
      },
      prose: {
        title: `the cell at ${where(cell)}`,
        demand: "the cell opposite it through its dot must belong to the same dot",
        tell: (possible) =>
          isDecided(possible[0])
            ? `it belongs to ${state(possible[0])}`
            : candidates
                .filter(({ d, across: place }) => possible[0] & only(d) && place !== undefined)
                .map(
                  ({ d, across: place }) =>
                    `${labels[d]} would take ${where(place!)} too (${heldBy(across(possible, place)!)})`,
                )
                .join(", "),
      },
    };
  };
  const region = (values: readonly number[], d: number) => cells.filter((cell) => values[cell] === d);
  return {
    puzzle: "galaxies",
    prompt: [`galaxies ${width} ${height}`, ...dots.map(({ x, y }, d) => `${labels[d]} ${y} ${x}`)].join("\n"),
    start,
    constraints: cells.filter((cell) => !isDecided(start[cell])).map(ownerOf),
    wholeBoard: dots.map((dot, d) => ({
      name: labels[d],
      rule: "connected",
      broken: `the region of ${labels[d]} is not connected`,
      cells: (values) => region(values, d),
      show: (values) => region(values, d).map(cellName).join(" "),
      question: `does the region of ${labels[d]} hang together?`,
      holds: (values) => {
        const inside = (cell: number) => values[cell] === d;
        const { reached } = reachFrom(cellsUnderDot(width, dot)[0], neighborsOf(width, height), inside);
        return values.every((value, cell) => value !== d || reached[cell] === 1);
      },
    })),
    valuesOf(answer) {
      const torn = dots.flatMap((dot, d) => {
        const cells = cellsUnderDot(width, dot);
        if (cells.every((cell) => answer[cell] === labels[d])) return [];
        return { rule: "dot-inside", because: `dot ${labels[d]} does not lie in a region of its own`, cells };
      });
      const lost = cells.filter((cell) => !labels.includes(answer[cell]));
      if (torn.length + lost.length === 0) return { values: answer.map((label) => labels.indexOf(label)) };
      const because = "some cells are in no region with exactly one dot";
      return { broken: lost.length === 0 ? torn : [...torn, { rule: "one-dot", because, cells: lost }] };
    },
    lastLook: [],
    showAll: (possible) =>
      Array.from(
        { length: height },
        (_, row) =>
          `R${row + 1} ${possible
            .slice(row * width, (row + 1) * width)
            .map(state)
            .join(" ")}`,
      ).join(" "),
    tellAll: (possible) => writeGrid(possible.map(state), width),
    introduction: `There are ${dots.length} dots, so ${dots.length} regions; a cell under a dot belongs to it from the start`,
    answer: (values) =>
      writeGrid(
        values.map((value) => labels[value]),
        width,
      ),
  };
}
