// A section of the report: a question, and the figures and tables that answer it.
import type { Item } from "../item.ts";

export type Section = {
  readonly id: string;
  readonly title: string;
  readonly intro: string;
  readonly items: readonly Item[];
};
