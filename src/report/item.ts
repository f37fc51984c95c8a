// The parts of a report: figures, tables, and what could not be made. Each knows its n, its interval, who labeled, and the
// command that makes it again.
import type { Table } from "./table.ts";

type Provenance = {
  /** How many traces, problems or steps. */
  readonly n: string;
  /** What the intervals mean; absent where nothing has one. */
  readonly interval?: string;
  /** Who labeled the spans; absent where no label is involved. */
  readonly labeled?: string;
};

export type FigureItem = Provenance & {
  readonly type: "figure";
  readonly id: string;
  readonly title: string;
  /** How to read it, for somebody who has not read the paper. */
  readonly caption: string;
  readonly svg: string;
  /** Markup beside the figure, already escaped: the text of paired traces. */
  readonly beside?: string;
};

export type TableItem = Provenance & {
  readonly type: "table";
  readonly id: string;
  readonly title: string;
  readonly caption: string;
  readonly table: Table;
};

type MissingItem = {
  readonly type: "missing";
  readonly id: string;
  readonly title: string;
  /** What it would need. */
  readonly needs: string;
};

export type Item = FigureItem | TableItem | MissingItem;

export const missing = (id: string, title: string, needs: string): MissingItem => ({
  type: "missing",
  id,
  title,
  needs,
});

export const overProblems = "95% bootstrap over problems";
/** As an evaluation has them (`evaluation/intervals.ts`). */
export const passOverProblems = `${overProblems}, widened for few problems`;
/** Where pass@k stands beside means per trace. */
export const bothOverProblems = `${overProblems}; of pass@k widened for few problems`;
