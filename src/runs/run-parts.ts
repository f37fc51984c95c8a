// What a run consists of: the stages and evaluations inside a recipe's folder, or the one thing that any other run is, in
// the order in which a recipe goes through them. And which language a run's model speaks, which only the run itself can say.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { DataError, messageOf } from "../base/errors.ts";
import type { Language } from "../engine/language.ts";
import { readPolicyCard } from "../engine/policy-card.ts";
import { type RolloutStage, rolloutStages } from "../rollouts/rollout.ts";
import { inRecipeOrder, policyLooks, recipeOrder } from "./recipe-names.ts";
import { type RunDescription, readRunDescription } from "./run-folder.ts";
import { readVariantLooks, type VariantLooks } from "./variant-looks.ts";

/** The teacher's traces, in the folder of the recipe or of `teach`. */
export const corpusFile = "corpus.jsonl";

export type RunPart = {
  /** `sft`, `evaluations/vanilla`; `.` for the run itself. */
  readonly id: string;
  readonly kind: RunDescription["kind"];
  readonly folder: string;
  /** What it is called: its place in the recipe, the policy it evaluates, its folder. */
  readonly name: string;
  /** What tables call it. */
  readonly title: string;
  /** The part that its policy plays in the paper's story, where it plays one. */
  readonly role?: string;
  /** Of the palette, where one was chosen for it. */
  readonly color?: string;
  readonly description: RunDescription;
  /** Of rollouts that were imported: what they were made for. */
  readonly stage?: RolloutStage;
  /** Why it cannot be read. */
  readonly problem?: string;
};

export type RunParts = { readonly description: RunDescription; readonly parts: readonly RunPart[] };

export const isRun = (path: string): boolean => existsSync(join(path, "run.json"));

/** The whole of a run has its analyses, too, and what cannot be read, with the reason; else that is an error. */
export async function runParts(path: string, { whole = false } = {}): Promise<RunParts> {
  const description = await readRunDescription(path);
  if (!hasParts(description)) {
    const part = {
      id: ".",
      kind: description.kind,
      folder: path,
      name: partName(description, basename(resolve(path))),
    };
    return { description, parts: titled([{ ...part, description }], {}) };
  }
  const parts: Named[] = [];
  if (existsSync(join(path, corpusFile)))
    parts.push({ id: ".", kind: "teach", folder: path, name: "teacher", description });
  for (const within of ["", "evaluations"]) {
    for (const name of await runsIn(join(path, within))) {
      const [id, folder] = [within === "" ? name : `${within}/${name}`, join(path, within, name)];
      try {
        const inner = await readRunDescription(folder);
        const { stage } = importedPart(inner) ?? {};
        if ((inner.kind === "analyze" && !whole) || (hasParts(inner) && stage === undefined)) continue;
        const about = { name: partName(inner, name), description: inner, ...(stage && { stage }) };
        parts.push({ id, kind: inner.kind, folder, ...about });
      } catch (error) {
        if (!whole) throw error;
        const kind = within === "" ? "rl" : "evaluate";
        parts.push({ id, kind, folder, name, description, problem: messageOf(error) });
      }
    }
  }
  inPartOrder(parts);
  const chosen = await readVariantLooks(path).catch((error: unknown) => {
    // A damaged file of looks costs a name and a color, not the page.
    if (whole && error instanceof DataError) return {};
    throw error;
  });
  return { description, parts: titled(parts, chosen) };
}

type Named = Omit<RunPart, "title" | "role" | "color">;

function titled(parts: readonly Named[], chosen: VariantLooks): RunPart[] {
  const look = policyLooks(
    parts.map((part) => ({ ...part, config: part.description.config })),
    chosen,
  );
  const isTeacher = ({ kind, stage }: Named) => kind === "teach" || stage === "teacher";
  return parts.map((part) => ({
    ...part,
    ...(isTeacher(part) ? { title: "Teacher", role: "teacher" } : look(part.name)),
  }));
}

/** Runs that are made of others: a recipe of its stages, an import of the policies whose rollouts it found. */
export const hasParts = ({ kind }: { readonly kind: string }): boolean => kind === "recipe" || kind === "import";

/** What an import writes into each of its parts: what they were made for, the step that made all of them, and which part comes first. */
const importedPartSchema = z.looseObject({
  imported: z.object({ stage: z.enum(rolloutStages), order: z.number(), step: z.number().optional() }),
});
type ImportedPart = z.infer<typeof importedPartSchema>["imported"];
export const importedPart = ({ config }: RunDescription): ImportedPart | undefined =>
  importedPartSchema.safeParse(config).data?.imported;

/** As they were found in the files; a recipe's are in its order already. */
function inPartOrder(parts: Named[]): void {
  const order = new Map(parts.map((part) => [part, importedPart(part.description)?.order ?? 0]));
  parts.sort((a, b) => order.get(a)! - order.get(b)!);
}

/** What analyses and pages call a part. */
function partName(description: RunDescription, folder: string): string {
  const { kind, config } = description;
  const imported = importedPart(description);
  // A training run without a name is called what it is.
  if (imported !== undefined) return String(config.policy || imported.stage);
  if (kind === "teach") return "teacher";
  if (kind !== "evaluate" || recipeOrder.includes(folder)) return folder;
  return typeof config.policy === "string" ? config.policy : folder;
}

/** Names of the folders inside that hold a run, in the order of a recipe. */
async function runsIn(path: string): Promise<string[]> {
  const entries = existsSync(path) ? await readdir(path, { withFileTypes: true }) : [];
  const names = entries.filter((entry) => entry.isDirectory() && isRun(join(path, entry.name))).map(({ name }) => name);
  return inRecipeOrder(names);
}

/** What the model of a run speaks, by its policy card; undefined where nothing says so, and then no grammar may read it. */
export const languageOfFolder = async (folder: string): Promise<Language | undefined> =>
  (await readPolicyCard(folder))?.language;
