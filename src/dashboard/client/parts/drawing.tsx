// Drawings that come as markup: figures, and a puzzle's own picture in the colors of the page. They may carry text from a model,
// so they are read as XML, which takes nothing but the drawing: scripts and handlers would be refused by the page's policy.
import { useEffect, useRef } from "react";
import { ink } from "../../../puzzles/picture.ts";

type DrawingProps = {
  readonly svg: string;
  readonly className?: string;
  /** What becomes of a shape before it is shown. */
  readonly adapt?: (shape: SVGElement) => void;
};

export function Drawing({ svg, className, adapt }: DrawingProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const drawing = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    for (const other of drawing.querySelectorAll("script, foreignObject, a, image, use")) other.remove();
    const shown = document.importNode(drawing, true) as unknown as SVGElement;
    if (adapt) for (const shape of shown.querySelectorAll<SVGElement>("*")) adapt(shape);
    host.current?.replaceChildren(shown);
  }, [svg, adapt]);
  return <div ref={host} className={className} />;
}

/** Pictures carry the colors of paper; on a page they follow its theme. Soft region fills are mixed with the page. */
const themed = new Map<string, string>(Object.entries(ink).map(([role, color]) => [color, `var(--board-${role})`]));

function inTheme(shape: SVGElement): void {
  for (const paint of ["fill", "stroke"] as const) {
    const color = shape.getAttribute(paint);
    if (color === null || !/^#[0-9a-f]{6}$/.test(color)) continue;
    shape.style[paint] = themed.get(color) ?? `color-mix(in oklab, ${color} var(--board-tint), var(--board-paper))`;
  }
}

export const BoardPicture = ({ svg }: { readonly svg: string }) => (
  <Drawing svg={svg} className="board-picture" adapt={inTheme} />
);
