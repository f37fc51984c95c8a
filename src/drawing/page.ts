// The report as one HTML file: figures inline, no script, nothing loaded from anywhere. All text that came from runs is
// escaped; the only markup is what this folder writes.
import type { Taxonomy } from "../rollouts/taxonomy.ts";
import { type Gap, type Item, isFigure, type Section, type ShownTrace } from "./item.ts";
import { itemSvg } from "./item-svg.ts";
import { pageStyle } from "./page-style.ts";
import { labelColor } from "./palette.ts";
import { escaped } from "./safe-text.ts";
import { tableForms } from "./table-files.ts";
import { html as tableHtml } from "./table-html.ts";

type Page = {
  /** What it is about. */
  readonly runs: readonly {
    readonly path: string;
    readonly name: string;
    readonly kind: string;
    readonly created: string;
  }[];
  /** What it says first: sentences, each with the ids of what shows it. */
  readonly conclusion: readonly { readonly words: string; readonly evidence: readonly string[] }[];
  /** How sure all of it is. */
  readonly about?: string;
  readonly sections: readonly Section[];
  readonly gaps: readonly Gap[];
  readonly taxonomy: Taxonomy;
  /** The command that made the report; each item's adds its name. */
  readonly command: string;
  /** The files of a figure: `svg`, and `pdf` and `png` where they can be made. */
  readonly figureForms: readonly string[];
};

/** Even if something slipped through, nothing on the page may run or load. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function pageHtml(page: Page): string {
  const { runs, sections, gaps, taxonomy, command, figureForms } = page;
  const names = runs.map(({ name }) => name).join(", ");
  const missing = sections.flatMap(({ items }) => items.filter(({ body }) => body.kind === "missing")).length;
  return [
    `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>${escaped(`Repertoire: ${names}`)}</title>`,
    `<style>\n${pageStyle(taxonomy)}\n</style>\n</head>\n<body>`,
    `<header><h1>What training did to the way it reasons</h1>`,
    `<p class="quiet">${runs.map((run) => `<code>${escaped(run.path)}</code> (${escaped(run.kind)}, begun ${escaped(run.created.slice(0, 16).replace("T", " "))})`).join(" · ")}</p>`,
    conclusionHtml(page),
    contents(sections),
    "</header>\n<main>",
    labelKey(taxonomy),
    ...sections.map((section) => sectionHtml(section, { command, figureForms, taxonomy })),
    gapList(gaps, missing),
    "</main>",
    `<footer><p>Made by <code>${escaped(command)}</code>. Figures are in <code>figures/</code> as ${figureForms.map((form) => form.toUpperCase()).join(" and ")}, tables in <code>tables/</code> as CSV, Markdown and LaTeX (<code>.short.tex</code> without intervals, for a column).</p></footer>`,
    "</body>\n</html>\n",
  ].join("\n");
}

function conclusionHtml({ conclusion, about, sections, runs }: Page): string {
  const titles = new Map(sections.flatMap(({ items }) => items.map(({ id, title }) => [id, title] as const)));
  const links = (evidence: readonly string[]) =>
    evidence.map((id) => `<a href="#${id}">${escaped(titles.get(id) ?? id)}</a>`).join(" · ");
  const said = conclusion.map(
    ({ words, evidence }) => `<li>${escaped(words)} <small class="quiet">${links(evidence)}</small></li>`,
  );
  const read = runs.map(({ path }) => `<code>${escaped(`repertoire dashboard ${path} --open`)}</code>`).join(", ");
  return [
    ...(said.length === 0 ? [] : [`<ol class="conclusion">${said.join("")}</ol>`]),
    ...(about === undefined ? [] : [`<p class="quiet">${escaped(about)}.</p>`]),
    `<p class="quiet">The traces themselves: ${read}</p>`,
  ].join("\n");
}

function contents(sections: readonly Section[]): string {
  const links = sections.map(({ id, title }) => `<li><a href="#section-${id}">${escaped(title)}</a></li>`);
  return `<nav aria-label="Contents"><ul>${links.join("")}</ul></nav>`;
}

function gapList(gaps: readonly Gap[], missing: number): string {
  if (gaps.length === 0 && missing === 0) return "";
  const lines = gaps.map(
    (gap) => `<li><b>${escaped(gap.missing)}</b> in <code>${escaped(gap.where)}</code>: ${escaped(gap.remedy)}</li>`,
  );
  const count =
    missing === 0
      ? ""
      : `<p>${missing} ${missing === 1 ? "part" : "parts"} of the report could not be made and ${missing === 1 ? "says" : "say"} so in ${missing === 1 ? "its" : "their"} place.</p>`;
  return `<aside class="gaps"><h2>What is missing</h2>${lines.length > 0 ? `<ul>${lines.join("")}</ul>` : ""}${count}</aside>`;
}

function labelKey({ labels }: Taxonomy): string {
  const entries = labels.map(
    ({ name, letter, meaning }) =>
      `<li><b class="mark ink-${labelColor(name)}">${letter}</b><span><b>${name}</b> <span class="quiet">${escaped(meaning)}</span></span></li>`,
  );
  return `<details><summary>What a span can do: ${labels.length} labels and their letters</summary><ul class="key">${entries.join("")}</ul></details>`;
}

type Drawn = Pick<Page, "command" | "figureForms" | "taxonomy">;

function sectionHtml({ id, title, intro, items }: Section, page: Drawn): string {
  return `<section id="section-${id}"><h2>${escaped(title)}</h2><p>${escaped(intro)}</p>\n${items.map((item) => itemHtml(item, page)).join("\n")}</section>`;
}

function itemHtml(item: Item, page: Drawn): string {
  const { id, title, body } = item;
  if (body.kind === "missing")
    return `<div class="item missing" id="${id}"><h3>${escaped(title)}</h3><p class="caption">Not shown: it needs ${escaped(body.needs)}.</p></div>`;
  const head = `<h3>${escaped(title)}</h3><p class="caption">${escaped(item.caption)}</p>`;
  if (!isFigure(item)) {
    const table = body.kind === "table" ? tableHtml(body) : "";
    return `<div class="item" id="${id}">${head}<div class="scroll" tabindex="0" role="region" aria-label="${escaped(title)}">${table}</div>${provenance(item, page)}</div>`;
  }
  const texts = body.kind === "traces" ? `<div class="pair">${body.traces.map(traceText).join("")}</div>` : "";
  return `<figure id="${id}"><figcaption>${head}</figcaption><div class="scroll" tabindex="0" role="group" aria-label="${escaped(title)}">${itemSvg(item, page.taxonomy)}</div>${texts}${provenance(item, page)}</figure>`;
}

function traceText({ name, problem, spans }: ShownTrace): string {
  const about = `${name} · ${problem}`;
  const lines = spans.flatMap(({ text, label, letter }) =>
    text === undefined
      ? []
      : `<li><b class="mark ink-${labelColor(label)}" title="${label}">${letter}</b><span>${escaped(text)}</span></li>`,
  );
  // Only its labels are known; the strip has them.
  if (lines.length === 0) return "";
  const more = spans.length > lines.length ? `<li><i>… ${spans.length - lines.length} more spans</i></li>` : "";
  return `<section class="trace" tabindex="0" aria-label="${escaped(`trace of ${about}`)}"><h4>${escaped(about)}</h4><ol>${lines.join("")}${more}</ol></section>`;
}

function provenance(item: Item, { command, figureForms }: Drawn): string {
  const files = isFigure(item)
    ? figureForms.map((form) => `figures/${item.id}.${form}`)
    : tableForms.map((form) => `tables/${item.id}.${form}`);
  const links = files.map((file) => `<a href="${file}">${file}</a>`).join(", ");
  const rows = [
    ["n", escaped(item.n)],
    ...(item.interval === undefined ? [] : [["interval", escaped(item.interval)]]),
    ...(item.labeled === undefined ? [] : [["labels", escaped(item.labeled)]]),
    ["made by", `<code>${escaped(`${command} --only ${item.id}`)}</code>`],
    ["files", links],
  ];
  return `<dl class="about">${rows.map(([term, text]) => `<dt>${term}</dt><dd>${text}</dd>`).join("")}</dl>`;
}
