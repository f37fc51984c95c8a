// The paper's primitives as the dashboard's client still asks for them: by name, from the palette and the taxonomy.
import { paperTaxonomy } from "../rollouts/paper-taxonomy.ts";
import type { Primitive } from "../rollouts/primitives.ts";
import type { Color } from "../rollouts/taxonomy.ts";
import { colors, deepLabels } from "./palette.ts";

export { checkpointColorNames as checkpointInkNames } from "./palette.ts";
export type Ink = Color;
const by = <T>(read: (label: (typeof paperTaxonomy.labels)[number]) => T) =>
  Object.fromEntries(paperTaxonomy.labels.map((label) => [label.name, read(label)])) as Readonly<Record<Primitive, T>>;
export const primitiveInks = by(({ color }) => color);
export const primitiveLetters = by(({ letter }) => letter);
export const primitiveMeanings = by(({ meaning }) => meaning);
export const deepPrimitives = deepLabels(paperTaxonomy) as readonly Primitive[];
export const inks: Readonly<Record<string, Ink>> = { ...colors, ...primitiveInks };
