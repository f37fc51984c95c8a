// From run folders to records. What a folder lacks becomes a named gap; nothing is ever filled in.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { RunFolderError } from "../base/errors.ts";
import { type RunDescription, readRunDescription } from "../runs/run-folder.ts";
import { symbols } from "./charts/marks.ts";
import { tellDamage } from "./damage.ts";
import { type EvaluationData, readEvaluation } from "./evaluation-data.ts";
import { classifierLabeller, grammarLabeller, type Labeller, looksTerse } from "./labelling.ts";
import { checkpointInkNames } from "./primitive-colours.ts";
import type {
  CheckpointRecord,
  Gap,
  Look,
  ProblemRecord,
  ReportData,
  RunRecord,
  SftRecord,
  TeacherRecord,
  TrainingRecord,
} from "./records.ts";
import { corpusFile, readRlSteps, readSft, readTeacher, readTrainingRollouts } from "./training-data.ts";

export const displayNames: Readonly<Record<string, string>> = {
  base: "Base",
  sft: "SFT",
  vanilla: "Vanilla GSPO",
  novelty: "Novelty bonus",
};
export const recipeOrder = Object.keys(displayNames);

/** A folder inside a run that holds one thing to read. */
type Part = {
  readonly run: RunRecord;
  readonly folder: string;
  readonly role: string;
  readonly description: RunDescription;
};

type Parts = { readonly evaluations: Part[]; readonly rl: Part[]; readonly sft: Part[]; readonly corpora: Part[] };

export async function readRuns(
  paths: readonly string[],
  options: { readonly acceptDamage?: boolean } = {},
): Promise<ReportData> {
  const gaps: Gap[] = [];
  const gap = (found: Gap) => void gaps.push(found);
  const parts: Parts = { evaluations: [], rl: [], sft: [], corpora: [] };
  const runs: RunRecord[] = [];
  // Folders of one name in different places are told apart by their paths.
  const names = paths.map((path) => basename(resolve(path)));
  for (const [i, path] of paths.entries()) {
    const unique = names.filter((name) => name === names[i]).length === 1;
    runs.push(await findParts(path, unique ? names[i] : path, parts, gap));
  }

  const folders = new Set(Object.values(parts).flatMap((found) => found.map(({ folder }) => folder)));
  for (const folder of folders) await tellDamage(folder, options.acceptDamage, gap);

  const labellers = labellerSource(gap);
  const looks = looksOf(parts);
  const checkpoints: CheckpointRecord[] = [];
  for (const part of parts.evaluations) {
    const policy = String(part.description.config.policy ?? part.role);
    const terse = part.description.config.recipe === "mini" || undefined;
    const data = await readEvaluation(part.folder, { policy, gap, labellerOf: (texts) => labellers(texts, terse) });
    if (data !== undefined) checkpoints.push(checkpointRecord(part, looks, data));
  }
  const training: TrainingRecord[] = [];
  for (const part of parts.rl) {
    const steps = await readRlSteps(part.folder, gap);
    const rollouts = await readTrainingRollouts(part.folder, gap);
    const { config } = part.description;
    if (steps.length > 0)
      training.push({ ...looks(part), role: knownRole(part.role), run: part.run.name, config, steps, rollouts });
  }
  const sft: SftRecord[] = [];
  for (const part of parts.sft) {
    sft.push({ run: part.run.name, config: part.description.config, ...(await readSft(part.folder, gap)) });
  }
  return { runs, checkpoints, teacher: await teacherRecord(parts.corpora, labellers, gap), training, sft, gaps };
}

async function findParts(path: string, name: string, parts: Parts, gap: (gap: Gap) => void): Promise<RunRecord> {
  if (!existsSync(join(path, "run.json"))) {
    throw new RunFolderError(
      `${path} is not a run folder (it has no run.json); give the folder that a run wrote, for example runs/mini`,
    );
  }
  const description = await readRunDescription(path);
  const { kind, created } = description;
  const run: RunRecord = { path, name, kind, created };
  const part = (folder: string, role: string, own: RunDescription): Part => ({ run, folder, role, description: own });
  if (kind === "evaluate")
    parts.evaluations.push(part(path, roleOf(description, basename(resolve(path))), description));
  else if (kind === "rl") parts.rl.push(part(path, run.name, description));
  else if (kind === "sft") parts.sft.push(part(path, run.name, description));
  else if (kind === "teach") parts.corpora.push(part(path, "teacher", description));
  else if (kind === "recipe") await findRecipeParts(path, description, part, parts, gap);
  else
    gap({
      missing: `figures of a run of kind "${kind}"`,
      where: path,
      remedy: "the report reads recipe, evaluate, rl, sft and teach runs",
    });
  return run;
}

async function findRecipeParts(
  path: string,
  description: RunDescription,
  part: (folder: string, role: string, own: RunDescription) => Part,
  parts: Parts,
  gap: (gap: Gap) => void,
): Promise<void> {
  parts.corpora.push(part(path, "teacher", description));
  const trained = await described(path);
  for (const [name, own] of inRecipeOrder(trained)) {
    if (own.kind === "sft" || own.kind === "rl") parts[own.kind].push(part(join(path, name), name, own));
  }
  for (const role of ["sft", "vanilla", "novelty"]) {
    if (!trained.has(role))
      gap({
        missing: `the stage ${role}/`,
        where: path,
        remedy: "run the recipe again in the same folder: it goes on where it stands",
      });
  }
  const evaluated = await described(join(path, "evaluations"));
  // What is inside a recipe speaks the recipe's language, which its own description does not repeat.
  const inherited = (own: RunDescription): RunDescription => ({
    ...own,
    config: { ...own.config, recipe: description.config.recipe },
  });
  for (const [name, own] of inRecipeOrder(evaluated)) {
    if (own.kind === "evaluate") parts.evaluations.push(part(join(path, "evaluations", name), name, inherited(own)));
  }
  for (const role of recipeOrder) {
    if (!evaluated.has(role))
      gap({
        missing: `the evaluation evaluations/${role}/`,
        where: path,
        remedy: "run the recipe again in the same folder: it evaluates what is missing",
      });
  }
}

/** Folders with a run inside, by name. */
async function described(path: string): Promise<Map<string, RunDescription>> {
  const found = new Map<string, RunDescription>();
  if (!existsSync(path)) return found;
  const entries = await readdir(path, { withFileTypes: true });
  for (const name of entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()) {
    if (existsSync(join(path, name, "run.json"))) found.set(name, await readRunDescription(join(path, name)));
  }
  return found;
}

function inRecipeOrder(folders: ReadonlyMap<string, RunDescription>): [string, RunDescription][] {
  const place = (name: string) => (recipeOrder.includes(name) ? recipeOrder.indexOf(name) : recipeOrder.length);
  return [...folders].sort(([a], [b]) => place(a) - place(b));
}

function roleOf({ config }: RunDescription, name: string): string {
  return recipeOrder.includes(name) ? name : typeof config.policy === "string" ? config.policy : name;
}

const knownRole = (role: string) => (recipeOrder.includes(role) ? role : undefined);

/** The same ink and symbol for a checkpoint and for the training that made it. */
function looksOf(parts: Parts): (part: Part) => Look {
  const all = [...parts.evaluations, ...parts.rl];
  const key = ({ run, role }: Part) => `${run.path}\u0000${role}`;
  const keys = [...new Set(all.map(key))];
  const firsts = keys.map((wanted) => all.find((part) => key(part) === wanted)!);
  const inkNames = checkpointInkNames(firsts.map(({ role }) => knownRole(role)));
  const severalRuns = new Set(firsts.map(({ run }) => run.path)).size > 1;
  const title = ({ role, run }: Part) => {
    const own = displayNames[role] ?? role;
    return severalRuns && run.kind === "recipe" ? `${own} (${run.name})` : own;
  };
  const looks = new Map(
    firsts.map((part, i) => {
      const symbol = symbols[i % symbols.length];
      return [key(part), { name: title(part), ink: inkNames[i], symbol, ...(i % 2 === 1 && { dash: "6 3" }) }];
    }),
  );
  return (part) => looks.get(key(part))!;
}

function checkpointRecord(part: Part, looks: (part: Part) => Look, data: EvaluationData): CheckpointRecord {
  return { ...looks(part), role: knownRole(part.role), run: part.run.name, folder: part.folder, ...data };
}

/** The grammar for traces that speak the terse language, the classifier for all others; loaded when first needed. */
function labellerSource(gap: (gap: Gap) => void) {
  let classifier: ReturnType<typeof classifierLabeller> | undefined;
  let told = false;
  return async (responses: readonly string[], terse = looksTerse(responses)): Promise<Labeller | undefined> => {
    if (terse) return grammarLabeller;
    const loaded = await (classifier ??= classifierLabeller());
    if (!("missing" in loaded)) return loaded;
    if (!told)
      gap({
        missing: `a span classifier (${loaded.missing})`,
        where: "models/",
        remedy: "without it, traces that are not in the terse language have no primitives",
      });
    told = true;
    return undefined;
  };
}

async function teacherRecord(
  corpora: readonly Part[],
  labellers: ReturnType<typeof labellerSource>,
  gap: (gap: Gap) => void,
): Promise<TeacherRecord | undefined> {
  const traces: TeacherRecord["traces"][number][] = [];
  const problems = new Map<string, ProblemRecord>();
  const labelled = new Set<string>();
  for (const { folder, description } of corpora) {
    if (!existsSync(join(folder, corpusFile))) {
      gap({ missing: corpusFile, where: folder, remedy: "teach again; the teacher's figures are made from it" });
      continue;
    }
    const labeller = await labellers([], description.config.recipe === "mini");
    const read = await readTeacher(folder, labeller, gap);
    for (const trace of read.traces) traces.push(trace);
    for (const [id, problem] of read.problems) problems.set(id, problem);
    for (const who of read.labelled) labelled.add(who);
  }
  if (traces.length === 0) return undefined;
  return { name: "Teacher", ink: "at-teacher", symbol: "cross", traces, problems, labelled: [...labelled].join("; ") };
}
