// The images of a maze under the symmetries of its rectangle. A flip swaps the two mirrors; turning about the diagonal
// keeps them. Monsters keep their kind: ghosts and vampires are not each other's mirror images once zombies are about.
import { gridImages } from "../symmetry.ts";
import type { UndeadInstance } from "./instance.ts";

const swapMirrors = (text: string): string => text.replaceAll(/[/\\]/g, (mirror) => (mirror === "/" ? "\\" : "/"));

/** Eight images of a square, four of a rectangle that is none; itself first. */
export function images(instance: UndeadInstance): readonly UndeadInstance[] {
  const { width, height, cells, sightings } = instance;
  const turned = { top: sightings.left, right: sightings.bottom, bottom: sightings.right, left: sightings.top };
  return gridImages([...cells], width, height).map((moved, image) => {
    const [across, down] = [image % 2 === 1, image % 4 >= 2];
    const text = moved.join("");
    let { top, right, bottom, left } = image < 4 ? sightings : turned;
    if (across) [top, right, bottom, left] = [top.toReversed(), left, bottom.toReversed(), right];
    if (down) [top, right, bottom, left] = [bottom, right.toReversed(), top, left.toReversed()];
    return { ...instance, cells: across === down ? text : swapMirrors(text), sightings: { top, right, bottom, left } };
  });
}
