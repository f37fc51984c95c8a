// Makes puzzles with exactly one solution: a random partition, and where its dots do not determine it, the regions in doubt
// are dissolved and grown anew. Every draw ends, with a puzzle or with an error that says why not.
import type { Random } from "../../base/random.ts";
import { checkRequest } from "../notation.ts";
import { type Generated, GenerationError, ImpossibleRequestError } from "../puzzle.ts";
import { galaxiesBoards } from "./enumeration.ts";
import { Growth } from "./growth.ts";
import {
  type Dot,
  dotLabels,
  type GalaxiesBoard,
  type GalaxiesDifficulty,
  type GalaxiesInstance,
  type GalaxiesParams,
  nothingToSolve,
  sizeText,
} from "./instance.ts";
import { galaxiesForm } from "./notation.ts";
import { PairTable } from "./pairs.ts";
import { openCells, openParts, pairsAt, Search } from "./search.ts";
import { galaxiesEffort, galaxiesSolutions } from "./solver.ts";

type GeneratedGalaxies = Generated<GalaxiesInstance, GalaxiesBoard>;

/** Partitions tried before giving up; the rarest kind, 5x5 unreasonable, takes fifty on average. */
const mostTries = 20_000;
/** Up to this size so few puzzles are unreasonable, none of 3x3 and 84 of 4x4, that they are listed and not looked for. */
const mostCellsListed = 16;
/** A partition that needs more search than this counts as ambiguous. */
const searchSteps = 2_000;

// Filled anew by every call and never held across one.
const growth = new Growth();
const table = new PairTable();

export function generateGalaxies(params: GalaxiesParams, random: Random): GeneratedGalaxies {
  const { width, height, difficulty } = params;
  checkRequest(galaxiesForm, params);
  if (difficulty === "unreasonable" && width * height <= mostCellsListed) return listed(params, random);
  growth.clear(width, height);
  for (let tries = 0; tries < mostTries; tries++) {
    growth.fill(random);
    // A single region over everything is no puzzle, nor are dots on every cell.
    if (growth.regionCount < 2 || nothingToSolve(width, height, grownDots())) {
      growth.clear(width, height);
      continue;
    }
    table.load(width, height, growth.regionCount, growth.x, growth.y);
    table.propagate();
    if (table.openCells === 0) {
      if (difficulty !== "unreasonable") return finished("normal");
      growth.dissolve(neighborhood(random));
    } else {
      const doubt = difficulty === "normal" ? random.pick(openCells(table)) : ambiguousCell(random);
      if (doubt === undefined) return finished("unreasonable");
      growth.dissolve(pairsAt(table, doubt).map((pair) => table.dotOf[pair]));
    }
  }
  const kind = difficulty === undefined ? "" : `${difficulty} `;
  throw new GenerationError(
    `found no ${kind}${sizeText(params)} galaxies puzzle in ${mostTries} tries; try another seed, size or difficulty`,
  );
}

function* grownDots(): Generator<Dot> {
  for (let region = 0; region < growth.regionCount; region++) yield { x: growth.x[region], y: growth.y[region] };
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
function neighborhood(random: Random): Set<number> {
  const { owner, stride, width, height } = growth;
  const center = owner[(1 + random.below(height)) * stride + 1 + random.below(width)];
  const regions = new Set<number>();
  for (let cell = stride + 1; cell < owner.length - stride; cell++) {
    if (owner[cell] !== center) continue;
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

const lists = new Map<string, readonly GalaxiesInstance[]>();

function listed(params: GalaxiesParams, random: Random): GeneratedGalaxies {
  const size = sizeText(params);
  const list =
    lists.get(size) ??
    [...galaxiesBoards(params)].filter((instance) => galaxiesEffort(instance)?.difficulty === params.difficulty);
  lists.set(size, list);
  if (list.length === 0)
    throw new ImpossibleRequestError(
      `no ${size} galaxies puzzle is ${params.difficulty}; ask for another size or difficulty`,
    );
  const instance = random.pick(list);
  const [solution] = galaxiesSolutions(instance, 1).boards;
  return { instance, solution, difficulty: "unreasonable" };
}
