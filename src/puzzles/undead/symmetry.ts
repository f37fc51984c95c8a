// The images of a maze under the symmetries of its rectangle. A flip swaps the two mirrors; turning about the diagonal
// keeps them. Monsters keep their kind: ghosts and vampires are not each other's mirror images once zombies are about.
import type { UndeadInstance } from "./instance.ts";

/** Eight images of a square, four of a rectangle that is none; itself first. */
export function images(instance: UndeadInstance): readonly UndeadInstance[] {
  const upright = turns(instance);
  return instance.width === instance.height ? [...upright, ...turns(transposed(instance))] : upright;
}

function turns(instance: UndeadInstance): UndeadInstance[] {
  const flipped = flippedAcross(instance);
  return [instance, flipped, flippedDown(instance), flippedDown(flipped)];
}

function rowsOf({ cells, width, height }: UndeadInstance): string[] {
  return Array.from({ length: height }, (_, row) => cells.slice(row * width, (row + 1) * width));
}

const reversed = (text: string): string => [...text].reverse().join("");
const swapMirrors = (text: string): string => text.replaceAll(/[/\\]/g, (mirror) => (mirror === "/" ? "\\" : "/"));

function flippedAcross(instance: UndeadInstance): UndeadInstance {
  const { top, right, bottom, left } = instance.sightings;
  return {
    ...instance,
    cells: swapMirrors(rowsOf(instance).map(reversed).join("")),
    sightings: { top: top.toReversed(), right: left, bottom: bottom.toReversed(), left: right },
  };
}

function flippedDown(instance: UndeadInstance): UndeadInstance {
  const { top, right, bottom, left } = instance.sightings;
  return {
    ...instance,
    cells: swapMirrors(rowsOf(instance).reverse().join("")),
    sightings: { top: bottom, right: right.toReversed(), bottom: top, left: left.toReversed() },
  };
}

function transposed(instance: UndeadInstance): UndeadInstance {
  const { width, height, cells, sightings } = instance;
  const { top, right, bottom, left } = sightings;
  let turned = "";
  for (let column = 0; column < width; column++) {
    for (let row = 0; row < height; row++) turned += cells[row * width + column];
  }
  return {
    ...instance,
    width: height,
    height: width,
    cells: turned,
    sightings: { top: left, right: bottom, bottom: right, left: top },
  };
}
