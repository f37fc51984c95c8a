// Items as files: figures as SVG, PDF and PNG, tables as CSV, Markdown and LaTeX.
import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../base/files.ts";
import { MissingPackageError } from "../base/optional-package.ts";
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { figurePrinter } from "./figure-pdf.ts";
import { figureRenderer } from "./figure-pixels.ts";
import { type Gap, type Item, isFigure } from "./item.ts";
import { itemSvg } from "./item-svg.ts";
import { standalone } from "./svg.ts";
import { csv, latex, markdown, type tableForms } from "./table-files.ts";

type FigureMaker = (svg: string) => Uint8Array | Promise<Uint8Array>;
type FigureMakers = ReadonlyMap<string, FigureMaker>;

/** The forms of a figure besides its SVG. Items without some of them are items all the same, and say how to have them. */
async function figureMakers(): Promise<{ readonly forms: FigureMakers; readonly missing: readonly Gap[] }> {
  const forms = new Map<string, FigureMaker>();
  const missing: Gap[] = [];
  for (const [form, load] of [
    ["pdf", figurePrinter],
    ["png", figureRenderer],
  ] as const) {
    try {
      forms.set(form, await load());
    } catch (error) {
      if (!(error instanceof MissingPackageError)) throw error;
      missing.push({ missing: `${form.toUpperCase()} files`, where: "figures", remedy: error.message });
    }
  }
  return { forms, missing };
}

export type WrittenItems = {
  /** The forms that every figure has. */
  readonly figureForms: readonly string[];
  readonly missing: readonly Gap[];
};

export async function writeItems(
  folder: string,
  items: readonly Item[],
  taxonomy: Taxonomy,
  { removeOthers = false }: { readonly removeOthers?: boolean } = {},
): Promise<WrittenItems> {
  const { forms, missing } = items.some(isFigure) ? await figureMakers() : { forms: new Map(), missing: [] };
  const written = new Set<string>();
  for (const item of items) for (const path of await writeItem(folder, item, taxonomy, forms)) written.add(path);
  if (removeOthers) await removeUnwritten(folder, written);
  return { figureForms: ["svg", ...forms.keys()], missing };
}

/** Returns the files of one item. */
async function writeItem(folder: string, item: Item, taxonomy: Taxonomy, makers: FigureMakers): Promise<string[]> {
  if (isFigure(item))
    return writeFigure(join(folder, "figures", item.id), standalone(itemSvg(item, taxonomy), taxonomy), makers);
  const { id, caption, body } = item;
  if (body.kind !== "table") return [];
  const forms: Record<(typeof tableForms)[number], string> = {
    csv: csv(body),
    md: markdown(body),
    tex: latex(body, { id, caption }),
    "short.tex": latex(body, { id, caption, form: "short" }),
  };
  const files = Object.entries(forms).map(([form, text]) => ({ path: join(folder, "tables", `${id}.${form}`), text }));
  for (const { path, text } of files) await writeFileAtomically(path, text);
  return files.map(({ path }) => path);
}

/** A figure that is the one of the last time is not drawn again: pixels take the longest. */
async function writeFigure(path: string, svg: string, makers: FigureMakers): Promise<string[]> {
  const drawing = `${path}.svg`;
  const others = [...makers].map(([form, make]) => ({ place: `${path}.${form}`, make }));
  const before = await readFile(drawing, "utf8").catch(() => undefined);
  for (const { place, make } of others)
    if (before !== svg || !existsSync(place)) await writeFileAtomically(place, await make(svg));
  // The drawing comes last: where it is, its other forms are.
  if (before !== svg) await writeFileAtomically(drawing, svg);
  return [drawing, ...others.map(({ place }) => place)];
}

/** Items that could be made earlier and cannot now must not stay beside the others. */
async function removeUnwritten(folder: string, written: ReadonlySet<string>): Promise<void> {
  for (const kind of ["figures", "tables"]) {
    const names = existsSync(join(folder, kind)) ? await readdir(join(folder, kind)) : [];
    for (const path of names.map((name) => join(folder, kind, name)))
      if (!written.has(path)) await rm(path, { recursive: true });
  }
}
