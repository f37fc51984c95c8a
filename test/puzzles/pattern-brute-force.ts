// Pattern by listing: all pictures of a small size, and a grader that reasons over listed placements. Slow, obvious, and
// written without the project's solver.
import type { PatternInstance } from "../../src/puzzles/pattern/index.ts";

/** Every picture of a size, row by row, as `#` and `.`. */
export function allPictures(width: number, height: number): string[] {
  const area = width * height;
  return Array.from({ length: 2 ** area }, (_, number) =>
    number.toString(2).padStart(area, "0").replaceAll("0", ".").replaceAll("1", "#"),
  );
}

/** The lines of a picture, columns first. */
export function linesOf(cells: string, width: number, height: number): string[] {
  const rows = Array.from({ length: height }, (_, row) => cells.slice(row * width, (row + 1) * width));
  const columns = Array.from({ length: width }, (_, column) => rows.map((row) => row[column]).join(""));
  return [...columns, ...rows];
}

export const clueOf = (line: string) => (line.match(/#+/g) ?? []).map((run) => run.length).join(".");

export const idOf = (cells: string, width: number, height: number) =>
  `${width}x${height}:${linesOf(cells, width, height).map(clueOf).join("/")}`;

const worlds = new Map<string, Map<string, string[]>>();

/** Which pictures have which clues. */
export function picturesById(width: number, height: number): Map<string, string[]> {
  const size = `${width}x${height}`;
  const listed = worlds.get(size);
  if (listed !== undefined) return listed;
  const byId = new Map<string, string[]>();
  worlds.set(size, byId);
  for (const cells of allPictures(width, height)) {
    const id = idOf(cells, width, height);
    const sharing = byId.get(id);
    if (sharing === undefined) byId.set(id, [cells]);
    else sharing.push(cells);
  }
  return byId;
}

const placementsCache = new Map<string, string[]>();

/** Every line of a length with a clue. */
function placementsOf(clue: string, length: number): string[] {
  const key = `${length}:${clue}`;
  let placements = placementsCache.get(key);
  if (placements === undefined) {
    placements = allPictures(length, 1).filter((line) => clueOf(line) === clue);
    placementsCache.set(key, placements);
  }
  return placements;
}

const agrees = (placement: string, marks: string) =>
  [...placement].every((symbol, place) => marks[place] === "?" || marks[place] === symbol);

/** A line after all its placements have been compared; undefined when none agrees with the marks. */
function lineLogic(clue: string, marks: string): string | undefined {
  const placements = placementsOf(clue, marks.length).filter((placement) => agrees(placement, marks));
  if (placements.length === 0) return undefined;
  return [...marks]
    .map((_, place) => (placements.every((each) => each[place] === placements[0][place]) ? placements[0][place] : "?"))
    .join("");
}

function sliding(clue: string, marks: string): string | undefined {
  const placements = placementsOf(clue, marks.length).filter((placement) =>
    [...placement].every((symbol, place) => marks[place] !== "." || symbol === "."),
  );
  if (placements.length === 0) return undefined;
  const runs = clue === "" ? [] : clue.split(".").map(Number);
  const starts = placements.map((placement) => [...placement.matchAll(/#+/g)].map((match) => match.index));
  const slid = [...marks].map((mark, place) => {
    let reached = false;
    for (const [run, size] of runs.entries()) {
      const [first, last] = [
        Math.min(...starts.map((each) => each[run])),
        Math.max(...starts.map((each) => each[run])),
      ];
      if (last <= place && place < first + size) return "#";
      reached ||= first <= place && place < last + size;
    }
    return reached ? mark : ".";
  });
  const total = runs.reduce((sum, run) => sum + run, 0);
  const count = (symbol: string) => slid.filter((each) => each === symbol).length;
  const rest = count("#") === total ? "." : count(".") === marks.length - total ? "#" : "?";
  return slid.map((symbol) => (symbol === "?" ? rest : symbol)).join("");
}

type Logic = (clue: string, marks: string) => string | undefined;

/** Sweeps over all lines until nothing changes; undefined when a line breaks. */
function settled(instance: PatternInstance, marks: string, logic: Logic): string | undefined {
  const { width, height } = instance;
  const clues = [...instance.columns, ...instance.rows].map((runs) => runs.join("."));
  const cells = [...marks];
  for (let changed = true; changed; ) {
    changed = false;
    for (const [line, clue] of clues.entries()) {
      const isColumn = line < width;
      const at = (place: number) => (isColumn ? place * width + line : (line - width) * width + place);
      const length = isColumn ? height : width;
      const before = Array.from({ length }, (_, place) => cells[at(place)]).join("");
      const after = logic(clue, before);
      if (after === undefined) return undefined;
      for (let place = 0; place < length; place++) {
        if (after[place] === before[place]) continue;
        cells[at(place)] = after[place];
        changed = true;
      }
    }
  }
  return cells.join("");
}

/** The difficulty of an instance that is known to have one solution. */
export function difficultyByListing(instance: PatternInstance): string {
  const start = instance.prefilled ?? "?".repeat(instance.width * instance.height);
  if (!settled(instance, start, sliding)!.includes("?")) return "easy";
  let marks = settled(instance, start, lineLogic)!;
  if (!marks.includes("?")) return "normal";
  for (let news = true; news && marks.includes("?"); ) {
    news = false;
    for (let cell = 0; cell < marks.length; cell++) {
      if (marks[cell] !== "?") continue;
      const supposing = (symbol: string) => marks.slice(0, cell) + symbol + marks.slice(cell + 1);
      const [ifFull, ifEmpty] = [
        settled(instance, supposing("#"), lineLogic),
        settled(instance, supposing("."), lineLogic),
      ];
      if (ifFull !== undefined && ifEmpty !== undefined) continue;
      marks = settled(instance, supposing(ifFull === undefined ? "." : "#"), lineLogic)!;
      news = true;
    }
  }
  return marks.includes("?") ? "unreasonable" : "tricky";
}
