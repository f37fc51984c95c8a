// The drawing of an item, whatever it shows.
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { figureSvg } from "./figure.ts";
import type { FigureItem } from "./item.ts";
import { stripsSvg } from "./strips.ts";

export function itemSvg(
  { title, body }: Pick<FigureItem, "title" | "body">,
  taxonomy: Taxonomy,
  width?: number,
): string {
  if (body.kind === "panels") return figureSvg({ title, ...body, width });
  const problems = [...new Set(body.traces.map(({ problem }) => problem))];
  return stripsSvg(`${title}: ${problems.join("; ")}`, body.traces, taxonomy, width);
}
