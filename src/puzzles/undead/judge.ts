// Whether a filled board keeps the rules, on the problem's own mirrors, totals and sightings. Walks every ray by itself:
// it shares nothing with the solver, so that each can check the other.
import { type Cell, type Judgment, type Violation, violationOf } from "../puzzle.ts";
import { monsterNames, monsterSymbols, type UndeadBoard, type UndeadInstance } from "./instance.ts";

const slash = "/".charCodeAt(0);
const backslash = "\\".charCodeAt(0);
const ghost = "G".charCodeAt(0);
const vampire = "V".charCodeAt(0);
const zombie = "Z".charCodeAt(0);
const symbolOf: Readonly<Record<string, string>> = { ghosts: "G", vampires: "V", zombies: "Z" };
const correct: Judgment = { correct: true };

export function judge(instance: UndeadInstance, board: UndeadBoard): Judgment {
  return brokenGiven(instance, board) ?? brokenTotal(instance, board) ?? brokenSighting(instance, board) ?? correct;
}

/** Each rule that is broken; every view that sees a wrong number is one of its own. */
export function violations(instance: UndeadInstance, board: UndeadBoard): Violation[] {
  const given = violationOf("given", brokenGiven(instance, board));
  if (board.cells.length !== instance.cells.length) return given;
  const views = brokenViews(instance, board).map(({ because, cells }) => ({
    rule: "sighting",
    because,
    cells: cells(),
  }));
  return [...given, ...violationOf("total", brokenTotal(instance, board)), ...views];
}

function brokenGiven({ width, cells }: UndeadInstance, board: UndeadBoard): Judgment | undefined {
  if (board.cells.length !== cells.length) {
    return {
      correct: false,
      because: `the board has ${board.cells.length} cells instead of ${cells.length}`,
      cells: [],
    };
  }
  const broken: Cell[] = [];
  let because = "";
  for (let cell = 0; cell < cells.length; cell++) {
    const given = cells[cell];
    const symbol = board.cells[cell];
    if (given === "." ? monsterSymbols.includes(symbol) : symbol === given) continue;
    const at: Cell = { row: Math.floor(cell / width), column: cell % width };
    broken.push(at);
    if (because !== "") continue;
    const where = `row ${at.row + 1}, column ${at.column + 1}`;
    if (given !== ".") because = `${where}: the given ${given} was changed to ${symbol}`;
    else if (symbol === ".") because = `${where}: no monster`;
    else because = `${where}: ${symbol} stands where a monster belongs`;
  }
  return broken.length === 0 ? undefined : { correct: false, because, cells: broken };
}

function brokenTotal({ width, totals }: UndeadInstance, board: UndeadBoard): Judgment | undefined {
  let [ghosts, vampires, zombies] = [0, 0, 0];
  for (let cell = 0; cell < board.cells.length; cell++) {
    const symbol = board.cells.charCodeAt(cell);
    if (symbol === ghost) ghosts++;
    else if (symbol === vampire) vampires++;
    else if (symbol === zombie) zombies++;
  }
  if (ghosts === totals.ghosts && vampires === totals.vampires && zombies === totals.zombies) return undefined;
  const counts = { ghosts, vampires, zombies };
  const wrong = monsterNames.filter((name) => counts[name] !== totals[name]);
  const parts = wrong.map((name) => `${counts[name]} ${name} instead of ${totals[name]}`);
  const tooMany = wrong.filter((name) => counts[name] > totals[name]).map((name) => symbolOf[name]);
  const cells = [...board.cells].flatMap((symbol, cell) =>
    tooMany.includes(symbol) ? [{ row: Math.floor(cell / width), column: cell % width }] : [],
  );
  return { correct: false, because: `there are ${parts.join(", ")}`, cells };
}

type Side = "top" | "right" | "bottom" | "left";

// Where a ray enters at position i of a side, and its direction as (row step, column step).
const sides: readonly { readonly side: Side; readonly rowStep: number; readonly columnStep: number }[] = [
  { side: "top", rowStep: 1, columnStep: 0 },
  { side: "bottom", rowStep: -1, columnStep: 0 },
  { side: "left", rowStep: 0, columnStep: 1 },
  { side: "right", rowStep: 0, columnStep: -1 },
];

function brokenSighting(instance: UndeadInstance, board: UndeadBoard): Judgment | undefined {
  const broken = brokenViews(instance, board);
  if (broken.length === 0) return undefined;
  const others = broken.length - 1;
  const more = others === 0 ? "" : ` (and ${others} more ${others === 1 ? "view" : "views"})`;
  return { correct: false, because: broken[0].because + more, cells: broken[0].cells() };
}

type BrokenView = { readonly because: string; readonly cells: () => Cell[] };

function brokenViews(instance: UndeadInstance, board: UndeadBoard): BrokenView[] {
  const { width, height, sightings } = instance;
  const broken: BrokenView[] = [];
  for (const { side, rowStep, columnStep } of sides) {
    const wanted = sightings[side];
    const length = rowStep === 0 ? height : width;
    for (let at = 0; at < length; at++) {
      const row = rowStep === 0 ? at : rowStep > 0 ? 0 : height - 1;
      const column = columnStep === 0 ? at : columnStep > 0 ? 0 : width - 1;
      const seen = walk(board.cells, width, height, row, column, rowStep, columnStep);
      if (seen === wanted[at]) continue;
      const where = `${side}, ${rowStep === 0 ? "row" : "column"} ${at + 1}`;
      const because = `${where}: ${seen} ${seen === 1 ? "monster is" : "monsters are"} seen instead of ${wanted[at]}`;
      const cells = () => {
        const passed: Cell[] = [];
        walk(board.cells, width, height, row, column, rowStep, columnStep, passed);
        return passed;
      };
      broken.push({ because, cells });
    }
  }
  return broken;
}

/** How many monsters a ray sees; the monster cells it passes go into `passed`, each once. */
function walk(
  cells: string,
  width: number,
  height: number,
  fromRow: number,
  fromColumn: number,
  fromRowStep: number,
  fromColumnStep: number,
  passed?: Cell[],
): number {
  let row = fromRow;
  let column = fromColumn;
  let rowStep = fromRowStep;
  let columnStep = fromColumnStep;
  let seen = 0;
  let reflected = false;
  while (row >= 0 && row < height && column >= 0 && column < width) {
    const symbol = cells.charCodeAt(row * width + column);
    if (symbol === slash || symbol === backslash) {
      reflected = true;
      const turned = symbol === backslash ? rowStep : -rowStep;
      rowStep = symbol === backslash ? columnStep : -columnStep;
      columnStep = turned;
    } else {
      if (symbol === ghost ? reflected : symbol === vampire ? !reflected : true) seen++;
      if (passed !== undefined && !passed.some((cell) => cell.row === row && cell.column === column)) {
        passed.push({ row, column });
      }
    }
    row += rowStep;
    column += columnStep;
  }
  return seen;
}
