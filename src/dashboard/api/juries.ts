// What is said about labels: juries and their disagreements, what people relabel, and how good the classifier is.
import type { Taxonomy } from "../../rollouts/taxonomy.ts";
import type { Gap } from "./runs.ts";

// ---- GET /api/jury?jury= ---------------------------------------------------------------------------------------------
// A folder that `repertoire traces judge` wrote, and what people said about its disagreements.

export type JuryEntry = {
  /** Its path below the served folder. */
  readonly id: string;
  readonly name: string;
  readonly created?: string;
  readonly spans?: number;
  readonly disagreements: number;
  readonly relabeled: number;
};

export type JuryReply = {
  readonly jury: JuryEntry;
  readonly judges: readonly string[];
  /** Share of equal labels, in percent, mean over pairs of judges. */
  readonly percent?: number;
  readonly fleissKappa?: number;
  readonly pairs: readonly {
    readonly judges: readonly [string, string];
    readonly spans: number;
    /** Absent where no span has a vote of both. */
    readonly percent?: number;
    readonly kappa?: number;
  }[];
  /** The most divided first. */
  readonly queue: readonly Disagreement[];
  /** What its judges chose from. */
  readonly taxonomy: Taxonomy;
  /** The file that relabels are saved to, below the served folder. */
  readonly file: string;
  /** False in a page without a server. */
  readonly writable: boolean;
  readonly gaps: readonly Gap[];
};

export type Disagreement = {
  /** The span's id. */
  readonly id: string;
  readonly text: string;
  readonly previous: string;
  readonly trace?: string;
  readonly domain?: string;
  readonly votes: Readonly<Record<string, string>>;
  /** What a person said. */
  readonly relabel?: string;
};

// ---- POST /api/relabel -----------------------------------------------------------------------------------------------
// The only request that writes: one label for one span of the queue, or null to take it back. JSON body, JSON reply.

export type RelabelRequest = { readonly jury: string; readonly span: string; readonly label: string | null };
export type RelabelReply = { readonly relabeled: number; readonly file: string };
