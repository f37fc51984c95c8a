// Who labels rollouts while a policy is trained. Training asks a labeler or none; which one it is, is the caller's choice.
import type { Taxonomy } from "./taxonomy.ts";

export type RolloutLabeler = {
  /** Written beside the labels, so that whoever reads them knows whose they are. */
  readonly id: string;
  readonly taxonomy: Taxonomy;
  readonly labels: (response: string, question?: string) => readonly string[] | Promise<readonly string[]>;
};
