// Simon Tatham's notation: `4x4dn`, `4x4:2,3,4,RLRaRaLRaRf,0,0,…` and `S;V0;Z1;…`.
import { idInParts, readParameters, runsAsLetters, stepsOf, writeParameters } from "../notation.ts";
import {
  clockwise,
  fromClockwise,
  isMirror,
  monsterSymbols,
  smallestSide,
  type UndeadBoard,
  type UndeadInstance,
  type UndeadParams,
  undeadDifficulties,
} from "./instance.ts";

export const undeadForm = { name: "undead", smallestSide, levels: undeadDifficulties, usual: "normal" } as const;
export const readParams = (text: string): UndeadParams => readParameters(undeadForm, text).size;
export const writeParams = (params: UndeadParams): string => writeParameters(undeadForm, params);

export function readId(id: string): UndeadInstance {
  const { params, reader } = idInParts("undead", id);
  const { width, height } = readParams(params);
  // No digits at all count as 0, as they do in his program.
  const [ghosts, vampires, zombies] = ["ghosts", "vampires", "zombies"].map((kind) => {
    const count = reader.number(kind, 0);
    reader.take(",", `the number of ${kind}`);
    return count;
  });
  const grid = reader.cells(width * height, `LR${monsterSymbols}`, "L, R, G, V or Z", ",");
  const cells = grid.join("").replaceAll("L", "\\").replaceAll("R", "/");
  const monsters = grid.filter((symbol) => symbol !== "L" && symbol !== "R").length;
  if (ghosts + vampires + zombies !== monsters)
    reader.refuse(`${monsters} cells for monsters, but the counts are ${ghosts} + ${vampires} + ${zombies}`);
  const edges = 2 * (width + height);
  const seen = Array.from({ length: edges }, (_, edge) => {
    reader.take(",", edge === 0 ? "the grid" : `sighting ${edge} of ${edges}`);
    return reader.number(`sighting ${edge + 1} of ${edges}`, 0);
  });
  if (!reader.ended) reader.expected(`nothing after the ${edges} sightings`);
  return {
    width,
    height,
    totals: { ghosts, vampires, zombies },
    cells,
    sightings: fromClockwise(width, height, seen),
  };
}

export function writeId(instance: UndeadInstance): string {
  const { width, height, totals } = instance;
  const grid = runsAsLetters(instance.cells.replaceAll("\\", "L").replaceAll("/", "R"));
  const counts = `${totals.ghosts},${totals.vampires},${totals.zombies}`;
  return `${width}x${height}:${counts},${grid},${clockwise(instance.sightings).join(",")}`;
}

export function writeMove(instance: UndeadInstance, board: UndeadBoard): string {
  const parts = ["S"];
  let monster = 0;
  for (let cell = 0; cell < instance.cells.length; cell++) {
    if (isMirror(instance.cells[cell])) continue;
    if (monsterSymbols.includes(board.cells[cell])) parts.push(`${board.cells[cell]}${monster}`);
    monster++;
  }
  return parts.join(";");
}

export function readMove(instance: UndeadInstance, move: string): UndeadBoard {
  const cells = [...instance.cells];
  const places = [...cells.keys()].filter((cell) => !isMirror(cells[cell]));
  const filled = new Set<number>();
  for (const { match, refuse } of stepsOf("undead", move, /^([GVZ])(\d{1,9})$/, "G, V or Z and a cell number")) {
    const monster = Number(match[2]);
    if (monster >= places.length)
      refuse(`there is no monster cell ${monster}, they go from 0 to ${places.length - 1},`);
    if (filled.has(monster)) refuse(`monster cell ${monster} is filled a second time`);
    filled.add(monster);
    cells[places[monster]] = match[1];
  }
  return { cells: cells.join("") };
}
