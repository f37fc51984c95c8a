// Whatever is shown is an item: plain JSON, made once from a run and its analysis, and drawn by whoever has a page, a terminal
// or a file to fill. Its n, its interval and who labeled travel with it; a renderer knows bodies and never runs.
import type { LegendEntry, Panel } from "./panel.ts";
import type { Table } from "./table.ts";

export type Item = {
  readonly id: string;
  readonly title: string;
  /** How to read it, for somebody who has not read the paper. */
  readonly caption: string;
  /** How many traces, problems or steps. */
  readonly n: string;
  /** What the intervals mean; absent where nothing has one. */
  readonly interval?: string;
  /** Who labeled the spans; absent where no label is involved. */
  readonly labeled?: string;
  readonly body: Body;
};

export type PanelsBody = {
  readonly kind: "panels";
  readonly panels: readonly Panel[];
  /** How many panels stand side by side, where there is room. */
  readonly columns: number;
  readonly panelHeight?: number;
  readonly legend: readonly LegendEntry[];
};

/** Traces one below the other, each as a strip of its labels and as text. */
export type TracesBody = { readonly kind: "traces"; readonly traces: readonly ShownTrace[] };

export type ShownTrace = {
  readonly name: string;
  readonly note: string;
  readonly problem: string;
  /** In order; a very long trace has its last spans without their text. */
  readonly spans: readonly { readonly label: string; readonly letter: string; readonly text?: string }[];
  /** The spans that a box is drawn around: the longest exploit run. */
  readonly boxed: { readonly start: number; readonly length: number };
};

export type TableBody = { readonly kind: "table" } & Table;

type MissingBody = {
  readonly kind: "missing";
  /** What it would need. */
  readonly needs: string;
};

export type Body = PanelsBody | TracesBody | TableBody | MissingBody;

export type FigureItem = Item & { readonly body: PanelsBody | TracesBody };

export const isFigure = (item: Item): item is FigureItem => item.body.kind === "panels" || item.body.kind === "traces";

export const missing = (id: string, title: string, needs: string): Item => ({
  ...{ id, title, caption: "", n: "" },
  body: { kind: "missing", needs },
});

/** Something a figure would need and the runs do not hold. */
export type Gap = { readonly missing: string; readonly where: string; readonly remedy: string };

/** A question, and the figures and tables that answer it. */
export type Section = {
  readonly id: string;
  readonly title: string;
  readonly intro: string;
  readonly items: readonly Item[];
};
