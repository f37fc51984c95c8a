// Simon Tatham's notation for Bridges: parameters `7x7i30e10m2d0`, ids `7x7m2:a2d3…` and solve moves `S;L0,0,0,2,1;…`.
import { placeOf } from "../grid-text.ts";
import { idInParts, readParameters, runsAsLetters, stepsOf, writeParameters } from "../notation.ts";
import {
  type BridgesDifficulty,
  type BridgesInstance,
  type BridgesParams,
  clueSymbol,
  clueSymbols,
  difficulties,
  mostBridges,
} from "./instance.ts";

/** What his program assumes for whatever a text leaves out. `d3` is our extension for boards that need search. */
const form = {
  name: "bridges",
  smallestSide: 3,
  levels: difficulties,
  sign: (level: BridgesDifficulty) => String(difficulties.indexOf(level)),
  usual: "easy",
  any: "a",
  numbers: [
    ["i", "the percentage of islands", 1, 30],
    ["e", "the expansion percentage", 0, 100],
    ["m", "the most bridges between two islands", 1, mostBridges],
  ],
  flag: "L",
} as const;

function paramsOf(text: string, inIds?: string): BridgesParams {
  const { size, numbers, flagged } = readParameters<BridgesDifficulty>(form, text, inIds);
  const { i: islandPercent = 30, e: expansionPercent = 10, m: maxBridges = 2 } = numbers;
  return { ...size, islandPercent, expansionPercent, maxBridges, loops: flagged ? "forbidden" : "allowed" };
}

export const readParams = (text: string): BridgesParams => paramsOf(text);

const flagOf = ({ loops }: Pick<BridgesParams, "loops">) => (loops === "forbidden" ? form.flag : "");

export function writeParams(params: BridgesParams): string {
  const { islandPercent, expansionPercent, maxBridges } = params;
  return writeParameters(form, params, `i${islandPercent}e${expansionPercent}m${maxBridges}${flagOf(params)}`);
}

export function readId(id: string): BridgesInstance {
  const { params, reader } = idInParts("bridges", id);
  const { width, height, maxBridges, loops } = paramsOf(params, "m");
  const cells = reader.cells(width * height, clueSymbols, "an island 1-9 or A-G");
  const clues = cells.map((symbol) => clueSymbols.indexOf(symbol) + 1);
  for (const [cell, clue] of clues.entries()) {
    if (clue === 0) continue;
    const touches = cell % width > 0 && clues[cell - 1] > 0 ? "to its left" : clues[cell - width] > 0 ? "above it" : "";
    if (touches !== "") reader.refuse(`the island at ${placeOf(cell, width)} touches the one ${touches}`);
  }
  const islands = clues.filter((clue) => clue > 0).length;
  if (islands < 2) reader.refuse(`a board needs at least 2 islands, found ${islands}`);
  return { width, height, maxBridges, loops, clues };
}

export function writeId({ width, height, maxBridges, loops, clues }: BridgesInstance): string {
  const description = runsAsLetters(clues.map((clue) => (clue > 0 ? clueSymbol(clue) : ".")).join(""));
  return `${width}x${height}m${maxBridges}${flagOf({ loops })}:${description}`;
}

/** Bridges between two cells, as a move names them. */
type Placement = { readonly from: number; readonly to: number; readonly count: number };

export function writePlacements(placements: readonly Placement[], width: number): string {
  const at = (cell: number) => `${cell % width},${Math.floor(cell / width)}`;
  return ["S", ...placements.map(({ from, to, count }) => `L${at(from)},${at(to)},${count}`)].join(";");
}

const step = /^(?:L(\d+),(\d+),(\d+),(\d+),(\d+)|N\d+,\d+,\d+,\d+|M\d+,\d+)$/;

/** Calls `place` for each bridge of a move; what `place` returns is what is wrong with it. Marks (`M`, `N`) place nothing. */
export function readPlacements(
  move: string,
  width: number,
  height: number,
  place: (placement: Placement) => string | undefined,
): void {
  for (const { match, refuse } of stepsOf("bridges", move, step, "Lx,y,x,y,n, Nx,y,x,y or Mx,y")) {
    if (match[1] === undefined) continue;
    const [fromX, fromY, toX, toY, count] = match.slice(1).map(Number);
    if (Math.max(fromX, toX) >= width || Math.max(fromY, toY) >= height) refuse(`outside the ${width}x${height} board`);
    const problem = place({ from: fromY * width + fromX, to: toY * width + toX, count });
    if (problem !== undefined) refuse(problem);
  }
}
