// Makes puzzles with exactly one solution: a random partition, and where its dots do not determine it, the regions in doubt
// are dissolved and grown anew. Every draw ends, with a puzzle or with an error that says why not.
import type { Random } from "../../base/random.ts";
import { type Generated, GenerationError } from "../puzzle.ts";
import { enumerateGalaxies } from "./enumeration.ts";
import { Growth } from "./growth.ts";
import {
  type Dot,
  dotLabels,
  type GalaxiesBoard,
  type GalaxiesDifficulty,
  type GalaxiesInstance,
  type GalaxiesParams,
  sizeText,
} from "./instance.ts";
import { PairTable } from "./pairs.ts";
import { openCells, openParts, pairsAt, Search } from "./search.ts";
import { gradeGalaxies, solveGalaxies } from "./solver.ts";

type GeneratedGalaxies = Generated<GalaxiesInstance, GalaxiesBoard>;

/** Partitions tried before giving up; 4x4 unreasonable, the rarest kind that takes long to list, needs a thousand. */
const mostTries = 20_000;
/** Below 4x4, listing all puzzles takes less time than this many tries. */
const mostTriesIfTiny = 1_000;
/** A partition that needs more search than this counts as ambiguous. */
const searchSteps = 2_000;

// Filled anew by every call and never held across one.
const growth = new Growth();
const table = new PairTable();

export function generateGalaxies(params: GalaxiesParams, random: Random): GeneratedGalaxies {
  const { width, height, difficulty } = params;
  const enough = width * height < 16 ? mostTriesIfTiny : mostTries;
  growth.clear(width, height);
  for (let tries = 0; tries < enough; tries++) {
    growth.fill(random);
    // A single region over everything is no puzzle.
    if (growth.regionCount < 2) {
      growth.clear(width, height);
      continue;
    }
    table.load(width, height, growth.regionCount, growth.x, growth.y);
    table.propagate("normal");
    if (table.openCells === 0) {
      if (difficulty !== "unreasonable") return finished("normal");
      growth.dissolve(neighbourhood(random));
    } else {
      const doubt = difficulty === "normal" ? random.pick(openCells(table)) : ambiguousCell(random);
      if (doubt === undefined) return finished("unreasonable");
      growth.dissolve(pairsAt(table, doubt).map((pair) => table.dotOf[pair]));
    }
  }
  return listed(params, random);
}

/** A cell that two solutions give to different dots; undefined when there is but one solution. */
function ambiguousCell(random: Random): number | undefined {
  const search = new Search(table, searchSteps);
  for (const part of openParts(table, openCells(table))) {
    const [first, second] = search.fillings(part, 2);
    if (second !== undefined) return random.pick(part.filter((_, at) => first[at] !== second[at]));
    if (search.exhausted) return random.pick(part);
  }
  return undefined;
}

/** The region of a random cell and the regions around it: enough to change what has to be thought there. */
function neighbourhood(random: Random): Set<number> {
  const { owner, stride, width, height } = growth;
  const centre = owner[(1 + random.below(height)) * stride + 1 + random.below(width)];
  const regions = new Set<number>();
  for (let cell = stride + 1; cell < owner.length - stride; cell++) {
    if (owner[cell] !== centre) continue;
    for (const beside of [cell, cell + 1, cell - 1, cell + stride, cell - stride])
      if (owner[beside] > 0) regions.add(owner[beside] - 1);
  }
  return regions;
}

/** The partition that was grown, which is the solution, and its dots in the order of an id. */
function finished(difficulty: GalaxiesDifficulty): GeneratedGalaxies {
  const { width, height, stride, owner, x, y, regionCount } = growth;
  const order = Array.from({ length: regionCount }, (_, region) => region).sort(
    (one, other) => y[one] - y[other] || x[one] - x[other],
  );
  const dots: Dot[] = order.map((region) => ({ x: x[region], y: y[region] }));
  const instance: GalaxiesInstance = { width, height, dots };
  const names: string[] = [];
  dotLabels(instance).forEach((label, at) => {
    names[order[at]] = label;
  });
  const labels: string[] = [];
  for (let row = 1; row <= height; row++)
    for (let column = 1; column <= width; column++) labels.push(names[owner[row * stride + column] - 1]);
  return { instance, solution: { labels }, difficulty };
}

/** Where all puzzles of a size can be listed, not finding one by chance need not be the end, and the end can be certain. */
function listed(params: GalaxiesParams, random: Random): GeneratedGalaxies {
  const kind = `${sizeText(params)} galaxies puzzle${params.difficulty === undefined ? "" : ` is ${params.difficulty}`}`;
  const all = enumerateGalaxies(params);
  if (all === undefined)
    throw new GenerationError(`found no ${kind} in ${mostTries} tries; try another seed, size or difficulty`);
  const found = [...all];
  if (found.length === 0) throw new GenerationError(`no ${kind}: none exists; ask for another size or difficulty`);
  const instance = random.pick(found);
  const solved = solveGalaxies(instance);
  const difficulty = gradeGalaxies(instance);
  if (solved.status !== "unique" || difficulty === undefined) throw new Error("an enumerated puzzle is not unique");
  return { instance, solution: solved.solution, difficulty };
}
