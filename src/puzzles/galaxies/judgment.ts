// The rules, on the problem's own dots. A board is a partition: what its labels are called means nothing here.
import { type Cell, type Judgment, type Violation, violationOf } from "../puzzle.ts";
import { cellsUnderDot, dotLabels, type GalaxiesBoard, type GalaxiesInstance } from "./instance.ts";

export function judgeGalaxies(instance: GalaxiesInstance, { labels }: GalaxiesBoard): Judgment {
  const { width, height, dots } = instance;
  const cellCount = width * height;
  if (labels.length !== cellCount)
    return { correct: false, because: `expected ${cellCount} cells, found ${labels.length}`, cells: [] };
  const wrong = (because: string, cells: Iterable<number>): Judgment => ({
    correct: false,
    because,
    cells: Array.from(cells, (cell): Cell => ({ row: Math.floor(cell / width), column: cell % width })),
  });
  const cellsLabeled = (label: string) => indices(cellCount, (cell) => labels[cell] === label);

  const dotInside = new Map<string, number>();
  for (let index = 0; index < dots.length; index++) {
    const under = cellsUnderDot(width, dots[index]);
    const label = labels[under[0]];
    if (under.some((cell) => labels[cell] !== label))
      return wrong(`the cells that dot ${nameOf(instance, index)} touches are not in one region`, under);
    const other = dotInside.get(label);
    if (other !== undefined)
      return wrong(`region ${label} contains two dots, ${nameOf(instance, other)} and ${nameOf(instance, index)}`, [
        ...cellsUnderDot(width, dots[other]),
        ...under,
      ]);
    dotInside.set(label, index);
  }

  // By now every dot has a region of its own, so a cell whose mirror cell carries another label breaks symmetry.
  for (let cell = 0; cell < cellCount; cell++) {
    const label = labels[cell];
    const index = dotInside.get(label);
    if (index === undefined) return wrong(`region ${label} contains no dot`, cellsLabeled(label));
    if (labels[mirrored(instance, index, cell)] !== label)
      return wrong(
        `region ${label} is not symmetric about dot ${nameOf(instance, index)}`,
        cellsLabeled(label).filter((lonely) => labels[mirrored(instance, index, lonely)] !== label),
      );
  }

  const reached = connectedToDots(instance, labels);
  const lost = reached.indexOf(0);
  if (lost < 0) return { correct: true };
  return wrong(
    `region ${labels[lost]} is not connected`,
    cellsLabeled(labels[lost]).filter((cell) => reached[cell] === 0),
  );
}

/** Each broken rule of each dot and each region. */
export function galaxiesViolations(instance: GalaxiesInstance, board: GalaxiesBoard): Violation[] {
  const { width, height, dots } = instance;
  const { labels } = board;
  if (labels.length !== width * height) return violationOf("size", judgeGalaxies(instance, board));
  const found: Violation[] = [];
  const broken = (rule: string, because: string, cells: readonly number[]) =>
    found.push({
      rule,
      because,
      cells: cells.map((cell) => ({ row: Math.floor(cell / width), column: cell % width })),
    });
  const dotsOf = new Map<string, number[]>();
  dots.forEach((dot, index) => {
    const under = cellsUnderDot(width, dot);
    const touched = new Set(under.map((cell) => labels[cell]));
    if (touched.size > 1) {
      broken("dot-inside", `the cells that dot ${nameOf(instance, index)} touches are not in one region`, under);
    }
    for (const label of touched) dotsOf.set(label, [...(dotsOf.get(label) ?? []), index]);
  });
  for (const label of new Set(labels)) {
    const cells = indices(labels.length, (cell) => labels[cell] === label);
    const inside = dotsOf.get(label) ?? [];
    if (inside.length === 0) broken("one-dot", `region ${label} contains no dot`, cells);
    if (inside.length > 1) {
      const names = inside.map((index) => nameOf(instance, index)).join(" and ");
      broken(
        "one-dot",
        `region ${label} contains several dots, ${names}`,
        inside.flatMap((index) => cellsUnderDot(width, dots[index])),
      );
    }
    if (inside.length !== 1) continue;
    const lonely = cells.filter((cell) => labels[mirrored(instance, inside[0], cell)] !== label);
    if (lonely.length > 0)
      broken("symmetric", `region ${label} is not symmetric about dot ${nameOf(instance, inside[0])}`, lonely);
  }
  const reached = connectedToDots(instance, labels);
  for (const label of dotsOf.keys()) {
    const lost = indices(labels.length, (cell) => labels[cell] === label && reached[cell] === 0);
    if (lost.length > 0) broken("connected", `region ${label} is not connected`, lost);
  }
  return found;
}

/** −1 for a mirror cell outside of the board, which carries no label at all. */
function mirrored({ width, height, dots }: GalaxiesInstance, index: number, cell: number): number {
  const row = Math.floor(cell / width);
  const column = dots[index].x - 1 - (cell - row * width);
  const opposite = dots[index].y - 1 - row;
  return column < 0 || column >= width || opposite < 0 || opposite >= height ? -1 : opposite * width + column;
}

/** 1 for every cell that a path of equal labels joins to the dot of its region. */
function connectedToDots({ width, height, dots }: GalaxiesInstance, labels: readonly string[]): Uint8Array {
  const reached = new Uint8Array(width * height);
  const queue: number[] = [];
  const step = (from: number, to: number) => {
    if (reached[to] === 1 || labels[to] !== labels[from]) return;
    reached[to] = 1;
    queue.push(to);
  };
  for (const dot of dots) {
    const cell = ((dot.y - 1) >> 1) * width + ((dot.x - 1) >> 1);
    reached[cell] = 1;
    queue.push(cell);
  }
  for (let cell = queue.pop(); cell !== undefined; cell = queue.pop()) {
    const column = cell % width;
    if (column > 0) step(cell, cell - 1);
    if (column < width - 1) step(cell, cell + 1);
    if (cell >= width) step(cell, cell - width);
    if (cell < width * (height - 1)) step(cell, cell + width);
  }
  return reached;
}

function nameOf(instance: GalaxiesInstance, index: number): string {
  return dotLabels(instance)[index];
}

function indices(count: number, wanted: (index: number) => boolean): number[] {
  const found: number[] = [];
  for (let index = 0; index < count; index++) if (wanted(index)) found.push(index);
  return found;
}
