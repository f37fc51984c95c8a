// A puzzle's own picture inside the page. The markup is made by our picture code, yet it may carry text from a model, so
// it is never put into the page as markup: it is parsed apart, and only known shapes are made anew.
import { createElement, type ReactNode, useMemo } from "react";
import { ink } from "../../../puzzles/picture.ts";

const shapes = new Set(["svg", "g", "rect", "circle", "path", "text", "title", "line"]);

/** Attributes that shapes may have, and what React calls them. */
const attributes: Readonly<Record<string, string>> = {
  viewBox: "viewBox",
  width: "width",
  height: "height",
  x: "x",
  y: "y",
  cx: "cx",
  cy: "cy",
  r: "r",
  d: "d",
  transform: "transform",
  fill: "fill",
  stroke: "stroke",
  role: "role",
  "fill-opacity": "fillOpacity",
  "stroke-width": "strokeWidth",
  "stroke-linecap": "strokeLinecap",
  "font-size": "fontSize",
  "font-weight": "fontWeight",
  "font-family": "fontFamily",
  "text-anchor": "textAnchor",
  "dominant-baseline": "dominantBaseline",
};

/** Pictures carry the colors of paper; on a page they follow its theme. Soft region fills are mixed with the page. */
const themed = new Map<string, string>(Object.entries(ink).map(([role, color]) => [color, `var(--board-${role})`]));

function themedColor(color: string): string {
  if (color === "none") return color;
  return themed.get(color) ?? `color-mix(in oklab, ${color} var(--board-tint), var(--board-paper))`;
}

function shapeOf(node: Element, key: number, label: string | undefined): ReactNode {
  if (!shapes.has(node.tagName)) return null;
  const properties: Record<string, unknown> = { key };
  for (const { name, value } of node.attributes) {
    const known = attributes[name];
    if (known === undefined) continue;
    properties[known] = value;
  }
  const style: Record<string, string> = {};
  for (const paint of ["fill", "stroke"]) {
    const color = properties[paint];
    if (typeof color === "string" && /^(none|#[0-9a-f]{6})$/.test(color)) style[paint] = themedColor(color);
    delete properties[paint];
  }
  if (node.tagName === "svg" && label !== undefined) properties["aria-label"] = label;
  const children = [...node.childNodes].map((child, i) =>
    child instanceof Element
      ? shapeOf(child, i, undefined)
      : node.tagName === "text" || node.tagName === "title"
        ? child.textContent
        : null,
  );
  return createElement(node.tagName, { ...properties, style }, ...children);
}

export function BoardPicture({ svg, label }: { readonly svg: string; readonly label?: string }) {
  return useMemo(() => {
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    return <div className="board-picture">{shapeOf(parsed, 0, label)}</div>;
  }, [svg, label]);
}
