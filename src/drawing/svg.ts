// SVG as text: elements with escaped attributes and content, and inks that follow the page from light to dark. A figure
// that leaves the page keeps its light colors as attributes, so that tools without style sheets draw it too.
import type { Color, Taxonomy } from "../rollouts/taxonomy.ts";
import { colors, palette } from "./palette.ts";
import { escaped } from "./safe-text.ts";

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Two decimals are below what a screen can show, and keep files and snapshots small. */
export const rounded = (value: number): string => String(Math.round(value * 100) / 100 + 0);

export function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === "number" ? rounded(value) : escaped(value!)}"`)
    .join("");
  return content.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${content.join("")}</${name}>`;
}

export const filled = (ink: string): Attributes => ({ class: `fill-${ink}`, fill: lightOf(ink) });
export const stroked = (ink: string): Attributes => ({ class: `line-${ink}`, stroke: lightOf(ink) });

function lightOf(ink: string): string {
  if (!(ink in colors)) throw new Error(`missing ink: ${ink}`);
  return colors[ink].light;
}

export const fontSize = 11;
const averageWidth = 0.56;

/** Close enough for laying out labels; the real width depends on the reader's fonts. */
export const textWidth = (text: string, size = fontSize): number => text.length * size * averageWidth;

export function label(
  text: string,
  attributes: Attributes & { readonly ink?: string; readonly size?: number },
): string {
  const { ink = "text", size = fontSize, ...rest } = attributes;
  return element("text", { ...filled(ink), "font-size": size, ...rest }, escaped(text));
}

/** Every ink in one shade, as rules on the classes that figures use. */
function inkRules(inks: Readonly<Record<string, Color>>, shade: "light" | "dark"): string {
  return Object.entries(inks)
    .map(([name, ink]) => `.fill-${name}{fill:${ink[shade]}}.line-${name}{stroke:${ink[shade]}}`)
    .join("");
}

/** A figure as a file of its own: with its background, and its own answer to a reader who prefers dark. */
export function standalone(svg: string, taxonomy?: Taxonomy): string {
  const rules = inkRules(palette(taxonomy), "dark");
  const style = `<style>@media (prefers-color-scheme: dark){${rules}.on-deep{fill:#000}}</style>`;
  const background = element("rect", { width: "100%", height: "100%", ...filled("paper") });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${svg.replace(/^(<svg[^>]*>)/, `$1${style}${background}`)}\n`;
}
